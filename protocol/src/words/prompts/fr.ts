import { translate } from '../../base/texts.ts';
import type { PROMPTS_EN } from './en.ts';

export const PROMPTS_FR = translate<typeof PROMPTS_EN>()({
  wait: 'Un instant …',
  'present-card': 'Présentez votre carte ou votre téléphone au terminal',
  'insert-card': 'Insérez votre carte dans le terminal',
  'enter-pin': 'Saisissez votre code sur le terminal',
  'wrong-pin': 'Code erroné. Réessayez sur le terminal',
  'confirm-amount': 'Validez le montant sur le terminal',
  'remove-card': 'Retirez votre carte',
  'contacting-bank': 'Connexion à votre banque …',
  approved: 'Accepté',
  declined: 'Refusé',
  'see-terminal': 'Suivez les instructions du terminal',
});
