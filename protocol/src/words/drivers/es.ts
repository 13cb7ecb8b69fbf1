import { translate } from '../../base/texts.ts';
import type { DRIVER_EN } from './en.ts';

export const DRIVER_ES = translate<typeof DRIVER_EN>()({
  languages: 'Idioma',
  title: 'Pagar el aparcamiento',
  back: 'Atrás',
  again: 'Reintentar',
  duration: {
    days: '{n} {n: one día | other días}',
    hours: '{n} h',
    minutes: '{n} min',
  },
  plate: {
    title: '¿Cuál es su matrícula?',
    field: 'Matrícula',
    find: 'Buscar mi coche',
    clear: 'Borrar',
  },
  choose: {
    yes: 'Sí, es mi coche',
  },
  question: {
    title: '¿Es este su coche?',
    no: 'No, no es el mío',
    sending: 'Abriendo la salida …',
  },
  notFound: {
    title: 'No encontramos {plate}',
    change: 'Cambiar la matrícula',
  },
  browse: {
    day: 'Día',
  },
  due: {
    title: 'A pagar',
    total: 'Total',
    what: 'Desglose del precio',
    vat: 'IVA {rate} incluido: {amount}',
    pay: 'Pagar {amount}',
    days: 'Quedarse más: comprar días',
    changed: 'El precio ha cambiado. Compruébelo de nuevo.',
    noCards: 'Ahora no se puede pagar aquí con tarjeta.',
  },
  days: {
    title: '¿Cuántos días?',
    lead: 'Cada día son 24 horas desde que entró.',
    count: '{n: one día | other días}',
    perDay: '{amount} al día',
    fewer: 'Un día menos',
    more: 'Un día más',
  },
  standing: {
    'nothing-due': {
      title: 'Nada que pagar',
      lead: 'Puede salir. ¡Buen viaje!',
    },
    paid: {
      title: 'Ya está pagado',
      lead: 'Puede salir. ¡Buen viaje!',
    },
    whitelisted: {
      title: 'Este coche tiene permiso',
      lead: 'Nada que pagar. ¡Buen viaje!',
    },
    invoiced: {
      title: 'Recibirá una factura',
      lead: 'Aquí no tiene que pagar nada. ¡Buen viaje!',
    },
    checking: {
      title: 'Estamos comprobando su pago',
      lead: 'No pague otra vez. Puede tardar unos minutos.',
    },
    ended: {
      title: 'Este coche ya ha salido',
      lead: 'Aquí no queda nada por pagar.',
    },
    'no-price': {
      title: 'No tenemos precio para esta estancia',
      lead: 'Llámenos y le ayudaremos.',
    },
    other: {
      title: 'No podemos mostrar esta estancia aquí',
      lead: 'Llámenos y le ayudaremos.',
    },
  },
  pay: {
    cancel: 'Cancelar',
    cancelling: 'Cancelando …',
    reversed: 'El pago se ha devuelto',
    reversedMore: 'El importe vuelve a su tarjeta.',
    unknown: 'Estamos comprobando su pago',
    notAgain: 'No pague otra vez.',
  },
  receipt: {
    title: 'Pagado. ¡Gracias!',
    card: 'Tarjeta',
  },
  mail: {
    field: 'Correo electrónico',
    send: 'Enviar',
    wrong: 'Este correo electrónico está incompleto.',
    privacy: 'Solo usamos su dirección para enviar este recibo.',
  },
  leave: {
    until: 'hasta las\u00a0{time}',
    mailed: 'El recibo está en camino.',
  },
});
