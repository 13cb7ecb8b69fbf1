import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { formatMoney, formatRate } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { priceLanguage } from '@hlid/protocol/words/price/price-texts';
import { priceLineText } from '@hlid/protocol/words/price-words';
import { html } from 'hono/html';
import { type Fact, factList, type Html, maybeFact, paperPage } from '../../platform/http/paper-page.ts';
import type { Receipt } from './find-receipt.ts';
import { localTime } from './local-words.ts';
import { cardText, RECEIPT_WORDS, STANDINGS } from './receipt-words.ts';

/**
 * A receipt for a person with its address: on a telephone, on paper, read aloud. The slip of the terminal is not on it:
 * it is in the terminal's language, German as a rule, and repeats the card. What it adds is a fact here.
 *
 * @param address of the page, for the code on paper
 */
export function receiptPage(receipt: Receipt, language: Language, address: string): Html {
  const words = RECEIPT_WORDS[language];
  const { payment, site, vat } = receipt;
  const { currency } = payment;
  const standing = STANDINGS[payment.state];
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const booked = standing === 'paid' || standing === 'refunded';
  return page(
    language,
    { title: `${words.title} – ${site.name}`, logo: site.seller?.logo, address, mayPrint: booked },
    html`<p class="standing ${standing}">${words.standing[standing]}</p>
      <p class="amount">${money(payment.amountMinor)}</p>
      ${factList(factsOf(receipt, language))}
      <table>
        <caption>${words.title}</caption>
        <thead class="hidden"><tr><th scope="col">${words.what}</th><th scope="col">${words.amount}</th></tr></thead>
        <tbody>
          ${linesOf(receipt, language).map(
            ({ what, notes, amountMinor }) =>
              html`<tr><th scope="row">${what}${notes.map((note) => html`<small>${note}</small>`)}</th><td>${money(amountMinor)}</td></tr>`,
          )}
          <tr class="total"><th scope="row">${words.total}</th><td>${money(payment.amountMinor)}</td></tr>
          ${vat
            .filter(({ vatMinor }) => booked && vatMinor !== 0)
            .map(
              ({ rate, vatMinor }) =>
                html`<tr class="vat"><th scope="row">${words.vat({ rate: formatRate(rate, language) })}</th><td>${money(vatMinor)}</td></tr>`,
            )}
        </tbody>
      </table>`,
  );
}

/** Nothing is known at that address: it may be so new that its site has not reported it. */
export function missingReceiptPage(language: Language): Html {
  const { missing, missingText, again } = RECEIPT_WORDS[language];
  const body = html`<p class="standing checking">${missing}</p><p>${missingText}</p><p><a class="language" href="?lang=${language}">${again}</a></p>`;
  return page(language, { title: missing, mayPrint: false }, body);
}

function page(language: Language, { title, logo, address, mayPrint }: PageHead, body: Html): Html {
  const words = RECEIPT_WORDS[language];
  const print = mayPrint ? words.print : null;
  const languages = { name: words.languages, all: LANGUAGES };
  return paperPage(language, { title, heading: words.title, logo, address, print, languages }, body);
}

interface PageHead {
  title: string;
  logo?: string | undefined;
  address?: string;
  mayPrint: boolean;
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
    ...maybeFact(words.address, site.seller?.address),
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
