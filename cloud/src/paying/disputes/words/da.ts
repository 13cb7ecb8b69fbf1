import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_DA = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Goddag,',
  subject: {
    upheld: 'Du har fået medhold',
    rejected: 'Svar på din indsigelse',
  },
  upheld: 'Vi har set på din indsigelse og giver dig medhold.',
  voided: 'Der er ikke noget at betale for parkeringen.',
  rejected: 'Vi har set på din indsigelse og kan ikke give dig medhold. Beløbet står fast.',
  invoice: 'Faktura nr. {number}',
});
