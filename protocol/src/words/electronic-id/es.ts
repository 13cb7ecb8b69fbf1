import { translate } from '../../base/texts.ts';
import type { ELECTRONIC_ID_EN } from './en.ts';

export const ELECTRONIC_ID_ES = translate<typeof ELECTRONIC_ID_EN>()({
  states: {
    success: 'Ha iniciado sesión.',
    pending: 'Apruebe la solicitud en su teléfono si muestra el mismo código que esta página.',
    timeout: 'El teléfono no respondió a tiempo. Inténtelo de nuevo.',
    cancelled: 'El acceso se canceló en el teléfono.',
    'account-not-found': 'No hay ninguna cuenta para esta identidad electrónica.',
    error:
      'La identidad electrónica no se puede usar ahora. Compruebe que no esté bloqueada o acceda de otra forma.',
    unknown: 'No se conoce el resultado del acceso. Inténtelo de nuevo.',
  },
  noDriver:
    'No se encontró ninguna cuenta. Compruebe el número, o acceda primero por correo y vincule después su identidad electrónica.',
  connected: 'Su identidad electrónica está vinculada.',
});
