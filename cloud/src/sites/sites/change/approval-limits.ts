import { type AwaitsApproval, requestApproval } from '../../../people/approvals/second-person.ts';
import { audit } from '../../../people/audit/audit.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { isStale, STALE } from '../../../platform/http/etag.ts';
import { NOT_FOUND, type Refused, type RefusedEdit } from '../../../platform/refused.ts';
import { findSite } from '../../../records/sites/find-sites.ts';
import { type ApprovalLimits, LIMITED_ACTS, type LimitedAct } from '../../../records/sites/limited-acts.ts';
import { updateSite } from '../../../records/sites/site-store.ts';
import type { LimitsEdit } from '../site-view.ts';

/**
 * Changes above which amounts a site needs a second person. A higher limit, or none in place of one, needs a second person
 * itself: else one person could lift a limit, and set it again.
 */
export async function changeLimits(
  db: Db,
  actor: Actor,
  id: string,
  edit: LimitsEdit,
): Promise<{ ok: true } | RefusedEdit | AwaitsApproval> {
  return await db.write(async (tx) => {
    const found = await findSite(tx.q, id);
    if (found === null) return NOT_FOUND;
    if (isStale(actor, found.site)) return STALE;
    return await changeLimitsIn(tx, actor, id, edit);
  });
}

/** The same within a transaction that does more. */
export async function changeLimitsIn(
  tx: Tx,
  actor: Actor,
  id: string,
  edit: LimitsEdit,
): Promise<{ ok: true } | Refused | AwaitsApproval> {
  const found = await findSite(tx.q, id);
  if (found === null) return NOT_FOUND;
  const before = found.site.approvalLimits;
  const limits = changedLimits(before, edit);
  const isSame = LIMITED_ACTS.every((act) => before[act] === limits[act]);
  if (isSame) return { ok: true };
  if (isWidened(before, limits) && actor.approved === undefined) {
    const act = { kind: 'limits', subjectId: id, args: edit, siteIds: [id], about: {} } as const;
    return await requestApproval(tx, actor, { ...act, reason: found.site.name }, null);
  }
  await updateSite(tx.q, { ...found.site, approvalLimits: limits, modifiedAt: actor.at });
  await audit(tx, actor, { subject: 'site', subjectId: id, action: 'site.limits', before, after: limits });
  return { ok: true };
}

/** A limit that the edit does not name stays, so that no call lifts one by leaving it out. */
function changedLimits(before: ApprovalLimits, edit: LimitsEdit): ApprovalLimits {
  const limitOf = (act: LimitedAct) => {
    const limit = edit[act];
    return limit === undefined ? before[act] : limit;
  };
  return {
    refund: limitOf('refund'),
    waiver: limitOf('waiver'),
    credit: limitOf('credit'),
    close: limitOf('close'),
  };
}

function isWidened(before: ApprovalLimits, after: ApprovalLimits): boolean {
  return LIMITED_ACTS.some((act) => {
    const [was, is] = [before[act], after[act]];
    return was !== null && (is === null || is > was);
  });
}
