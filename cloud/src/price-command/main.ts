import { readFile } from 'node:fs/promises';
import { answerPrice } from './price-command.ts';

/** Spreadsheet programs save text as UTF-16, too; its mark says so. */
async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}

// Whoever reads it may have seen enough: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const answer = await answerPrice(process.argv.slice(2), readText);
if (answer.ok) {
  process.stdout.write(`${answer.text}\n`);
} else {
  for (const mistake of answer.mistakes) process.stderr.write(`${mistake}\n`);
  process.stderr.write('(--help says more)\n');
  process.exitCode = 1;
}
