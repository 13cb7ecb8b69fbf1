import { writeApdu } from '@hlid/edge/terminal/zvt/apdu-frame';
import { bytesOf, joinBytes, writeBcd } from '@hlid/edge/terminal/zvt/bcd-frame';
import { COMMANDS } from '@hlid/edge/terminal/zvt/command-names';
import { TOTAL_GROUPS } from '@hlid/edge/terminal/zvt/explain-field';
import { writeDigits } from '@hlid/edge/terminal/zvt/field-frame';
import { writeMessage } from '@hlid/edge/terminal/zvt/message-frame';
import { writeText } from '@hlid/edge/terminal/zvt/text-frame';
import { writeTlv } from '@hlid/edge/terminal/zvt/tlv-frame';
import type { ZvtEntry } from './zvt-book.ts';
import { panField, type SimCard, trackField } from './zvt-cards.ts';

/** 04 FF, with a text for tills that take containers. */
export function intermediate(status: number, text: string | null, timeoutMinutes: number | null): Uint8Array {
  const lead = { status, ...(timeoutMinutes !== null && { timeoutMinutes }) };
  const texts = text === null ? [] : [['24', [['07', writeText(text, 'cp437')]]] as const];
  const fields = texts.length === 0 ? [] : [{ id: 0x06, value: writeTlv(texts) }];
  return writeMessage({ control: COMMANDS.intermediateStatus, lead, fields });
}

export function abortMessage(resultCode: number): Uint8Array {
  return writeMessage({ control: COMMANDS.abortByTerminal, lead: { resultCode } });
}

/** The attribute of the last line. */
const LAST_LINE = 0x81;

interface StatusFields {
  resultCode: number;
  terminalId: string;
  currency?: number;
  amountMinor?: number;
  entry?: ZvtEntry;
  totals?: Uint8Array;
  /** The till takes containers. */
  withTlv?: boolean;
}

/** 04 0F. */
export function statusInformation(fields: StatusFields): Uint8Array {
  const { resultCode, terminalId, currency, amountMinor, entry, totals, withTlv = false } = fields;
  return writeApdu(
    COMMANDS.statusInformation,
    joinBytes(
      [0x27, resultCode],
      amountMinor === undefined ? [] : joinBytes([0x04], writeBcd(amountMinor, 6)),
      currency === undefined ? [] : joinBytes([0x49], writeBcd(currency, 2)),
      entry ? recordOf(entry) : [],
      [0x29],
      writeBcd(Number(terminalId), 4),
      totals ? joinBytes([0x60], writeDigits(totals.length, 3), totals) : [],
      entry?.card ? cardOf(entry.card, withTlv) : [],
    ),
  );
}

function recordOf({ receipt, trace, at, originalTrace }: ZvtEntry): Uint8Array {
  const moment = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return joinBytes(
    [0x0b],
    writeBcd(trace, 3),
    originalTrace === null ? [] : joinBytes([0x37], writeBcd(originalTrace, 3)),
    [0x0c],
    bytesOf([moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join('')),
    [0x0d],
    bytesOf([moment.getMonth() + 1, moment.getDate()].map(two).join('')),
    [0x87],
    writeBcd(receipt, 2),
    [0x88],
    writeBcd(trace, 3),
    [0x3b],
    writeText(String(trace).padStart(6, '0').padEnd(8, '\0'), 'cp437'),
  );
}

function cardOf(card: SimCard, withTlv: boolean): Uint8Array {
  const name = writeText(`${card.name}\0`, 'cp437');
  const tlv = writeTlv([
    ['60', [['43', bytesOf(card.aid)]]],
    ['2F', [['1F12', [0x02]]]],
  ]);
  return joinBytes(
    panField(card),
    trackField(card),
    [0x8a, card.type, 0x8b],
    writeDigits(name.length, 2),
    name,
    withTlv ? joinBytes([0x06, tlv.length], tlv) : [],
  );
}

/** Field 60 of an end of day. */
export function totalsField(sales: readonly ZvtEntry[]): Uint8Array {
  const groups = TOTAL_GROUPS.map((group) => {
    const own = sales.filter(({ card }) => groupOf(card) === group);
    const amountMinor = own.reduce((sum, sale) => sum + sale.amountMinor, 0);
    return joinBytes([own.length], writeBcd(amountMinor, 6));
  });
  const receipts = sales.map(({ receipt }) => receipt);
  const [first, last] = [receipts[0] ?? 0, receipts.at(-1) ?? 0];
  return joinBytes(writeBcd(first, 2), writeBcd(last, 2), ...groups);
}

function groupOf(card: SimCard | null): (typeof TOTAL_GROUPS)[number] {
  if (card?.aid.startsWith('a000000004')) return 'mastercard';
  if (card?.aid.startsWith('a000000003')) return 'visa';
  return card?.aid.startsWith('a000000025') ? 'amex' : 'others';
}

/** Tag 1F07. */
type ReceiptType = 1 | 2 | 3;

export interface PrintStyle {
  /** Prints line by line (06 D1), as terminals of Card Complete do, or as one text block (06 D3). */
  byLines: boolean;
  latin1: boolean;
}

/** The merchant's and the customer's receipt, with letters above ASCII. */
export function receiptsOf(
  entry: ZvtEntry,
  terminalId: string,
): readonly { type: ReceiptType; lines: readonly string[] }[] {
  const heads = [
    { type: 1, head: '** HÄNDLERBELEG **' },
    { type: 2, head: '** KUNDENBELEG für Sie **' },
  ] as const;
  return heads.map(({ type, head }) => ({
    type,
    lines: [
      head,
      entry.originalTrace === null ? 'Bezahlung' : 'Storno',
      `Terminal-ID: ${terminalId}`,
      `Beleg-Nr: ${String(entry.receipt).padStart(4, '0')}`,
      `Karte: ${printedNumber(entry.card)}`,
      `Betrag: ${entry.amountMinor}`,
    ],
  }));
}

/** The printed lines, as messages. */
export function printed(type: ReceiptType, lines: readonly string[], style: PrintStyle): Uint8Array[] {
  const texts = lines.map((line) => writeText(line, style.latin1 ? 'latin1' : 'cp437'));
  const kind = ['1F07', [type]] as const;
  if (style.byLines) {
    const fields = [{ id: 0x06, value: writeTlv([kind]) }];
    return texts.map((text, at) =>
      writeMessage({
        control: COMMANDS.printLine,
        lead: { attribute: at === texts.length - 1 ? LAST_LINE : 0, text },
        fields,
      }),
    );
  }
  const objects = [...texts.map((text) => ['07', text] as const), ['09', [LAST_LINE]] as const];
  const tlv = writeTlv([kind, ['25', objects]]);
  return [writeMessage({ control: COMMANDS.printTextBlock, fields: [{ id: 0x06, value: tlv }] })];
}

/** Terminals that do not mask the number print it, too. */
function printedNumber(card: SimCard | null): string {
  if (!card) return '-';
  const number = card.unmasked ? card.number : card.number.slice(-4).padStart(card.number.length, '*');
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
