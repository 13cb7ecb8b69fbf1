import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { type Apdu, type ApduHead, readApdu, readHead } from './apdu-frame.ts';
import { hexOf, nibblesOf } from './bcd-frame.ts';
import { maskCard } from './card-secrets.ts';
import { COMMANDS, commandName, isAnswer } from './command-names.ts';
import { explainField, TEXT_FIELDS } from './explain-field.ts';
import { explainTlv, textsOfTlv, tlvOf } from './explain-tlv.ts';
import { isField } from './field-frame.ts';
import { readWholeMessage, type ZvtMessage } from './message-frame.ts';
import { attempt, type Reading } from './misread.ts';
import { announcedCharset } from './receipt-lines.ts';
import { countStuffed, crcOf, SerialReader, writeSerialFrame } from './serial-frame.ts';
import { type Charset, guessCharset, readText } from './text-frame.ts';
import type { TlvObject } from './tlv-frame.ts';

/** The meaning of a message, as JSON. Its card number is masked. */
export type Meaning = Record<string, unknown>;

const TLV_FIELD = 0x06;
const LINE_FEEDS = 0xff;

/** Explains bytes as they are sent over TCP. */
export function explainApdu(bytes: Uint8Array): Reading<Meaning> {
  const head = headOnly(bytes);
  if (head) return { ok: true, value: head };
  const apdu = readApdu(bytes);
  if (!apdu.ok) return apdu;
  const message = readWholeMessage(apdu.value);
  if (message.ok) return attempt(() => meaningOf(message.value, apdu.value.data.length));
  return commandName(apdu.value.control) === 'unknown' ? { ok: true, value: unknownOf(apdu.value) } : message;
}

/** The announced length of a message where the real one differs; null: the head cannot be read. */
export function explainHead(bytes: Uint8Array): Meaning | null {
  const head = readHead(bytes);
  if (!head || bytes.length === head.dataStart + head.length) return null;
  return headOf(head, bytes.length > head.dataStart + head.length);
}

/** Explains one frame, as sent over a serial line. */
export function explainFrame(bytes: Uint8Array): Reading<Meaning> {
  const [first] = new SerialReader().read(bytes);
  if (first?.kind === 'spoilt') {
    return { ok: false, problem: 'the checksum or the framing is wrong: the answer is NAK (15)' };
  }
  // The bytes must be one frame, without any before or after it.
  if (first?.kind !== 'frame' || writeSerialFrame(first.apdu).length !== bytes.length) {
    return { ok: false, problem: 'not one whole frame (10 02 … 10 03 and two bytes of checksum)' };
  }
  const { apdu } = first;
  const meaning = explainApdu(apdu);
  if (!meaning.ok) return meaning;
  const crc = crcOf(apdu).toString(16).padStart(4, '0');
  return {
    ok: true,
    value: {
      ...meaning.value,
      apdu: hexOf(apduShown(apdu)),
      crc,
      crcWire: crc.slice(2) + crc.slice(0, 2),
      stuffedDle: countStuffed(apdu),
    },
  };
}

/** A status-information of a single byte is read by its head alone, whole or not: no field is so short. */
function headOnly(bytes: Uint8Array): Meaning | null {
  const head = readHead(bytes);
  if (head?.control !== COMMANDS.statusInformation || head.length === 0) return null;
  if (bytes.length !== head.dataStart + 1 || isField(bytes[head.dataStart] ?? 0)) return null;
  return headOf(head, head.length === 1);
}

function headOf({ control, length, lengthForm, dataStart }: ApduHead, complete: boolean): Meaning {
  return {
    headerOnly: true,
    control: controlName(control),
    lengthForm,
    length,
    dataStartIndex: dataStart,
    complete,
  };
}

/** The meaning of a maker's own command: its bytes are undocumented. */
function unknownOf({ control, lengthForm, data }: Apdu): Meaning {
  const command = commandName(control);
  return {
    control: controlName(control),
    command,
    length: data.length,
    lengthForm,
    data: hideCardNumbers(hexOf(data)),
  };
}

function controlName(control: number): string {
  return control.toString(16).padStart(4, '0').toUpperCase();
}

function meaningOf(message: ZvtMessage, length: number): Meaning {
  const { control, lengthForm, lead } = message;
  const fields = maskCard(message.fields);
  const tlv = tlvOf(fields);
  const charset = charsetOf(message, tlv);
  const text = (bytes: Uint8Array) => hideCardNumbers(readText(bytes, charset));
  const isFeed = lead.attribute === LINE_FEEDS && lead.text?.length === 1;
  return {
    control: controlName(control),
    command: commandName(control),
    length,
    lengthForm,
    ...(isAnswer(control) && control >> 8 === 0x84 && { errorCode: control & 0xff }),
    ...(lead.password && { password: nibblesOf(lead.password) }),
    ...(lead.configByte !== undefined && { configByte: byteOf(lead.configByte) }),
    ...(lead.currency && { currency: Number(nibblesOf(lead.currency)) }),
    ...(lead.language !== undefined && { language: lead.language }),
    ...(lead.timeoutSeconds !== undefined && { timeoutSeconds: lead.timeoutSeconds }),
    ...(lead.resultCode !== undefined && { resultCode: lead.resultCode }),
    ...(lead.status !== undefined && { status: lead.status }),
    ...(lead.timeoutMinutes !== undefined && { timeoutMinutes: Number(byteOf(lead.timeoutMinutes)) }),
    ...(lead.softwareVersion && { softwareVersion: text(lead.softwareVersion) }),
    ...(lead.terminalStatus !== undefined && { terminalStatus: lead.terminalStatus }),
    ...(lead.attribute !== undefined && { attribute: byteOf(lead.attribute) }),
    ...(lead.text && (isFeed ? { lineFeeds: lead.text[0] } : { text: text(lead.text) })),
    ...(fields.length > 0 && {
      fields: {
        ...Object.assign({}, ...fields.map((field) => explainField(field, text))),
        ...(tlv && { tlv: explainTlv(tlv, text) }),
        order: fields.map(({ id }) => byteOf(id)),
      },
    }),
    ...(charset !== 'cp437' && { charset }),
  };
}

function byteOf(value: number): string {
  return value.toString(16).padStart(2, '0').toUpperCase();
}

function charsetOf({ lead, fields }: ZvtMessage, tlv: readonly TlvObject[] | null): Charset {
  const named = tlv && announcedCharset(tlv);
  if (named) return named;
  const texts = fields.filter(({ id }) => TEXT_FIELDS.has(id)).map(({ value }) => value);
  return guessCharset([...texts, ...(lead.text ? [lead.text] : []), ...textsOfTlv(tlv ?? [])]);
}

/** The message again with its card masked: what people are shown. */
function apduShown(apdu: Uint8Array): Uint8Array {
  const shown = apdu.slice();
  const read = readApdu(apdu);
  const message = read.ok ? readWholeMessage(read.value) : null;
  if (!read.ok || !message?.ok) return shown;
  for (const [at, masked] of maskCard(message.value.fields).entries()) {
    const original = message.value.fields[at];
    const start = original ? indexOfBytes(apdu, original.value) : -1;
    if (original && original.id !== TLV_FIELD && start !== -1) shown.set(masked.value, start);
  }
  return shown;
}

function indexOfBytes(whole: Uint8Array, part: Uint8Array): number {
  if (part.length === 0) return -1;
  for (let at = 0; at + part.length <= whole.length; at++) {
    if (part.every((byte, offset) => whole[at + offset] === byte)) return at;
  }
  return -1;
}
