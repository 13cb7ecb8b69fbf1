import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { and, eq, isNull, ne } from '../../platform/db/sql.ts';
import { recordEvent } from '../integration-events/record-event.ts';
import { visitTable as t } from './visit-table.ts';

/**
 * A try to pay for a visit was declined, and nothing has settled the visit: its payment has failed, as long as no later
 * try succeeds. Its site has no use for that.
 */
export async function notePaymentFailed(tx: Tx, visitId: string, at: UtcTime): Promise<void> {
  const [failed] = await tx.q
    .update(t)
    .set({ paymentStatus: 'failed', modifiedAt: at })
    .where(and(eq(t.id, visitId), isNull(t.paymentStatus), ne(t.status, 'completed')))
    .returning({ siteId: t.siteId });
  if (failed === undefined) return;
  await recordEvent(tx, { type: 'visit.updated', subjectId: visitId, siteId: failed.siteId, at });
}
