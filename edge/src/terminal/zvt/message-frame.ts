import { type Apdu, writeApdu } from './apdu-frame.ts';
import { joinBytes } from './bcd-frame.ts';
import { withoutCard } from './card-secrets.ts';
import { COMMANDS, hasPassword } from './command-names.ts';
import { type Field, isField, readDigits, readFields, writeDigits, writeFields } from './field-frame.ts';
import { attempt, misread, type Reading } from './misread.ts';
import { RESULT } from './result-codes.ts';

/** The values before the fields, by their place and not by an id; the command determines which there are. */
export interface Lead {
  /** Three bytes of BCD. */
  password?: Uint8Array;
  configByte?: number;
  /** Two bytes of BCD. */
  currency?: Uint8Array;
  timeoutSeconds?: number;
  language?: number;
  /** The reason of an abort. */
  resultCode?: number;
  /** The action of the terminal, in an intermediate status. */
  status?: number;
  timeoutMinutes?: number;
  softwareVersion?: Uint8Array;
  terminalStatus?: number;
  /** The attribute of a printed line. */
  attribute?: number;
  text?: Uint8Array;
}

export interface ZvtMessage {
  control: number;
  lengthForm: Apdu['lengthForm'];
  lead: Lead;
  fields: Field[];
}

const TLV_FIELD = 0x06;
const RECEIPT_FIELD = 0x87;

/** The fields of a message that a driver may see: of a card its last four digits alone; or its fault. */
export function readMessage(apdu: Apdu): Reading<ZvtMessage> {
  const whole = readWholeMessage(apdu);
  return whole.ok ? { ok: true, value: { ...whole.value, fields: withoutCard(whole.value.fields) } } : whole;
}

/** Taken apart to the last byte, with all that may be secret, for those who only show it masked. */
export function readWholeMessage({ control, data, lengthForm }: Apdu): Reading<ZvtMessage> {
  return attempt(() => ({ control, lengthForm, ...readData(control, data) }));
}

function readData(control: number, data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  switch (control) {
    case COMMANDS.registration:
      return readRegistration(data);
    case COMMANDS.readCard:
      return afterByte(data, (timeoutSeconds) => ({ timeoutSeconds }));
    case COMMANDS.selectLanguage:
      return afterByte(data, (language) => ({ language }));
    case COMMANDS.abortByTerminal:
      return readAbort(data);
    case COMMANDS.intermediateStatus:
      return readIntermediate(data);
    case COMMANDS.completion:
      return readCompletion(data);
    case COMMANDS.printLine:
      return readPrintLine(data);
    default:
      return hasPassword(control) ? readAfterPassword(data) : { lead: {}, fields: readFields(data) };
  }
}

/** Fields begin at once if the password is missing, as in a bare status enquiry or Book Total. */
function readAfterPassword(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const bare = attempt(() => readFields(data));
  const [first = 0] = data;
  if (bare.ok && (data.length < 3 || first === RECEIPT_FIELD)) return { lead: {}, fields: bare.value };
  return { lead: { password: passwordOf(data) }, fields: readFields(data.slice(3)) };
}

function passwordOf(data: Uint8Array): Uint8Array {
  if (data.length < 3) throw misread('ends within its password');
  return data.slice(0, 3);
}

function afterByte(data: Uint8Array, leadOf: (byte: number) => Lead): Pick<ZvtMessage, 'lead' | 'fields'> {
  const [byte] = data;
  if (byte === undefined) return { lead: {}, fields: [] };
  return { lead: leadOf(byte), fields: readFields(data.slice(1)) };
}

/**
 * An abort with 6F has the terminal's own currency, after field 49's id or bare: PA00P015 shows it both ways.
 */
function readAbort(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const plain = attempt(() => afterByte(data, (resultCode) => ({ resultCode })));
  if (plain.ok) return plain.value;
  const [resultCode, high, low] = data;
  if (resultCode !== RESULT.wrongCurrency || high === undefined || low === undefined) {
    throw misread(plain.problem);
  }
  return { lead: { resultCode, currency: Uint8Array.of(high, low) }, fields: readFields(data.slice(3)) };
}

