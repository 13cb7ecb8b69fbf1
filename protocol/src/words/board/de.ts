import { translate } from '../../base/texts.ts';
import type { BOARD_EN } from './en.ts';

export const BOARD_DE = translate<typeof BOARD_EN>()({
  minutes: 'Min.',
  hours: 'Std.',
  firstFree: 'Die ersten {length} kostenlos',
  freeUpTo: 'Bis {length} kostenlos',
  upTo: 'Bis {length}',
  perStay: '{amount} pro Aufenthalt',
  capDay: 'Höchstens {amount} pro Tag',
  capWeek: 'Höchstens {amount} pro Woche',
  capStay: 'Höchstens {amount} pro Aufenthalt',
  otherTimes: 'Zu anderen Zeiten',
  free: 'kostenlos',
  holidays: 'Feiertage',
  large: 'Große Fahrzeuge',
  more: 'Für manche Fahrzeuge und Zeiten gelten andere Preise',
  dayRate: 'Tagestarif',
  nightRate: 'Nachttarif',
  earlyBird: 'Frühaufsteher',
  night: 'Nacht',
  weekend: 'Wochenende',
});
