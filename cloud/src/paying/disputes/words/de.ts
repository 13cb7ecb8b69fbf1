import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_DE = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Guten Tag,',
  subject: {
    upheld: 'Ihr Einspruch ist berechtigt',
    rejected: 'Antwort auf Ihren Einspruch',
    received: 'Ihr Widerspruch ist eingegangen',
    message: 'Eine Nachricht zu Ihrem Widerspruch',
  },
  upheld: 'Wir haben Ihren Einspruch geprüft und geben Ihnen recht.',
  voided: 'Für den Aufenthalt ist nichts zu zahlen.',
  rejected: 'Wir haben Ihren Einspruch geprüft und können ihm nicht folgen. Der Betrag bleibt bestehen.',
  received:
    'Ihr Widerspruch ist eingegangen. Wir antworten bis {by}. Bis dahin wird nichts automatisch abgebucht, und nichts kommt hinzu.',
  see: 'Stand ansehen oder etwas ergänzen:',
  waived: '{amount} werden vom fälligen Betrag abgezogen.',
  refunded: '{amount} werden auf dem Weg erstattet, auf dem bezahlt wurde.',
  credited: '{amount} werden auf der Rechnung gutgeschrieben.',
  invoice: 'Rechnung Nr. {number}',
});
