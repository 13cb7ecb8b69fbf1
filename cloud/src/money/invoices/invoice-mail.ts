import { dateFormat } from '@hlid/protocol/base/formats';
import { LOCALES, type OfficeLanguage } from '@hlid/protocol/base/language';
import { formatMoney, formatRate } from '@hlid/protocol/base/money';
import type { Mail } from '../../people/mail/queue-mail.ts';
import { invoiceContent } from './invoice-content.ts';
import type { Seller } from './invoice-snapshot.ts';
import { INVOICE_WORDS } from './invoice-words.ts';
import type { IssuedInvoice } from './issue-invoice.ts';

/** Visits that are named in a mail; the document has them all. */
const NAMED_VISITS = 100;

/**
 * The mail with which an issued invoice goes to its payer, in the payer's language.
 *
 * @param days the first and the last day that the invoice covers
 * @param sellers the sellers, if they are known
 * @param payAt the address at which it is paid by card; null: none
 */
export function invoiceMail(
  invoice: IssuedInvoice,
  to: string,
  [first, last]: readonly [string, string],
  sellers: readonly Seller[],
  payAt: string | null,
): Mail {
  const { number, language, currency } = invoice;
  const words = INVOICE_WORDS[language];
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const { visits, fees, discount, vat, noVat } = invoiceContent(invoice, language);
  const unnamed = visits.length - NAMED_VISITS;
  const text = [
    words.greeting({ name: greeted(invoice.payerName, language) }),
    '',
    aboutText(invoice, first, last),
    ...(invoice.payerSsn === null ? [] : [`${words.ssn}: ${invoice.payerSsn}`]),
    '',
    ...visits.slice(0, NAMED_VISITS).map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    ...(unnamed > 0 ? [words.more({ n: unnamed })] : []),
    ...fees.slice(0, NAMED_VISITS).map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    ...discount.map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    '',
    `${words.total}: ${money(invoice.amountMinor)}`,
    ...vat.flatMap(({ rate, netMinor, vatMinor }) => [
      `${words.net} (${formatRate(rate, language)}): ${money(netMinor)}`,
      `${words.vat} (${formatRate(rate, language)}): ${money(vatMinor)}`,
    ]),
    ...noVat.map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    ...(invoice.status === 'paid' ? [words.paid] : ['', ...howToPay(invoice, sellers, payAt)]),
    ...sellerLines(sellers, language),
    '',
  ].join('\n');
  const subject = `${words.subject({ number })} – ${money(invoice.amountMinor)}`;
  return { to, language, subject, text, kind: 'invoice', invoiceId: invoice.id };
}

/** Who sells, at the end of a mail. */
export function sellerLines(sellers: readonly Seller[], language: OfficeLanguage): string[] {
  const words = INVOICE_WORDS[language];
  return sellers.flatMap(({ name, ssn, vatNumber }) => [
    '',
    `${words.seller}: ${name}`,
    `${words.sellerSsn}: ${ssn}`,
    ...(vatNumber === undefined ? [] : [`${words.vatNumber}: ${vatNumber}`]),
  ]);
}

function aboutText({ number, language, lines }: IssuedInvoice, first: string, last: string): string {
  const words = INVOICE_WORDS[language];
  if (lines.every(({ rule }) => rule === 'reminder-charge')) return words.aboutCharge({ number });
  return first === last
    ? words.aboutDay({ number, day: dayText(first, language) })
    : words.about({ number, from: dayText(first, language), to: dayText(last, language) });
}

/** How to pay: until when, to which account under which reference, and where by card. */
export function howToPay(
  { number, language, dueOn }: Pick<IssuedInvoice, 'number' | 'language' | 'dueOn'>,
  sellers: readonly Seller[],
  payAt: string | null,
): string[] {
  const words = INVOICE_WORDS[language];
  const accounts = sellers.flatMap(({ bankAccount }) => bankAccount ?? []);
  return [
    `${words.howToPay}:`,
    ...(dueOn === null ? [] : [`${words.dueOn}: ${dayText(dueOn, language)}`]),
    ...accounts.map((account) => `${words.bankAccount}: ${account}`),
    `${words.reference}: ${words.subject({ number })}`,
    ...(payAt === null ? [] : [`${words.byCard}: ${payAt}`, words.objection]),
  ];
}

/** A date as people write it. */
export function dayText(day: string, language: OfficeLanguage): string {
  const format = { dateStyle: 'long', timeZone: 'UTC' } as const;
  return dateFormat(LOCALES[language], format).format(new Date(`${day}T00:00:00Z`));
}

/** An Icelandic greeting ends with a full stop, and so do many names of companies: `ehf.` */
export function greeted(name: string | null, language: OfficeLanguage): string | null {
  return name === null || language === 'en' || name.endsWith('.') ? name : `${name}.`;
}
