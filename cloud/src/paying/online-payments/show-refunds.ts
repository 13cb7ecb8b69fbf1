import type { RefundsOf, ShownRefund } from '../../money/payments/waiting-payment.ts';
import { asc, inArray } from '../../platform/db/sql.ts';
import { onlineRefundTable as r } from '../../records/online-payments/online-payment-table.ts';

/** Finds the refunds for lists of payments. */
export const refundsOfPayments: RefundsOf = async (q, ids) => {
  const found = new Map<string, ShownRefund[]>();
  if (ids.length === 0) return found;
  const rows = await q
    .select()
    .from(r)
    .where(inArray(r.paymentId, [...ids]))
    .orderBy(asc(r.createdAt));
  for (const { id, paymentId, amountMinor: amount, state, reason, by, createdAt, doneAt } of rows) {
    const shown = { id, amount, state, reason, by, createdOn: createdAt, doneOn: doneAt };
    found.set(paymentId, [...(found.get(paymentId) ?? []), shown]);
  }
  return found;
};
