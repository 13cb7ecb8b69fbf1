import { translate } from '@hlid/protocol/base/texts';
import type { DRIVER_MAIL_EN } from './en.ts';

export const DRIVER_MAIL_FR = translate<typeof DRIVER_MAIL_EN>()({
  link: {
    subject: 'Connexion',
    text: `Bonjour,

Connectez-vous ici pour payer le stationnement automatiquement :

{link}

Le lien est valable une seule fois, pendant 15 minutes. Si vous ne l’avez pas demandé, vous pouvez ignorer ce message.
`,
  },
  declined: {
    subject: 'Votre carte a été refusée',
    text: `Bonjour,

Votre carte n’a pas pu être débitée pour {plate}. Rien n’a été payé, et la carte ne sera plus utilisée automatiquement sans votre accord.

Vous pouvez payer ici ou à la borne sur place :

{payAt}
`,
  },
  limit: {
    subject: 'Votre plafond est atteint',
    text: `Bonjour,

Votre carte n’a pas payé automatiquement pour {plate} : le prix dépasse le plafond que vous avez choisi. Rien n’a été débité.

Vous pouvez payer ici ou à la borne sur place :

{payAt}

Modifiez vos plafonds ici :

{page}
`,
  },
  doubt: {
    subject: 'Le paiement automatique n’a pas eu lieu',
    text: `Bonjour,

Votre carte n’a pas payé automatiquement pour {plate}, car nous ne sommes pas sûrs de l’immatriculation ou de l’heure. Rien n’a été débité.

Si c’est votre voiture, vous pouvez payer ici ou à la borne sur place :

{payAt}
`,
  },
  card: {
    subject: 'Le paiement automatique n’a pas eu lieu',
    text: `Bonjour,

Votre carte n’a pas pu être utilisée cette fois pour {plate}. Rien n’a été débité.

Vous pouvez payer ici ou à la borne sur place :

{payAt}
`,
  },
  claimed: {
    subject: 'Une autre personne réclame votre véhicule',
    text: `Bonjour,

Une autre personne a essayé d’ajouter {plate} à son compte. Rien n’a changé : le véhicule reste sur votre compte et votre carte paie pour lui.

Si vous n’utilisez plus ce véhicule, vous pouvez le supprimer ici. Sinon, vous pouvez ignorer ce message.

{page}
`,
  },
  moved: {
    subject: 'Fin du paiement automatique',
    text: `Bonjour,

Une autre personne a prouvé que {plate} est son véhicule. Votre carte ne paie plus pour ce véhicule.
`,
  },
  notRegistered: {
    text: `Bonjour,

Le registre des véhicules ne vous mentionne plus pour {plate}. Votre carte ne paie plus pour ce véhicule.
`,
  },
  identityMoved: {
    subject: 'Identité électronique dissociée',
    text: `Bonjour,

Votre identité électronique a été liée à un autre compte et n’appartient plus à celui-ci. Si ce n’était pas vous, liez-la de nouveau ici. Personne ne peut la lier sans votre accord sur le téléphone.
`,
  },
});
