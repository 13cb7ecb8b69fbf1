import type { ENTRY_WORDS_EN } from './en.ts';

export const ENTRY_WORDS_IS: typeof ENTRY_WORDS_EN = {
  invoice: 'Reikningur',
  'credit-note': 'Kreditreikningur',
  payment: 'Greiðsla reiknings',
  claim: 'Krafa í banka',
  settlement: 'Uppgjör',
  bank: 'Innborgun uppgjörs',
};
