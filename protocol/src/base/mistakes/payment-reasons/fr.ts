import { translate } from '../../texts.ts';
import type { PAYMENT_REASONS_EN } from './en.ts';

export const PAYMENT_REASONS_FR = translate<typeof PAYMENT_REASONS_EN>()({
  refused: 'La banque a refusé la carte. Essayez une autre carte.',
  'card-unreadable': 'La carte n’a pas pu être lue. Réessayez ou prenez une autre carte.',
  'card-expired': 'La carte a expiré. Essayez une autre carte.',
  'card-unsupported': 'Cette carte n’est pas acceptée ici. Essayez une autre carte.',
  'wrong-pin': 'Le code était erroné. Réessayez.',
  'no-connection': 'Le terminal n’a pas de connexion avec la banque. Réessayez dans un instant.',
  amount:
    'Le terminal avait un autre montant, par exemple avec un pourboire ; il a été refusé. Rien n’a été débité. Réessayez sans pourboire.',
  'driver-gone': 'Le paiement a été annulé. Rien n’a été débité.',
  'not-booked': 'Le paiement n’a pas abouti. Rien n’a été débité.',
  'terminal-busy': 'Le terminal est occupé. Attendez qu’il soit libre.',
  'terminal-away': 'Le terminal est injoignable. Réessayez ou appelez-nous.',
  'no-terminal': 'Ce terminal n’existe pas.',
  'payment-under-way': 'Un paiement est en cours. Ne payez pas une deuxième fois.',
  'nothing-due': 'Il n’y a rien à payer.',
  'too-little': 'C’est moins que le montant dû. Choisissez plus de jours ou payez le montant dû.',
  'not-for-sale': 'Cela ne peut pas être acheté pour cette voiture.',
  'amount-changed': 'Le montant a changé entre-temps.',
  'key-reused': 'Ce paiement concernait autre chose. Recommencez.',
  'visit-ended': 'La voiture est déjà partie.',
  'not-found': 'Ce stationnement n’existe pas dans ce parking.',
  unknown: 'Nous vérifions le paiement. Ne payez pas une deuxième fois.',
  other: 'Le paiement n’a pas abouti. Réessayez ou appelez-nous.',
});
