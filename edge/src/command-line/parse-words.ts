import { parseArgs } from 'node:util';
import { messageOf } from '@hlid/protocol/fault';
import { nearestWord } from './nearest-word.ts';

const OPTIONS = {
  format: { type: 'string' },
  serial: { type: 'string' },
  'time-zone': { type: 'string' },
  'content-type': { type: 'string' },
  json: { type: 'boolean' },
  text: { type: 'boolean' },
  seconds: { type: 'string' },
  user: { type: 'string' },
  'self-signed': { type: 'boolean' },
  out: { type: 'string' },
  why: { type: 'string' },
  all: { type: 'boolean' },
  cloud: { type: 'string' },
  replace: { type: 'boolean' },
  direct: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** The options that were given, by their names. */
export type Given = {
  -readonly [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'string'
    ? string
    : boolean;
};

/** Tells options from the other words. */
export function parseWords(
  words: readonly string[],
): { ok: true; values: Given; positionals: string[] } | { ok: false; mistake: string } {
  const args = words.map((word) => (word === '--serial' && isTerminalDecode(words) ? '--serial=line' : word));
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    return { ok: true, values, positionals };
  } catch (error) {
    return { ok: false, mistake: wrongOption(messageOf(error)) };
  }
}

/** Its `--serial` takes no value, unlike a camera's. */
function isTerminalDecode(words: readonly string[]): boolean {
  const [noun, verb] = words.filter((word) => !word.startsWith('-') && word !== 'help');
  return noun === 'terminal' && verb === 'decode';
}

/** Node's own words, without its advice on positional arguments. */
function wrongOption(message: string): string {
  const [, typed] = /^Unknown option '--?([\w-]+)'/.exec(message) ?? [];
  if (typed === undefined) return message;
  const meant = nearestWord(typed, Object.keys(OPTIONS));
  return `there is no option --${typed}${meant === null ? '' : `; did you mean --${meant}?`}`;
}
