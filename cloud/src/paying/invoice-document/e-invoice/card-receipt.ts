import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { vatParts } from '@hlid/protocol/base/vat';
import type { EInvoiceBuyer } from '../../../records/invoices/e-invoice-table.ts';
import type { InvoiceDocument } from '../find-document.ts';
import type { EInvoice, EInvoiceItem, InvoiceParty } from './e-invoice.ts';
import { type EInvoiceResult, eInvoiceOf } from './e-invoice-of.ts';

/** TS 240 shows six digits in front, too; only the last four are ever stored here. */
const MASK = '************';

/** The words of TS 240's own example, for a seller without a VAT number. */
const NO_VAT = { vatRate: 0, vatCategory: 'O', vatReason: 'VSK ekki sundurliðaður' } as const;

/**
 * The receipt of a card payment for the company of its driver, by the draft of TS 240 of July 2026: paid in full, by
 * card, with type 461. The seller sends it itself, so it has the seller's name where the draft has that of a sender
 * between the two (BT-13). The draft leaves open how a card is masked and where the holder's name stands; how the card
 * was read is optional there, and left out.
 */
export function cardReceiptOf(
  document: InvoiceDocument,
  buyer: EInvoiceBuyer,
  language: OfficeLanguage,
): EInvoiceResult {
  const { receiptLastFour, receiptType } = document.invoice;
  if (receiptLastFour === null) return { ok: false, mistakes: [mistake('e-invoice-lacks', 'card')] };
  const { ssn, electronicAddress } = buyer;
  const place = { street: null, postcode: null, city: null, country: null };
  const invoiceOfBuyer = { ...document.invoice, payerName: buyer.name, payerSsn: ssn };
  const asked = { ...document, invoice: invoiceOfBuyer, buyer: { ssn, ...place, electronicAddress } };
  const made = eInvoiceOf(asked, language, 'card-receipt');
  if (!made.ok) return made;
  const { invoice } = made;
  const hasVat = invoice.seller.vatNumber !== null;
  const lines = hasVat ? invoice.lines : invoice.lines.map(withoutVat);
  const discounts = hasVat ? invoice.discounts : invoice.discounts.map(withoutVat);
  const receipt: EInvoice = {
    ...invoice,
    receiptFrom: invoice.seller.name,
    dueOn: null,
    period: null,
    seller: withoutAddress(invoice.seller),
    buyer: withoutAddress(invoice.buyer),
    means: { kind: 'card', lastFour: `${MASK}${receiptLastFour}`, brand: receiptType },
    paidMinor: [...lines, ...discounts].reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    lines,
    discounts,
    vat: hasVat ? invoice.vat : vatParts([...lines, ...discounts]),
  };
  return { ok: true, invoice: receipt };
}

function withoutVat(item: EInvoiceItem): EInvoiceItem {
  return { ...item, ...NO_VAT };
}

function withoutAddress(party: InvoiceParty): InvoiceParty {
  return { ...party, street: null, postcode: null, city: null };
}
