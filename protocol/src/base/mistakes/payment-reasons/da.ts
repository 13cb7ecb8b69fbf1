import { translate } from '../../texts.ts';
import type { PAYMENT_REASONS_EN } from './en.ts';

export const PAYMENT_REASONS_DA = translate<typeof PAYMENT_REASONS_EN>()({
  refused: 'Banken afviste kortet. Prøv et andet kort.',
  'card-unreadable': 'Kortet kunne ikke læses. Prøv igen, eller brug et andet kort.',
  'card-expired': 'Kortet er udløbet. Prøv et andet kort.',
  'card-unsupported': 'Kortet kan ikke bruges her. Prøv et andet kort.',
  'wrong-pin': 'PIN-koden var forkert. Prøv igen.',
  'no-connection': 'Terminalen har ingen forbindelse til banken. Prøv igen om lidt.',
  amount:
    'Terminalen havde et andet beløb, for eksempel med drikkepenge, og det blev afvist. Intet er trukket. Prøv igen uden drikkepenge.',
  'driver-gone': 'Betalingen blev annulleret. Der er ikke trukket noget.',
  'not-booked': 'Betalingen blev ikke gennemført. Der er ikke trukket noget.',
  'terminal-busy': 'Terminalen er optaget. Vent, til den er ledig.',
  'terminal-away': 'Der er ingen forbindelse til terminalen. Prøv igen, eller ring efter hjælp.',
  'no-terminal': 'Terminalen findes ikke.',
  'payment-under-way': 'En betaling er i gang. Betal ikke igen.',
  'nothing-due': 'Der er intet at betale.',
  'too-little': 'Det er mindre end det skyldige beløb. Vælg flere dage, eller betal det skyldige beløb.',
  'not-for-sale': 'Det kan ikke købes til denne bil.',
  'amount-changed': 'Beløbet har ændret sig i mellemtiden.',
  'key-reused': 'Betalingen gjaldt noget andet. Begynd forfra.',
  'visit-ended': 'Bilen er allerede kørt.',
  'not-found': 'Parkeringen findes ikke her.',
  unknown: 'Vi undersøger betalingen. Betal ikke igen.',
  other: 'Betalingen blev ikke gennemført. Prøv igen, eller ring efter hjælp.',
});
