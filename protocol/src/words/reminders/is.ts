import { translate } from '../../base/texts.ts';
import type { REMINDER_EN } from './en.ts';

export const REMINDER_IS = translate<typeof REMINDER_EN>()({
  steps: {
    warning: 'Innheimtuviðvörun',
    letter: 'Milliinnheimtubréf',
    'second-letter': 'Fyrsta ítrekun',
    'third-letter': 'Önnur ítrekun',
  },
  states: {
    waiting: 'Bíður eftir póstinum',
    delivered: 'Afhent',
    failed: 'Pósturinn kom til baka',
    paper: 'Þarf að afhenda í höndunum',
  },
});
