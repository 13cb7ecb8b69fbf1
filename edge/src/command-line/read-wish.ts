import type { CommandAction } from '@hlid/protocol/commands';
import { TimeZoneSchema } from '@hlid/protocol/site-time';
import type { PersonFinding } from '../payment/payment-till.ts';
import type { Wish } from './command.ts';
import type { CommandName } from './command-list.ts';
import { nearestWord } from './nearest-word.ts';
import type { Given } from './parse-words.ts';
import { PARSED_FORMATS } from './parsed-formats.ts';

type Mistake = { mistake: string };
type Reading = Wish | Mistake;

/** Reads what one of the tools is to do. Pure. */
export function readWish(name: CommandName, operands: readonly string[], given: Given): Reading {
  switch (name) {
    case 'enrol':
      return readEnrol(operands, given);
    case 'config check':
      return withoutNames(name, operands) ?? { kind: 'config-check' };
    case 'status':
      return withoutNames(name, operands) ?? { kind: 'status' };
    case 'gate list':
      return withoutNames(name, operands) ?? { kind: 'gate-list' };
    case 'payment list':
      return withoutNames(name, operands) ?? { kind: 'payment-list' };
    case 'payment booked':
    case 'payment not-booked':
    case 'payment given-back':
      return readPaymentFound(name, operands);
    case 'terminal status':
      return withoutNames(name, operands) ?? { kind: 'terminal-status', direct: given.direct ?? false };
    case 'terminal diagnose':
      return withoutNames(name, operands) ?? { kind: 'terminal-diagnose' };
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
    case 'gate try-again':
      return readTryAgain(name, operands);
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
  const { cloud = null, replace = false } = given;
  if (cloud !== null && !/^https?:\/\/./.test(cloud)) {
    return mistake('--cloud is an address such as https://parking.example');
  }
  return { kind: 'enrol', code, cloud, replace };
}

function readDiscover(given: Given): Reading {
  const seconds = readSeconds(given);
  if (seconds === undefined) return mistake(NOT_SECONDS);
  return { kind: 'camera-discover', seconds };
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
    return { kind: 'camera-snapshot', choice, out: given.out ?? null };
  }
  const seconds = readSeconds(given);
  if (seconds === undefined) return mistake(NOT_SECONDS);
  return { kind: 'camera-watch', choice, seconds };
}

function readTryAgain(
  name: 'camera try-again' | 'gate try-again',
  [id, ...more]: readonly string[],
): Reading {
  const kind = name === 'gate try-again' ? 'gate' : 'camera';
  if (more.length > 0) {
    return mistake(`${name} takes one ${kind === 'gate' ? 'LANE' : 'CAMERA'}, not also ${more.join(' ')}`);
  }
  return { kind: 'try-again', device: id === undefined ? null : { kind, id } };
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

function readPaymentFound(name: keyof typeof FINDINGS, [paymentId, ...more]: readonly string[]): Reading {
  if (paymentId === undefined) return mistake(`${name} needs a PAYMENT; payment list shows them`);
  if (more.length > 0) return mistake(`${name} takes one PAYMENT, not also ${more.join(' ')}`);
  return { kind: 'payment-found', paymentId, finding: FINDINGS[name] };
}

function readTerminalDecode(operands: readonly string[], given: Given): Reading {
  const hex = operands.join(' ').replace(/\b0x|[\s:,;-]/gi, '');
  if (hex === '') return mistake('terminal decode needs the HEX of a message');
  if (!/^([0-9a-f]{2})+$/i.test(hex)) {
    return mistake('HEX is an even number of hexadecimal digits (blanks, colons and dashes do not matter)');
  }
  return { kind: 'terminal-decode', hex, serial: given.serial !== undefined };
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
  return { kind: 'gate-move', action: GATE_MOVES[name], laneId, why: why.trim() };
}

function readCameraParse([file, ...more]: readonly string[], given: Given): Reading {
  if (file === undefined) return mistake('camera parse needs a FILE, or - for standard input');
  if (more.length > 0) return mistake(`camera parse takes one FILE, not also ${more.join(' ')}`);
  const formats = PARSED_FORMATS.join(', ');
  const format = PARSED_FORMATS.find((known) => known === given.format?.toLowerCase()) ?? null;
  if (format === null && given.format !== undefined) {
    const meant = nearestWord(given.format, PARSED_FORMATS);
    const hint = meant === null ? '' : ` (did you mean ${meant}?)`;
    return mistake(`there is no format ${given.format}${hint}; there are: ${formats}`);
  }
  const { serial = null, 'content-type': contentType = null, 'time-zone': timeZone = null } = given;
  if (timeZone !== null && !TimeZoneSchema.safeParse(timeZone).success) {
    return mistake(`--time-zone is an IANA zone such as Atlantic/Reykjavik, not ${timeZone}`);
  }
  return { kind: 'camera-parse', format, file, serial, contentType, timeZone };
}

function mistake(text: string): Mistake {
  return { mistake: text };
}
