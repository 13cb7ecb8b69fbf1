import type { SiteSettings } from '@hlid/protocol/lane';
import { formatMoney } from '@hlid/protocol/money';
import type { Mail } from '../mail/queue-mail.ts';
import type { IssuedInvoice } from './issue-invoice.ts';

/** Visits that are named in a mail; the API has them all. */
const NAMED_VISITS = 100;

/** A company’s name often ends in an abbreviation: `ehf.` */
const ended = (name: string) => (name.endsWith('.') ? name : `${name}.`);

const WORDS = {
  is: {
    subject: (number: number) => `Reikningur nr. ${number}`,
    greeting: (name: string | null) => (name === null ? 'Góðan dag.' : `Góðan dag, ${ended(name)}`),
    about: (number: number, from: string, to: string) =>
      from === to
        ? `Þetta er reikningur nr. ${number} fyrir bílastæði ${from}.`
        : `Þetta er reikningur nr. ${number} fyrir bílastæði frá ${from} til ${to}.`,
    ssn: 'Kennitala greiðanda',
    visit: 'Heimsókn',
    more: (n: number) => `… og ${n} til viðbótar`,
    fee: (plate: string, notice: string | undefined) =>
      `Gjald vegna ${plate}${notice === undefined ? '' : `, tilkynning afhent ${notice}`}`,
    discount: 'Afsláttur',
    total: 'Samtals',
    vat: 'Þar af virðisaukaskattur',
    paid: 'Ekkert er ógreitt.',
    dueOn: 'Greiðist í síðasta lagi',
    seller: 'Seljandi',
    sellerSsn: 'Kennitala seljanda',
    vatNumber: 'VSK-númer',
  },
  en: {
    subject: (number: number) => `Invoice no. ${number}`,
    greeting: (name: string | null) => (name === null ? 'Hello.' : `Hello ${ended(name)}`),
    about: (number: number, from: string, to: string) =>
      from === to
        ? `This is invoice no. ${number} for parking on ${from}.`
        : `This is invoice no. ${number} for parking from ${from} to ${to}.`,
    ssn: 'National id of the payer',
    visit: 'Visit',
    more: (n: number) => `… and ${n} more`,
    fee: (plate: string, notice: string | undefined) =>
      `Fee for ${plate}${notice === undefined ? '' : `, notice delivered on ${notice}`}`,
    discount: 'Discount',
    total: 'Total',
    vat: 'VAT included',
    paid: 'Nothing is left to pay.',
    dueOn: 'To be paid no later than',
    seller: 'Seller',
    sellerSsn: 'National id of the seller',
    vatNumber: 'VAT number',
  },
} as const;

/**
 * The mail with which an issued invoice goes to its payer, in the payer's language.
 *
 * @param days the first and the last day that it is for
 * @param sellers of the sites that it is about, each once
 */
export function invoiceMail(
  invoice: IssuedInvoice,
  to: string,
  [first, last]: readonly [string, string],
  sellers: readonly NonNullable<SiteSettings['seller']>[],
): Mail {
  const { number, language, currency, lines } = invoice;
  const words = WORDS[language];
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const visits = lines.filter(({ rule }) => rule === 'visit');
  const fees = lines
    .filter(({ rule }) => rule === 'late-fee' || rule === 'service-fee')
    .slice(0, NAMED_VISITS);
  const discount = lines.reduce((sum, line) => sum + (line.rule === 'discount' ? line.amountMinor : 0), 0);
  const unnamed = visits.length - NAMED_VISITS;
  const vat = invoice.vat.filter(({ vatMinor }) => vatMinor !== 0);
  const text = [
    words.greeting(invoice.payerName),
    '',
    words.about(number, first, last),
    ...(invoice.payerSsn === null ? [] : [`${words.ssn}: ${invoice.payerSsn}`]),
    '',
    ...visits
      .slice(0, NAMED_VISITS)
      .map(({ plate, amountMinor }) => `${words.visit} ${plate ?? '–'}: ${money(amountMinor)}`),
    ...(unnamed > 0 ? [words.more(unnamed)] : []),
    ...fees.map(
      ({ plate, amountMinor, noticeAt }) =>
        `${words.fee(plate ?? '–', noticeAt?.slice(0, 'YYYY-MM-DD'.length))}: ${money(amountMinor)}`,
    ),
    ...(discount === 0 ? [] : [`${words.discount}: ${money(discount)}`]),
    '',
    `${words.total}: ${money(invoice.amountMinor)}`,
    ...vat.map(({ rate, vatMinor }) => `${words.vat} (${rate} %): ${money(vatMinor)}`),
    ...(invoice.status === 'paid' ? [words.paid] : []),
    ...(invoice.dueOn === null ? [] : [`${words.dueOn}: ${invoice.dueOn}`]),
    ...sellers.flatMap(({ name, ssn, vatNumber }) => [
      '',
      `${words.seller}: ${name}`,
      `${words.sellerSsn}: ${ssn}`,
      ...(vatNumber === undefined ? [] : [`${words.vatNumber}: ${vatNumber}`]),
    ]),
    '',
  ].join('\n');
  return { to, subject: words.subject(number), text, kind: 'invoice' };
}
