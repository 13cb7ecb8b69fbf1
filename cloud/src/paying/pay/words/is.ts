import { translate } from '@hlid/protocol/base/texts';
import type { PAY_EN } from './en.ts';

export const PAY_IS = translate<typeof PAY_EN>()({
  afterwards: {
    beforeFee: 'Greiddu í síðasta lagi {by}. Eftir það bætast við {fee}.',
    beforeNotice:
      'Hér má greiða til {by}. Ef ekki er greitt sendum við tilkynningu, og {fee} bætast við ef ekki er greitt innan þessa tíma frá henni: {length}.',
    free: 'Hér má greiða til {by} og ekkert bætist við. Hafðu samband við okkur eftir það.',
  },
  sign: {
    title: 'Greiddu með símanum',
    how: 'Skannaðu kóðann og sláðu inn bílnúmerið.',
  },
});
