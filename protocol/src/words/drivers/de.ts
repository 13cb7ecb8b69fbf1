import { translate } from '../../base/texts.ts';
import type { DRIVER_EN } from './en.ts';

export const DRIVER_DE = translate<typeof DRIVER_EN>()({
  languages: 'Sprache',
  title: 'Parken bezahlen',
  back: 'Zurück',
  again: 'Erneut versuchen',
  duration: {
    days: '{n} {n: one Tag | other Tage}',
    hours: '{n} Std.',
    minutes: '{n} Min.',
  },
  plate: {
    title: 'Wie lautet Ihr Kennzeichen?',
    field: 'Kennzeichen',
    find: 'Auto suchen',
    clear: 'Löschen',
  },
  choose: {
    yes: 'Ja, das ist mein Auto',
  },
  question: {
    title: 'Ist das Ihr Auto?',
    no: 'Nein, nicht meines',
    sending: 'Die Ausfahrt öffnet sich …',
  },
  notFound: {
    title: '{plate} nicht gefunden',
    change: 'Kennzeichen ändern',
  },
  browse: {
    day: 'Tag',
  },
  due: {
    title: 'Zu zahlen',
    total: 'Gesamt',
    what: 'Wofür Sie zahlen',
    vat: 'inkl. MwSt. {rate}: {amount}',
    pay: '{amount} zahlen',
    days: 'Mehr Tage kaufen',
    changed: 'Der Preis hat sich geändert. Bitte noch einmal prüfen.',
    noCards: 'Kartenzahlung ist hier zurzeit nicht möglich.',
  },
  days: {
    title: 'Wie viele Tage?',
    lead: 'Ein Tag hat 24 Stunden ab der Einfahrt.',
    count: '{n: one Tag | other Tage}',
    perDay: '{amount} pro Tag',
    fewer: 'Ein Tag weniger',
    more: 'Ein Tag mehr',
  },
  standing: {
    'nothing-due': {
      title: 'Nichts zu zahlen',
      lead: 'Sie können ausfahren. Gute Fahrt!',
    },
    paid: {
      title: 'Bereits bezahlt',
      lead: 'Sie können ausfahren. Gute Fahrt!',
    },
    whitelisted: {
      title: 'Dieses Auto hat eine Berechtigung',
      lead: 'Nichts zu zahlen. Gute Fahrt!',
    },
    invoiced: {
      title: 'Sie erhalten eine Rechnung',
      lead: 'Hier ist nichts zu zahlen. Gute Fahrt!',
    },
    checking: {
      title: 'Wir prüfen Ihre Zahlung',
      lead: 'Bitte nicht noch einmal zahlen. Das kann einige Minuten dauern.',
    },
    ended: {
      title: 'Dieses Auto ist ausgefahren',
      lead: 'Hier ist nichts mehr zu zahlen.',
    },
    'no-price': {
      title: 'Für diesen Parkvorgang fehlt der Preis',
      lead: 'Rufen Sie uns an, wir helfen Ihnen.',
    },
    other: {
      title: 'Dieser Parkvorgang kann hier nicht angezeigt werden',
      lead: 'Rufen Sie uns an, wir helfen Ihnen.',
    },
  },
  pay: {
    cancel: 'Abbrechen',
    cancelling: 'Wird abgebrochen …',
    reversed: 'Die Zahlung wurde storniert',
    reversedMore: 'Der Betrag geht auf Ihre Karte zurück.',
    unknown: 'Wir prüfen Ihre Zahlung',
    notAgain: 'Bitte nicht noch einmal zahlen.',
  },
  receipt: {
    title: 'Bezahlt. Vielen Dank!',
    card: 'Karte',
  },
  mail: {
    field: 'E-Mail-Adresse',
    send: 'Senden',
    wrong: 'Diese E-Mail-Adresse ist nicht vollständig.',
    privacy: 'Wir verwenden die Adresse nur für diese Quittung.',
  },
  leave: {
    until: 'bis\u00a0{time}\u00a0Uhr',
    mailed: 'Die Quittung ist unterwegs.',
  },
});
