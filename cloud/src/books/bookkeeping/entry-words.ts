import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { Entry, EntryKind } from './entry.ts';

const WORDS: Record<OfficeLanguage, Record<EntryKind, string>> = {
  is: {
    invoice: 'Reikningur',
    'credit-note': 'Kreditreikningur',
    payment: 'Greiðsla reiknings',
    settlement: 'Uppgjör',
    bank: 'Innborgun uppgjörs',
  },
  en: {
    invoice: 'Invoice',
    'credit-note': 'Credit note',
    payment: 'Payment of invoice',
    settlement: 'Settlement',
    bank: 'Payout of settlement',
  },
};

/** What an entry is, without names and plates: those are erased one day, and a file stays the same. */
export function entryText({ kind, number, creditOf }: Entry, language: OfficeLanguage): string {
  const text = `${WORDS[language][kind]} ${number}`;
  return creditOf === null ? text : `${text} (${creditOf})`;
}
