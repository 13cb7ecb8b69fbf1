import { translate } from '@hlid/protocol/base/texts';
import type { PAY_EN } from './en.ts';

export const PAY_DE = translate<typeof PAY_EN>()({
  afterwards: {
    beforeFee: 'Zahlen Sie bis {by}. Danach kommen {fee} hinzu.',
    beforeNotice:
      'Sie können hier bis {by} zahlen. Sonst senden wir eine Mitteilung, und {fee} kommen hinzu, wenn danach diese Frist vergeht: {length}.',
    free: 'Sie können hier bis {by} zahlen, ohne Aufschlag. Danach melden Sie sich bitte bei uns.',
  },
  sign: {
    title: 'Mit dem Handy bezahlen',
    how: 'Code scannen und Kennzeichen eingeben.',
  },
});
