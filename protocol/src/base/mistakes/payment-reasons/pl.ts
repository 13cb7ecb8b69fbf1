import { translate } from '../../texts.ts';
import type { PAYMENT_REASONS_EN } from './en.ts';

export const PAYMENT_REASONS_PL = translate<typeof PAYMENT_REASONS_EN>()({
  refused: 'Bank odrzucił kartę. Użyj innej karty.',
  'card-unreadable': 'Nie udało się odczytać karty. Spróbuj ponownie lub użyj innej karty.',
  'card-expired': 'Karta straciła ważność. Użyj innej karty.',
  'card-unsupported': 'Ta karta nie jest tu akceptowana. Użyj innej karty.',
  'wrong-pin': 'Podano błędny PIN. Spróbuj ponownie.',
  'no-connection': 'Terminal nie ma połączenia z bankiem. Spróbuj ponownie za chwilę.',
  amount:
    'Terminal miał inną kwotę, na przykład z napiwkiem, i została ona odrzucona. Nic nie pobrano. Spróbuj ponownie, bez napiwku.',
  'driver-gone': 'Płatność anulowano. Nic nie pobrano.',
  'not-booked': 'Płatność nie doszła do skutku. Nic nie pobrano.',
  'terminal-busy': 'Terminal jest zajęty. Poczekaj, aż będzie wolny.',
  'terminal-away': 'Brak połączenia z terminalem. Spróbuj ponownie lub zadzwoń po pomoc.',
  'no-terminal': 'Nie ma takiego terminala.',
  'payment-under-way': 'Płatność jest w toku. Nie płać ponownie.',
  'nothing-due': 'Nie ma nic do zapłaty.',
  'too-little': 'To mniej niż należna kwota. Wybierz więcej dni lub zapłać należną kwotę.',
  'not-for-sale': 'Nie można tego kupić dla tego samochodu.',
  'amount-changed': 'Kwota zmieniła się w międzyczasie.',
  'key-reused': 'Ta płatność dotyczyła czegoś innego. Zacznij od nowa.',
  'visit-ended': 'Samochód już wyjechał.',
  'not-found': 'Na tym parkingu nie ma takiego postoju.',
  unknown: 'Sprawdzamy płatność. Nie płać ponownie.',
  other: 'Płatność nie doszła do skutku. Spróbuj ponownie lub zadzwoń po pomoc.',
});
