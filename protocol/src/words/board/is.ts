import { translate } from '../../base/texts.ts';
import type { BOARD_EN } from './en.ts';

export const BOARD_IS = translate<typeof BOARD_EN>()({
  minutes: 'mín.',
  hours: 'klst.',
  firstFree: 'Fyrstu {length} gjaldfrjálst',
  freeUpTo: 'Gjaldfrjálst að {length}',
  upTo: 'Allt að {length}',
  perStay: '{amount} fyrir hverja dvöl',
  capDay: 'Mest {amount} á dag',
  capWeek: 'Mest {amount} á viku',
  capStay: 'Mest {amount} fyrir hverja dvöl',
  otherTimes: 'Á öðrum tímum',
  free: 'gjaldfrjálst',
  holidays: 'Frídagar',
  large: 'Stór ökutæki',
  more: 'Annað verð getur átt við sum ökutæki og tíma',
  dayRate: 'Dagtaxti',
  nightRate: 'Næturtaxti',
  earlyBird: 'Morgunhani',
  night: 'Nótt',
  weekend: 'Helgi',
});