function readRegistration(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const password = passwordOf(data);
  const [configByte, ...rest] = data.slice(3);
  if (configByte === undefined) return { lead: { password }, fields: [] };
  if (rest.length === 0) return { lead: { password, configByte }, fields: [] };
  if (rest.length === 1) throw misread('ends within its currency');
  const [currency, fields] = [Uint8Array.from(rest.slice(0, 2)), Uint8Array.from(rest.slice(2))];
  return { lead: { password, configByte, currency }, fields: readFields(fields) };
}

/** PA00P015 demands a time-out before a TLV container; its own example leaves it out, and so do terminals. */
function readIntermediate(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const [status, second] = data;
  if (status === undefined) throw misread('an intermediate status without one');
  if (second === undefined) return { lead: { status }, fields: [] };
  const bare = second === TLV_FIELD ? attempt(() => readFields(data.slice(1))) : null;
  if (bare?.ok) return { lead: { status }, fields: bare.value };
  return { lead: { status, timeoutMinutes: second }, fields: readFields(data.slice(2)) };
}

/**
 * The completion of a status enquiry begins with the software's version, the terminal's status, or both;
 * these are not fields.
 */
function readCompletion(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const [first] = data;
  if (first === undefined) return { lead: {}, fields: [] };
  // F0 is a status, too: reconciliation.
  const versioned = attempt(() => readVersion(data));
  if (versioned.ok) return versioned.value;
  const plain = isField(first) ? attempt(() => readFields(data)) : null;
  if (plain?.ok) return { lead: {}, fields: plain.value };
  return afterByte(data, (terminalStatus) => ({ terminalStatus }));
}

function readVersion(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const { length, next } = readDigits(data, 0, 3);
  const softwareVersion = data.slice(next, next + length);
  const terminalStatus = data[next + length];
  if (terminalStatus === undefined) throw misread('ends before the terminal’s status');
  const fields = readFields(data.slice(next + length + 1));
  return { lead: { softwareVersion, terminalStatus }, fields };
}

/** Card Complete's terminals add a TLV container after the text, which has no length field. */
function readPrintLine(data: Uint8Array): Pick<ZvtMessage, 'lead' | 'fields'> {
  const [attribute] = data;
  if (attribute === undefined) throw misread('a line without its attribute');
  const line = data.slice(1);
  for (let at = line.indexOf(TLV_FIELD); at !== -1; at = line.indexOf(TLV_FIELD, at + 1)) {
    const fields = attempt(() => readFields(line.slice(at)));
    if (fields.ok) return { lead: { attribute, text: line.slice(0, at) }, fields: fields.value };
  }
  return { lead: { attribute, text: line }, fields: [] };
}

/** The bytes of a message; what belongs before the fields is put there in the order that all commands have. */
export function writeMessage({
  control,
  lead = {},
  fields = [],
  lengthForm,
}: {
  control: number;
  lead?: Lead;
  fields?: readonly Field[];
  lengthForm?: Apdu['lengthForm'];
}): Uint8Array {
  const byte = (value: number | undefined) => (value === undefined ? [] : [value]);
  const { softwareVersion } = lead;
  const data = joinBytes(
    lead.password ?? [],
    byte(lead.configByte),
    byte(lead.resultCode),
    lead.currency ?? [],
    byte(lead.timeoutSeconds),
    byte(lead.language),
    byte(lead.status),
    byte(lead.timeoutMinutes),
    softwareVersion ? joinBytes(writeDigits(softwareVersion.length, 3), softwareVersion) : [],
    byte(lead.terminalStatus),
    byte(lead.attribute),
    lead.text ?? [],
    writeFields(fields),
  );
  return writeApdu(control, data, ...(lengthForm ? ([lengthForm] as const) : []));
}
