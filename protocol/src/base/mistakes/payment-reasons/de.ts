import { translate } from '../../texts.ts';
import type { PAYMENT_REASONS_EN } from './en.ts';

export const PAYMENT_REASONS_DE = translate<typeof PAYMENT_REASONS_EN>()({
  refused: 'Die Bank hat die Karte abgelehnt. Bitte eine andere Karte verwenden.',
  'card-unreadable':
    'Die Karte konnte nicht gelesen werden. Bitte erneut versuchen oder eine andere Karte verwenden.',
  'card-expired': 'Die Karte ist abgelaufen. Bitte eine andere Karte verwenden.',
  'card-unsupported': 'Diese Karte wird hier nicht akzeptiert. Bitte eine andere Karte verwenden.',
  'wrong-pin': 'Die PIN war falsch. Bitte erneut versuchen.',
  'no-connection': 'Das Kartenterminal hat keine Verbindung zur Bank. Bitte gleich noch einmal versuchen.',
  amount:
    'Das Terminal hatte einen anderen Betrag, zum Beispiel mit Trinkgeld; er wurde abgelehnt. Nichts wurde abgebucht. Bitte erneut versuchen, ohne Trinkgeld.',
  'driver-gone': 'Die Zahlung wurde abgebrochen. Es wurde nichts abgebucht.',
  'not-booked': 'Die Zahlung kam nicht zustande. Es wurde nichts abgebucht.',
  'terminal-busy': 'Das Kartenterminal ist belegt. Bitte warten, bis es frei ist.',
  'terminal-away': 'Das Kartenterminal ist nicht erreichbar. Bitte erneut versuchen oder Hilfe rufen.',
  'no-terminal': 'Dieses Kartenterminal gibt es nicht.',
  'payment-under-way': 'Eine Zahlung läuft bereits. Bitte nicht noch einmal zahlen.',
  'nothing-due': 'Es ist nichts zu zahlen.',
  'too-little':
    'Das ist weniger als der fällige Betrag. Bitte mehr Tage wählen oder den fälligen Betrag zahlen.',
  'not-for-sale': 'Das kann für dieses Auto nicht gekauft werden.',
  'amount-changed': 'Der Betrag hat sich inzwischen geändert.',
  'key-reused': 'Diese Zahlung galt etwas anderem. Bitte neu beginnen.',
  'visit-ended': 'Das Auto ist bereits weggefahren.',
  'not-found': 'Diesen Parkvorgang gibt es hier nicht.',
  unknown: 'Wir prüfen die Zahlung. Bitte nicht noch einmal zahlen.',
  other: 'Die Zahlung kam nicht zustande. Bitte erneut versuchen oder Hilfe rufen.',
});
