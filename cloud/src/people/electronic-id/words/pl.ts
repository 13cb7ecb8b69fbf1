import { translate } from '@hlid/protocol/base/texts';
import type { IDENTIFICATION_EN } from './en.ts';

export const IDENTIFICATION_PL = translate<typeof IDENTIFICATION_EN>()({
  verification: 'Kod',
  login: 'Logowanie – parking',
  connect: 'Połącz z kontem parkingowym',
  method: {
    sim: 'Elektroniczny dowód na karcie SIM',
    app: 'Aplikacja Auðkenni',
    phone: 'Numer telefonu',
    kennitala: 'Islandzki numer identyfikacyjny (kennitala)',
  },
});
