import { translate } from '../../base/texts.ts';
import type { DRIVER_EN } from './en.ts';

export const DRIVER_FR = translate<typeof DRIVER_EN>()({
  languages: 'Langue',
  title: 'Payer le stationnement',
  back: 'Retour',
  again: 'Réessayer',
  duration: {
    days: '{n} {n: one jour | other jours}',
    hours: '{n} h',
    minutes: '{n} min',
  },
  plate: {
    title: 'Quelle est votre plaque\u00a0?',
    field: 'Plaque',
    find: 'Trouver ma voiture',
    clear: 'Effacer',
  },
  choose: {
    yes: 'Oui, c’est ma voiture',
  },
  question: {
    title: 'Est-ce votre voiture\u00a0?',
    no: 'Non, pas la mienne',
    sending: 'Ouverture de la sortie …',
  },
  notFound: {
    title: '{plate} introuvable',
    change: 'Changer la plaque',
  },
  browse: {
    day: 'Jour',
  },
  due: {
    title: 'À payer',
    total: 'Total',
    what: 'Détail du prix',
    vat: 'dont TVA {rate}\u00a0: {amount}',
    pay: 'Payer {amount}',
    days: 'Rester plus\u00a0: acheter des jours',
    changed: 'Le prix a changé. Veuillez le vérifier.',
    noCards: 'Le paiement par carte est indisponible ici.',
  },
  days: {
    title: 'Combien de jours\u00a0?',
    lead: 'Un jour dure 24 heures à partir de votre entrée.',
    count: '{n: one jour | other jours}',
    perDay: '{amount} par jour',
    fewer: 'Un jour de moins',
    more: 'Un jour de plus',
  },
  standing: {
    'nothing-due': {
      title: 'Rien à payer',
      lead: 'Vous pouvez sortir. Bonne route\u00a0!',
    },
    paid: {
      title: 'Déjà payé',
      lead: 'Vous pouvez sortir. Bonne route\u00a0!',
    },
    whitelisted: {
      title: 'Cette voiture a une autorisation',
      lead: 'Rien à payer. Bonne route\u00a0!',
    },
    invoiced: {
      title: 'Vous recevrez une facture',
      lead: 'Rien à payer ici. Bonne route\u00a0!',
    },
    checking: {
      title: 'Nous vérifions votre paiement',
      lead: 'Ne payez pas une deuxième fois. Cela peut prendre quelques minutes.',
    },
    ended: {
      title: 'Cette voiture est sortie',
      lead: 'Il n’y a plus rien à payer ici.',
    },
    'no-price': {
      title: 'Nous n’avons pas le prix',
      lead: 'Appelez-nous, nous vous aiderons.',
    },
    other: {
      title: 'Ce stationnement ne peut pas être affiché ici',
      lead: 'Appelez-nous, nous vous aiderons.',
    },
  },
  pay: {
    cancel: 'Annuler',
    cancelling: 'Annulation …',
    reversed: 'Le paiement a été remboursé',
    reversedMore: 'Le montant revient sur votre carte.',
    unknown: 'Nous vérifions votre paiement',
    notAgain: 'Ne payez pas une deuxième fois.',
  },
  receipt: {
    title: 'Payé. Merci\u00a0!',
    card: 'Carte',
  },
  mail: {
    field: 'Adresse e-mail',
    send: 'Envoyer',
    wrong: 'Cette adresse e-mail est incomplète.',
    privacy: 'Votre adresse ne sert qu’à envoyer ce reçu.',
  },
  leave: {
    until: 'jusqu’à\u00a0{time}',
    mailed: 'Le reçu est en route.',
  },
});
