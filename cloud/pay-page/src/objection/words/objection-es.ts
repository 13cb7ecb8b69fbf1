import type { Translation } from '@hlid/protocol/base/texts';
import type { OBJECTION_EN } from './objection-en.ts';

export const OBJECTION_ES: Translation<typeof OBJECTION_EN> = {
  title: 'Su reclamación',
  ended: 'Este enlace ha caducado. Llámenos si todavía tiene una pregunta.',
  by: 'Respondemos antes de: {at}.',
  driver: 'Usted',
  office: 'La oficina',
  message: 'Añadir un mensaje',
  send: 'Enviar el mensaje',
  withdraw: 'Retirar la reclamación',
  withdrawSure: 'Sí, retirarla: pago',
  given: {
    void: 'No hay nada que pagar por la estancia.',
    waive: 'Se descuentan {amount} del importe pendiente.',
    refund: 'Se devuelven {amount} por el mismo medio de pago.',
    credit: 'Se abonan {amount} en la factura.',
  },
};
