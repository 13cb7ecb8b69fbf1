import { translate } from '../../base/texts.ts';
import type { BOARD_EN } from './en.ts';

export const BOARD_ES = translate<typeof BOARD_EN>()({
  minutes: 'min',
  hours: 'h',
  firstFree: 'Gratis los primeros {length}',
  freeUpTo: 'Gratis hasta {length}',
  upTo: 'Hasta {length}',
  perStay: '{amount} por estancia',
  capDay: 'Máximo {amount} al día',
  capWeek: 'Máximo {amount} a la semana',
  capStay: 'Máximo {amount} por estancia',
  otherTimes: 'Resto del tiempo',
  free: 'gratis',
  holidays: 'Festivos',
  large: 'Vehículos grandes',
  more: 'Algunos vehículos y horarios pueden tener otros precios',
  dayRate: 'Tarifa diurna',
  nightRate: 'Tarifa nocturna',
  earlyBird: 'Madrugadores',
  night: 'Noche',
  weekend: 'Fin de semana',
});
