import { translate } from '@hlid/protocol/base/texts';
import type { DRIVER_MAIL_EN } from './en.ts';

export const DRIVER_MAIL_PL = translate<typeof DRIVER_MAIL_EN>()({
  link: {
    subject: 'Logowanie',
    text: `Dzień dobry,

tutaj można się zalogować, aby automatycznie płacić za parking:

{link}

Link działa jeden raz i przez 15 minut. Jeśli to nie Twoja prośba, możesz zignorować tę wiadomość.
`,
  },
  declined: {
    subject: 'Karta została odrzucona',
    text: `Dzień dobry,

nie udało się obciążyć karty za {plate}. Nic nie zostało zapłacone, a karta nie będzie używana automatycznie, dopóki na to nie pozwolisz.

Zapłacić można tutaj albo w automacie na miejscu:

{payAt}
`,
  },
  limit: {
    subject: 'Osiągnięto limit płatności',
    text: `Dzień dobry,

karta nie zapłaciła automatycznie za {plate}: opłata jest wyższa niż ustawiony limit. Nic nie zostało pobrane.

Zapłacić można tutaj albo w automacie na miejscu:

{payAt}

Tutaj można zmienić limity:

{page}
`,
  },
  doubt: {
    subject: 'Płatność automatyczna nie została wykonana',
    text: `Dzień dobry,

karta nie zapłaciła automatycznie za {plate}, ponieważ nie mamy pewności co do numeru rejestracyjnego lub czasu. Nic nie zostało pobrane.

Jeśli to Twój samochód, zapłacić można tutaj albo w automacie na miejscu:

{payAt}
`,
  },
  card: {
    subject: 'Płatność automatyczna nie została wykonana',
    text: `Dzień dobry,

tym razem nie można było użyć karty za {plate}. Nic nie zostało pobrane.

Zapłacić można tutaj albo w automacie na miejscu:

{payAt}
`,
  },
  claimed: {
    subject: 'Inny kierowca zgłasza Twój pojazd',
    text: `Dzień dobry,

inny kierowca próbował dodać {plate} do swojego konta. Nic się nie zmieniło: pojazd nadal jest przypisany do Ciebie i Twoja karta za niego płaci.

Jeśli nie używasz już tego pojazdu, możesz go tutaj usunąć. W przeciwnym razie zignoruj tę wiadomość.

{page}
`,
  },
  moved: {
    subject: 'Koniec automatycznych płatności',
    text: `Dzień dobry,

inny kierowca potwierdził, że {plate} to jego pojazd. Twoja karta nie płaci już za ten pojazd.
`,
  },
  notRegistered: {
    text: `Dzień dobry,

w rejestrze pojazdów nie widnieje już Pan/Pani przy pojeździe {plate}. Karta nie płaci już za ten pojazd.
`,
  },
  identityMoved: {
    subject: 'Elektroniczny dowód odłączony',
    text: `Dzień dobry,

Twój elektroniczny dowód połączono z innym kontem i nie należy już do tego konta. Jeśli to nie Ty, połącz go tutaj ponownie. Bez Twojej zgody w telefonie nikt nie może go połączyć.
`,
  },
});
