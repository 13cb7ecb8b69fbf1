import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { priceTexts } from '@hlid/protocol/words/price/price-texts';
import { TRAINING_DOCUMENT } from '@hlid/protocol/words/training-mark/training-document';
import { vatReasonText } from '@hlid/protocol/words/vat-words';
import { documentKind } from '../../../money/invoices/document-kind.ts';
import { lineText } from '../../../money/invoices/invoice-content.ts';
import {
  countryOf,
  ICELAND,
  type InvoiceBuyer,
  type Seller,
} from '../../../money/invoices/invoice-snapshot.ts';
import type { InvoiceLine } from '../../../records/invoices/invoice-table.ts';
import type { InvoiceDocument } from '../find-document.ts';
import { stayNotes } from '../invoice-paper.ts';
import { negatedParts } from './e-amounts.ts';
import {
  type EInvoice,
  type EInvoiceItem,
  type ElectronicAddress,
  type InvoiceParty,
  KENNITALA_SCHEME,
  type PaymentMeans,
} from './e-invoice.ts';

/** An invoice as electronic invoices have it, or all that it lacks for that. */
export type EInvoiceResult =
  | { ok: true; invoice: EInvoice }
  | { ok: false; mistakes: readonly [Mistake, ...Mistake[]] };

/**
 * An issued invoice or credit note as an electronic one, with what stood in it when it was issued.
 *
 * @param form a receipt needs neither postal addresses nor a VAT number
 */
export function eInvoiceOf(
  document: InvoiceDocument,
  language: OfficeLanguage,
  form: 'invoice' | 'card-receipt' = 'invoice',
): EInvoiceResult {
  const { invoice, seller, buyer } = document;
  const { number, issuedAt } = invoice;
  if (number === null || issuedAt === null) return lacking(mistake('invoice-not-issued'));
  if (seller === undefined) return lacking(mistake('e-invoice-lacks', 'seller'));
  const isReceipt = form === 'card-receipt';
  // Without a VAT number, all of a receipt is outside the scope of VAT.
  const ofVat = isReceipt && seller.vatNumber === undefined ? [] : vatMistakes(document);
  const ofSeller = isReceipt
    ? ofVat
    : [...ofVat, ...sellerMistakes(document, seller), ...accountMistakes(document, seller)];
  if (buyer === null) {
    const lacks = invoice.customerId === null ? 'customer' : 'customer.options.street';
    return lacking(mistake('e-invoice-lacks', lacks), ...ofSeller);
  }
  const ofBuyer = isReceipt ? [] : buyerMistakes(document, buyer);
  const [first, ...others] = [...ofSeller, ...ofBuyer];
  if (first !== undefined) return lacking(first, ...others);
  return { ok: true, invoice: built(document, { number, issuedAt, seller, buyer }, language) };
}

function lacking(...mistakes: [Mistake, ...Mistake[]]): EInvoiceResult {
  return { ok: false, mistakes };
}

interface Known {
  number: number;
  issuedAt: UtcTime;
  seller: Seller;
  buyer: InvoiceBuyer;
}

function built(document: InvoiceDocument, known: Known, language: OfficeLanguage): EInvoice {
  const { number, issuedAt, seller, buyer } = known;
  const { invoice, timeZone, days, credited } = document;
  const { lines, vat, amountMinor, currency, dueOn } = invoice;
  const kind = documentKind(invoice);
  const isNote = kind === 'credit-note';
  const day = (at: UtcTime) => wallClock(at, timeZone).date;
  const item = (line: InvoiceLine) => itemOf(line, isNote, document, language);
  const parts = vat.map((part) => ({
    ...part,
    reasons: part.reasons.map((reason) => vatReasonText(reason, priceTexts(language))),
  }));
  return {
    receiptFrom: null,
    kind,
    note: document.isTraining ? TRAINING_DOCUMENT[language] : null,
    number: String(number),
    issuedOn: day(issuedAt),
    dueOn: isNote ? null : dueOn,
    currency,
    // Peppol asks for one (R003), and customers have none of their own.
    buyerReference: String(number),
    credits: credited && { number: String(credited.number), issuedOn: day(credited.issuedAt) },
    period: days,
    seller: sellerParty(seller),
    buyer: buyerParty(invoice, buyer),
    means: isNote ? null : meansOf(document, seller),
    // What has no due day was paid when it was issued. Later payments do not change the document.
    paidMinor: !isNote && dueOn === null ? amountMinor : 0,
    lines: lines.filter(({ rule }) => rule !== 'discount').map(item),
    discounts: lines.filter(({ rule }) => rule === 'discount').map(item),
    vat: isNote ? negatedParts(parts) : parts,
  };
}

/** Amounts of a credit note are stored below zero, and stand above zero in the document. */
function itemOf(
  line: InvoiceLine,
  isNote: boolean,
  document: InvoiceDocument,
  language: OfficeLanguage,
): EInvoiceItem {
  const { vatRate, vatCategory, vatReason, rule, units, amountMinor } = line;
  return {
    what: lineText(line, language),
    note: stayNotes(line, document, language).join(' ') || null,
    // Prepaid days are counted, everything else is one.
    units:
      rule === 'quota' ? { count: Math.max(1, Math.abs(units)), code: 'DAY' } : { count: 1, code: 'C62' },
    amountMinor: isNote ? 0 - amountMinor : amountMinor,
    vatRate,
    vatCategory,
    vatReason,
  };
}

