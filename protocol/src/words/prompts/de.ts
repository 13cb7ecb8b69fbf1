import { translate } from '../../base/texts.ts';
import type { PROMPTS_EN } from './en.ts';

export const PROMPTS_DE = translate<typeof PROMPTS_EN>()({
  wait: 'Einen Moment bitte …',
  'present-card': 'Karte oder Handy an das Terminal halten',
  'insert-card': 'Karte in das Terminal stecken',
  'enter-pin': 'PIN am Terminal eingeben',
  'wrong-pin': 'Falsche PIN. Bitte am Terminal erneut eingeben',
  'confirm-amount': 'Betrag am Terminal bestätigen',
  'remove-card': 'Karte entnehmen',
  'contacting-bank': 'Verbindung zur Bank …',
  approved: 'Genehmigt',
  declined: 'Abgelehnt',
  'see-terminal': 'Bitte den Anweisungen am Terminal folgen',
});
