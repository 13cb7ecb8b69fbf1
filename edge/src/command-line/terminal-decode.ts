import { bytesOf } from '../terminal/zvt/bcd-frame.ts';
import { explainApdu, explainFrame } from '../terminal/zvt/explain-message.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Prints what a ZVT message means. */
export function terminalDecode(
  { hex, serial }: Extract<Command, { kind: 'terminal-decode' }>,
  terminal: Terminal,
): ExitCode {
  const bytes = bytesOf(hex);
  const meaning = serial ? explainFrame(bytes) : explainApdu(bytes);
  if (!meaning.ok) {
    terminal.print(JSON.stringify({ malformed: true, reason: meaning.problem }));
    terminal.complain(`This is no message: ${meaning.problem}`);
    return 1;
  }
  terminal.print(JSON.stringify(meaning.value));
  return 0;
}
