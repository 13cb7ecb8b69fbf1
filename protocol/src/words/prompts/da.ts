import { translate } from '../../base/texts.ts';
import type { PROMPTS_EN } from './en.ts';

export const PROMPTS_DA = translate<typeof PROMPTS_EN>()({
  wait: 'Et øjeblik …',
  'present-card': 'Hold kortet eller telefonen mod terminalen',
  'insert-card': 'Sæt kortet i terminalen',
  'enter-pin': 'Indtast PIN-koden på terminalen',
  'wrong-pin': 'Forkert PIN-kode. Prøv igen på terminalen',
  'confirm-amount': 'Godkend beløbet på terminalen',
  'remove-card': 'Tag kortet',
  'contacting-bank': 'Kontakter din bank …',
  approved: 'Godkendt',
  declined: 'Afvist',
  'see-terminal': 'Følg anvisningerne på terminalen',
});
