import type { Translation } from '@hlid/protocol/base/texts';
import type { OBJECTION_EN } from './objection-en.ts';

export const OBJECTION_DE: Translation<typeof OBJECTION_EN> = {
  title: 'Ihr Widerspruch',
  ended: 'Dieser Link ist abgelaufen. Rufen Sie uns an, wenn Sie noch eine Frage haben.',
  by: 'Wir antworten bis: {at}.',
  driver: 'Sie',
  office: 'Das Büro',
  message: 'Eine Nachricht hinzufügen',
  send: 'Nachricht senden',
  withdraw: 'Widerspruch zurückziehen',
  withdrawSure: 'Ja, zurückziehen: Ich bezahle',
  given: {
    void: 'Für das Parken ist nichts zu bezahlen.',
    waive: '{amount} werden vom fälligen Betrag abgezogen.',
    refund: '{amount} werden auf dem Weg erstattet, auf dem bezahlt wurde.',
    credit: '{amount} werden auf der Rechnung gutgeschrieben.',
  },
};
