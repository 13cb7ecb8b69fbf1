import { readFile } from 'node:fs/promises';
import { answerPrice } from './price-command.ts';

const answer = await answerPrice(process.argv.slice(2), (path) => readFile(path, 'utf8'));
if (answer.ok) {
  process.stdout.write(`${answer.text}\n`);
} else {
  for (const mistake of answer.mistakes) process.stderr.write(`${mistake}\n`);
  process.stderr.write('(--help says more)\n');
  process.exitCode = 1;
}
