import { translate } from '../../base/texts.ts';
import type { PROMPTS_EN } from './en.ts';

export const PROMPTS_PL = translate<typeof PROMPTS_EN>()({
  wait: 'Chwileczkę …',
  'present-card': 'Zbliż kartę lub telefon do terminala',
  'insert-card': 'Włóż kartę do terminala',
  'enter-pin': 'Wpisz PIN na terminalu',
  'wrong-pin': 'Błędny PIN. Spróbuj ponownie na terminalu',
  'confirm-amount': 'Potwierdź kwotę na terminalu',
  'remove-card': 'Zabierz kartę',
  'contacting-bank': 'Łączymy się z bankiem …',
  approved: 'Zaakceptowano',
  declined: 'Odrzucono',
  'see-terminal': 'Postępuj zgodnie z wyświetlaczem terminala',
});
