import { translate } from '../../base/texts.ts';
import type { ELECTRONIC_ID_EN } from './en.ts';

export const ELECTRONIC_ID_DE = translate<typeof ELECTRONIC_ID_EN>()({
  states: {
    success: 'Sie sind angemeldet.',
    pending: 'Bestätigen Sie die Anfrage auf dem Telefon, wenn dort derselbe Code steht wie hier.',
    timeout: 'Das Telefon hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es noch einmal.',
    cancelled: 'Die Anmeldung wurde auf dem Telefon abgebrochen.',
    'account-not-found': 'Zu diesem elektronischen Ausweis gibt es kein Konto.',
    error:
      'Der elektronische Ausweis ist jetzt nicht nutzbar. Prüfen Sie, ob er gesperrt ist, oder melden Sie sich anders an.',
    unknown: 'Das Ergebnis der Anmeldung ist nicht bekannt. Bitte versuchen Sie es noch einmal.',
  },
  noDriver:
    'Es wurde kein Konto gefunden. Prüfen Sie die Nummer, oder melden Sie sich zuerst per E-Mail an und verbinden Sie den Ausweis dann.',
  connected: 'Ihr elektronischer Ausweis ist verbunden.',
});
