import { amountText } from '@hlid/protocol/base/money';
import { type Vat, vatOf } from '@hlid/protocol/base/vat';
import { create } from 'xmlbuilder2';
import { ICELAND } from '../../../money/invoices/invoice-snapshot.ts';
import { BILLING, CARD_RECEIPT, type PeppolProfile } from '../../../platform/access-points/peppol-ids.ts';
import { type EAmounts, eAmounts } from './e-amounts.ts';
import {
  type EInvoice,
  type EInvoiceItem,
  type InvoiceParty,
  KENNITALA_SCHEME,
  type PaymentMeans,
} from './e-invoice.ts';

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd';

/** UNCL 1001. */
const RECEIPT_TYPE = '461';

/** UNCL 4461. */
const MEANS = { claim: '9', transfer: '42', card: '48' } as const;

/** A part of an XML document: elements by name, attributes by `@` and name. */
interface Node {
  [name: string]: Node | Node[] | string | undefined;
}

/** What a document claims to keep to. */
export function profileOf({ receiptFrom }: EInvoice): PeppolProfile {
  return receiptFrom === null ? BILLING : CARD_RECEIPT;
}

/**
 * An invoice or a credit note as UBL 2.1, in Peppol BIS Billing 3.0 (EN 16931) with the Icelandic rules of TS 236; or the
 * receipt of a card payment by the draft of TS 240. The elements stand in the order of the UBL schema.
 */
export function ublDocument(invoice: EInvoice): string {
  const amounts = eAmounts(invoice);
  const name = invoice.kind === 'invoice' ? 'Invoice' : 'CreditNote';
  const document = {
    [name]: {
      '@xmlns': `${OASIS}:${name}-2`,
      '@xmlns:cac': `${OASIS}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${OASIS}:CommonBasicComponents-2`,
      ...head(invoice),
      ...parties(invoice),
      ...sums(invoice, amounts),
      ...lines(invoice, amounts),
    },
  };
  return create({ version: '1.0', encoding: 'UTF-8' }, withoutGaps(document)).end({ prettyPrint: true });
}

function head(invoice: EInvoice): Node {
  const isInvoice = invoice.kind === 'invoice';
  const { credits, period, dueOn, receiptFrom } = invoice;
  const { customization, profile } = profileOf(invoice);
  const type =
    receiptFrom === null ? { invoice: '380', note: '381' } : { invoice: RECEIPT_TYPE, note: RECEIPT_TYPE };
  return {
    'cbc:CustomizationID': customization,
    'cbc:ProfileID': profile,
    'cbc:ID': invoice.number,
    'cbc:IssueDate': invoice.issuedOn,
    'cbc:DueDate': isInvoice ? (dueOn ?? undefined) : undefined,
    ...(isInvoice ? { 'cbc:InvoiceTypeCode': type.invoice } : { 'cbc:CreditNoteTypeCode': type.note }),
    'cbc:Note': optionalText(invoice.note),
    'cbc:DocumentCurrencyCode': invoice.currency,
    'cbc:BuyerReference': receiptFrom === null ? xmlText(invoice.buyerReference) : undefined,
    'cac:InvoicePeriod':
      period === null ? undefined : { 'cbc:StartDate': period[0], 'cbc:EndDate': period[1] },
    'cac:OrderReference': receiptFrom === null ? undefined : { 'cbc:ID': xmlText(receiptFrom) },
    'cac:BillingReference':
      credits === null
        ? undefined
        : { 'cac:InvoiceDocumentReference': { 'cbc:ID': credits.number, 'cbc:IssueDate': credits.issuedOn } },
  };
}

function parties(invoice: EInvoice): Node {
  // Outside the scope of VAT there are no VAT numbers (BR-O-02).
  const hasVat = invoice.vat.every(({ category }) => category !== 'O');
  return {
    'cac:AccountingSupplierParty': party(invoice.seller, hasVat),
    'cac:AccountingCustomerParty': party(invoice.buyer, hasVat),
    'cac:PaymentMeans': invoice.means === null ? undefined : paymentMeans(invoice.means, invoice),
  };
}

function party(of: InvoiceParty, hasVat: boolean): Node {
  const { name, registration, vatNumber, street, postcode, city, country, address } = of;
  return {
    'cac:Party': {
      'cbc:EndpointID':
        address === null ? undefined : { '@schemeID': address.scheme, '#': xmlText(address.id) },
      'cac:PartyName': { 'cbc:Name': xmlText(name) },
      'cac:PostalAddress': {
        'cbc:StreetName': optionalText(street),
        'cbc:CityName': optionalText(city),
        'cbc:PostalZone': optionalText(postcode),
        'cac:Country': { 'cbc:IdentificationCode': country },
      },
      'cac:PartyTaxScheme':
        hasVat && vatNumber !== null
          ? { 'cbc:CompanyID': xmlText(vatNumber), 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }
          : undefined,
      'cac:PartyLegalEntity': {
        'cbc:RegistrationName': xmlText(name),
        'cbc:CompanyID':
          registration === null
            ? undefined
            : { ...(country === ICELAND && { '@schemeID': KENNITALA_SCHEME }), '#': xmlText(registration) },
      },
    },
  };
}

