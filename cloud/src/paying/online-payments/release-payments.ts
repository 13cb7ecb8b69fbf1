import { ONLINE_WORK } from '../../money/payments/settled-twice.ts';
import { and, gt, inArray, isNotNull } from '../../platform/db/sql.ts';
import type { ReleaseHeld } from '../../platform/jobs/cloud-instance.ts';
import {
  paymentQueue,
  refundQueue,
  onlinePaymentTable as t,
} from '../../records/online-payments/online-payment-table.ts';

/** Payments and refunds that dead processes had are due now. Their last requests were sent before. */
export const releasePayments: ReleaseHeld = async ({ q, announce }, dead, now) => {
  const held = and(isNotNull(t.dueAt), inArray(t.heldBy, [...dead]));
  await q
    .update(t)
    .set({ chargeEndsAt: now })
    .where(and(held, gt(t.chargeEndsAt, now)));
  await paymentQueue.release(q, dead, now);
  await refundQueue.release(q, dead, now);
  announce(ONLINE_WORK);
};
