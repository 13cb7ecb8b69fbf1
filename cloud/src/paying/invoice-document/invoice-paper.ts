import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { formatMoney, formatRate } from '@hlid/protocol/base/money';
import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { TRAINING_DOCUMENT } from '@hlid/protocol/words/training-mark/training-document';
import { documentKind } from '../../money/invoices/document-kind.ts';
import { invoiceContent } from '../../money/invoices/invoice-content.ts';
import { addressOfSeller } from '../../money/invoices/invoice-snapshot.ts';
import { INVOICE_WORDS } from '../../money/invoices/invoice-words.ts';
import { type Fact, maybeFact, type Paper } from '../../platform/http/paper.ts';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { localTime } from '../receipts/local-words.ts';
import { cardText } from '../receipts/receipt-words.ts';
import type { InvoiceDocument } from './find-document.ts';

/** In the languages of the office. */
export interface InvoicePaper extends Paper {
  language: OfficeLanguage;
}

/**
 * An invoice or a credit note as a paper.
 *
 * @param address of its room, for the code on paper
 */
export function invoicePaper(
  document: InvoiceDocument,
  language: OfficeLanguage,
  address: string,
): InvoicePaper {
  const words = INVOICE_WORDS[language];
  const { invoice, seller } = document;
  const { number, status, amountMinor, currency } = invoice;
  const money = (minor: number) => formatMoney({ amountMinor: minor, currency }, language);
  const { visits, quotas, fees, discount, vat, noVat } = invoiceContent(invoice, language);
  const text = number === null && status === 'draft' ? words.draft : STATUS_WORDS[language].invoice[status];
  const isNote = documentKind(invoice) === 'credit-note';
  const isOpen = number !== null && !isNote && status === 'draft';
  const title =
    number === null ? words.title : isNote ? words.creditNote({ number }) : words.subject({ number });
  return {
    language,
    title,
    mark: document.isTraining ? TRAINING_DOCUMENT[language] : null,
    heading: title,
    logo: seller?.logo,
    address,
    standing: isNote ? null : { text, mood: STANDINGS[status] },
    amount: money(amountMinor),
    facts: factsOf(document, language),
    table: {
      caption: title,
      what: words.what,
      amount: words.amount,
      rows: [...visits, ...quotas, ...fees, ...discount].map((line) => ({
        what: line.what,
        notes: line.stay === null ? [] : stayNotes(line.stay, document, language),
        amount: money(line.amountMinor),
      })),
      total: { what: words.total, amount: money(amountMinor) },
      parts: [
        ...vat.flatMap(({ rate, netMinor, vatMinor }) => [
          { what: `${words.net} (${formatRate(rate, language)})`, amount: money(netMinor) },
          { what: `${words.vat} (${formatRate(rate, language)})`, amount: money(vatMinor) },
        ]),
        ...noVat.map((line) => ({ what: line.what, amount: money(line.amountMinor) })),
      ],
    },
    below: [
      ...maybeFact(words.seller, seller?.name),
      ...maybeFact(words.address, addressOfSeller(seller)),
      ...maybeFact(words.sellerSsn, seller?.ssn),
      ...maybeFact(words.vatNumber, seller?.vatNumber),
      ...maybeFact(words.bankAccount, isOpen ? null : seller?.bankAccount),
    ],
    howToPay: isOpen ? howToPay(document, language) : null,
  };
}

/** Where and when the stay of a line was. */
export function stayNotes(
  { placeId, startedAt, endedAt }: InvoiceLine,
  { places }: Pick<InvoiceDocument, 'places'>,
  language: OfficeLanguage,
): string[] {
  const place = placeId === undefined ? undefined : places.get(placeId);
  if (place === undefined || startedAt === undefined) return [];
  const time = (at: string) => localTime(at, place.timeZone, language);
  const to = endedAt ? time(endedAt) : null;
  return [INVOICE_WORDS[language].stay({ site: place.name, from: time(startedAt), to })];
}

/**
 * How to pay: until when, to which account under which reference, and where by card: by a link, or from
 * paper.
 */
function howToPay(
  { invoice, seller, payAt }: InvoiceDocument,
  language: OfficeLanguage,
): NonNullable<Paper['howToPay']> {
  const words = INVOICE_WORDS[language];
  const { number, dueOn } = invoice;
  return {
    heading: words.howToPay,
    facts: [
      ...maybeFact(words.dueOn, dueOn),
      ...maybeFact(words.bankAccount, seller?.bankAccount),
      ...maybeFact(words.reference, number === null ? null : words.subject({ number })),
    ],
    page: payAt === null ? null : { text: words.byCard, url: payAt, note: words.objection },
  };
}

/** The mood of a paper, by the state of its payment. */
const STANDINGS = {
  draft: 'checking',
  paid: 'paid',
  refunded: 'refunded',
  failed: 'not-paid',
  incomplete: 'checking',
} as const;

function factsOf({ invoice, timeZone, days }: InvoiceDocument, language: OfficeLanguage): Fact[] {
  const words = INVOICE_WORDS[language];
  const { payerName, payerSsn, customerName, issuedAt, refundedAt, receiptLastFour, receiptType } = invoice;
  const day = (at: string) => localTime(at, timeZone, language);
  const { currency } = invoice;
  const some = (amountMinor: number) =>
    amountMinor === 0 ? null : formatMoney({ amountMinor, currency }, language);
  return [
    ...maybeFact(
      words.takesBack,
      invoice.creditOfNumber === null ? null : words.documentNumber({ number: invoice.creditOfNumber }),
    ),
    ...maybeFact(words.payer, payerName ?? customerName),
    ...maybeFact(words.ssn, payerSsn),
    ...maybeFact(words.issued, issuedAt && day(issuedAt)),
    ...maybeFact(words.refunded, refundedAt && day(refundedAt)),
    ...maybeFact(words.period, days && (days[0] === days[1] ? days[0] : `${days[0]} – ${days[1]}`)),
    ...maybeFact(words.paidBy, wayOf(invoice, language)),
    ...maybeFact(words.tip, some(invoice.tipMinor)),
    ...maybeFact(words.openRefund, some(invoice.openRefundMinor)),
    ...maybeFact(words.card, receiptLastFour && cardText({ type: receiptType, lastFour: receiptLastFour })),
  ];
}

/** How the money came in; null: by an invoice, or not yet. */
function wayOf(
  { paymentType, issuedAt, paidWith }: InvoiceDocument['invoice'],
  language: OfficeLanguage,
): string | null {
  if (paidWith !== null) return CODE_WORDS[language].paymentWay[paidWith];
  if (issuedAt === null || paymentType === 'company-invoice' || paymentType === 'owner-invoice') return null;
  return CODE_WORDS[language].paymentWay[paymentType];
}