function paymentMeans(means: PaymentMeans, { kind, dueOn }: EInvoice): Node {
  // An invoice has its due date in its head, a credit note here.
  const due = kind === 'invoice' ? undefined : (dueOn ?? undefined);
  if (means.kind === 'card') {
    return {
      'cbc:PaymentMeansCode': MEANS.card,
      'cbc:PaymentDueDate': due,
      'cac:CardAccount':
        means.lastFour === null
          ? undefined
          : {
              'cbc:PrimaryAccountNumberID': means.lastFour,
              'cbc:NetworkID': means.brand?.toUpperCase() ?? 'NA',
            },
    };
  }
  return {
    'cbc:PaymentMeansCode': MEANS[means.kind],
    'cbc:PaymentDueDate': due,
    'cbc:PaymentID': xmlText(means.reference),
    'cac:PayeeFinancialAccount': { 'cbc:ID': means.account },
  };
}

function sums(invoice: EInvoice, amounts: EAmounts): Node {
  const amount = (minor: number) => money(minor, invoice.currency);
  const nothingPaid = invoice.paidMinor === 0;
  return {
    'cac:AllowanceCharge': invoice.discounts.map((discount, n) => ({
      'cbc:ChargeIndicator': 'false',
      'cbc:AllowanceChargeReason': xmlText(discount.what),
      'cbc:Amount': amount(amounts.discountNets[n] ?? 0),
      'cac:TaxCategory': taxCategory(vatOf(discount)),
    })),
    'cac:TaxTotal': {
      'cbc:TaxAmount': amount(amounts.vatMinor),
      'cac:TaxSubtotal': invoice.vat.map(({ netMinor, vatMinor, category, rate, reasons }) => ({
        'cbc:TaxableAmount': amount(netMinor),
        'cbc:TaxAmount': amount(vatMinor),
        'cac:TaxCategory': taxCategory({ category, rate, reason: reasons.join('; ') || null }, true),
      })),
    },
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(amounts.linesMinor),
      'cbc:TaxExclusiveAmount': amount(amounts.netMinor),
      'cbc:TaxInclusiveAmount': amount(amounts.grossMinor),
      'cbc:AllowanceTotalAmount': invoice.discounts.length === 0 ? undefined : amount(amounts.discountsMinor),
      'cbc:PrepaidAmount': nothingPaid ? undefined : amount(invoice.paidMinor),
      'cbc:PayableAmount': amount(amounts.payableMinor),
    },
  };
}

function lines(invoice: EInvoice, amounts: EAmounts): Node {
  const isInvoice = invoice.kind === 'invoice';
  const amount = (minor: number) => money(minor, invoice.currency);
  const each = invoice.lines.map((line, n) => {
    const netMinor = amounts.lineNets[n] ?? 0;
    // A price is never below zero (BR-27): what is less has a quantity below zero.
    const count = netMinor < 0 ? 0 - line.units.count : line.units.count;
    const quantity = { '@unitCode': line.units.code, '#': String(count) };
    return {
      'cbc:ID': String(n + 1),
      ...(isInvoice ? { 'cbc:InvoicedQuantity': quantity } : { 'cbc:CreditedQuantity': quantity }),
      'cbc:LineExtensionAmount': amount(netMinor),
      'cac:Item': item(line),
      // The price of all units together, so that no division is rounded.
      'cac:Price': {
        'cbc:PriceAmount': amount(Math.abs(netMinor)),
        'cbc:BaseQuantity': { '@unitCode': line.units.code, '#': String(line.units.count) },
      },
    };
  });
  return isInvoice ? { 'cac:InvoiceLine': each } : { 'cac:CreditNoteLine': each };
}

function item(line: EInvoiceItem): Node {
  return {
    'cbc:Description': optionalText(line.note),
    'cbc:Name': xmlText(line.what),
    'cac:ClassifiedTaxCategory': taxCategory(vatOf(line)),
  };
}

/** @param withReason in the sum of a category only, where EN 16931 has it */
function taxCategory({ category, rate, reason }: Vat, withReason = false): Node {
  if (category === null) throw new RangeError('an electronic invoice has a VAT category for each line');
  return {
    'cbc:ID': category,
    // There is no rate outside the scope (BR-O-05).
    'cbc:Percent': category === 'O' ? undefined : String(rate),
    'cbc:TaxExemptionReason': withReason ? optionalText(reason) : undefined,
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  };
}

function money(amountMinor: number, currency: string): Node {
  return { '@currencyID': currency, '#': amountText({ amountMinor, currency }, '.') };
}

function optionalText(text: string | null): string | undefined {
  return text === null || xmlText(text) === '' ? undefined : xmlText(text);
}

/** Characters that XML 1.0 does not have. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function xmlText(text: string): string {
  return text.replaceAll(NOT_XML, '').trim();
}

/** Leaves out what is undefined: no element of the document is empty (PEPPOL-EN16931-R008). */
function withoutGaps(node: Node): Node {
  const entries = Object.entries(node).flatMap(([name, value]): [string, Node | Node[] | string][] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [[name, value]];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(withoutGaps)]];
    return [[name, withoutGaps(value)]];
  });
  return Object.fromEntries(entries);
}
