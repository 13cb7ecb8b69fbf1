import { LOCALES, type OfficeLanguage } from '@hlid/protocol/language';
import { formatMoney } from '@hlid/protocol/money';
import type { Mail } from '../mail/queue-mail.ts';
import { invoiceContent } from './invoice-content.ts';
import type { Seller } from './invoice-snapshot.ts';
import { INVOICE_WORDS } from './invoice-words.ts';
import type { IssuedInvoice } from './issue-invoice.ts';

/** Visits that are named in a mail; the document has them all. */
const NAMED_VISITS = 100;

/**
 * The mail with which an issued invoice goes to its payer, in the payer's language.
 *
 * @param days the first and the last day that it is for
 * @param sellers who sells, where that is known
 */
export function invoiceMail(
  invoice: IssuedInvoice,
  to: string,
  [first, last]: readonly [string, string],
  sellers: readonly Seller[],
): Mail {
  const { number, language, currency } = invoice;
  const words = INVOICE_WORDS[language];
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const { visits, fees, discount, vat } = invoiceContent(invoice, language);
  const unnamed = visits.length - NAMED_VISITS;
  const text = [
    words.greeting(invoice.payerName),
    '',
    words.about(number, dayText(first, language), dayText(last, language)),
    ...(invoice.payerSsn === null ? [] : [`${words.ssn}: ${invoice.payerSsn}`]),
    '',
    ...visits.slice(0, NAMED_VISITS).map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    ...(unnamed > 0 ? [words.more(unnamed)] : []),
    ...fees.slice(0, NAMED_VISITS).map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    ...discount.map(({ what, amountMinor }) => `${what}: ${money(amountMinor)}`),
    '',
    `${words.total}: ${money(invoice.amountMinor)}`,
    ...vat.map(({ rate, vatMinor }) => `${words.vat} (${rate} %): ${money(vatMinor)}`),
    ...(invoice.status === 'paid' ? [words.paid] : []),
    ...(invoice.dueOn === null ? [] : [`${words.dueOn}: ${dayText(invoice.dueOn, language)}`]),
    ...sellers.flatMap(({ name, ssn, vatNumber, bankAccount }) => [
      '',
      `${words.seller}: ${name}`,
      `${words.sellerSsn}: ${ssn}`,
      ...(vatNumber === undefined ? [] : [`${words.vatNumber}: ${vatNumber}`]),
      ...(bankAccount === undefined ? [] : [`${words.bankAccount}: ${bankAccount}`]),
    ]),
    '',
  ].join('\n');
  const subject = `${words.subject(number)} – ${money(invoice.amountMinor)}`;
  return { to, subject, text, kind: 'invoice' };
}

/** A date as people write it. */
function dayText(day: string, language: OfficeLanguage): string {
  const format = { dateStyle: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(LOCALES[language], format).format(new Date(`${day}T00:00:00Z`));
}
