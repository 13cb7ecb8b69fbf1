import { translate } from '../../base/texts.ts';
import type { DRIVER_EN } from './en.ts';

export const DRIVER_PL = translate<typeof DRIVER_EN>()({
  languages: 'Język',
  title: 'Opłata za parking',
  back: 'Wstecz',
  again: 'Spróbuj ponownie',
  duration: {
    days: '{n} {n: one dzień | few dni | many dni | other dnia}',
    hours: '{n} godz.',
    minutes: '{n} min',
  },
  plate: {
    title: 'Jaki jest numer rejestracyjny?',
    field: 'Numer rejestracyjny',
    find: 'Znajdź samochód',
    clear: 'Wyczyść',
  },
  choose: {
    yes: 'Tak, to mój samochód',
  },
  question: {
    title: 'Czy to Twój samochód?',
    no: 'Nie, to nie mój',
    sending: 'Otwieramy wyjazd …',
  },
  notFound: {
    title: 'Nie znaleźliśmy {plate}',
    change: 'Zmień numer',
  },
  browse: {
    day: 'Dzień',
  },
  due: {
    title: 'Do zapłaty',
    total: 'Razem',
    what: 'Za co płacisz',
    vat: 'w tym VAT {rate}: {amount}',
    pay: 'Zapłać {amount}',
    days: 'Zostaję dłużej: kup dni',
    changed: 'Cena się zmieniła. Sprawdź ją jeszcze raz.',
    noCards: 'Nie można tu teraz płacić kartą.',
  },
  days: {
    title: 'Ile dni?',
    lead: 'Dzień to 24 godziny, licząc od wjazdu.',
    count: '{n: one dzień | few dni | many dni | other dnia}',
    perDay: '{amount} za dzień',
    fewer: 'O jeden dzień mniej',
    more: 'O jeden dzień więcej',
  },
  standing: {
    'nothing-due': {
      title: 'Nic do zapłaty',
      lead: 'Możesz wyjechać. Szerokiej drogi!',
    },
    paid: {
      title: 'Już zapłacono',
      lead: 'Możesz wyjechać. Szerokiej drogi!',
    },
    whitelisted: {
      title: 'Ten samochód ma zezwolenie',
      lead: 'Nic do zapłaty. Szerokiej drogi!',
    },
    invoiced: {
      title: 'Za ten postój wystawimy fakturę',
      lead: 'Tutaj nic nie płacisz. Szerokiej drogi!',
    },
    checking: {
      title: 'Sprawdzamy Twoją płatność',
      lead: 'Nie płać ponownie. To może potrwać kilka minut.',
    },
    ended: {
      title: 'Ten samochód już wyjechał',
      lead: 'Nie ma tu nic więcej do zapłaty.',
    },
    'no-price': {
      title: 'Nie mamy ceny za ten postój',
      lead: 'Zadzwoń, pomożemy.',
    },
    other: {
      title: 'Nie możemy tu pokazać tego postoju',
      lead: 'Zadzwoń, pomożemy.',
    },
  },
  pay: {
    cancel: 'Anuluj',
    cancelling: 'Anulujemy …',
    reversed: 'Płatność została cofnięta',
    reversedMore: 'Kwota wróci na Twoją kartę.',
    unknown: 'Sprawdzamy Twoją płatność',
    notAgain: 'Nie płać ponownie.',
  },
  receipt: {
    title: 'Zapłacono. Dziękujemy!',
    card: 'Karta',
  },
  mail: {
    field: 'Adres e-mail',
    send: 'Wyślij',
    wrong: 'Ten adres e-mail jest niepełny.',
    privacy: 'Adresu użyjemy tylko do wysłania tego potwierdzenia.',
  },
  leave: {
    until: 'do\u00a0{time}',
    mailed: 'Potwierdzenie jest w drodze.',
  },
});
