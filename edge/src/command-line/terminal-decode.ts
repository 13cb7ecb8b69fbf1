import { bytesOf } from '../terminal/zvt/bcd-frame.ts';
import { explainApdu, explainFrame, explainHead } from '../terminal/zvt/explain-message.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';

/** Prints what a ZVT message means. */
export function terminalDecode(
  { hex, serial, json }: Extract<Command, { kind: 'terminal-decode' }>,
  shell: Shell,
): ExitCode {
  const bytes = bytesOf(hex);
  const meaning = serial ? explainFrame(bytes) : explainApdu(bytes);
  if (!meaning.ok) {
    const head = serial ? null : explainHead(bytes);
    if (json) shell.print(JSON.stringify({ malformed: true, reason: meaning.problem, ...head }));
    shell.complain(`This is no message: ${meaning.problem}`);
    return 1;
  }
  if (json) shell.print(JSON.stringify(meaning.value));
  else for (const line of inWords(meaning.value)) shell.print(line);
  return 0;
}

/** A line for each thing that it says, what belongs to another indented below it. */
function inWords(said: object, indent = ''): string[] {
  return Object.entries(said).flatMap(([name, value]: [string, unknown]) => {
    if (!isNested(value)) return [`${indent}${name}: ${Array.isArray(value) ? value.join(' ') : value}`];
    const below = `${indent}  `;
    const lines = Array.isArray(value)
      ? value.flatMap((one) => inOneLine(one, below))
      : inWords(value, below);
    return [`${indent}${name}`, ...lines];
  });
}

/** An object of a container; those within it below. */
function inOneLine(said: object, indent: string): string[] {
  const all: [string, unknown][] = Object.entries(said);
  const own = all.filter(([, value]) => !isNested(value)).map(([name, value]) => `${name} ${value}`);
  const within = all.flatMap(([, value]) => (Array.isArray(value) ? value : []));
  return [`${indent}${own.join(', ')}`, ...within.flatMap((one) => inOneLine(one, `${indent}  `))];
}

function isNested(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !(Array.isArray(value) && typeof value[0] === 'string')
  );
}
