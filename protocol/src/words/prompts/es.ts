import { translate } from '../../base/texts.ts';
import type { PROMPTS_EN } from './en.ts';

export const PROMPTS_ES = translate<typeof PROMPTS_EN>()({
  wait: 'Un momento …',
  'present-card': 'Acerque la tarjeta o el móvil al terminal',
  'insert-card': 'Introduzca la tarjeta en el terminal',
  'enter-pin': 'Introduzca el PIN en el terminal',
  'wrong-pin': 'PIN incorrecto. Inténtelo de nuevo en el terminal',
  'confirm-amount': 'Confirme el importe en el terminal',
  'remove-card': 'Retire la tarjeta',
  'contacting-bank': 'Consultando con su banco …',
  approved: 'Aceptado',
  declined: 'Rechazado',
  'see-terminal': 'Siga las instrucciones del terminal',
});
