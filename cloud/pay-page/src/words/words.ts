import type { Language } from '@hlid/protocol/base/language';
import { Dictionary } from '@hlid/ui/dictionary';
import type { Notice } from '../state/pay-state.ts';
import type { EN, Words } from './en.ts';

/** A driver needs one language, and all of them are a seventh of what a slow telephone loads. */
export const DICTIONARY = new Dictionary<Language, typeof EN>({
  is: async () => (await import('./is.ts')).IS,
  en: async () => (await import('./en.ts')).EN,
  pl: async () => (await import('./pl.ts')).PL,
  de: async () => (await import('./de.ts')).DE,
  fr: async () => (await import('./fr.ts')).FR,
  es: async () => (await import('./es.ts')).ES,
  da: async () => (await import('./da.ts')).DA,
});

/** Words of a language that is loaded. */
export const wordsOf = (language: Language): Words => DICTIONARY.wordsOf(language);

/** @param number null: prepaid days, not invoiced yet */
export function invoiceTitle(number: number | null, words: Words): string {
  return number === null ? words.invoice.prepaid : words.invoice.title({ number });
}

/** The text of each notice. A refusal for suspicion by the bank has the same text as any other. */
const NOTICE_WORDS: Record<Notice, keyof Words['notices']> = {
  'nothing-charged': 'nothing-charged',
  refused: 'declined',
  security: 'declined',
  stopped: 'declined',
  other: 'declined',
  'insufficient-funds': 'insufficient-funds',
  'card-data': 'card-data',
  'card-expired': 'card-expired',
  'card-unsupported': 'card-unsupported',
  'not-authenticated': 'not-authenticated',
  merchant: 'unavailable',
  unavailable: 'unavailable',
  'site-away': 'cannot-open',
  'site-offline': 'site-offline',
  card: 'card',
  'bad-input': 'failed',
  failed: 'failed',
  'wrong-step': 'failed',
  'proof-needed': 'failed',
  'key-reused': 'failed',
  cancelled: 'nothing-charged',
  'too-many-requests': 'too-many',
  expired: 'expired',
  'wrong-proof': 'wrong-time',
  'payment-under-way': 'under-way',
  'amount-changed': 'changed',
  'not-for-sale': 'not-for-sale',
  'not-in-doubt': 'cannot-open',
  disputed: 'failed',
  'nothing-due': 'gone',
  'visit-ended': 'gone',
  'too-late': 'too-late',
  'not-found': 'expired',
};

export function noticeText(notice: Notice, words: Words): string {
  // The cloud may be newer than this page and send other notices.
  return words.notices[NOTICE_WORDS[notice] ?? 'failed'];
}
