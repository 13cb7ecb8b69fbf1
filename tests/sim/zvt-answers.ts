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

/** 04 FF with a text, as terminals with a display send it. */
export function intermediate(status: number, text: string, timeoutMinutes: number | null): Uint8Array {
  const tlv = writeTlv([['24', [['07', writeText(text, 'cp437')]]]]);
  return writeMessage({
    control: COMMANDS.intermediateStatus,
    lead: { status, ...(timeoutMinutes !== null && { timeoutMinutes }) },
    fields: [{ id: 0x06, value: tlv }],
  });
}

export function abortMessage(resultCode: number): Uint8Array {
  return writeMessage({ control: COMMANDS.abortByTerminal, lead: { resultCode } });
}

interface Told {
  resultCode: number;
  terminalId: string;
  currency?: number;
  amountMinor?: number;
  entry?: ZvtEntry;
  totals?: Uint8Array;
}

/** 04 0F. */
export function statusInformation(told: Told): Uint8Array {
  const { resultCode, terminalId, currency, amountMinor, entry, totals } = told;
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
      entry?.card ? cardOf(entry.card) : [],
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

function cardOf(card: SimCard): Uint8Array {
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
    [0x06, tlv.length],
    tlv,
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

/** The merchant's and the customer's receipt (06 D3), with letters above ASCII. */
export function textBlocks(
  entry: ZvtEntry,
  { terminalId, latin1 }: { terminalId: string; latin1: boolean },
): Uint8Array[] {
  const charset = latin1 ? 'latin1' : 'cp437';
  return [
    { type: 1, head: '** HÄNDLERBELEG **' },
    { type: 2, head: '** KUNDENBELEG für Sie **' },
  ].map(({ type, head }) => {
    const lines = [
      ...[head, entry.originalTrace === null ? 'Bezahlung' : 'Storno', `Terminal-ID: ${terminalId}`],
      ...[`Beleg-Nr: ${String(entry.receipt).padStart(4, '0')}`, `Karte: ${printedNumber(entry.card)}`],
      `Betrag: ${entry.amountMinor}`,
    ];
    const texts = lines.map((line) => ['07', writeText(line, charset)] as const);
    const tlv = writeTlv([
      ['1F07', [type]],
      ['25', [...texts, ['09', [0x81]] as const]],
    ]);
    return writeMessage({ control: COMMANDS.printTextBlock, fields: [{ id: 0x06, value: tlv }] });
  });
}

/** Terminals that do not mask the number print it, too. */
function printedNumber(card: SimCard | null): string {
  if (!card) return '-';
  const number = card.unmasked ? card.number : card.number.slice(-4).padStart(card.number.length, '*');
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
