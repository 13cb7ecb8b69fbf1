import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_DE = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Guten Tag,',
  subject: {
    upheld: 'Ihr Einspruch ist berechtigt',
    rejected: 'Antwort auf Ihren Einspruch',
  },
  upheld: 'Wir haben Ihren Einspruch geprüft und geben Ihnen recht.',
  voided: 'Für den Aufenthalt ist nichts zu zahlen.',
  rejected: 'Wir haben Ihren Einspruch geprüft und können ihm nicht folgen. Der Betrag bleibt bestehen.',
  invoice: 'Rechnung Nr. {number}',
});
