import type { Language } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import type { PaymentState } from '@hlid/protocol/records/payment';
import { RECEIPT_DA } from './words/da.ts';
import { RECEIPT_DE } from './words/de.ts';
import { RECEIPT_EN } from './words/en.ts';
import { RECEIPT_ES } from './words/es.ts';
import { RECEIPT_FR } from './words/fr.ts';
import { RECEIPT_IS } from './words/is.ts';
import { RECEIPT_PL } from './words/pl.ts';

/** The state of a payment, as its receipt shows it. */
export type Standing = 'paid' | 'refunded' | 'checking' | 'not-paid';

export const STANDINGS: Record<PaymentState, Standing> = {
  created: 'checking',
  sent: 'checking',
  approved: 'checking',
  unknown: 'checking',
  settled: 'paid',
  reversed: 'refunded',
  declined: 'not-paid',
  cancelled: 'not-paid',
};

export const RECEIPT_WORDS = textsByLanguage<Language, typeof RECEIPT_EN>({
  is: RECEIPT_IS,
  en: RECEIPT_EN,
  pl: RECEIPT_PL,
  de: RECEIPT_DE,
  fr: RECEIPT_FR,
  es: RECEIPT_ES,
  da: RECEIPT_DA,
});

const CARD_BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  electron: 'Visa Electron',
  maestro: 'Maestro',
};

/** A card as papers name it: its brand and last digits, as far as they are known. */
export function cardText({ type, lastFour }: { type: string | null; lastFour: string | null }): string {
  return [type && CARD_BRANDS[type], lastFour && `•••• ${lastFour}`].filter(Boolean).join(' ');
}
