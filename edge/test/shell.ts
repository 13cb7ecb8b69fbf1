import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '@hlid/protocol/command-line/program';
import { EDGE_PROGRAM } from '../src/command-line/edge-program.ts';

/** Runs a command as a shell would with its output in a pipe or a file, and returns what it printed. */
export async function runInShell(
  words: readonly string[],
  given: { input?: Uint8Array; environment?: Record<string, string>; isTerminal?: boolean } = {},
) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runProgram(EDGE_PROGRAM, words, {
    input: Readable.from(given.input ? [given.input] : []),
    output: new PassThrough(),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    environment: given.environment ?? {},
    isTerminal: given.isTerminal ?? false,
  });
  return { code, printed, complaint: complaints.join('\n') };
}

/** The same at a terminal, where a person reads it. */
export async function runAtTerminal(
  words: readonly string[],
  given: { input?: Uint8Array; environment?: Record<string, string> } = {},
) {
  return await runInShell(words, { ...given, isTerminal: true });
}
