import { translate } from '../../base/texts.ts';
import type { PRICE_EN } from './en.ts';

export const PRICE_IS = translate<typeof PRICE_EN>()({
  rules: {
    unit: 'Bílastæði',
    'units-met': 'Þegar greitt fyrir',
    waived: 'Ekkert þarf að greiða fyrir þetta',
    free: 'Gjaldfrjáls tími',
    step: 'Bílastæði',
    day: 'Heill dagur',
    'flat-rate': 'Fast verð',
    cap: 'Hámarksverð',
    paid: 'Þegar greitt',
    invoiced: 'Á reikningi',
    'late-fee': 'Álag vegna síðbúinnar greiðslu',
    'service-fee': 'Þjónustugjald',
  },
  caps: {
    opening: 'þú greiðir ekki meira fyrir eitt tímabil',
    week: 'þú greiðir ekki meira fyrir eina viku',
    visit: 'þú greiðir ekki meira fyrir eina dvöl',
  },
  noVat: {
    E: 'Undanþegið VSK: {reason}',
    O: 'Utan gildissviðs VSK: {reason}',
    Z: 'VSK 0%',
  },
  vatReasons: {
    'parking-rental': 'útleiga bifreiðastæða',
    'not-registered': 'seljandi er ekki á VSK-skrá',
  },
  minutes: '{n} {n: one mínúta | other mínútur}',
  hours: '{n} klst.',
  days: '{n} {n: one dagur | other dagar}',
  each: '{amount} hver',
  perDay: '{amount} fyrir hvern byrjaðan sólarhring',
});
