import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import { ONLINE_WORK } from '../../money/payments/settled-twice.ts';
import type { ReleaseHeld } from '../../platform/jobs/cloud-instance.ts';
import {
  onlineRefundTable as r,
  onlinePaymentTable as t,
} from '../../records/online-payments/online-payment-table.ts';

/** Payments and refunds that dead processes had are due now. Their last requests were sent before. */
export const releasePayments: ReleaseHeld = async ({ q, announce }, dead, now) => {
  const isEndLater = gt(t.chargeEndsAt, now);
  const held = inArray(t.heldBy, [...dead]);
  await q.update(t).set({ chargeEndsAt: now }).where(and(held, isEndLater));
  const free = { heldBy: null, nextTryAt: now };
  await q
    .update(t)
    .set(free)
    .where(and(held, isNotNull(t.nextTryAt)));
  await q
    .update(r)
    .set(free)
    .where(and(inArray(r.heldBy, [...dead]), eq(r.state, 'ordered')));
  announce(ONLINE_WORK);
};
