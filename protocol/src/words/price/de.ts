import { translate } from '../../base/texts.ts';
import type { PRICE_EN } from './en.ts';

export const PRICE_DE = translate<typeof PRICE_EN>()({
  rules: {
    unit: 'Parken',
    'units-met': 'Bereits bezahlt',
    waived: 'Dafür ist nichts zu zahlen',
    free: 'Freie Parkzeit',
    step: 'Parken',
    day: 'Ganzer Tag',
    'flat-rate': 'Festpreis',
    cap: 'Höchstpreis',
    paid: 'Bereits gezahlt',
    invoiced: 'Auf Rechnung',
    'late-fee': 'Gebühr für verspätete Zahlung',
    'service-fee': 'Servicegebühr',
  },
  caps: {
    opening: 'mehr zahlen Sie für einen Zeitraum nicht',
    week: 'mehr zahlen Sie für eine Woche nicht',
    visit: 'mehr zahlen Sie für einen Aufenthalt nicht',
  },
  noVat: {
    E: 'Von der MwSt. befreit: {reason}',
    O: 'Unterliegt nicht der MwSt.: {reason}',
    Z: 'MwSt. 0 %',
  },
  vatReasons: {
    'parking-rental': 'Vermietung von Parkplätzen',
    'not-registered': 'der Verkäufer ist nicht für die MwSt. registriert',
  },
  minutes: '{n} {n: one Minute | other Minuten}',
  hours: '{n} {n: one Stunde | other Stunden}',
  days: '{n} {n: one Tag | other Tage}',
  each: 'je {amount}',
  perDay: '{amount} je angefangenem Tag',
});
