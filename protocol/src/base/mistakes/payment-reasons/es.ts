import { translate } from '../../texts.ts';
import type { PAYMENT_REASONS_EN } from './en.ts';

export const PAYMENT_REASONS_ES = translate<typeof PAYMENT_REASONS_EN>()({
  refused: 'El banco ha rechazado la tarjeta. Pruebe con otra.',
  'card-unreadable': 'No se ha podido leer la tarjeta. Inténtelo de nuevo o pruebe con otra.',
  'card-expired': 'La tarjeta está caducada. Pruebe con otra.',
  'card-unsupported': 'Aquí no se acepta esta tarjeta. Pruebe con otra.',
  'wrong-pin': 'El PIN no era correcto. Inténtelo de nuevo.',
  'no-connection': 'El terminal no tiene conexión con el banco. Inténtelo de nuevo en un momento.',
  amount:
    'El terminal tenía otro importe, por ejemplo con propina, y se rechazó. No se ha cobrado nada. Inténtelo de nuevo, sin propina.',
  'driver-gone': 'El pago se ha cancelado. No se ha cobrado nada.',
  'not-booked': 'El pago no se ha realizado. No se ha cobrado nada.',
  'terminal-busy': 'El terminal está ocupado. Espere a que quede libre.',
  'terminal-away': 'No hay conexión con el terminal. Inténtelo de nuevo o pida ayuda.',
  'no-terminal': 'Este terminal no existe.',
  'payment-under-way': 'Hay un pago en curso. No pague otra vez.',
  'nothing-due': 'No hay nada que pagar.',
  'too-little': 'Es menos de lo que se debe. Elija más días o pague lo que debe.',
  'not-for-sale': 'Esto no se puede comprar para este coche.',
  'amount-changed': 'El importe ha cambiado mientras tanto.',
  'key-reused': 'Este pago era para otra cosa. Empiece de nuevo.',
  'visit-ended': 'El coche ya ha salido.',
  'not-found': 'No existe tal estancia en este aparcamiento.',
  unknown: 'Estamos comprobando el pago. No pague otra vez.',
  other: 'El pago no se ha realizado. Inténtelo de nuevo o pida ayuda.',
});
