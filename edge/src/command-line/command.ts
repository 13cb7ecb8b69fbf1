import { parseArgs } from 'node:util';
import { type CameraFormat, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import type { CommandAction } from '@hlid/protocol/commands';
import { messageOf } from '@hlid/protocol/fault';
import { TimeZoneSchema } from '@hlid/protocol/site-time';
import type { PersonFinding } from '../payment/payment-till.ts';
import { COMMANDS, type CommandEntry, type CommandName, findCommand } from './command-list.ts';
import { nearestWord } from './nearest-word.ts';

/** What somebody wants who starts the program. */
export type Command =
  | { kind: 'daemon' }
  /** Null: about all of them. */
  | { kind: 'help'; about: CommandName | null }
  | { kind: 'version' }
  | { kind: 'config-check'; json: boolean }
  | { kind: 'status'; json: boolean }
  | { kind: 'enrol'; json: boolean; code: string; cloud: string | null; replace: boolean }
  | {
      kind: 'camera-parse';
      format: CameraFormat;
      /** `-`: standard input. */
      file: string;
      /** Of the camera, which Survision sends beside the document. */
      serial: string | null;
      contentType: string | null;
      /** Null: UTC. */
      timeZone: string | null;
    }
  | { kind: 'camera-discover'; json: boolean; seconds: number | null }
  | { kind: 'camera-snapshot'; json: boolean; choice: DeviceChoice; out: string | null }
  | { kind: 'camera-watch'; json: boolean; choice: DeviceChoice; seconds: number | null }
  /** Null: every device that has refused a login. */
  | { kind: 'try-again'; json: boolean; cameraId: string | null }
  | { kind: 'terminal-status'; direct: boolean }
  | { kind: 'terminal-diagnose' }
  /** `hex`: an even number of digits. */
  | { kind: 'terminal-decode'; hex: string; serial: boolean }
  | { kind: 'payment-list'; json: boolean }
  | { kind: 'payment-found'; json: boolean; paymentId: string; finding: PersonFinding }
  | { kind: 'gate-list'; json: boolean }
  /** `laneId` null: every lane. */
  | { kind: 'gate-move'; json: boolean; action: CommandAction; laneId: string | null; why: string };

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
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed;
  const asked = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  const { entry, operands } = findEntry(asked);
  if (values.help || positionals[0] === 'help') return helpAbout(entry, asked);
  if (values.version) return command({ kind: 'version' });
  if (entry === null) return withoutCommand(positionals, values);
  const strange = Object.keys(values).find((given) => !entry.options.some(({ name }) => name === given));
  if (strange !== undefined) return mistake(`--${strange} belongs to ${ownersOf(strange)}`, entry.name);
  if (values.text && values.json) return mistake('either --text or --json, not both', entry.name);
  const reading = readOf(entry.name, operands, values);
  return reading.ok ? reading : { ...reading, about: entry.name };
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
  return command({ kind: 'help', about: entry?.name ?? null });
}

