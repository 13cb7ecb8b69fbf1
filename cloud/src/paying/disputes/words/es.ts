import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_ES = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Buenos días:',
  subject: {
    upheld: 'Reclamación aceptada',
    rejected: 'Respuesta a su reclamación',
  },
  upheld: 'Hemos revisado su reclamación y tiene razón.',
  voided: 'No hay nada que pagar por la estancia.',
  rejected: 'Hemos revisado su reclamación y no podemos aceptarla. El importe se mantiene.',
  invoice: 'Factura n.º {number}',
});
