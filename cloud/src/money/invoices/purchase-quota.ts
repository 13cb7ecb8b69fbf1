import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { vatOf, vatParts, vatTerms } from '@hlid/protocol/base/vat';
import { productAt } from '@hlid/protocol/tariff/product-at';
import { z } from '@hono/zod-openapi';
import type { Db } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, ownRows } from '../../platform/http/caller.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { type Refused, refusedInput } from '../../platform/refused.ts';
import { billingOf } from '../../records/customers/customer-billing.ts';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { chooseSite } from '../../records/sites/choose-site.ts';
import { findProduct } from '../products/find-products.ts';
import { siteProduct } from '../products/product.ts';
import { auditInvoice, type InvoiceResult } from './change-invoices.ts';
import { findInvoice } from './find-invoice.ts';
import { endPurchases, insertInvoice } from './invoice-store.ts';
import type { UnissuedInvoice } from './issue-invoice.ts';
import { PURCHASE_MS } from './pay-invoice.ts';

/** More than any customer buys at once; it keeps amounts exact. */
const MAX_UNITS = 10_000;

export const QuotaPurchaseSchema = z
  .strictObject({
    product: IdSchema.describe('Id of a product of type `quota` that has a price.'),
    quantity: z.int().min(1).max(MAX_UNITS).describe('Units of 24 hours.'),
    customer: IdSchema.optional().describe(
      'The customer that buys. Accounts of a customer name their own, or leave it out.',
    ),
    siteId: IdSchema.optional().describe(
      'Who sells it, where the product is for every site and there are several.',
    ),
  })
  .meta({ id: 'QuotaPurchase', example: { product: 'p1', quantity: 30 } });
type QuotaPurchase = z.infer<typeof QuotaPurchaseSchema>;

/**
 * Makes the invoice of prepaid units, without a number: it is issued when it is paid, and the customer has the units then
 * and not before. Its payment is that of any invoice.
 */
export async function purchaseQuota(db: Db, actor: Actor, given: QuotaPurchase): Promise<InvoiceResult> {
  const own = ownRows(actor.caller);
  const customerId = own.all ? given.customer : (own.customerId ?? undefined);
  if (customerId === undefined) return refusedInput(mistake('required', 'customer'));
  if (given.customer !== undefined && given.customer !== customerId) return NO_CUSTOMER;
  return await db.write(async (tx) => {
    const customer = await billingOf(tx.q, customerId);
    if (customer === null) return NO_CUSTOMER;
    const product = await findProduct(tx.q, given.product);
    if (product === null) return refusedInput(mistake('not-found', 'product', { what: 'product' }));
    if (product.type !== 'quota') return refusedInput(mistake('not-a-quota', 'product'));
    if (product.priceMinor <= 0) return refusedInput(mistake('not-for-sale', 'product'));
    const chosen = await chooseSite(tx.q, product.siteId ?? given.siteId);
    if (!chosen.ok) return chosen;
    const { id: siteId, currency } = chosen.site;
    if (currency !== product.currency) return refusedInput(mistake('currency', 'product'));
    const { language } = customer;
    const name = product.name[language] ?? product.productCode;
    const { quantity: units } = given;
    const amountMinor = units * product.priceMinor;
    const { timeZone, settings } = chosen.site;
    const { vehicleCategory, ...sold } = productAt(siteProduct(product), actor.at, timeZone, settings.vat);
    const vat = vatTerms(vatOf(sold));
    const lines: InvoiceLine[] = [
      { rule: 'quota', visitId: null, plate: null, name, units, amountMinor, ...vat },
    ];
    const id = newId();
    const draft: UnissuedInvoice = {
      id,
      number: null,
      series: null,
      sellerId: null,
      buyerId: null,
      creditOf: null,
      soldTo: null,
      status: 'draft',
      cause: id,
      siteId,
      visitId: null,
      customerId,
      productId: product.id,
      paymentType: 'online',
      amountMinor,
      currency,
      lines,
      vat: vatParts(lines),
      incomeParts: [{ siteId, vehicleCategory: vehicleCategory ?? 'light', invoices: 1, amountMinor }],
      payerSsn: customer.payerSsn,
      payerName: customer.name,
      email: customer.mailTo,
      language,
      tipMinor: 0,
      openRefundMinor: 0,
      paidWith: null,
      paidAt: null,
      paymentId: null,
      receiptType: null,
      receiptLastFour: null,
      periodFrom: null,
      periodBefore: null,
      period: null,
      publishStatus: null,
      issuedAt: null,
      dueOn: null,
      refundedAt: null,
      remoteStatus: 'draft',
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    const before = utcTime(millis(actor.at) - PURCHASE_MS);
    await endPurchases(tx.q, customerId, { before, now: actor.at });
    await insertInvoice(tx.q, draft);
    const invoice = await findInvoice(tx.q, id, ALL_ROWS);
    if (invoice === null) throw new Error('what was inserted is there');
    await auditInvoice(tx, actor, 'invoice.purchase', null, invoice);
    return { ok: true, invoice };
  });
}

const NO_CUSTOMER: Refused = refusedInput(mistake('not-found', 'customer', { what: 'customer' }));
