import { translate } from '@hlid/protocol/base/texts';
import type { IDENTIFICATION_EN } from './en.ts';

export const IDENTIFICATION_DE = translate<typeof IDENTIFICATION_EN>()({
  verification: 'Code',
  login: 'Anmeldung zum Parken',
  connect: 'Mit Parkkonto verbinden',
  method: {
    sim: 'Elektronischer Ausweis auf der SIM-Karte',
    app: 'Auðkenni-App',
    phone: 'Telefonnummer',
    kennitala: 'Isländische Personennummer (kennitala)',
  },
});
