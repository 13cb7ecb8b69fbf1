import { followQuota } from '../../../money/quotas/follow-quota.ts';
import { audit } from '../../../people/audit/audit.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { type Actor, callerName } from '../../../platform/http/caller.ts';
import { recordEvent } from '../../../records/integration-events/record-event.ts';
import { countStay } from '../../../records/totals/count-stay.ts';
import { insertStep, updateVisitRow } from '../../../records/visits/visit-store.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';

/** An act of a person on a visit. */
export interface VisitAction {
  /** The action, as the audit log names it. */
  action: string;
  /** The reason in the visit's history. */
  historyText: string;
  /** The reason that the person typed. */
  reason: string | undefined;
}

/** Stores a visit after a person's action, with its history and the audit log, and notifies integrators. */
export async function recordChange(
  tx: Tx,
  actor: Actor,
  visit: { before: VisitRow; after: VisitRow },
  action: VisitAction,
): Promise<void> {
  const { before, after } = visit;
  await updateVisitRow(tx.q, { ...after, modifiedAt: actor.at });
  await countStay(tx.q, before, after);
  if (after.quota !== null) await followQuota(tx, after, actor.at);
  await recordStep(tx, actor, visit, action);
  const ended = before.endedAt === null && after.endedAt !== null;
  await recordEvent(tx, {
    type: ended ? 'visit.ended' : 'visit.updated',
    subjectId: after.id,
    siteId: after.siteId,
    at: actor.at,
  });
}

/** The same for a visit that has been stored; `before` null: it was made. */
export async function recordStep(
  tx: Tx,
  actor: Actor,
  { before, after }: { before: VisitRow | null; after: VisitRow },
  { action, historyText, reason }: VisitAction,
): Promise<void> {
  await insertStep(tx.q, {
    visitId: after.id,
    from: before?.status ?? null,
    to: after.status,
    reason: historyText,
    by: callerName(actor.caller),
    at: actor.at,
  });
  await audit(tx, actor, {
    action,
    subject: 'visit',
    subjectId: after.id,
    siteId: after.siteId,
    before: before && audited(before),
    after: audited(after),
    reason: reason ?? null,
  });
}

/** The fields of a visit that a person can change. */
function audited(visit: VisitRow) {
  const { plate, status, paymentStatus, startedAt, endedAt, amountMinor, unitsMet, paidMinor, paidUntil } =
    visit;
  return {
    plate,
    status,
    paymentStatus,
    startedAt,
    endedAt,
    amountMinor,
    unitsMet,
    paidMinor,
    paidUntil,
    flags: visit.flags,
  };
}
