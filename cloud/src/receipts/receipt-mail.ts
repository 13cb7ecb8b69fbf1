import { vatParts } from '@hlid/protocol/invoice';
import type { SiteSettings } from '@hlid/protocol/lane';
import { formatMoney } from '@hlid/protocol/money';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { priceLineSentence } from '@hlid/protocol/words/price-words';
import type { Mail } from '../mail/queue-mail.ts';
import { localPercent, localTime } from './local-words.ts';
import type { PaidInvoice } from './receipt-store.ts';
import { CARD_BRANDS } from './receipt-words.ts';

export type ReceiptLanguage = 'is' | 'en';

/** A stay, as its receipt tells of it. */
export interface ReceiptVisit {
  plate: string | null;
  startedAt: UtcTime;
  endedAt: UtcTime | null;
  siteName: string;
  timeZone: string;
  seller: SiteSettings['seller'];
}

const WORDS = {
  is: {
    locale: 'is-IS',
    title: 'Kvittun fyrir bílastæði',
    site: 'Bílastæði',
    plate: 'Bílnúmer',
    from: 'Frá',
    to: 'Til',
    stillIn: 'enn á stæðinu',
    receipt: 'Kvittun nr.',
    paidOn: 'Greitt',
    card: 'Kort',
    seller: 'Seljandi',
    ssn: 'Kennitala',
    vatNumber: 'VSK-númer',
    units: (n: number) => (n === 0 ? 'Bílastæði' : `Bílastæði, ${n} × 24 klst.`),
    vat: (rate: string) => `Þar af virðisaukaskattur (${rate} %)`,
    total: 'Samtals greitt',
  },
  en: {
    locale: 'en-GB',
    title: 'Parking receipt',
    site: 'Car park',
    plate: 'Number plate',
    from: 'From',
    to: 'To',
    stillIn: 'still parked',
    receipt: 'Receipt no.',
    paidOn: 'Paid on',
    card: 'Card',
    seller: 'Seller',
    ssn: 'National id',
    vatNumber: 'VAT number',
    units: (n: number) => (n === 0 ? 'Parking' : `Parking, ${n} × 24 hours`),
    vat: (rate: string) => `VAT included (${rate} %)`,
    total: 'Total paid',
  },
} as const;

/** The mail with the receipt of what was paid for a visit: each invoice, its VAT and the card, never more of it. */
export function receiptMail(
  visit: ReceiptVisit,
  invoices: readonly PaidInvoice[],
  to: { email: string; language: ReceiptLanguage },
): Mail {
  const words = WORDS[to.language];
  const subject = visit.plate === null ? words.title : `${words.title} – ${visit.plate}`;
  const rows = [
    ...stayRows(visit, to.language),
    ...invoices.flatMap((one) => paidRows(one, visit, to.language)),
  ];
  const totals = [...totalRows(invoices, to.language), ...sellerRows(visit, to.language)];
  return {
    to: to.email,
    subject,
    text: [subject, '', ...[...rows, ...totals].map(([name, value]) => `${name}: ${value}`), ''].join('\n'),
    html: page(subject, [...rows, ...totals], to.language),
    kind: 'receipt',
  };
}

type Row = readonly [name: string, value: string];

function stayRows(visit: ReceiptVisit, language: ReceiptLanguage): Row[] {
  const words = WORDS[language];
  const { plate, startedAt, endedAt, siteName, timeZone } = visit;
  return [
    [words.site, siteName],
    ...(plate === null ? [] : [[words.plate, plate] as const]),
    [words.from, localTime(startedAt, timeZone, words.locale)],
    [words.to, endedAt === null ? words.stillIn : localTime(endedAt, timeZone, words.locale)],
  ];
}

function paidRows(invoice: PaidInvoice, { timeZone }: ReceiptVisit, language: ReceiptLanguage): Row[] {
  const words = WORDS[language];
  const { number, issuedAt, lines, currency, receiptType, receiptLastFour } = invoice;
  const brand = CARD_BRANDS[receiptType ?? 'other'];
  const card = [brand, receiptLastFour && `**** ${receiptLastFour}`].filter(Boolean).join(' ');
  return [
    [words.receipt, String(number)],
    [words.paidOn, localTime(issuedAt, timeZone, words.locale)],
    ...(card === '' ? [] : [[words.card, card] as const]),
    ...pricedRows(invoice, language),
    ...vatParts(lines)
      .filter(({ vatMinor }) => vatMinor !== 0)
      .map(
        ({ rate, vatMinor }): Row => [
          words.vat(localPercent(rate, words.locale)),
          formatMoney({ amountMinor: vatMinor, currency }, language),
        ],
      ),
  ];
}

/** As the driver saw it at the kiosk, else by what was invoiced. */
function pricedRows({ lines, priceLines, currency }: PaidInvoice, language: ReceiptLanguage): Row[] {
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  if (priceLines !== null && priceLines.length > 0) {
    return priceLines.map((line) => [priceLineSentence(line, language), money(line.amountMinor)]);
  }
  return lines.map(({ rule, units, amountMinor }) => [
    rule === 'late-fee' || rule === 'service-fee'
      ? priceLineSentence({ rule, units, amountMinor }, language)
      : WORDS[language].units(units),
    money(amountMinor),
  ]);
}

/** One for each currency. */
function totalRows(invoices: readonly PaidInvoice[], language: ReceiptLanguage): Row[] {
  const paid = new Map<string, number>();
  for (const { currency, amountMinor } of invoices) {
    paid.set(currency, (paid.get(currency) ?? 0) + amountMinor);
  }
  return [...paid].map(([currency, amountMinor]) => [
    WORDS[language].total,
    formatMoney({ amountMinor, currency }, language),
  ]);
}

/** Who a receipt is of. */
function sellerRows({ seller }: ReceiptVisit, language: ReceiptLanguage): Row[] {
  if (seller === undefined) return [];
  const words = WORDS[language];
  const { name, ssn, vatNumber } = seller;
  const rows: Row[] = [
    [words.seller, name],
    [words.ssn, ssn],
  ];
  return vatNumber === undefined ? rows : [...rows, [words.vatNumber, vatNumber]];
}

function page(title: string, rows: readonly Row[], language: ReceiptLanguage): string {
  const cells = rows.map(
    ([name, value]) =>
      `<tr><th align="left">${escaped(name)}</th><td align="right">${escaped(value)}</td></tr>`,
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>`,
    `<body><h1>${escaped(title)}</h1><table>`,
    ...cells,
    '</table></body></html>',
    '',
  ].join('\n');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Names of sites are free text. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
