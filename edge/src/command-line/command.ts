import { parseArgs } from 'node:util';
import { type CameraFormat, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import type { CommandAction } from '@hlid/protocol/commands';
import { messageOf } from '@hlid/protocol/fault';

/** What somebody wants who starts the program. */
export type Command =
  | { kind: 'daemon' }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'config-check' }
  | {
      kind: 'camera-parse';
      format: CameraFormat;
      /** `-`: standard input. */
      file: string;
      /** Of the camera, which Survision sends beside the document. */
      serial: string | null;
    }
  | { kind: 'camera-discover'; json: boolean; seconds: number | null }
  | { kind: 'camera-snapshot'; json: boolean; choice: DeviceChoice; out: string | null }
  | { kind: 'camera-watch'; json: boolean; choice: DeviceChoice; seconds: number | null }
  | { kind: 'gate-list'; json: boolean }
  /** `laneId` null: every lane. */
  | { kind: 'gate-move'; json: boolean; action: CommandAction; laneId: string | null; why: string };

/** A camera of the configuration by its id, or any device by the address of its service. */
export interface DeviceChoice {
  camera: string;
  user: string | null;
  selfSigned: boolean;
}

type Reading = { ok: true; command: Command } | { ok: false; mistake: string };

/** Reads the arguments that follow the program's name. Pure. */
export function readCommand(words: readonly string[]): Reading {
  const parsed = parseWords(words);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed;
  if (values.help) return command({ kind: 'help' });
  if (values.version) return command({ kind: 'version' });
  const [noun, verb, ...rest] = positionals;
  const name = [noun, verb].join(' ');
  const strange = Object.keys(values).find((option) => !(OPTIONS[name] ?? []).includes(option));
  if (strange !== undefined) return mistake(`--${strange} belongs to ${ownersOf(strange)}`);
  switch (name) {
    case 'camera parse':
      return readCameraParse(rest, values);
    case 'camera discover':
      return readDiscover(rest, values);
    case 'camera snapshot':
    case 'camera watch':
      return readOfDevice(name, rest, values);
    case 'gate list':
      return readGateList(rest, values);
    case 'gate pulse':
    case 'gate hold':
    case 'gate close':
    case 'gate release':
      return readGateMove(name, rest, values);
  }
  if (noun === undefined) return command({ kind: 'daemon' });
  if (noun === 'config' && verb === 'check' && rest.length === 0) return command({ kind: 'config-check' });
  if (noun === 'help' && verb === undefined) return command({ kind: 'help' });
  return mistake(`there is no command "${positionals.join(' ')}"`);
}

/** Options by command, without those that every command knows. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'camera parse': ['format', 'serial'],
  'camera discover': ['json', 'seconds'],
  'camera snapshot': ['json', 'user', 'self-signed', 'out'],
  'camera watch': ['json', 'user', 'self-signed', 'seconds'],
  'gate list': ['json'],
  'gate pulse': ['json', 'why'],
  'gate hold': ['json', 'why', 'all'],
  'gate close': ['json', 'why', 'all'],
  'gate release': ['json', 'why', 'all'],
};

function ownersOf(option: string): string {
  const owners = Object.keys(OPTIONS).filter((name) => OPTIONS[name]?.includes(option));
  return owners.join(', ');
}

interface Given {
  json?: boolean;
  seconds?: string;
  user?: string;
  'self-signed'?: boolean;
  out?: string;
  why?: string;
  all?: boolean;
}

function readDiscover(rest: readonly string[], given: Given): Reading {
  if (rest.length > 0) return mistake('camera discover takes no names');
  const seconds = readSeconds(given);
  if (seconds === undefined) return mistake(NOT_SECONDS);
  return command({ kind: 'camera-discover', json: given.json ?? false, seconds });
}

function readOfDevice(
  name: 'camera snapshot' | 'camera watch',
  [camera, ...more]: readonly string[],
  given: Given,
): Reading {
  if (camera === undefined) return mistake(`${name} needs a CAMERA: its id, or its address`);
  if (more.length > 0) return mistake(`${name} takes one CAMERA, not also ${more.join(' ')}`);
  const choice = { camera, user: given.user ?? null, selfSigned: given['self-signed'] ?? false };
  const json = given.json ?? false;
  if (name === 'camera snapshot') {
    return command({ kind: 'camera-snapshot', json, choice, out: given.out ?? null });
  }
  const seconds = readSeconds(given);
  if (seconds === undefined) return mistake(NOT_SECONDS);
  return command({ kind: 'camera-watch', json, choice, seconds });
}

const NOT_SECONDS = '--seconds is a number of seconds, such as 5';

/** Null: not given; undefined: no number. */
function readSeconds({ seconds }: Given): number | null | undefined {
  if (seconds === undefined) return null;
  return /^\d{1,6}(\.\d{1,3})?$/.test(seconds) && Number(seconds) > 0 ? Number(seconds) : undefined;
}

function readGateList(rest: readonly string[], { json = false }: Given): Reading {
  return rest.length > 0 ? mistake('gate list takes no names') : command({ kind: 'gate-list', json });
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
  const json = (given.json ?? false) || name === 'gate pulse';
  return command({ kind: 'gate-move', json, action: GATE_MOVES[name], laneId, why: why.trim() });
}

function readCameraParse(files: readonly string[], given: { format?: string; serial?: string }): Reading {
  const [file, ...more] = files;
  if (file === undefined) return mistake('camera parse needs a FILE, or - for standard input');
  if (more.length > 0) return mistake(`camera parse takes one FILE, not also ${more.join(' ')}`);
  const formats = CameraFormatSchema.options.join(', ');
  if (given.format === undefined) return mistake(`camera parse needs --format, one of: ${formats}`);
  const format = CameraFormatSchema.safeParse(given.format);
  if (!format.success) return mistake(`there is no format ${given.format}; there are: ${formats}`);
  return command({ kind: 'camera-parse', format: format.data, file, serial: given.serial ?? null });
}

function parseWords(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        format: { type: 'string' },
        serial: { type: 'string' },
        json: { type: 'boolean' },
        seconds: { type: 'string' },
        user: { type: 'string' },
        'self-signed': { type: 'boolean' },
        out: { type: 'string' },
        why: { type: 'string' },
        all: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    return { ok: true, values, positionals } as const;
  } catch (error) {
    return mistake(messageOf(error));
  }
}

function command(command: Command): Reading {
  return { ok: true, command };
}

function mistake(text: string): { ok: false; mistake: string } {
  return { ok: false, mistake: text };
}
