import type { CommandAction } from '@hlid/protocol/commands';
import type { PersonFinding } from '../payment/payment-till.ts';
import { type CommandEntry, optionsOf } from './command-entry.ts';
import { COMMANDS, type CommandName, findCommand } from './command-list.ts';
import { nearestWord } from './nearest-word.ts';
import { type Given, parseWords } from './parse-words.ts';
import type { ParsedFormat } from './parsed-formats.ts';
import { readWish } from './read-wish.ts';

/** What somebody wants who starts the program. */
export type Command =
  | { kind: 'daemon' }
  /** Null: about all of them. */
  | { kind: 'help'; about: CommandName | null }
  | { kind: 'version' }
  /** `json`: for scripts, not in words. */
  | (Wish & { json: boolean });

/** What is wanted of one of the technician's tools. */
export type Wish =
  | { kind: 'config-check' }
  | { kind: 'status' }
  | { kind: 'enrol'; code: string; cloud: string | null; replace: boolean }
  | {
      kind: 'camera-parse';
      /** Null: to be found out. */
      format: ParsedFormat | null;
      /** `-`: standard input. */
      file: string;
      /** Of the camera, which Survision sends beside the document. */
      serial: string | null;
      contentType: string | null;
      /** Null: UTC. */
      timeZone: string | null;
    }
  | { kind: 'camera-discover'; seconds: number | null }
  | { kind: 'camera-snapshot'; choice: DeviceChoice; out: string | null }
  | { kind: 'camera-watch'; choice: DeviceChoice; seconds: number | null }
  /** Null: every device that has refused a login. */
  | { kind: 'try-again'; device: { kind: 'camera' | 'gate'; id: string } | null }
  | { kind: 'terminal-status'; direct: boolean }
  | { kind: 'terminal-diagnose' }
  /** `hex`: an even number of digits. */
  | { kind: 'terminal-decode'; hex: string; serial: boolean }
  | { kind: 'payment-list' }
  | { kind: 'payment-found'; paymentId: string; finding: PersonFinding }
  | { kind: 'gate-list' }
  /** `laneId` null: every lane. */
  | { kind: 'gate-move'; action: CommandAction; laneId: string | null; why: string };

/** A camera of the configuration by its id, or any device by the address of its service. */
export interface DeviceChoice {
  camera: string;
  user: string | null;
  selfSigned: boolean;
}

type Reading =
  | { ok: true; command: Command }
  /** `about`: the command that was meant, where that is clear. */
  | { ok: false; mistake: string; about: CommandName | null };

/** Reads the arguments that follow the program's name. Pure. */
export function readCommand(words: readonly string[]): Reading {
  const parsed = parseWords(words);
  if (!parsed.ok) return mistake(parsed.mistake);
  const { values, positionals } = parsed;
  const asked = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  const { entry, operands } = findEntry(asked);
  if (values.help || positionals[0] === 'help') return helpAbout(entry, asked);
  if (values.version) return { ok: true, command: { kind: 'version' } };
  if (entry === null) return withoutCommand(positionals, values);
  const strange = Object.keys(values).find((given) => !optionsOf(entry).some(({ name }) => name === given));
  if (strange !== undefined) return mistake(`--${strange} ${belongsTo(strange)}`, entry.name);
  if (values.text && values.json) return mistake('either --text or --json, not both', entry.name);
  const wish = readWish(entry.name, operands, values);
  if ('mistake' in wish) return mistake(wish.mistake, entry.name);
  const json = entry.prints === 'json' ? !values.text : (values.json ?? false);
  return { ok: true, command: { ...wish, json } };
}

function findEntry(words: readonly string[]) {
  const [noun = '', verb = '', ...rest] = words;
  const two = findCommand(`${noun} ${verb}`);
  if (two) return { entry: two, operands: rest };
  return { entry: findCommand(noun), operands: words.slice(1) };
}

function helpAbout(entry: { name: CommandName } | null, words: readonly string[]): Reading {
  if (entry === null && words.length > 0 && !COMMANDS.some(({ name }) => name.startsWith(`${words[0]} `))) {
    return unknown(words);
  }
  return { ok: true, command: { kind: 'help', about: entry?.name ?? null } };
}

function withoutCommand(positionals: readonly string[], values: Given): Reading {
  if (positionals.length > 0) return unknown(positionals);
  const [strange] = Object.keys(values);
  return strange === undefined
    ? { ok: true, command: { kind: 'daemon' } }
    : mistake(`--${strange} ${belongsTo(strange)}`);
}

function unknown(words: readonly string[]): Reading {
  const names = COMMANDS.map(({ name }) => name);
  const [noun = '', verb] = words;
  const verbs = names.filter((name) => name.startsWith(`${noun} `));
  const typed = verb === undefined ? noun : `${noun} ${verb}`;
  const meant = nearestWord(typed, names) ?? nearestWord(noun, names);
  const hint =
    meant !== null ? `; did you mean ${meant}?` : verbs.length > 0 ? `; there are: ${verbs.join(', ')}` : '';
  return mistake(`there is no command "${words.join(' ')}"${hint}`);
}

function belongsTo(option: string): string {
  const entries: readonly CommandEntry[] = COMMANDS;
  const owners = entries.filter((entry) => optionsOf(entry).some(({ name }) => name === option));
  if (owners.length === entries.length) return 'belongs to a command';
  return `belongs to ${owners.map(({ name }) => name).join(', ')}`;
}

function mistake(text: string, about: CommandName | null = null): Reading {
  return { ok: false, mistake: text, about };
}
