import { translate } from '../../base/texts.ts';
import type { ELECTRONIC_ID_EN } from './en.ts';

export const ELECTRONIC_ID_FR = translate<typeof ELECTRONIC_ID_EN>()({
  states: {
    success: 'Vous êtes connecté.',
    pending: 'Approuvez la demande sur votre téléphone si le code est le même qu’ici.',
    timeout: 'Le téléphone n’a pas répondu à temps. Veuillez réessayer.',
    cancelled: 'La connexion a été annulée sur le téléphone.',
    'account-not-found': 'Aucun compte ne correspond à cette identité électronique.',
    error:
      'L’identité électronique est inutilisable pour le moment. Vérifiez qu’elle n’est pas bloquée ou connectez-vous autrement.',
    unknown: 'Le résultat de la connexion est inconnu. Veuillez réessayer.',
  },
  noDriver:
    'Aucun compte trouvé. Vérifiez le numéro, ou connectez-vous d’abord par e-mail, puis liez votre identité électronique.',
  connected: 'Votre identité électronique est liée.',
});
