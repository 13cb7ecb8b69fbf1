import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type { Db } from '../../../platform/db/db.ts';
import { type Actor, ownRows } from '../../../platform/http/caller.ts';
import { MomentSchema } from '../../../platform/http/input-fields.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../../platform/refused.ts';
import { disputesAbout } from '../../../records/disputes/find-disputes.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import { noticeTable as t } from '../../../records/visits/visit-table.ts';
import { recordStep } from '../change/record-change.ts';
import { noticeOf } from '../price/late-fee.ts';
import { VISIT_ACTIONS } from '../visit-actions.ts';

export const NoticeSchema = z
  .strictObject({
    deliveredOn: MomentSchema.describe(
      'The time of delivery, after the end of the visit; not in the future.',
    ),
  })
  .meta({ id: 'VisitNotice', example: { deliveredOn: '2026-11-21T11:00:00.000Z' } });
export type Notice = z.infer<typeof NoticeSchema>;

/** Notes that a notice about what a visit owes was delivered; the first one counts. */
export async function noteNotice(
  db: Db,
  actor: Actor,
  id: string,
  { deliveredOn }: Notice,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const visit = await findVisitRow(tx.q, id, ownRows(actor.caller));
    if (visit === null) return NOT_FOUND;
    const { endedAt } = visit;
    const noticeAt = await noticeOf(tx.q, id);
    const disputes = await disputesAbout(tx.q, { visitId: id });
    const why = VISIT_ACTIONS.notice.refuse({ ...visit, noticeAt, disputes });
    const isThere = why?.code === 'notice-delivered';
    if (why !== null && !isThere) return refusedInput(why);
    if (endedAt !== null && (deliveredOn < endedAt || deliveredOn > actor.at)) {
      return refusedInput(mistake('delivered-out-of-range', 'deliveredOn', { endedAt }));
    }
    if (why !== null) return { ok: false, reason: 'already-there', id, mistake: why };
    await tx.q.insert(t).values({ visitId: id, deliveredAt: deliveredOn });
    const action = {
      action: 'visit.notice',
      historyText: `notice delivered: ${deliveredOn}`,
      reason: undefined,
    };
    await recordStep(tx, actor, { before: visit, after: visit }, action);
    return { ok: true };
  });
}
