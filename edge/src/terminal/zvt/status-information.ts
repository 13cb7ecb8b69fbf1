import { currencyOfNumber } from '@hlid/protocol/base/currency-number';
import type { CardBrand, ReceiptCard } from '@hlid/protocol/records/payment';
import { brandOfApplication } from '../brand-of-application.ts';
import type { DayTotals, TerminalTransaction } from '../terminal.ts';
import { hexOf, nibblesOf, readBcd } from './bcd-frame.ts';
import { readTotals, type TOTAL_GROUPS } from './explain-field.ts';
import { tlvOf } from './explain-tlv.ts';
import type { Field } from './field-frame.ts';
import { readText } from './text-frame.ts';
import { findTlv } from './tlv-frame.ts';

/** Card types of field 8A. */
const CARD_TYPES: Readonly<Record<number, CardBrand>> = {
  6: 'mastercard',
  8: 'amex',
  10: 'visa',
  11: 'electron',
  46: 'maestro',
  232: 'discover',
};

/** A status-information (04 0F), as far as it is kept. */
export interface StatusFacts {
  resultCode: number | null;
  amountMinor: number | null;
  /** ISO 4217; null: missing, or one that we do not know (`XXX` then). */
  currency: string | null;
  terminalId: string | null;
  receiptNumber: string | null;
  trace: string | null;
  /** The trace number of the sale that this reverses. */
  originalTrace: string | null;
  turnover: string | null;
  /** The time as `MM-DD HH:MM:SS`: terminals report no year. */
  at: string | null;
  authorisation: string | null;
  card: ReceiptCard;
  totals: DayTotals['cards'];
}

const UNKNOWN_CURRENCY = 'XXX';

/** Throws Fault 'peer-misbehaved' where the sums of an end of day are no sums. */
export function readStatusInformation(message: { fields: readonly Field[] }): StatusFacts {
  const { fields } = message;
  const bytesAt = (id: number) => fields.find((field) => field.id === id)?.value ?? null;
  const digitsOf = (id: number) => mapped(bytesAt(id), nibblesOf);
  const tlv = tlvOf(fields) ?? [];
  const aid = mapped(findTlv(tlv, '43')?.value ?? null, hexOf);
  const longTrace = mapped(findTlv(tlv, '1F2B')?.value ?? null, nibblesOf);
  const trace = digitsOf(0x0b);
  return {
    resultCode: bytesAt(0x27)?.[0] ?? null,
    amountMinor: mapped(bytesAt(0x04), readBcd),
    currency: mapped(
      mapped(bytesAt(0x49), readBcd),
      (number) => currencyOfNumber(number) ?? UNKNOWN_CURRENCY,
    ),
    terminalId: digitsOf(0x29),
    receiptNumber: digitsOf(0x87),
    // Six zeros: it does not fit, and stands in the container.
    trace: trace === null || /^0+$/.test(trace) ? (longTrace ?? trace) : trace,
    originalTrace: digitsOf(0x37),
    turnover: digitsOf(0x88),
    at: timeOf(digitsOf(0x0d), digitsOf(0x0c)),
    authorisation: mapped(bytesAt(0x3b), (value) => readText(value, 'cp437').replace(/\0.*$/, '').trim()),
    card: {
      type: cardBrand(aid, bytesAt(0x8a)?.[0] ?? null),
      lastFour: mapped(digitsOf(0x22), lastFourOf),
    },
    totals: mapped(bytesAt(0x60), totalsOf) ?? [],
  };
}

function mapped<T, U>(value: T | null, to: (value: T) => U | null): U | null {
  return value === null ? null : to(value);
}

/** The half byte of padding is no digit; old terminals send the data behind the number on the stripe, too. */
function lastFourOf(nibbles: string): string | null {
  return /^[\dE]*(\d{4})(?:[DF].*)?$/.exec(nibbles)?.[1] ?? null;
}

function timeOf(date: string | null, time: string | null): string | null {
  const [, month, day, hour, minute, second] =
    /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(`${date}${time}`) ?? [];
  return month === undefined ? null : `${month}-${day} ${hour}:${minute}:${second}`;
}

const GROUP_BRANDS: Record<(typeof TOTAL_GROUPS)[number], ReceiptCard['type']> = {
  girocard: 'other',
  jcb: 'other',
  mastercard: 'mastercard',
  amex: 'amex',
  visa: 'visa',
  diners: 'other',
  others: 'other',
};

/** The totals by brand, without those that had nothing. */
function totalsOf(value: Uint8Array): DayTotals['cards'] {
  const sums = new Map<ReceiptCard['type'], { count: number; amountMinor: number }>();
  for (const { group, count, totalMinor } of readTotals(value).groups) {
    const sum = sums.get(GROUP_BRANDS[group]) ?? { count: 0, amountMinor: 0 };
    sums.set(GROUP_BRANDS[group], {
      count: sum.count + count,
      amountMinor: sum.amountMinor + (totalMinor ?? 0),
    });
  }
  return Array.from(sums, ([type, sum]) => ({ type, ...sum })).filter(({ count }) => count > 0);
}

/** The separator of the numbers of a reference: a run of digits alone could be a card's number. */
const BETWEEN = '.';

/** Fields that the answer lacks come from the order, where the terminal is known not to repeat them. */
export function transactionOf(
  facts: StatusFacts,
  asked: { amountMinor: number; currency: string; terminalId: string | null } | null,
): TerminalTransaction | null {
  const { receiptNumber, trace, turnover, originalTrace } = facts;
  const amountMinor = facts.amountMinor ?? asked?.amountMinor ?? null;
  const currency = facts.currency ?? asked?.currency ?? null;
  const terminalId = facts.terminalId ?? asked?.terminalId ?? null;
  if (receiptNumber === null || amountMinor === null || currency === null) return null;
  return {
    reference: trace === null ? receiptNumber : `${receiptNumber}${BETWEEN}${trace}`,
    terminalId: terminalId ?? '',
    amountMinor,
    currency,
    authorisation: facts.authorisation,
    card: facts.card,
    at: facts.at,
    marks: {
      receipt: receiptNumber,
      ...(trace !== null && { trace }),
      ...(turnover !== null && { turnover }),
      ...(originalTrace !== null && { originalTrace }),
    },
  };
}

/** The receipt number of a transaction, by which 06 30 finds it; null if it has another form. */
export function receiptOf({ reference }: TerminalTransaction): number | null {
  const [receipt = ''] = reference.split(BETWEEN);
  return /^\d{4}$/.test(receipt) ? Number(receipt) : null;
}

/**
 * The application's id wins: terminals call a Debit Mastercard Maestro (46) by its type.
 *
 * @param aid in hexadecimal
 */
function cardBrand(aid: string | null, cardType: number | null): CardBrand {
  const application = aid === null ? null : brandOfApplication(aid);
  if (application) return application;
  return (aid === null && cardType !== null && CARD_TYPES[cardType]) || 'other';
}
