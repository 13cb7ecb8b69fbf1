import { translate } from '../../base/texts.ts';
import type { BOARD_EN } from './en.ts';

export const BOARD_PL = translate<typeof BOARD_EN>()({
  minutes: 'min',
  hours: 'godz.',
  firstFree: 'Pierwsze {length} bezpłatnie',
  freeUpTo: 'Bezpłatnie do {length}',
  upTo: 'Do {length}',
  perStay: '{amount} za postój',
  capDay: 'Najwyżej {amount} za dzień',
  capWeek: 'Najwyżej {amount} za tydzień',
  capStay: 'Najwyżej {amount} za postój',
  otherTimes: 'W pozostałym czasie',
  free: 'bezpłatnie',
  holidays: 'Święta',
  large: 'Duże pojazdy',
  more: 'Dla niektórych pojazdów i godzin ceny mogą być inne',
  dayRate: 'Taryfa dzienna',
  nightRate: 'Taryfa nocna',
  earlyBird: 'Ranny ptaszek',
  night: 'Noc',
  weekend: 'Weekend',
});
