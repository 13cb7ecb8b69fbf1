import { CurrencySchema } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { INVOICE_ACTIONS, refuseCredit } from '../../money/invoices/invoice-actions.ts';
import type { InvoiceWithCustomer } from '../../money/invoices/invoice-store.ts';
import { findPayment } from '../../money/payments/find-payment.ts';
import { PAYMENT_ACTIONS } from '../../money/payments/payment-actions.ts';
import { paymentRefusals } from '../../money/payments/payment-of-invoice.ts';
import { refundedOrOrdered, refundsOf } from '../../money/payments/refunds.ts';
import { paymentFacts } from '../../money/payments/waiting-payment.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, isNotNull, isNull } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { DISPUTE_GIFTS, type DisputeRow } from '../../records/disputes/dispute-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { owedToSettle } from '../../stays/visits/edit/settle-visit.ts';
import { leftToCredit } from '../refunds/credit-amount.ts';

/** One way in which the answer can give money up or back, and how much by it. */
export const DisputeWaySchema = z
  .strictObject({
    way: z.enum(DISPUTE_GIFTS),
    invoiceId: z.string().nullable().describe('The invoice or receipt; null: what the visit owes.'),
    invoiceNumber: z.int().nullable(),
    max: z.int().describe('The most that it gives, in the currency’s minor unit.'),
    currency: CurrencySchema,
    isWholeOnly: z.boolean().describe('No part of it can be given.'),
    isRunning: z
      .boolean()
      .describe(
        'The stay goes on, and `max` is what it costs by now. Voided, it ends, and the car leaves without paying.',
      ),
    by: z
      .enum(['books', 'card', 'terminal'])
      .describe(
        '`card`: the money goes back to the card online. `terminal`: the terminal of the site reverses the payment. ' +
          '`books`: no money moves by it; what was received otherwise is to be paid back by hand.',
      ),
  })
  .meta({ id: 'DisputeWay' });
export type DisputeWay = z.infer<typeof DisputeWaySchema>;

/** The ways in which a dispute can be upheld in money, as things are now. */
export async function waysOf(
  q: Queries,
  { visitId, invoiceId }: Pick<DisputeRow, 'visitId' | 'invoiceId'>,
  now: UtcTime,
): Promise<DisputeWay[]> {
  const owed = visitId === null ? [] : await owedWays(q, visitId, now);
  const invoices = invoiceId === null ? await invoicesOf(q, visitId ?? '') : [invoiceId];
  const ways = [...owed];
  for (const id of invoices) {
    const invoice = await findInvoice(q, id, ALL_ROWS);
    if (invoice === null) continue;
    const refund = await refundWay(q, invoice);
    const credit = await creditWay(q, invoice);
    ways.push(...[refund, credit].filter((way) => way !== null));
  }
  return ways;
}

const OF_VISIT = { invoiceId: null, invoiceNumber: null, by: 'books' as const };

async function owedWays(q: Queries, visitId: string, now: UtcTime): Promise<DisputeWay[]> {
  const visit = await findVisitRow(q, visitId, ALL_ROWS);
  if (visit === null || visit.status === 'completed') return [];
  const { endedAt, status } = visit;
  const isRunning = endedAt === null;
  const site = await siteOfVisit(q, visit);
  const price = isRunning ? await owedToSettle(q, visit, site, now) : null;
  const amountMinor = price?.amountMinor ?? visit.amountMinor ?? 0;
  const currency = price?.currency ?? visit.currency ?? site.currency;
  const same = { ...OF_VISIT, max: amountMinor, currency, isRunning };
  const whole = { ...same, way: 'void' as const, isWholeOnly: true };
  const mayBeWaived = status === 'need-payment' && !isRunning && amountMinor > 1;
  if (!mayBeWaived) return [whole];
  return [whole, { ...same, max: amountMinor - 1, way: 'waive', isWholeOnly: false }];
}

/** The newest invoices and receipts of a visit, collected ones included. */
async function invoicesOf(q: Queries, visitId: string): Promise<string[]> {
  const [i, c] = [invoiceTable, chargeTable];
  const own = await q
    .select({ id: i.id })
    .from(i)
    .where(and(eq(i.visitId, visitId), isNull(i.creditOf)))
    .orderBy(desc(i.createdAt))
    .limit(10);
  const collected = await q
    .selectDistinct({ id: c.invoiceId })
    .from(c)
    .where(and(eq(c.visitId, visitId), isNotNull(c.invoiceId), isNull(c.creditedBy)))
    .limit(10);
  return [...own, ...collected].flatMap(({ id }) => id ?? []);
}

async function refundWay(q: Queries, invoice: InvoiceWithCustomer): Promise<DisputeWay | null> {
  const { id: invoiceId, number: invoiceNumber, currency, paymentType } = invoice;
  const same = { way: 'refund' as const, invoiceId, invoiceNumber, currency, isRunning: false };
  const payment = await findPayment(q, invoiceId);
  if (payment !== null && payment.terminalId !== null) {
    if (PAYMENT_ACTIONS.reverse.refuse(await paymentFacts(q, payment)) !== null) return null;
    return { ...same, max: payment.amountMinor, isWholeOnly: true, by: 'terminal' };
  }
  const refusals = await paymentRefusals(q, invoice);
  if (INVOICE_ACTIONS.refund.refuse({ ...invoice, payments: refusals }) !== null) return null;
  if (refusals.refund !== 'books') {
    const paymentId = payment?.id ?? invoice.paymentId;
    const given = paymentId === null ? 0 : refundedOrOrdered(await refundsOf(q, paymentId));
    return { ...same, max: invoice.amountMinor - given, isWholeOnly: false, by: 'card' };
  }
  // An invoice that was sent is credited instead, in parts too.
  if (paymentType === 'company-invoice' || paymentType === 'owner-invoice') return null;
  return { ...same, max: await leftToCredit(q, invoice), isWholeOnly: true, by: 'books' };
}

async function creditWay(q: Queries, invoice: InvoiceWithCustomer): Promise<DisputeWay | null> {
  const max = await leftToCredit(q, invoice);
  if (refuseCredit(invoice) !== null || max <= 0) return null;
  const { id: invoiceId, number: invoiceNumber, currency } = invoice;
  return {
    way: 'credit',
    invoiceId,
    invoiceNumber,
    max,
    currency,
    isWholeOnly: false,
    isRunning: false,
    by: 'books',
  };
}
