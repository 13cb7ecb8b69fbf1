import { translate } from '../../base/texts.ts';
import type { ELECTRONIC_ID_EN } from './en.ts';

export const ELECTRONIC_ID_PL = translate<typeof ELECTRONIC_ID_EN>()({
  states: {
    success: 'Zalogowano.',
    pending: 'Zatwierdź prośbę w telefonie, jeśli pokazuje ten sam kod co ta strona.',
    timeout: 'Telefon nie odpowiedział na czas. Spróbuj ponownie.',
    cancelled: 'Logowanie anulowano w telefonie.',
    'account-not-found': 'Nie ma konta dla tego elektronicznego dowodu.',
    error:
      'Nie można teraz użyć elektronicznego dowodu. Sprawdź, czy nie jest zablokowany, lub zaloguj się inaczej.',
    unknown: 'Wynik logowania jest nieznany. Spróbuj ponownie.',
  },
  noDriver:
    'Nie znaleziono konta. Sprawdź numer albo najpierw zaloguj się przez e-mail, a potem połącz elektroniczny dowód.',
  connected: 'Elektroniczny dowód jest połączony.',
});
