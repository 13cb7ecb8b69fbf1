import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_DA = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Goddag,',
  subject: {
    upheld: 'Du har fået medhold',
    rejected: 'Svar på din indsigelse',
    received: 'Vi har modtaget din indsigelse',
    message: 'En besked om din indsigelse',
  },
  upheld: 'Vi har set på din indsigelse og giver dig medhold.',
  voided: 'Der er ikke noget at betale for parkeringen.',
  rejected: 'Vi har set på din indsigelse og kan ikke give dig medhold. Beløbet står fast.',
  received:
    'Vi har modtaget din indsigelse. Vi svarer senest {by}. Indtil da trækkes intet automatisk, og intet lægges til.',
  see: 'Se status, eller tilføj noget:',
  waived: '{amount} trækkes fra det skyldige beløb.',
  refunded: '{amount} betales tilbage på samme måde, som der blev betalt.',
  credited: '{amount} krediteres på fakturaen.',
  invoice: 'Faktura nr. {number}',
});
