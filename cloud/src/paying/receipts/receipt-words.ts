import type { Language } from '@hlid/protocol/base/language';
import type { PaymentState } from '@hlid/protocol/records/payment';

/** The state of a payment, as its receipt shows it. */
export type Standing = 'paid' | 'refunded' | 'checking' | 'not-paid';

export const STANDINGS: Record<PaymentState, Standing> = {
  created: 'checking',
  sent: 'checking',
  approved: 'checking',
  unknown: 'checking',
  settled: 'paid',
  reversed: 'refunded',
  declined: 'not-paid',
  cancelled: 'not-paid',
};

/** Words of a receipt page and its mail. */
interface ReceiptWords {
  title: string;
  /** Subject of the mail. */
  mailTitle: string;
  languages: string;
  print: string;
  standing: Record<Standing, string>;
  site: string;
  plate: string;
  arrived: string;
  left: string;
  stillIn: string;
  paidAt: string;
  /** The label of the time until which the exit opens without another payment. */
  paidUntil: string;
  refundedAt: string;
  number: string;
  card: string;
  reference: string;
  authorisation: string;
  /** What was given beside the amount. */
  tip: string;
  /** The label of the amount that may have gone back to the card. */
  openRefund: string;
  terminal: string;
  /** The version of the tariff, and its digest. */
  tariff: string;
  seller: string;
  address: string;
  ssn: string;
  vatNumber: string;
  parking: string;
  what: string;
  amount: string;
  total: string;
  vat: (rate: string) => string;
  missing: string;
  missingText: string;
  again: string;
}

