import { translate } from '@hlid/protocol/base/texts';
import type { DRIVER_MAIL_EN } from './en.ts';

export const DRIVER_MAIL_ES = translate<typeof DRIVER_MAIL_EN>()({
  link: {
    subject: 'Iniciar sesión',
    text: `Hola:

Inicie sesión aquí para pagar el aparcamiento automáticamente:

{link}

El enlace sirve una sola vez y durante 15 minutos. Si no lo ha pedido, puede ignorar este mensaje.
`,
  },
  declined: {
    subject: 'Su tarjeta ha sido rechazada',
    text: `Hola:

No se ha podido cobrar en su tarjeta el aparcamiento de {plate}. No se ha pagado nada, y la tarjeta no volverá a usarse automáticamente hasta que usted lo permita.

Puede pagar aquí o en el cajero del aparcamiento:

{payAt}
`,
  },
  limit: {
    subject: 'Ha alcanzado su límite',
    text: `Hola:

Su tarjeta no ha pagado automáticamente el aparcamiento de {plate}: el precio supera el límite que usted eligió. No se ha cobrado nada.

Puede pagar aquí o en el cajero del aparcamiento:

{payAt}

Aquí puede cambiar sus límites:

{page}
`,
  },
  doubt: {
    subject: 'No se ha hecho el pago automático',
    text: `Hola:

Su tarjeta no ha pagado automáticamente el aparcamiento de {plate}, porque no estamos seguros de la matrícula o de la hora. No se ha cobrado nada.

Si es su coche, puede pagar aquí o en el cajero del aparcamiento:

{payAt}
`,
  },
  card: {
    subject: 'No se ha hecho el pago automático',
    text: `Hola:

Esta vez no se ha podido usar su tarjeta para {plate}. No se ha cobrado nada.

Puede pagar aquí o en el cajero del aparcamiento:

{payAt}
`,
  },
  claimed: {
    subject: 'Otra persona reclama su vehículo',
    text: `Hola:

Otra persona ha intentado añadir {plate} a su cuenta. No ha cambiado nada: el vehículo sigue en su cuenta y su tarjeta paga por él.

Si ya no usa el vehículo, puede quitarlo aquí. Si no, puede ignorar este mensaje.

{page}
`,
  },
  moved: {
    subject: 'Fin del pago automático',
    text: `Hola:

Otra persona ha demostrado que {plate} es su vehículo. Su tarjeta ya no paga por ese vehículo.
`,
  },
  notRegistered: {
    text: `Hola:

El registro de vehículos ya no le menciona para {plate}. Su tarjeta ya no paga por ese vehículo.
`,
  },
  identityMoved: {
    subject: 'Identidad electrónica desvinculada',
    text: `Hola:

Su identidad electrónica se vinculó a otra cuenta y ya no pertenece a esta. Si no fue usted, vuelva a vincularla aquí. Nadie puede vincularla sin su aprobación en el teléfono.
`,
  },
});
