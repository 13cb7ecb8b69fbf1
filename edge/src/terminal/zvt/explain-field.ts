import { nibblesOf, readBcd } from './bcd-frame.ts';
import type { Field } from './field-frame.ts';
import { misread } from './misread.ts';

type Text = (bytes: Uint8Array) => string;
type Explain = (value: Uint8Array, text: Text) => unknown;

const byte: Explain = (value) => value[0] ?? 0;
const digits: Explain = (value) => nibblesOf(value);
const text: Explain = (value, read) => read(value);
/** A value that is filled up to its length, or ended, with zero bytes. */
const ended: Explain = (value, read) => read(value.includes(0) ? value.slice(0, value.indexOf(0)) : value);
const number: Explain = (value) => readBcd(value) ?? nibblesOf(value);
const hidden: Explain = () => '[hidden]';

/** Names as the test vectors spell them; an id that is missing is shown by itself. */
const FIELDS: Readonly<Record<number, readonly [name: string, explain: Explain]>> = {
  1: ['timeout', byte],
  2: ['maxStatusInfos', byte],
  3: ['serviceByte', byte],
  4: ['amountMinor', number],
  5: ['pumpNumber', byte],
  11: ['traceNumber', number],
  12: ['time', digits],
  13: ['date', digits],
  14: ['expiryYYMM', digits],
  23: ['cardSequenceNumber', number],
  25: ['paymentTypeOrStatusByte', byte],
  34: ['pan', digits],
  35: ['track2', digits],
  36: ['track3', digits],
  39: ['resultCode', byte],
  41: ['terminalId', digits],
  42: ['vuNumber', text],
  45: ['track1', hidden],
  46: ['chipData', hidden],
  55: ['originalTraceNumber', number],
  58: ['cvv', hidden],
  59: ['authorisationAttribute', ended],
  60: ['additionalText', text],
  61: ['passwordNumber', digits],
  73: ['currency', number],
  96: ['totals', (value) => explainTotals(value)],
  135: ['receiptNumber', number],
  136: ['turnoverNumber', number],
  138: ['cardType', byte],
  139: ['cardName', ended],
  140: ['networkCardType', byte],
  160: ['resultCodeAS', byte],
  170: ['dateYYMMDD', digits],
  186: ['aidParameter', digits],
  209: ['pinData', hidden],
  225: ['text2Line1', text],
  226: ['text2Line2', text],
  227: ['text2Line3', text],
  228: ['text2Line4', text],
  229: ['text2Line5', text],
  230: ['text2Line6', text],
  231: ['text2Line7', text],
  232: ['text2Line8', text],
  240: ['displayDuration', byte],
  241: ['line1', text],
  242: ['line2', text],
  243: ['line3', text],
  244: ['line4', text],
  245: ['line5', text],
  246: ['line6', text],
  247: ['line7', text],
  248: ['line8', text],
  249: ['beeps', byte],
  252: ['dialogControl', byte],
};

const TLV_FIELD = 0x06;

/** The fields from which the character set can be recognized. */
export const TEXT_FIELDS: ReadonlySet<number> = new Set([
  0x3c, 0x8b, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8,
]);

/** Explains a field under its name; the TLV container is none of these. */
export function explainField({ id, value }: Field, read: Text): Record<string, unknown> {
  if (id === TLV_FIELD) return {};
  const [name, explain] = FIELDS[id] ?? [id.toString(16).padStart(2, '0').toUpperCase(), digits];
  return { [name]: explain(value, read) };
}

/** The card groups of field 60, in its order. */
export const TOTAL_GROUPS = ['girocard', 'jcb', 'mastercard', 'amex', 'visa', 'diners', 'others'] as const;

const GROUP_BYTES = 7;
const GROUPS_START = 4;

/** Throws Fault 'peer-misbehaved' where they are not as long as they must be. */
export function readTotals(value: Uint8Array) {
  if (value.length < GROUPS_START + TOTAL_GROUPS.length * GROUP_BYTES) throw misread('totals that end early');
  return {
    receiptStart: readBcd(value.slice(0, 2)),
    receiptEnd: readBcd(value.slice(2, 4)),
    groups: TOTAL_GROUPS.map((group, index) => {
      const at = GROUPS_START + index * GROUP_BYTES;
      const count = value[at] ?? 0;
      return { group, count, totalMinor: readBcd(value.slice(at + 1, at + GROUP_BYTES)) };
    }),
  };
}

function explainTotals(value: Uint8Array): object {
  const { receiptStart, receiptEnd, groups } = readTotals(value);
  return {
    receiptStart,
    receiptEnd,
    ...Object.fromEntries(groups.map(({ group, count, totalMinor }) => [group, { count, totalMinor }])),
  };
}
