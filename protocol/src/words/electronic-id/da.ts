import { translate } from '../../base/texts.ts';
import type { ELECTRONIC_ID_EN } from './en.ts';

export const ELECTRONIC_ID_DA = translate<typeof ELECTRONIC_ID_EN>()({
  states: {
    success: 'Du er logget ind.',
    pending: 'Godkend anmodningen på telefonen, hvis den viser samme kode som her.',
    timeout: 'Telefonen svarede ikke i tide. Prøv igen.',
    cancelled: 'Login blev afbrudt på telefonen.',
    'account-not-found': 'Der er ingen konto til dette elektroniske id.',
    error:
      'Det elektroniske id kan ikke bruges nu. Se efter, om det er spærret, eller log ind på en anden måde.',
    unknown: 'Resultatet af login er ukendt. Prøv igen.',
  },
  noDriver:
    'Der blev ikke fundet en konto. Kontrollér nummeret, eller log først ind med e-mail, og tilknyt derefter dit elektroniske id.',
  connected: 'Dit elektroniske id er tilknyttet.',
});
