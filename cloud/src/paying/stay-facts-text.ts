import type { Language } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { localTime } from './receipts/local-words.ts';
import { cardText, RECEIPT_WORDS } from './receipts/receipt-words.ts';

/** The facts of a stay in a mail: car, place, time and amount. */
export interface StayFacts {
  plate: string | null;
  siteName: string;
  timeZone: string;
  /** Null: the stay may be another driver's, who alone may know it. */
  startedAt: UtcTime | null;
  endedAt: UtcTime | null;
  /** Null: not known. */
  amountMinor: number | null;
  currency: string;
  /** The card that is charged automatically. Null: none is stored any more. Absent: the mail is about something else. */
  card?: ReceiptCard | null;
}

/** The facts of a stay, one a line. */
export function stayFactsText(stay: StayFacts, language: Language): string {
  const words = RECEIPT_WORDS[language];
  const { siteName, plate, startedAt, endedAt, timeZone, amountMinor, currency, card } = stay;
  const rows = [
    [words.site, siteName],
    ...(plate === null ? [] : [[words.plate, plate]]),
    ...(startedAt === null ? [] : [[words.arrived, localTime(startedAt, timeZone, language)]]),
    ...(endedAt === null ? [] : [[words.left, localTime(endedAt, timeZone, language)]]),
    ...(amountMinor === null ? [] : [[words.amount, formatMoney({ amountMinor, currency }, language)]]),
    ...(card == null ? [] : [[words.card, cardText(card)]]),
  ];
  return `${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`;
}

/** The subject of a mail, with the plate and the amount. */
export function subjectOf(
  subject: string,
  { plate, amountMinor, currency }: Pick<StayFacts, 'plate' | 'amountMinor' | 'currency'>,
  language: Language,
): string {
  const amount = amountMinor === null ? null : formatMoney({ amountMinor, currency }, language);
  return [subject, plate, amount].filter((part) => part !== null).join(' – ');
}
