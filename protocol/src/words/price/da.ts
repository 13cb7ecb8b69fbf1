import { translate } from '../../base/texts.ts';
import type { PRICE_EN } from './en.ts';

export const PRICE_DA = translate<typeof PRICE_EN>()({
  rules: {
    unit: 'Parkering',
    'units-met': 'Allerede betalt',
    waived: 'Intet at betale for dette',
    free: 'Gratis tid',
    step: 'Parkering',
    day: 'Hel dag',
    'flat-rate': 'Fast pris',
    cap: 'Maksimumspris',
    paid: 'Allerede betalt',
    invoiced: 'På faktura',
    'late-fee': 'Gebyr for sen betaling',
    'service-fee': 'Servicegebyr',
  },
  caps: {
    opening: 'du betaler ikke mere for én periode',
    week: 'du betaler ikke mere for én uge',
    visit: 'du betaler ikke mere for ét ophold',
  },
  noVat: {
    E: 'Fritaget for moms: {reason}',
    O: 'Ikke omfattet af moms: {reason}',
    Z: 'Moms 0 %',
  },
  vatReasons: {
    'parking-rental': 'udlejning af parkeringspladser',
    'not-registered': 'sælgeren er ikke momsregistreret',
  },
  minutes: '{n} {n: one minut | other minutter}',
  hours: '{n} {n: one time | other timer}',
  days: '{n} {n: one dag | other dage}',
  each: 'à {amount}',
  perDay: '{amount} pr. påbegyndt døgn',
});
