import { joinBytes } from './bcd-frame.ts';
import { attempt, misread, type Reading } from './misread.ts';

/** One message of either side: CLASS and INSTR as one number, such as 0x0601, and what follows the length. */
export interface Apdu {
  control: number;
  data: Uint8Array;
  /** `extended`: FF and two bytes, little endian. */
  lengthForm: 'short' | 'extended';
}

export interface ApduHead {
  control: number;
  length: number;
  lengthForm: Apdu['lengthForm'];
  dataStart: number;
}

const LONGEST_SHORT = 0xfe;
const LONGEST = 0xffff;

/** The head, or null where more bytes are needed to know it. */
export function readHead(bytes: Uint8Array): ApduHead | null {
  const [type, instruction, length, low, high] = bytes;
  if (type === undefined || instruction === undefined || length === undefined) return null;
  const control = (type << 8) | instruction;
  if (length <= LONGEST_SHORT) return { control, length, lengthForm: 'short', dataStart: 3 };
  if (low === undefined || high === undefined) return null;
  return { control, length: low | (high << 8), lengthForm: 'extended', dataStart: 5 };
}

/** The control field: the first two bytes of a message. */
export function controlOf([type = 0, instruction = 0]: Uint8Array): number {
  return (type << 8) | instruction;
}

/** Exactly one message. */
export function readApdu(bytes: Uint8Array): Reading<Apdu> {
  return attempt(() => {
    const head = readHead(bytes);
    if (!head) throw misread('ends within its head');
    const { control, length, lengthForm, dataStart } = head;
    const present = bytes.length - dataStart;
    if (present < length) throw misread(`${length} bytes announced, ${present} present`);
    if (present > length) throw misread(`${length} bytes announced, ${present - length} too many`);
    return { control, data: bytes.slice(dataStart), lengthForm };
  });
}

/** Throws RangeError where there are more bytes than a length can hold. */
export function writeApdu(
  control: number,
  data: ArrayLike<number> = [],
  lengthForm: Apdu['lengthForm'] = data.length > LONGEST_SHORT ? 'extended' : 'short',
): Uint8Array {
  if (data.length > LONGEST) throw new RangeError(`${data.length} bytes do not fit into one message`);
  const length =
    lengthForm === 'short' ? [data.length] : [0xff, data.length & 0xff, (data.length >> 8) & 0xff];
  return joinBytes([control >> 8, control & 0xff, ...length], data);
}

/** Cuts a stream of bytes into messages: TCP keeps no borders, and one segment may hold several. */
export function createApduAssembler(): (chunk: Uint8Array) => Uint8Array[] {
  let held = new Uint8Array();
  return (chunk) => {
    let rest = joinBytes(held, chunk);
    const whole: Uint8Array[] = [];
    for (;;) {
      const head = readHead(rest);
      const end = head ? head.dataStart + head.length : Number.POSITIVE_INFINITY;
      if (rest.length < end) break;
      whole.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    held = new Uint8Array(rest);
    return whole;
  };
}
