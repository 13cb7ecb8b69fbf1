import { translate } from '@hlid/protocol/base/texts';
import type { PAY_EN } from './en.ts';

export const PAY_PL = translate<typeof PAY_EN>()({
  afterwards: {
    beforeFee: 'Zapłać najpóźniej {by}. Potem doliczymy {fee}.',
    beforeNotice:
      'Tutaj można zapłacić do {by}. Bez zapłaty wyślemy wezwanie i doliczymy {fee}, jeśli od wezwania minie: {length}.',
    free: 'Tutaj można zapłacić do {by}, bez dopłat. Potem skontaktuj się z nami.',
  },
  sign: {
    title: 'Zapłać telefonem',
    how: 'Zeskanuj kod i wpisz numer rejestracyjny.',
  },
});
