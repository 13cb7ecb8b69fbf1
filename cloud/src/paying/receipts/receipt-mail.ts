import type { Language } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { priceLanguage } from '@hlid/protocol/words/price/price-texts';
import { priceLineSentence } from '@hlid/protocol/words/price-words';
import type { Mail } from '../../people/mail/queue-mail.ts';
import { localTime } from './local-words.ts';
import type { PaidInvoice } from './receipt-store.ts';
import { cardText, RECEIPT_WORDS } from './receipt-words.ts';
import { vatRows } from './vat-rows.ts';

/** A stay, as its receipt shows it. */
export interface ReceiptVisit {
  plate: string | null;
  startedAt: UtcTime;
  endedAt: UtcTime | null;
  /** The result of `paidUntilOf`. */
  paidUntil: UtcTime | null;
  /** The result of `tariffMark`. */
  tariff: string | null;
  siteName: string;
  timeZone: string;
  seller: SiteSettings['seller'];
}

/** The mail with the receipt of what was paid for a visit: each invoice, its VAT and the card, never more of it. */
export function receiptMail(
  visit: ReceiptVisit,
  invoices: readonly PaidInvoice[],
  to: { email: string; language: Language },
): Mail {
  const words = RECEIPT_WORDS[to.language];
  const paid = totalRows(invoices, to.language).map(([, amount]) => amount);
  const subject = [words.mailTitle, ...(visit.plate === null ? [] : [visit.plate]), ...paid].join(' – ');
  const rows = [
    ...stayRows(visit, to.language),
    ...invoices.flatMap((one) => paidRows(one, visit, to.language)),
  ];
  const totals = [...totalRows(invoices, to.language), ...sellerRows(visit, to.language)];
  return {
    to: to.email,
    language: to.language,
    subject,
    text: [subject, '', ...[...rows, ...totals].map(([name, value]) => `${name}: ${value}`), ''].join('\n'),
    html: page(subject, [...rows, ...totals], to.language),
    kind: 'receipt',
  };
}

type Row = readonly [name: string, value: string];

function stayRows(visit: ReceiptVisit, language: Language): Row[] {
  const words = RECEIPT_WORDS[language];
  const { plate, startedAt, endedAt, paidUntil, tariff, siteName, timeZone } = visit;
  return [
    [words.site, siteName],
    ...(plate === null ? [] : [[words.plate, plate] as const]),
    [words.arrived, localTime(startedAt, timeZone, language)],
    [words.left, endedAt === null ? words.stillIn : localTime(endedAt, timeZone, language)],
    ...(paidUntil === null ? [] : [[words.paidUntil, localTime(paidUntil, timeZone, language)] as const]),
    ...(tariff === null ? [] : [[words.tariff, tariff] as const]),
  ];
}

function paidRows(invoice: PaidInvoice, { timeZone }: ReceiptVisit, language: Language): Row[] {
  const words = RECEIPT_WORDS[language];
  const { number, issuedAt, vat, currency, receiptType, receiptLastFour } = invoice;
  const { tipMinor, openRefundMinor } = invoice;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const card = cardText({ type: receiptType, lastFour: receiptLastFour });
  return [
    [words.number, String(number)],
    [words.paidAt, localTime(issuedAt, timeZone, language)],
    ...(card === '' ? [] : [[words.card, card] as const]),
    ...pricedRows(invoice, language),
    ...vatRows(vat, language).map(([what, minor]): Row => [what, money(minor)]),
    ...(tipMinor === 0 ? [] : [[words.tip, money(tipMinor)] as const]),
    ...(openRefundMinor === 0 ? [] : [[words.openRefund, money(openRefundMinor)] as const]),
  ];
}

/** Rows of the price as the driver saw it at the kiosk, else of the invoice's lines. */
function pricedRows({ lines, priceLines, currency }: PaidInvoice, language: Language): Row[] {
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  if (priceLines !== null && priceLines.length > 0) {
    return priceLines.map((line) => [
      priceLineSentence(line, currency, priceLanguage(language)),
      money(line.amountMinor),
    ]);
  }
  return lines.map(({ rule, units, amountMinor }) => {
    const isFee = rule === 'late-fee' || rule === 'service-fee';
    const line = { rule: isFee ? rule : ('unit' as const), units, amountMinor };
    return [priceLineSentence(line, currency, priceLanguage(language)), money(amountMinor)];
  });
}

/** One for each currency. */
function totalRows(invoices: readonly PaidInvoice[], language: Language): Row[] {
  const paid = new Map<string, number>();
  for (const { currency, amountMinor } of invoices) {
    paid.set(currency, (paid.get(currency) ?? 0) + amountMinor);
  }
  return [...paid].map(([currency, amountMinor]) => [
    RECEIPT_WORDS[language].total,
    formatMoney({ amountMinor, currency }, language),
  ]);
}

/** The seller on a receipt. */
function sellerRows({ seller }: ReceiptVisit, language: Language): Row[] {
  if (seller === undefined) return [];
  const words = RECEIPT_WORDS[language];
  const { name, address, ssn, vatNumber } = seller;
  return [
    [words.seller, name],
    ...(address === undefined ? [] : [[words.address, address] as const]),
    [words.ssn, ssn],
    ...(vatNumber === undefined ? [] : [[words.vatNumber, vatNumber] as const]),
  ];
}

function page(title: string, rows: readonly Row[], language: Language): string {
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
