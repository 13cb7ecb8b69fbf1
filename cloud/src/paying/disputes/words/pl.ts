import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_PL = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Dzień dobry,',
  subject: {
    upheld: 'Uznaliśmy reklamację',
    rejected: 'Odpowiedź na reklamację',
    received: 'Otrzymaliśmy reklamację',
    message: 'Wiadomość w sprawie reklamacji',
  },
  upheld: 'Sprawdziliśmy reklamację i ją uznajemy.',
  voided: 'Za ten postój nic nie trzeba płacić.',
  rejected: 'Sprawdziliśmy reklamację i nie możemy jej uznać. Kwota pozostaje bez zmian.',
  received:
    'Otrzymaliśmy reklamację. Odpowiemy do {by}. Do tego czasu nic nie zostanie pobrane automatycznie i nic nie zostanie doliczone.',
  see: 'Sprawdź stan sprawy lub dodaj coś:',
  waived: 'Od należności odejmujemy {amount}.',
  refunded: '{amount} wraca tą samą drogą, którą zapłacono.',
  credited: 'Na fakturze uznajemy {amount}.',
  invoice: 'Faktura nr {number}',
});
