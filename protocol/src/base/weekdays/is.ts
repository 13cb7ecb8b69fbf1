import { translate } from '../texts.ts';
import type { WEEKDAYS_EN } from './en.ts';

export const WEEKDAYS_IS = translate<typeof WEEKDAYS_EN>()({
  long: {
    1: 'mánudagur',
    2: 'þriðjudagur',
    3: 'miðvikudagur',
    4: 'fimmtudagur',
    5: 'föstudagur',
    6: 'laugardagur',
    7: 'sunnudagur',
  },
  short: {
    1: 'mán.',
    2: 'þri.',
    3: 'mið.',
    4: 'fim.',
    5: 'fös.',
    6: 'lau.',
    7: 'sun.',
  },
});
