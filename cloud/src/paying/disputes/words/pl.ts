import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_PL = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Dzień dobry,',
  subject: {
    upheld: 'Uznaliśmy reklamację',
    rejected: 'Odpowiedź na reklamację',
  },
  upheld: 'Sprawdziliśmy reklamację i ją uznajemy.',
  voided: 'Za ten postój nic nie trzeba płacić.',
  rejected: 'Sprawdziliśmy reklamację i nie możemy jej uznać. Kwota pozostaje bez zmian.',
  invoice: 'Faktura nr {number}',
});
