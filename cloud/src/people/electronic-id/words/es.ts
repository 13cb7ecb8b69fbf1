import { translate } from '@hlid/protocol/base/texts';
import type { IDENTIFICATION_EN } from './en.ts';

export const IDENTIFICATION_ES = translate<typeof IDENTIFICATION_EN>()({
  verification: 'Código',
  login: 'Acceso al aparcamiento',
  connect: 'Vincular a cuenta de parking',
  method: {
    sim: 'Identidad electrónica en la tarjeta SIM',
    app: 'Aplicación Auðkenni',
    phone: 'Número de teléfono',
    kennitala: 'Número de identificación islandés (kennitala)',
  },
});
