import { translate } from '../../base/texts.ts';
import type { BOARD_EN } from './en.ts';

export const BOARD_DA = translate<typeof BOARD_EN>()({
  minutes: 'min.',
  hours: 't.',
  firstFree: 'De første {length} gratis',
  freeUpTo: 'Gratis op til {length}',
  upTo: 'Op til {length}',
  perStay: '{amount} pr. ophold',
  capDay: 'Højst {amount} pr. dag',
  capWeek: 'Højst {amount} pr. uge',
  capStay: 'Højst {amount} pr. ophold',
  otherTimes: 'På andre tider',
  free: 'gratis',
  holidays: 'Helligdage',
  large: 'Store køretøjer',
  more: 'Andre priser kan gælde for nogle køretøjer og tider',
  dayRate: 'Dagtakst',
  nightRate: 'Nattakst',
  earlyBird: 'Morgenfugl',
  night: 'Nat',
  weekend: 'Weekend',
});
