import { translate } from '@hlid/protocol/base/texts';
import type { PAY_EN } from './en.ts';

export const PAY_DA = translate<typeof PAY_EN>()({
  afterwards: {
    beforeFee: 'Betal senest {by}. Derefter kommer der {fee} oveni.',
    beforeNotice:
      'Du kan betale her indtil {by}. Ellers sender vi et varsel, og der kommer {fee} oveni, hvis der ikke betales inden for denne frist derefter: {length}.',
    free: 'Du kan betale her indtil {by}, og der kommer intet oveni. Kontakt os derefter.',
  },
  sign: {
    title: 'Betal med telefonen',
    how: 'Scan koden, og indtast nummerpladen.',
  },
});
