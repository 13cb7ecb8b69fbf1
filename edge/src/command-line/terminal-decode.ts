import { defineCommand, EXIT, type ExitCode, flag, operandList } from '@hlid/protocol/command-line/command';
import { bytesOf } from '../terminal/zvt/bcd-frame.ts';
import { explainApdu, explainFrame, explainHead } from '../terminal/zvt/explain-message.ts';
import type { Shell } from './shell.ts';

export const terminalDecode = defineCommand({
  name: 'terminal decode',
  operand: operandList('HEX'),
  summary: 'Explain a message between edge and card terminal (ZVT)',
  about: 'HEX is its bytes as sent over TCP; spaces, colons and dashes are ignored. Card numbers are masked.',
  options: { serial: flag('HEX is a frame of a serial line: 10 02 … 10 03 and its checksum') },
  examples: ['terminal decode 06010A04000000001500490352', 'terminal decode --serial 10028000001003F51F'],
  check({ operand: words }) {
    const hex = digitsOf(words);
    if (hex === '') return ['terminal decode needs the HEX of a message'];
    return /^([0-9a-f]{2})+$/i.test(hex)
      ? []
      : ['HEX is an even number of hexadecimal digits (spaces, colons and dashes are ignored)'];
  },
  run: ({ operand: words, options, json }, shell: Shell) =>
    decode(digitsOf(words), { serial: options.serial, json, shell }),
});

function digitsOf(words: readonly string[]): string {
  return words.join(' ').replace(/\b0x|[\s:,;-]/gi, '');
}

/** @param hex an even number of digits */
function decode(
  hex: string,
  { serial, json, shell }: { serial: boolean; json: boolean; shell: Shell },
): ExitCode {
  const bytes = bytesOf(hex);
  const meaning = serial ? explainFrame(bytes) : explainApdu(bytes);
  if (!meaning.ok) {
    const head = serial ? null : explainHead(bytes);
    if (json) shell.print(JSON.stringify({ malformed: true, reason: meaning.problem, ...head }));
    shell.complain(`This is not a message: ${meaning.problem}`);
    return EXIT.failed;
  }
  if (json) shell.print(JSON.stringify(meaning.value));
  else for (const line of lines(meaning.value)) shell.print(line);
  return EXIT.done;
}

/** A line for each value; parts of another are indented below it. */
function lines(part: object, indent = ''): string[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (!isNested(value)) return [`${indent}${name}: ${Array.isArray(value) ? value.join(' ') : value}`];
    const below = `${indent}  `;
    const nested = Array.isArray(value)
      ? value.flatMap((one) => containerLines(one, below))
      : lines(value, below);
    return [`${indent}${name}`, ...nested];
  });
}

/** An object of a container on one line; those within it below. */
function containerLines(part: object, indent: string): string[] {
  const all: [string, unknown][] = Object.entries(part);
  const own = all.filter(([, value]) => !isNested(value)).map(([name, value]) => `${name} ${value}`);
  const within = all.flatMap(([, value]) => (Array.isArray(value) ? value : []));
  return [`${indent}${own.join(', ')}`, ...within.flatMap((one) => containerLines(one, `${indent}  `))];
}

function isNested(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !(Array.isArray(value) && typeof value[0] === 'string')
  );
}
