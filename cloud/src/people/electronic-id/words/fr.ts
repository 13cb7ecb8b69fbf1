import { translate } from '@hlid/protocol/base/texts';
import type { IDENTIFICATION_EN } from './en.ts';

export const IDENTIFICATION_FR = translate<typeof IDENTIFICATION_EN>()({
  verification: 'Code',
  login: 'Connexion au parking',
  connect: 'Lier à un compte de parking',
  method: {
    sim: 'Identité électronique sur carte SIM',
    app: 'Application Auðkenni',
    phone: 'Numéro de téléphone',
    kennitala: 'Numéro d’identification islandais (kennitala)',
  },
});
