import { translate } from '../../base/texts.ts';
import type { PRICE_EN } from './en.ts';

export const PRICE_PL = translate<typeof PRICE_EN>()({
  rules: {
    unit: 'Parking',
    'units-met': 'Już opłacone',
    waived: 'Bez opłaty',
    free: 'Czas bezpłatny',
    step: 'Parking',
    day: 'Cały dzień',
    'flat-rate': 'Cena stała',
    cap: 'Cena maksymalna',
    paid: 'Już zapłacono',
    invoiced: 'Na fakturze',
    'late-fee': 'Opłata za zwłokę',
    'service-fee': 'Opłata serwisowa',
  },
  caps: {
    opening: 'za jeden okres nie zapłacisz więcej',
    week: 'za tydzień nie zapłacisz więcej',
    visit: 'za jeden postój nie zapłacisz więcej',
  },
  noVat: {
    E: 'Zwolnione z VAT: {reason}',
    O: 'Nie podlega VAT: {reason}',
    Z: 'VAT 0%',
  },
  vatReasons: {
    'parking-rental': 'wynajem miejsc parkingowych',
    'not-registered': 'sprzedawca nie jest podatnikiem VAT',
  },
  minutes: '{n} {n: one minuta | many minut | other minuty}',
  hours: '{n} {n: one godzina | many godzin | other godziny}',
  days: '{n} {n: one dzień | few dni | many dni | other dnia}',
  each: 'po {amount}',
  perDay: '{amount} za każdą rozpoczętą dobę',
});
