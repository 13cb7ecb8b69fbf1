import { translate } from '../../base/texts.ts';
import type { PRICE_EN } from './en.ts';

export const PRICE_ES = translate<typeof PRICE_EN>()({
  rules: {
    unit: 'Aparcamiento',
    'units-met': 'Ya pagado',
    waived: 'Sin coste',
    free: 'Tiempo gratuito',
    step: 'Aparcamiento',
    day: 'Día completo',
    'flat-rate': 'Precio fijo',
    cap: 'Precio máximo',
    paid: 'Ya pagado',
    invoiced: 'En factura',
    'late-fee': 'Recargo por pago tardío',
    'service-fee': 'Gastos de gestión',
  },
  caps: {
    opening: 'no paga más que esto por un período',
    week: 'no paga más que esto por una semana',
    visit: 'no paga más que esto por una estancia',
  },
  noVat: {
    E: 'Exento de IVA: {reason}',
    O: 'No sujeto a IVA: {reason}',
    Z: 'IVA 0 %',
  },
  vatReasons: {
    'parking-rental': 'alquiler de plazas de aparcamiento',
    'not-registered': 'el vendedor no está registrado a efectos del IVA',
  },
  minutes: '{n} {n: one minuto | other minutos}',
  hours: '{n} {n: one hora | other horas}',
  days: '{n} {n: one día | other días}',
  each: '{amount} por unidad',
  perDay: '{amount} por cada día iniciado',
});
