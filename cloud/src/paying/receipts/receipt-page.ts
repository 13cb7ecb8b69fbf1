import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { priceLanguage } from '@hlid/protocol/words/price/price-texts';
import { priceLineText } from '@hlid/protocol/words/price-words';
import { TRAINING_DOCUMENT } from '@hlid/protocol/words/training-mark/training-document';
import { html } from 'hono/html';
import { addressOfSeller } from '../../money/invoices/invoice-snapshot.ts';
import { type Fact, maybeFact, type Paper } from '../../platform/http/paper.ts';
import { type Html, paperHtml, paperPage } from '../../platform/http/paper-page.ts';
import type { Receipt } from './find-receipt.ts';
import { localTime } from './local-words.ts';
import { cardText, RECEIPT_WORDS, STANDINGS } from './receipt-words.ts';
import { vatRows } from './vat-rows.ts';

/**
 * A receipt for a person with its address: on a telephone, on paper, read aloud. The slip of the terminal is not on it:
 * it is in the terminal's language, German as a rule, and repeats the card. What it adds is a fact here.
 *
 * @param address of the page, for the code on paper
 */
export function receiptPaper(receipt: Receipt, language: Language, address: string): Paper {
  const words = RECEIPT_WORDS[language];
  const { payment, site, vat } = receipt;
  const { currency } = payment;
  const standing = STANDINGS[payment.state];
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  return {
    language,
    title: `${words.title} – ${site.name}`,
    mark: receipt.isTraining ? TRAINING_DOCUMENT[language] : null,
    heading: words.title,
    logo: site.seller?.logo,
    address,
    standing: { text: words.standing[standing], mood: standing },
    amount: money(payment.amountMinor),
    facts: factsOf(receipt, language),
    table: {
      caption: words.title,
      what: words.what,
      amount: words.amount,
      rows: linesOf(receipt, language).map(({ amountMinor, ...line }) => ({
        ...line,
        amount: money(amountMinor),
      })),
      total: { what: words.total, amount: money(payment.amountMinor) },
      parts: (isBooked(receipt) ? vatRows(vat, language) : []).map(([what, amountMinor]) => ({
        what,
        amount: money(amountMinor),
      })),
    },
    below: [],
    howToPay: null,
  };
}

/** The money has moved: only then is it a receipt to keep. */
export function isBooked({ payment }: Receipt): boolean {
  const standing = STANDINGS[payment.state];
  return standing === 'paid' || standing === 'refunded';
}

/** A receipt as a page. */
export function receiptPage(receipt: Receipt, language: Language, address: string): Html {
  const words = RECEIPT_WORDS[language];
  const isKept = isBooked(receipt);
  return paperHtml(receiptPaper(receipt, language, address), {
    print: isKept ? words.print : null,
    file: isKept ? { text: words.file, url: `?lang=${language}&as=pdf` } : null,
    more: receipt.isForCompanies
      ? { text: words.company.link, url: `${address}/company-form?lang=${language}` }
      : null,
    languages: { name: words.languages, all: LANGUAGES },
  });
}

/** The page for an unknown address: it may be so new that its site has not reported it. */
export function missingReceiptPage(language: Language, isTraining: boolean): Html {
  const { missing, missingText, again, title, languages } = RECEIPT_WORDS[language];
  const body = html`<p class="standing checking">${missing}</p><p>${missingText}</p><p><a class="language" href="?lang=${language}">${again}</a></p>`;
  const head = {
    title: missing,
    mark: isTraining ? TRAINING_DOCUMENT[language] : null,
    heading: title,
    print: null,
    languages: { name: languages, all: LANGUAGES },
  };
  return paperPage(language, head, body);
}

function factsOf(
  {
    payment,
    number,
    refundedAt,
    openRefundMinor,
    site,
    plate,
    startedAt,
    endedAt,
    paidUntil,
    tariff,
  }: Receipt,
  language: Language,
): Fact[] {
  const words = RECEIPT_WORDS[language];
  const { transaction } = payment;
  const standing = STANDINGS[payment.state];
  const { currency } = payment;
  const some = (amountMinor: number) =>
    amountMinor === 0 ? null : formatMoney({ amountMinor, currency }, language);
  const time = (at: UtcTime) => localTime(at, site.timeZone, language);
  return [
    ...maybeFact(words.site, site.name),
    ...maybeFact(words.plate, plate),
    ...maybeFact(words.arrived, startedAt && time(startedAt)),
    ...maybeFact(words.paidAt, standing === 'paid' ? time(payment.changedAt) : null),
    ...maybeFact(words.paidUntil, standing === 'paid' ? paidUntil && time(paidUntil) : null),
    ...maybeFact(words.left, endedAt && time(endedAt)),
    ...maybeFact(words.refundedAt, refundedAt && time(refundedAt)),
    ...maybeFact(words.card, transaction && cardText(transaction.card)),
    ...maybeFact(words.reference, transaction?.reference),
    ...maybeFact(words.authorisation, transaction?.authorisation),
    ...maybeFact(words.tip, some(transaction?.tipMinor ?? 0)),
    ...maybeFact(words.openRefund, some(openRefundMinor)),
    ...maybeFact(words.terminal, transaction && payment.terminalId),
    ...maybeFact(words.number, number === null ? null : String(number)),
    ...maybeFact(words.tariff, tariff),
    ...maybeFact(words.seller, site.seller?.name),
    ...maybeFact(words.address, addressOfSeller(site.seller)),
    ...maybeFact(words.ssn, site.seller?.ssn),
    ...maybeFact(words.vatNumber, site.seller?.vatNumber),
  ];
}

interface Line {
  what: string;
  /** How often and for how much each. */
  notes: string[];
  amountMinor: number;
}

function linesOf({ payment }: Receipt, language: Language): Line[] {
  const { lines, amountMinor, currency } = payment;
  if (lines.length === 0) return [{ what: RECEIPT_WORDS[language].parking, notes: [], amountMinor }];
  return lines.map((line) => {
    const { what, detail, rate } = priceLineText(line, currency, priceLanguage(language));
    return { what, notes: [detail, rate].filter((note) => note !== null), amountMinor: line.amountMinor };
  });
}