function withoutCommand(positionals: readonly string[], values: Given): Reading {
  if (positionals.length > 0) return unknown(positionals);
  const [strange] = Object.keys(values);
  return strange === undefined
    ? command({ kind: 'daemon' })
    : mistake(`--${strange} belongs to ${ownersOf(strange)}`);
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

function ownersOf(option: string): string {
  const entries: readonly CommandEntry[] = COMMANDS;
  return entries
    .filter(({ options }) => options.some(({ name }) => name === option))
    .map(({ name }) => name)
    .join(', ');
}

interface Given {
  format?: string;
  serial?: string;
  'time-zone'?: string;
  'content-type'?: string;
  json?: boolean;
  text?: boolean;
  seconds?: string;
  user?: string;
  'self-signed'?: boolean;
  out?: string;
  why?: string;
  all?: boolean;
  cloud?: string;
  replace?: boolean;
  direct?: boolean;
}

function readOf(name: CommandName, operands: readonly string[], given: Given): Reading {
  const json = given.json ?? false;
  switch (name) {
    case 'enrol':
      return readEnrol(operands, given);
    case 'config check':
      return withoutNames(name, operands) ?? command({ kind: 'config-check', json });
    case 'status':
      return withoutNames(name, operands) ?? command({ kind: 'status', json });
    case 'gate list':
      return withoutNames(name, operands) ?? command({ kind: 'gate-list', json });
    case 'payment list':
      return withoutNames(name, operands) ?? command({ kind: 'payment-list', json });
    case 'payment booked':
    case 'payment not-booked':
    case 'payment given-back':
      return readPaymentFound(name, operands, json);
    case 'terminal status':
      return (
        withoutNames(name, operands) ?? command({ kind: 'terminal-status', direct: given.direct ?? false })
      );
    case 'terminal diagnose':
      return withoutNames(name, operands) ?? command({ kind: 'terminal-diagnose' });
    case 'terminal decode':
      return readTerminalDecode(operands, given);
    case 'camera discover':
      return withoutNames(name, operands) ?? readDiscover(given);
    case 'camera parse':
      return readCameraParse(operands, given);
    case 'camera snapshot':
    case 'camera watch':
      return readOfDevice(name, operands, given);
    case 'camera try-again':
      return readTryAgain(operands, json);
    case 'gate pulse':
    case 'gate hold':
    case 'gate close':
    case 'gate release':
      return readGateMove(name, operands, given);
    default:
      return name satisfies never;
  }
}

function withoutNames(name: CommandName, operands: readonly string[]): Reading | null {
  return operands.length > 0 ? mistake(`${name} takes no names, not ${operands.join(' ')}`) : null;
}

function readEnrol([code, ...more]: readonly string[], given: Given): Reading {
  if (code === undefined) return mistake('enrol needs the CODE that an operator has made');
  if (more.length > 0) return mistake(`enrol takes one CODE, not also ${more.join(' ')}`);
  const { cloud = null, replace = false, json = false } = given;
  if (cloud !== null && !/^https?:\/\/./.test(cloud)) {
    return mistake('--cloud is an address such as https://parking.example');
  }
  return command({ kind: 'enrol', json, code, cloud, replace });
}

function readDiscover(given: Given): Reading {
  const seconds = readSeconds(given);
  if (seconds === undefined) return mistake(NOT_SECONDS);
  return command({ kind: 'camera-discover', json: !given.text, seconds });
}

function readOfDevice(
  name: 'camera snapshot' | 'camera watch',
  [camera, ...more]: readonly string[],
  given: Given,
): Reading {
  if (camera === undefined) return mistake(`${name} needs a CAMERA: its id, or its address`);
  if (more.length > 0) return mistake(`${name} takes one CAMERA, not also ${more.join(' ')}`);
  const choice = { camera, user: given.user ?? null, selfSigned: given['self-signed'] ?? false };
  if (name === 'camera snapshot') {
    return command({ kind: 'camera-snapshot', json: given.json ?? false, choice, out: given.out ?? null });
  }
  const seconds = readSeconds(given);
  if (seconds === undefined) return mistake(NOT_SECONDS);
  return command({ kind: 'camera-watch', json: !given.text, choice, seconds });
}

function readTryAgain(cameras: readonly string[], json: boolean): Reading {
  const [cameraId = null, ...more] = cameras;
  if (more.length > 0) return mistake(`camera try-again takes one CAMERA, not also ${more.join(' ')}`);
  return command({ kind: 'try-again', json, cameraId });
}

const NOT_SECONDS = '--seconds is a number of seconds, such as 5';

/** Null: not given; undefined: no number. */
function readSeconds({ seconds }: Given): number | null | undefined {
  if (seconds === undefined) return null;
  return /^\d{1,6}(\.\d{1,3})?$/.test(seconds) && Number(seconds) > 0 ? Number(seconds) : undefined;
}

const FINDINGS = {
  'payment booked': 'booked',
  'payment not-booked': 'not-booked',
  'payment given-back': 'given-back',
} as const satisfies Record<string, PersonFinding>;

function readPaymentFound(
  name: keyof typeof FINDINGS,
  [paymentId, ...more]: readonly string[],
  json: boolean,
): Reading {
  if (paymentId === undefined) return mistake(`${name} needs a PAYMENT; payment list shows them`);
  if (more.length > 0) return mistake(`${name} takes one PAYMENT, not also ${more.join(' ')}`);
  return command({ kind: 'payment-found', json, paymentId, finding: FINDINGS[name] });
}

function readTerminalDecode(operands: readonly string[], given: Given): Reading {
  const hex = operands.join('').replace(/^0x|[\s:]/gi, '');
  if (hex === '') return mistake('terminal decode needs the HEX of a message');
  if (!/^([0-9a-f]{2})+$/i.test(hex)) {
    return mistake('HEX is an even number of hexadecimal digits (blanks and colons do not matter)');
  }
  return command({ kind: 'terminal-decode', hex, serial: given.serial !== undefined });
}

const GATE_MOVES = {
  'gate pulse': 'open',
  'gate hold': 'hold',
  'gate close': 'close',
  'gate release': 'release',
} as const satisfies Record<string, CommandAction>;

function readGateMove(name: keyof typeof GATE_MOVES, lanes: readonly string[], given: Given): Reading {
  const [laneId = null, ...more] = lanes;
  const { all = false, why = 'by a technician' } = given;
  if (more.length > 0) return mistake(`${name} takes one LANE, not also ${more.join(' ')}`);
  if (all && laneId !== null) return mistake(`${name} takes a LANE or --all, not both`);
  if (!all && laneId === null) {
    return mistake(`${name} needs a LANE${name === 'gate pulse' ? '' : ', or --all'}; gate list shows them`);
  }
  if (why.trim() === '') return mistake('--why is a reason in words');
  // Scripts pulse gates, and read what came of it.
  const json = name === 'gate pulse' ? !given.text : (given.json ?? false);
  return command({ kind: 'gate-move', json, action: GATE_MOVES[name], laneId, why: why.trim() });
}

function readCameraParse([file, ...more]: readonly string[], given: Given): Reading {
  if (file === undefined) return mistake('camera parse needs a FILE, or - for standard input');
  if (more.length > 0) return mistake(`camera parse takes one FILE, not also ${more.join(' ')}`);
  const formats = CameraFormatSchema.options.join(', ');
  if (given.format === undefined) return mistake(`camera parse needs --format, one of: ${formats}`);
  const format = CameraFormatSchema.safeParse(given.format);
  if (!format.success) {
    const meant = nearestWord(given.format, CameraFormatSchema.options);
    const hint = meant === null ? '' : ` (did you mean ${meant}?)`;
    return mistake(`there is no format ${given.format}${hint}; there are: ${formats}`);
  }
  const { serial = null, 'content-type': contentType = null, 'time-zone': timeZone = null } = given;
  if (timeZone !== null && !TimeZoneSchema.safeParse(timeZone).success) {
    return mistake(`--time-zone is an IANA zone such as Atlantic/Reykjavik, not ${timeZone}`);
  }
  return command({ kind: 'camera-parse', format: format.data, file, serial, contentType, timeZone });
}

function parseWords(words: readonly string[]) {
  const args = words.map((word) => (word === '--serial' && isTerminalDecode(words) ? '--serial=line' : word));
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    return { ok: true, values, positionals } as const;
  } catch (error) {
    return mistake(wrongOption(messageOf(error)));
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

function command(command: Command): Reading {
  return { ok: true, command };
}

function mistake(text: string, about: CommandName | null = null) {
  return { ok: false, mistake: text, about } as const;
}
