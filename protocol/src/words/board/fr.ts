import { translate } from '../../base/texts.ts';
import type { BOARD_EN } from './en.ts';

export const BOARD_FR = translate<typeof BOARD_EN>()({
  minutes: 'min',
  hours: 'h',
  firstFree: 'Gratuit les premières {length}',
  freeUpTo: 'Gratuit jusqu’à {length}',
  upTo: 'Jusqu’à {length}',
  perStay: '{amount} par séjour',
  capDay: 'Au plus {amount} par jour',
  capWeek: 'Au plus {amount} par semaine',
  capStay: 'Au plus {amount} par séjour',
  otherTimes: 'Le reste du temps',
  free: 'gratuit',
  holidays: 'Jours fériés',
  large: 'Grands véhicules',
  more: 'D’autres prix peuvent s’appliquer à certains véhicules et horaires',
  dayRate: 'Tarif de jour',
  nightRate: 'Tarif de nuit',
  earlyBird: 'Lève-tôt',
  night: 'Nuit',
  weekend: 'Week-end',
});
