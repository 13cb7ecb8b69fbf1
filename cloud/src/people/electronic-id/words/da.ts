import { translate } from '@hlid/protocol/base/texts';
import type { IDENTIFICATION_EN } from './en.ts';

export const IDENTIFICATION_DA = translate<typeof IDENTIFICATION_EN>()({
  verification: 'Kode',
  login: 'Log ind til parkering',
  connect: 'Knyt til parkeringskonto',
  method: {
    sim: 'Elektronisk id på SIM-kort',
    app: 'Auðkenni-appen',
    phone: 'Telefonnummer',
    kennitala: 'Islandsk personnummer (kennitala)',
  },
});
