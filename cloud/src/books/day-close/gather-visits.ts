import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, gte, inArray, isNotNull, isNull, lt, or } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { ofSite } from '../../platform/http/list-rows.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { stayCost } from '../../stays/visits/list/visit-json.ts';
import { type ClosingPlace, spanOf } from './closing-place.ts';
import type { VisitFact } from './day-facts.ts';

/** The stays that ended on the day, and what is asked for them. */
export async function visitsOfDay(q: Queries, place: ClosingPlace): Promise<VisitFact[]> {
  if (place.siteId === null) return [];
  const v = visitTable;
  const { from, before } = spanOf(place);
  const rows = await q
    .select({
      id: v.id,
      paymentStatus: v.paymentStatus,
      amountMinor: v.amountMinor,
      currency: v.currency,
      price: v.price,
      customerId: v.customerId,
    })
    .from(v)
    .where(
      and(
        isNotNull(v.endedAt),
        gte(v.endedAt, from),
        lt(v.endedAt, before),
        ofSite(v.siteId, place.siteId),
        or(isNotNull(v.price), isNotNull(v.paymentStatus)),
      ),
    );
  const documents = await documentsOf(
    q,
    rows.map(({ id }) => id),
  );
  const free = await withoutBills(
    q,
    rows.flatMap(({ customerId }) => customerId ?? []),
  );
  return rows.flatMap(({ id, paymentStatus, amountMinor, currency, price, customerId }) => {
    const leftMinor = amountMinor ?? price?.amountMinor ?? 0;
    const costMinor = price === null ? leftMinor : stayCost(price.lines, leftMinor);
    const documentsMinor = documents.get(id) ?? null;
    const shownCurrency = currency ?? price?.currency ?? place.currency;
    if (shownCurrency === null || (costMinor === 0 && leftMinor === 0)) return [];
    const state = stateOf(paymentStatus, customerId !== null && free.has(customerId));
    // What is settled is due no more, whatever its last price said.
    const left = state === 'unpaid' ? leftMinor : 0;
    return [{ id, currency: shownCurrency, costMinor, leftMinor: left, state, documentsMinor }];
  });
}

function stateOf(
  status: typeof visitTable.$inferSelect.paymentStatus,
  isWithoutBill: boolean,
): VisitFact['state'] {
  switch (status) {
    case null:
    case 'failed':
      return 'unpaid';
    case 'kiosk':
      return 'paid';
    case 'company-invoice':
      return isWithoutBill ? 'waived' : 'billed';
    case 'owner-invoice':
      return 'billed';
    case 'whitelisted':
    case 'void':
      return 'waived';
    default:
      return status satisfies never;
  }
}

/** What invoices and charges ask for each stay, without fees and without what credit notes have taken back since. */
async function documentsOf(q: Queries, visitIds: readonly string[]): Promise<Map<string, number>> {
  const [i, c] = [invoiceTable, chargeTable];
  const invoices = await inChunks(visitIds, (some) =>
    q
      .select({ visitId: i.visitId, lines: i.lines })
      .from(i)
      .where(and(inArray(i.visitId, some), isNull(i.creditOf))),
  );
  const charges = await inChunks(visitIds, (some) =>
    q
      .select({ visitId: c.visitId, rule: c.rule, amountMinor: c.amountMinor })
      .from(c)
      .where(inArray(c.visitId, some)),
  );
  const lines = [
    ...invoices.flatMap(({ visitId, lines: all }) =>
      all.map(({ rule, amountMinor }) => ({ visitId, rule, amountMinor })),
    ),
    ...charges,
  ].filter(({ rule }) => rule === 'visit');
  const sums = [...groupBy(lines, ({ visitId }) => visitId)].map(
    ([id, its]) => [id, its.reduce((sum, { amountMinor }) => sum + amountMinor, 0)] as const,
  );
  return new Map(sums);
}

/** Customers who park on a list, and get no bills. */
async function withoutBills(q: Queries, customerIds: readonly string[]): Promise<Set<string>> {
  const rows = await inChunks(customerIds, (some) =>
    q
      .select({ id: customerTable.id, method: customerTable.billingMethod })
      .from(customerTable)
      .where(inArray(customerTable.id, some)),
  );
  return new Set(rows.flatMap(({ id, method }) => (method === 'whitelist' ? [id] : [])));
}
