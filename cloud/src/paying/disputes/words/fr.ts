import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_FR = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Bonjour,',
  subject: {
    upheld: 'Contestation acceptée',
    rejected: 'Réponse à votre contestation',
  },
  upheld: 'Nous avons examiné votre contestation et vous donnons raison.',
  voided: 'Il n’y a rien à payer pour ce stationnement.',
  rejected: 'Nous avons examiné votre contestation et ne pouvons pas l’accepter. Le montant reste dû.',
  invoice: 'Facture n° {number}',
});
