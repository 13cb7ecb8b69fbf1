import type { TaxedAmount, VatPart } from '@hlid/protocol/base/vat';
import type { CardBrand } from '@hlid/protocol/records/payment';
import type { DocumentKind } from '../../../money/invoices/document-kind.ts';

/** The register that a kennitala is a number of, by the code of ISO 6523. */
export const KENNITALA_SCHEME = '0196';

/** An address in an electronic network: the scheme is a code of the Electronic Address Scheme list, such as `0196`. */
export interface ElectronicAddress {
  scheme: string;
  id: string;
}

/** A seller or a buyer, with what EN 16931 and the Icelandic rules ask for. */
export interface InvoiceParty {
  name: string;
  /** The national register number; in Iceland the kennitala, ten digits. */
  registration: string | null;
  /** With the country in front, such as `IS12345`. */
  vatNumber: string | null;
  street: string | null;
  postcode: string | null;
  city: string | null;
  /** ISO 3166-1, two letters. */
  country: string;
  address: ElectronicAddress | null;
}

/** How it is to be paid, or was. `claim`: by a claim in the payer's bank. */
export type PaymentMeans =
  | { kind: 'transfer' | 'claim'; account: string; reference: string }
  | { kind: 'card'; lastFour: string | null; brand: CardBrand | null };

/** What a line or a discount is for. */
export interface EInvoiceItem extends TaxedAmount {
  what: string;
  /** More about it, such as the place and the time of a stay. */
  note: string | null;
  /** How many; `DAY` and `C62` (one) are codes of UNECE recommendation 20. */
  units: { count: number; code: 'C62' | 'DAY' };
}

/**
 * An invoice or a credit note as EN 16931 describes it. Amounts contain VAT, and those of a credit note are above zero,
 * as the standard has them.
 */
export interface EInvoice {
  /**
   * The name of who sends it, where it is the receipt of a card payment by the draft of TS 240 (BT-13 there); null: an
   * invoice or credit note in Peppol BIS Billing 3.0.
   */
  receiptFrom: string | null;
  kind: DocumentKind;
  /** That it is of training, and no real document; null: it is real. */
  note: string | null;
  number: string;
  /** Days, `YYYY-MM-DD`. */
  issuedOn: string;
  dueOn: string | null;
  currency: string;
  /** What the buyer finds the invoice by: asked for by Peppol. */
  buyerReference: string;
  /** The document that this one takes back. */
  credits: { number: string; issuedOn: string } | null;
  /** The first and the last day of what is billed. */
  period: readonly [string, string] | null;
  seller: InvoiceParty;
  buyer: InvoiceParty;
  means: PaymentMeans | null;
  /** What was paid of it before it was issued. */
  paidMinor: number;
  lines: readonly EInvoiceItem[];
  discounts: readonly EInvoiceItem[];
  vat: readonly VatPart[];
}
