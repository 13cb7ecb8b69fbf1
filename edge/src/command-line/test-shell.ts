import { Readable } from 'node:stream';
import { runCommand } from './run-command.ts';

/** Runs a command as a shell would, and returns what it said. */
export async function runInShell(
  words: readonly string[],
  given: { input?: Uint8Array; environment?: Record<string, string> } = {},
) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runCommand(words, {
    input: Readable.from(given.input ? [given.input] : []),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    environment: given.environment ?? {},
  });
  return { code, printed, complaint: complaints.join('\n') };
}
