import { readFile } from 'node:fs/promises';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { priceProgram } from './price-command.ts';

/** Spreadsheet programs save text as UTF-16, too, with its mark. */
async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}

process.exitCode = await runProgram(priceProgram(readText), process.argv.slice(2), processShell(process));
