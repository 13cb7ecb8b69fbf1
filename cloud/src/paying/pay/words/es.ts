import { translate } from '@hlid/protocol/base/texts';
import type { PAY_EN } from './en.ts';

export const PAY_ES = translate<typeof PAY_EN>()({
  afterwards: {
    beforeFee: 'Pague antes del {by}. Después se añaden {fee}.',
    beforeNotice:
      'Puede pagar aquí hasta el {by}. Si no, enviamos un aviso y se añaden {fee} si no paga en este plazo desde el aviso: {length}.',
    free: 'Puede pagar aquí hasta el {by}, sin recargo. Después, póngase en contacto con nosotros.',
  },
  sign: {
    title: 'Pague con el móvil',
    how: 'Escanee el código y escriba su matrícula.',
  },
});
