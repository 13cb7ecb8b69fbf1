import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_FR = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Bonjour,',
  subject: {
    upheld: 'Contestation acceptée',
    rejected: 'Réponse à votre contestation',
    received: 'Votre réclamation est arrivée',
    message: 'Un message au sujet de votre réclamation',
  },
  upheld: 'Nous avons examiné votre contestation et vous donnons raison.',
  voided: 'Il n’y a rien à payer pour ce stationnement.',
  rejected: 'Nous avons examiné votre contestation et ne pouvons pas l’accepter. Le montant reste dû.',
  received:
    'Votre réclamation est arrivée. Nous répondons avant le {by}. D’ici là, rien n’est débité automatiquement et rien ne s’ajoute.',
  see: 'Voir où elle en est, ou ajouter quelque chose :',
  waived: '{amount} sont déduits du montant dû.',
  refunded: '{amount} sont remboursés par le moyen de paiement utilisé.',
  credited: '{amount} sont crédités sur la facture.',
  invoice: 'Facture n° {number}',
});
