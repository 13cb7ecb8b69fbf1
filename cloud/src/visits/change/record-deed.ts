import { randomUUID } from 'node:crypto';
import { type Actor, audit } from '../../audit/audit.ts';
import type { Tx } from '../../db/db.ts';
import { callerName } from '../../http/caller.ts';
import { recordEvent } from '../../integration-events/record-event.ts';
import { followQuota } from '../../quotas/follow-quota.ts';
import type { VisitRow } from '../list/visit-view.ts';
import { insertStep, updateVisitRow } from '../record/visit-store.ts';

/** What a person did to a visit. */
export interface VisitDeed {
  /** As the audit log names it. */
  action: string;
  /** As the history says it. */
  why: string;
  /** In the person's own words. */
  reason: string | undefined;
}

/** Stores a visit as a person's deed left it, with its history and the audit log, and tells integrators. */
export async function recordDeed(
  tx: Tx,
  actor: Actor,
  visit: { before: VisitRow; after: VisitRow },
  deed: VisitDeed,
): Promise<void> {
  const { before, after } = visit;
  await updateVisitRow(tx.q, { ...after, modifiedAt: actor.at });
  if (after.quota !== null) await followQuota(tx, after, actor.at);
  await recordStep(tx, actor, visit, deed);
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
  { action, why, reason }: VisitDeed,
): Promise<void> {
  await insertStep(tx.q, {
    id: randomUUID(),
    visitId: after.id,
    siteId: after.siteId,
    from: before?.status ?? null,
    to: after.status,
    why,
    by: callerName(actor.caller),
    at: actor.at,
  });
  await audit(tx, actor, {
    action,
    subject: 'visit',
    subjectId: after.id,
    before: before && audited(before),
    after: audited(after),
    reason: reason ?? null,
  });
}

/** What a person can change of a visit. */
function audited(visit: VisitRow) {
  const { plate, status, paymentStatus, startedAt, endedAt, amountMinor, unitsMet, paidMinor, paidUntil } =
    visit;
  return {
    ...{ plate, status, paymentStatus, startedAt, endedAt, amountMinor, unitsMet, paidMinor, paidUntil },
    flags: visit.flags,
  };
}
