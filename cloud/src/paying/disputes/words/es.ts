import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_ES = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Buenos días:',
  subject: {
    upheld: 'Reclamación aceptada',
    rejected: 'Respuesta a su reclamación',
    received: 'Hemos recibido su reclamación',
    message: 'Un mensaje sobre su reclamación',
  },
  upheld: 'Hemos revisado su reclamación y tiene razón.',
  voided: 'No hay nada que pagar por la estancia.',
  rejected: 'Hemos revisado su reclamación y no podemos aceptarla. El importe se mantiene.',
  received:
    'Hemos recibido su reclamación. Respondemos antes del {by}. Hasta entonces no se cobra nada automáticamente y no se añade nada.',
  see: 'Vea el estado o añada algo:',
  waived: 'Se descuentan {amount} del importe pendiente.',
  refunded: 'Se devuelven {amount} por el mismo medio de pago.',
  credited: 'Se abonan {amount} en la factura.',
  invoice: 'Factura n.º {number}',
});
