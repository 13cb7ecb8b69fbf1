import type { Translation } from '@hlid/protocol/base/texts';
import type { OBJECTION_EN } from './objection-en.ts';

export const OBJECTION_FR: Translation<typeof OBJECTION_EN> = {
  title: 'Votre réclamation',
  ended: 'Ce lien n’est plus valable. Appelez-nous si vous avez encore une question.',
  by: 'Nous répondons avant : {at}.',
  driver: 'Vous',
  office: 'Le bureau',
  message: 'Ajouter un message',
  send: 'Envoyer le message',
  withdraw: 'Retirer la réclamation',
  withdrawSure: 'Oui, la retirer : je paie',
  given: {
    void: 'Il n’y a rien à payer pour le stationnement.',
    waive: '{amount} sont déduits du montant dû.',
    refund: '{amount} sont remboursés par le moyen de paiement utilisé.',
    credit: '{amount} sont crédités sur la facture.',
  },
};
