import type { Translation } from '@hlid/protocol/base/texts';
import type { OBJECTION_EN } from './objection-en.ts';

export const OBJECTION_PL: Translation<typeof OBJECTION_EN> = {
  title: 'Twoja reklamacja',
  ended: 'Ten link wygasł. Zadzwoń do nas, jeśli masz jeszcze pytanie.',
  by: 'Odpowiemy do: {at}.',
  driver: 'Ty',
  office: 'Biuro',
  message: 'Dodaj wiadomość',
  send: 'Wyślij wiadomość',
  withdraw: 'Wycofaj reklamację',
  withdrawSure: 'Tak, wycofuję: zapłacę',
  given: {
    void: 'Za postój nie trzeba nic płacić.',
    waive: 'Od należności odejmujemy {amount}.',
    refund: '{amount} wraca tą samą drogą, którą zapłacono.',
    credit: 'Na fakturze uznajemy {amount}.',
  },
};
