import type { Queries } from '../../../platform/db/db.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { and, inList, isNull, sql } from '../../../platform/db/sql.ts';
import { chargeTable as charge } from '../../../records/invoices/charge-table.ts';
import { invoiceTable as invoice } from '../../../records/invoices/invoice-table.ts';

const ids = sql.placeholder('ids');

/** Behind a plus a column is compared without its index: the visits lead to their invoices, not the status to all. */
const isPaid = sql`+${invoice.status} = 'paid'`;

const ownPaid = prepared((q) =>
  q
    .select({ currency: invoice.currency, paidMinor: sql`sum(${invoice.amountMinor})`.mapWith(Number) })
    .from(invoice)
    .where(and(inList(invoice.visitId, ids), isPaid))
    .groupBy(invoice.currency)
    .prepare(),
);

const collectedPaid = prepared((q) =>
  q
    .select({
      currency: charge.currency,
      paidMinor: sql`sum(${charge.amountMinor} - ${charge.discountMinor})`.mapWith(Number),
    })
    .from(charge)
    .innerJoin(invoice, sql`${invoice.id} = ${charge.invoiceId}`)
    .where(and(inList(charge.visitId, ids), isNull(charge.creditedBy), isPaid))
    .groupBy(charge.currency)
    .prepare(),
);

/**
 * The income of invoices of these visits, by currency: their own, and their share of collected ones. The
 * invoice has the currency: a visit that nothing prices has none, and may be paid all the same.
 */
export async function paidForVisits(
  q: Queries,
  visits: readonly { id: string }[],
): Promise<Record<string, number>> {
  const values = { ids: JSON.stringify(visits.map(({ id }) => id)) };
  const sums: Record<string, number> = {};
  for (const query of [ownPaid, collectedPaid]) {
    for (const { currency, paidMinor } of await query(q).all(values)) {
      sums[currency] = (sums[currency] ?? 0) + paidMinor;
    }
  }
  return sums;
}