export const RECEIPT_WORDS: Record<Language, ReceiptWords> = {
  is: {
    title: 'Kvittun',
    mailTitle: 'Kvittun fyrir bílastæði',
    languages: 'Tungumál',
    print: 'Prenta',
    standing: {
      paid: 'Greitt',
      refunded: 'Endurgreitt',
      checking: 'Við erum að athuga greiðsluna. Ekki greiða aftur.',
      'not-paid': 'Ekki greitt',
    },
    site: 'Bílastæði',
    plate: 'Bílnúmer',
    arrived: 'Ekið inn',
    left: 'Ekið út',
    stillIn: 'enn á stæðinu',
    paidAt: 'Greitt',
    paidUntil: 'Greitt til',
    refundedAt: 'Endurgreitt',
    number: 'Kvittun nr.',
    card: 'Kort',
    reference: 'Tilvísun',
    authorisation: 'Heimild',
    tip: 'Þjórfé',
    openRefund: 'Endurgreiðsla, óstaðfest',
    terminal: 'Posi',
    tariff: 'Gjaldskrá',
    seller: 'Seljandi',
    address: 'Heimilisfang',
    ssn: 'Kennitala',
    vatNumber: 'VSK-númer',
    parking: 'Bílastæði',
    what: 'Skýring',
    amount: 'Upphæð',
    total: 'Samtals',
    vat: (rate) => `Þar af VSK ${rate}`,
    missing: 'Kvittunin finnst ekki',
    missingText:
      'Ef greitt var fyrir stuttu birtist hún hér um leið og bílastæðið nær netsambandi. Reyndu aftur eftir nokkrar mínútur.',
    again: 'Reyna aftur',
  },
  en: {
    title: 'Receipt',
    mailTitle: 'Parking receipt',
    languages: 'Language',
    print: 'Print',
    standing: {
      paid: 'Paid',
      refunded: 'Refunded',
      checking: 'We are checking your payment. Please do not pay again.',
      'not-paid': 'Not paid',
    },
    site: 'Car park',
    plate: 'Number plate',
    arrived: 'Arrived',
    left: 'Left',
    stillIn: 'still parked',
    paidAt: 'Paid on',
    paidUntil: 'Paid until',
    refundedAt: 'Refunded on',
    number: 'Receipt no.',
    card: 'Card',
    reference: 'Reference',
    authorisation: 'Authorisation',
    tip: 'Tip',
    openRefund: 'Refund, not confirmed yet',
    terminal: 'Card terminal',
    tariff: 'Tariff',
    seller: 'Seller',
    address: 'Address',
    ssn: 'Company no.',
    vatNumber: 'VAT number',
    parking: 'Parking',
    what: 'Description',
    amount: 'Amount',
    total: 'Total',
    vat: (rate) => `VAT included, ${rate}`,
    missing: 'Receipt not found',
    missingText:
      'If you have just paid, it will appear here as soon as the car park is online. Try again in a few minutes.',
    again: 'Try again',
  },
  pl: {
    title: 'Potwierdzenie zapłaty',
    mailTitle: 'Potwierdzenie zapłaty za parking',
    languages: 'Język',
    print: 'Drukuj',
    standing: {
      paid: 'Zapłacono',
      refunded: 'Zwrócono',
      checking: 'Sprawdzamy Twoją płatność. Nie płać ponownie.',
      'not-paid': 'Nie zapłacono',
    },
    site: 'Parking',
    plate: 'Numer rejestracyjny',
    arrived: 'Wjazd',
    left: 'Wyjazd',
    stillIn: 'nadal na parkingu',
    paidAt: 'Data zapłaty',
    paidUntil: 'Opłacono do',
    refundedAt: 'Data zwrotu',
    number: 'Nr potwierdzenia',
    card: 'Karta',
    reference: 'Nr referencyjny',
    authorisation: 'Autoryzacja',
    tip: 'Napiwek',
    openRefund: 'Zwrot, jeszcze niepotwierdzony',
    terminal: 'Terminal',
    tariff: 'Cennik',
    seller: 'Sprzedawca',
    address: 'Adres',
    ssn: 'Nr firmy',
    vatNumber: 'Nr VAT',
    parking: 'Parking',
    what: 'Opis',
    amount: 'Kwota',
    total: 'Razem',
    vat: (rate) => `W tym VAT ${rate}`,
    missing: 'Nie znaleziono potwierdzenia',
    missingText:
      'Jeśli płatność była przed chwilą, potwierdzenie pojawi się tutaj, gdy tylko parking będzie online. Spróbuj ponownie za kilka minut.',
    again: 'Spróbuj ponownie',
  },
  de: {
    title: 'Quittung',
    mailTitle: 'Parkquittung',
    languages: 'Sprache',
    print: 'Drucken',
    standing: {
      paid: 'Bezahlt',
      refunded: 'Erstattet',
      checking: 'Wir prüfen Ihre Zahlung. Bitte nicht noch einmal zahlen.',
      'not-paid': 'Nicht bezahlt',
    },
    site: 'Parkplatz',
    plate: 'Kennzeichen',
    arrived: 'Einfahrt',
    left: 'Ausfahrt',
    stillIn: 'noch geparkt',
    paidAt: 'Bezahlt am',
    paidUntil: 'Bezahlt bis',
    refundedAt: 'Erstattet am',
    number: 'Quittung Nr.',
    card: 'Karte',
    reference: 'Referenz',
    authorisation: 'Genehmigung',
    tip: 'Trinkgeld',
    openRefund: 'Erstattung, noch nicht bestätigt',
    terminal: 'Kartenterminal',
    tariff: 'Tarif',
    seller: 'Verkäufer',
    address: 'Anschrift',
    ssn: 'Firmennr.',
    vatNumber: 'USt-Nr.',
    parking: 'Parken',
    what: 'Beschreibung',
    amount: 'Betrag',
    total: 'Gesamt',
    vat: (rate) => `Enthaltene MwSt., ${rate}`,
    missing: 'Quittung nicht gefunden',
    missingText:
      'Wenn Sie gerade bezahlt haben, erscheint sie hier, sobald der Parkplatz online ist. Versuchen Sie es in einigen Minuten erneut.',
    again: 'Erneut versuchen',
  },
  fr: {
    title: 'Reçu',
    mailTitle: 'Reçu de stationnement',
    languages: 'Langue',
    print: 'Imprimer',
    standing: {
      paid: 'Payé',
      refunded: 'Remboursé',
      checking: 'Nous vérifions votre paiement. Ne payez pas une deuxième fois.',
      'not-paid': 'Non payé',
    },
    site: 'Parking',
    plate: 'Plaque',
    arrived: 'Entrée',
    left: 'Sortie',
    stillIn: 'encore stationné',
    paidAt: 'Payé le',
    paidUntil: 'Payé jusqu’au',
    refundedAt: 'Remboursé le',
    number: 'Reçu n°',
    card: 'Carte',
    reference: 'Référence',
    authorisation: 'Autorisation',
    tip: 'Pourboire',
    openRefund: 'Remboursement, pas encore confirmé',
    terminal: 'Terminal',
    tariff: 'Tarif',
    seller: 'Vendeur',
    address: 'Adresse',
    ssn: 'N° d’entreprise',
    vatNumber: 'N° de TVA',
    parking: 'Stationnement',
    what: 'Description',
    amount: 'Montant',
    total: 'Total',
    vat: (rate) => `Dont TVA ${rate}`,
    missing: 'Reçu introuvable',
    missingText:
      'Si vous venez de payer, il apparaîtra ici dès que le parking sera en ligne. Réessayez dans quelques minutes.',
    again: 'Réessayer',
  },
  es: {
    title: 'Recibo',
    mailTitle: 'Recibo de aparcamiento',
    languages: 'Idioma',
    print: 'Imprimir',
    standing: {
      paid: 'Pagado',
      refunded: 'Devuelto',
      checking: 'Estamos comprobando su pago. No pague otra vez.',
      'not-paid': 'No pagado',
    },
    site: 'Aparcamiento',
    plate: 'Matrícula',
    arrived: 'Entrada',
    left: 'Salida',
    stillIn: 'todavía aparcado',
    paidAt: 'Fecha de pago',
    paidUntil: 'Pagado hasta',
    refundedAt: 'Fecha de devolución',
    number: 'Recibo n.º',
    card: 'Tarjeta',
    reference: 'Referencia',
    authorisation: 'Autorización',
    tip: 'Propina',
    openRefund: 'Reembolso, aún sin confirmar',
    terminal: 'Terminal',
    tariff: 'Tarifa',
    seller: 'Vendedor',
    address: 'Dirección',
    ssn: 'N.º de empresa',
    vatNumber: 'N.º de IVA',
    parking: 'Aparcamiento',
    what: 'Descripción',
    amount: 'Importe',
    total: 'Total',
    vat: (rate) => `IVA incluido, ${rate}`,
    missing: 'Recibo no encontrado',
    missingText:
      'Si acaba de pagar, aparecerá aquí en cuanto el aparcamiento tenga conexión. Inténtelo de nuevo en unos minutos.',
    again: 'Reintentar',
  },
  da: {
    title: 'Kvittering',
    mailTitle: 'Kvittering for parkering',
    languages: 'Sprog',
    print: 'Udskriv',
    standing: {
      paid: 'Betalt',
      refunded: 'Refunderet',
      checking: 'Vi undersøger din betaling. Betal ikke igen.',
      'not-paid': 'Ikke betalt',
    },
    site: 'Parkeringsplads',
    plate: 'Nummerplade',
    arrived: 'Kørt ind',
    left: 'Kørt ud',
    stillIn: 'parkerer stadig',
    paidAt: 'Betalt den',
    paidUntil: 'Betalt til',
    refundedAt: 'Refunderet den',
    number: 'Kvittering nr.',
    card: 'Kort',
    reference: 'Reference',
    authorisation: 'Godkendelse',
    tip: 'Drikkepenge',
    openRefund: 'Tilbagebetaling, endnu ikke bekræftet',
    terminal: 'Terminal',
    tariff: 'Takst',
    seller: 'Sælger',
    address: 'Adresse',
    ssn: 'Virksomhedsnr.',
    vatNumber: 'Momsnr.',
    parking: 'Parkering',
    what: 'Beskrivelse',
    amount: 'Beløb',
    total: 'I alt',
    vat: (rate) => `Heraf moms ${rate}`,
    missing: 'Kvitteringen findes ikke',
    missingText:
      'Hvis du lige har betalt, vises den her, så snart parkeringspladsen er online. Prøv igen om et par minutter.',
    again: 'Prøv igen',
  },
};

const CARD_BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  electron: 'Visa Electron',
  maestro: 'Maestro',
};

/** A card as papers name it: its brand and last digits, as far as they are known. */
export function cardText({ type, lastFour }: { type: string | null; lastFour: string | null }): string {
  return [type && CARD_BRANDS[type], lastFour && `•••• ${lastFour}`].filter(Boolean).join(' ');
}
