import { translate } from '../../base/texts.ts';
import type { PRICE_EN } from './en.ts';

export const PRICE_FR = translate<typeof PRICE_EN>()({
  rules: {
    unit: 'Stationnement',
    'units-met': 'Déjà réglé',
    waived: 'Rien à payer pour cela',
    free: 'Temps gratuit',
    step: 'Stationnement',
    day: 'Journée entière',
    'flat-rate': 'Forfait',
    cap: 'Tarif maximal',
    paid: 'Déjà payé',
    invoiced: 'Sur facture',
    'late-fee': 'Frais de retard de paiement',
    'service-fee': 'Frais de service',
  },
  caps: {
    opening: 'vous ne payez pas plus pour une période',
    week: 'vous ne payez pas plus pour une semaine',
    visit: 'vous ne payez pas plus pour un stationnement',
  },
  noVat: {
    E: 'Exonéré de TVA\u00a0: {reason}',
    O: 'Hors du champ de la TVA\u00a0: {reason}',
    Z: 'TVA 0\u00a0%',
  },
  vatReasons: {
    'parking-rental': 'location de places de stationnement',
    'not-registered': 'le vendeur n’est pas assujetti à la TVA',
  },
  minutes: '{n} {n: one minute | other minutes}',
  hours: '{n} {n: one heure | other heures}',
  days: '{n} {n: one jour | other jours}',
  each: '{amount} l’unité',
  perDay: '{amount} par jour entamé',
});