/** What EN 16931 has no form for: VAT that was not decided, and amounts outside of VAT beside others (BR-O-11). */
function vatMistakes({ invoice: { vat } }: InvoiceDocument): Mistake[] {
  if (vat.some(({ category }) => category === null)) return [mistake('e-invoice-vat-open')];
  const outside = vat.filter(({ category }) => category === 'O');
  return outside.length > 0 && outside.length < vat.length ? [mistake('e-invoice-vat-mixed')] : [];
}

function sellerMistakes({ invoice: { vat } }: InvoiceDocument, seller: Seller): Mistake[] {
  const { street, postcode, city, address } = { ...seller, ...sellerParty(seller) };
  // Only what is outside the scope of VAT needs no number (BR-S-02, BR-Z-02, BR-E-02).
  const isTaxed = vat.some(({ category }) => category !== 'O');
  const needed = { street, postcode, city, electronicAddress: address };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === null ? [name] : []));
  if (isTaxed && seller.vatNumber === undefined) missing.push('vatNumber');
  return missing.map((field) => mistake('e-invoice-lacks', `seller.${field}`));
}

function accountMistakes({ invoice: { dueOn } }: InvoiceDocument, seller: Seller): Mistake[] {
  const isWrong = dueOn !== null && seller.bankAccount !== undefined && accountOf(seller) === null;
  return isWrong ? [mistake('e-invoice-account', 'seller.bankAccount')] : [];
}

function sellerParty(seller: Seller): InvoiceParty {
  const { name, ssn, vatNumber, street, postcode, city, electronicAddress } = seller;
  const country = countryOf(seller);
  const registration = digitsIn(ssn);
  return {
    name,
    registration,
    vatNumber: vatNumber === undefined ? null : withCountry(vatNumber, country),
    street: street ?? null,
    postcode: postcode ?? null,
    city: city ?? null,
    country,
    address: addressOf(electronicAddress, { country, registration }),
  };
}

function buyerMistakes({ invoice }: InvoiceDocument, buyer: InvoiceBuyer): Mistake[] {
  const { name, registration, country, street, postcode, city, address } = buyerParty(invoice, buyer);
  const isIcelandic = country === ICELAND;
  const needed = {
    name: name === '' ? null : name,
    ssn: isIcelandic ? registration : '',
    'options.street': street,
    'options.postcode': postcode,
    'options.city': city,
    'options.electronicAddress': address,
  };
  const missing = Object.entries(needed).filter(([, value]) => value === null);
  return missing.map(([field]) => mistake('e-invoice-lacks', `customer.${field}`));
}

function buyerParty(
  { payerName, payerSsn, customerName }: InvoiceDocument['invoice'],
  buyer: InvoiceBuyer,
): InvoiceParty {
  const { street, postcode, city, electronicAddress } = buyer;
  const country = buyer.country ?? ICELAND;
  const ssn = payerSsn ?? buyer.ssn;
  const registration = ssn === null ? null : digitsIn(ssn);
  return {
    name: payerName ?? customerName ?? '',
    registration,
    vatNumber: null,
    street,
    postcode,
    city,
    country,
    address: addressOf(electronicAddress, { country, registration }),
  };
}

/** In Iceland the kennitala is the address too, unless another is named. */
function addressOf(
  written: string | null | undefined,
  { country, registration }: { country: string; registration: string | null },
): ElectronicAddress | null {
  if (written == null) {
    const isKnown = country === ICELAND && registration !== null;
    return isKnown ? { scheme: KENNITALA_SCHEME, id: registration } : null;
  }
  const [scheme = '', id = ''] = written.split(':');
  return { scheme, id };
}

function meansOf({ invoice }: InvoiceDocument, seller: Seller): PaymentMeans | null {
  const { dueOn, number, receiptLastFour, receiptType } = invoice;
  if (dueOn === null) {
    return receiptLastFour === null ? null : { kind: 'card', lastFour: receiptLastFour, brand: receiptType };
  }
  const account = accountOf(seller);
  return account === null ? null : { kind: 'transfer', account, reference: String(number) };
}

/**
 * The account as an electronic invoice has it: in Iceland twelve digits (bank 4, ledger 2, number 6), which also an
 * Icelandic IBAN contains (`IS`, two check digits, these twelve, the owner's kennitala).
 *
 * @returns null where it is no Icelandic account
 */
function accountOf(seller: Seller): string | null {
  const { bankAccount = '' } = seller;
  const text = bankAccount.replaceAll(/\s/g, '').toUpperCase();
  if (text === '') return null;
  if (countryOf(seller) !== ICELAND) return text;
  const iban = /^IS\d{2}(\d{12})\d{10}$/.exec(text)?.[1];
  if (iban !== undefined) return iban;
  const [, bank, ledger, number] = /^(\d{4})-?(\d{2})-?(\d{1,6})$/.exec(text) ?? [];
  return bank && ledger && number ? `${bank}${ledger}${number.padStart(6, '0')}` : null;
}

/** The VAT number with its country in front (BR-CO-09). */
function withCountry(vatNumber: string, country: string): string {
  const text = vatNumber.replaceAll(/[\s.-]/g, '').toUpperCase();
  return /^[A-Z]{2}/.test(text) ? text : `${country}${text}`;
}

/** The kennitala without its dash. */
function digitsIn(ssn: string): string {
  return ssn.replaceAll(/[\s-]/g, '');
}
