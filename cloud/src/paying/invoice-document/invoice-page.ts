import { type OfficeLanguage, OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { formatMoney, formatRate } from '@hlid/protocol/base/money';
import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { html, raw } from 'hono/html';
import { type ContentLine, invoiceContent } from '../../money/invoices/invoice-content.ts';
import { INVOICE_WORDS } from '../../money/invoices/invoice-words.ts';
import { type Fact, factList, type Html, maybeFact, paperPage } from '../../platform/http/paper-page.ts';
import { qrSvg } from '../../platform/http/qr-svg.ts';
import { localTime } from '../receipts/local-words.ts';
import { cardText } from '../receipts/receipt-words.ts';
import type { InvoiceDocument } from './find-document.ts';

/** An invoice as a document: on a screen, on paper, or saved as PDF by the browser. @param address of its room, for the code on paper */
export function invoicePage(document: InvoiceDocument, language: OfficeLanguage, address: string): Html {
  const words = INVOICE_WORDS[language];
  const { invoice, seller, places } = document;
  const { number, status, amountMinor, currency } = invoice;
  const money = (minor: number) => formatMoney({ amountMinor: minor, currency }, language);
  const { visits, quotas, fees, discount, vat } = invoiceContent(invoice, language);
  const noteOf = ({ stay }: ContentLine) => {
    const place = stay?.placeId === undefined ? undefined : places.get(stay.placeId);
    if (place === undefined || stay?.startedAt === undefined) return null;
    const time = (at: string) => localTime(at, place.timeZone, language);
    return words.stay({
      site: place.name,
      from: time(stay.startedAt),
      to: stay.endedAt ? time(stay.endedAt) : null,
    });
  };
  const standing =
    number === null && status === 'draft' ? words.draft : STATUS_WORDS[language].invoice[status];
  const isNote = amountMinor < 0;
  const isOpen = number !== null && !isNote && status === 'draft';
  const title =
    number === null ? words.title : isNote ? words.creditNote({ number }) : words.subject({ number });
  const head = { title, heading: title, logo: seller?.logo, address };
  return paperPage(
    language,
    { ...head, print: words.print, languages: { name: words.languages, all: OfficeLanguageSchema.options } },
    html`${isNote ? '' : html`<p class="standing ${STANDINGS[status]}">${standing}</p>`}
      <p class="amount">${money(amountMinor)}</p>
      ${factList(factsOf(document, language))}
      <table>
        <caption>${title}</caption>
        <thead class="hidden"><tr><th scope="col">${words.what}</th><th scope="col">${words.amount}</th></tr></thead>
        <tbody>
          ${[...visits, ...quotas, ...fees, ...discount].map((line) => {
            const note = noteOf(line);
            return html`<tr><th scope="row">${line.what}${note === null ? '' : html`<small>${note}</small>`}</th><td>${money(line.amountMinor)}</td></tr>`;
          })}
          <tr class="total"><th scope="row">${words.total}</th><td>${money(amountMinor)}</td></tr>
          ${vat.map(
            ({ rate, netMinor, vatMinor }) =>
              html`<tr class="vat"><th scope="row">${words.net} (${formatRate(rate, language)})</th><td>${money(netMinor)}</td></tr>
              <tr class="vat"><th scope="row">${words.vat} (${formatRate(rate, language)})</th><td>${money(vatMinor)}</td></tr>`,
          )}
        </tbody>
      </table>
      ${factList([
        ...maybeFact(words.seller, seller?.name),
        ...maybeFact(words.address, seller?.address),
        ...maybeFact(words.sellerSsn, seller?.ssn),
        ...maybeFact(words.vatNumber, seller?.vatNumber),
        ...maybeFact(words.bankAccount, isOpen ? null : seller?.bankAccount),
      ])}
      ${isOpen ? howToPay(document, language) : ''}`,
  );
}

/**
 * How to pay: until when, to which account under which reference, and where by card: by a link, or from
 * paper.
 */
function howToPay({ invoice, seller, payAt }: InvoiceDocument, language: OfficeLanguage): Html {
  const words = INVOICE_WORDS[language];
  const { number, dueOn } = invoice;
  return html`<section class="how-to-pay">
    <h2>${words.howToPay}</h2>
    ${factList([
      ...maybeFact(words.dueOn, dueOn),
      ...maybeFact(words.bankAccount, seller?.bankAccount),
      ...maybeFact(words.reference, number === null ? null : words.subject({ number })),
    ])}
    ${payAt === null ? '' : html`<p><a href="${payAt}">${words.byCard}</a></p><div class="qr">${raw(qrSvg(payAt))}</div>`}
  </section>`;
}

/** Names of the page's styles, by the state of the payment. */
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
