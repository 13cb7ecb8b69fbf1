import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { sumsByVat, vatOf, vatParts, vatTerms } from '@hlid/protocol/base/vat';
import type { UnissuedInvoice } from '../../money/invoices/issue-invoice.ts';
import type { CustomerBilling } from '../../records/customers/customer-billing.ts';
import type { ChargeRow } from '../../records/invoices/charge-table.ts';
import type { IncomePart, InvoiceLine } from '../../records/invoices/invoice-table.ts';
import type { BillingPeriod } from './billing-period.ts';

/**
 * One invoice of a customer's charges: a line for each visit and each fee, the discount as a line for each VAT. The
 * discount is of the sum; each charge has its share, so that the sites' incomes add up to the invoice.
 *
 * @param charges with their shares of the discount
 */
export function collectedInvoice(
  charges: readonly ChargeRow[],
  billing: CustomerBilling,
  period: BillingPeriod & { cause: string; currency: string },
  at: UtcTime,
): UnissuedInvoice {
  const siteId = onlyOne(charges.map((charge) => charge.siteId));
  const lines =
    siteId === null ? linesOfSites(charges) : [...charges.map(visitLine), ...discountLines(charges)];
  const amountMinor = lines.reduce((sum, line) => sum + line.amountMinor, 0);
  return {
    id: newId(),
    number: null,
    series: null,
    sellerId: null,
    buyerId: null,
    creditOf: null,
    soldTo: null,
    // A discount of the whole amount leaves nothing to pay.
    status: amountMinor === 0 ? 'paid' : 'draft',
    cause: period.cause,
    siteId,
    visitId: null,
    customerId: billing.customerId,
    productId: onlyOne(charges.map(({ productId }) => productId)),
    paymentType: 'company-invoice',
    amountMinor,
    currency: period.currency,
    lines,
    vat: vatParts(lines),
    tipMinor: 0,
    openRefundMinor: 0,
    incomeParts: incomeParts(charges),
    payerSsn: billing.payerSsn,
    payerName: billing.name,
    email: billing.mailTo,
    language: billing.language,
    paidWith: null,
    paidAt: null,
    paymentId: null,
    receiptType: null,
    receiptLastFour: null,
    periodFrom: period.from,
    periodBefore: period.before,
    period: period.key,
    publishStatus: billing.toPublish ? 'draft' : null,
    issuedAt: null,
    dueOn: null,
    refundedAt: null,
    remoteStatus: 'draft',
    createdAt: at,
    modifiedAt: at,
  };
}

/** Each names its site, and each site has its own share of the discount. */
function linesOfSites(charges: readonly ChargeRow[]): InvoiceLine[] {
  const sites = [...new Set(charges.map(({ siteId }) => siteId))];
  return [
    ...charges.map((charge) => ({ ...visitLine(charge), siteId: charge.siteId })),
    ...sites.flatMap((siteId) =>
      discountLines(charges.filter((charge) => charge.siteId === siteId)).map((line) => ({
        ...line,
        siteId,
      })),
    ),
  ];
}

function visitLine(charge: ChargeRow): InvoiceLine {
  const { rule, visitId, plate, units, amountMinor, noticeAt } = charge;
  const line = { rule, visitId, plate, units, amountMinor, ...vatTerms(vatOf(charge)) };
  return noticeAt === null ? line : { ...line, noticeAt };
}

function discountLines(charges: readonly ChargeRow[]): InvoiceLine[] {
  const discounts = charges.map((charge) => ({
    ...vatTerms(vatOf(charge)),
    amountMinor: charge.discountMinor,
  }));
  return sumsByVat(discounts)
    .filter(({ amountMinor }) => amountMinor !== 0)
    .map(({ amountMinor, ...vat }) => ({
      rule: 'discount',
      visitId: null,
      plate: null,
      units: 1,
      amountMinor: -amountMinor,
      ...vat,
    }));
}

/** The parts of the income by site, vehicle category and product; the invoice itself counts in the first. */
function incomeParts(charges: readonly ChargeRow[]): IncomePart[] {
  const parts = new Map<string, IncomePart>();
  const isOfOne = new Set(charges.map(({ productId }) => productId)).size === 1;
  for (const { siteId, vehicleCategory, amountMinor, discountMinor, productId } of charges) {
    const own = isOfOne || productId === null ? undefined : productId;
    const key = `${vehicleCategory} ${siteId} ${own}`;
    const part = parts.get(key) ?? {
      siteId,
      vehicleCategory,
      invoices: parts.size === 0 ? 1 : 0,
      amountMinor: 0,
      ...(own !== undefined && { productId: own }),
    };
    part.amountMinor += amountMinor - discountMinor;
    parts.set(key, part);
  }
  return [...parts.values()];
}

/** What all have in common; null where they differ. */
function onlyOne<Value>(values: readonly Value[]): Value | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
