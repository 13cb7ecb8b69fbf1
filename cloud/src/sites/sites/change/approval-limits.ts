import { type AwaitsApproval, requestApproval } from '../../../people/approvals/second-person.ts';
import { audit } from '../../../people/audit/audit.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { isStale, STALE } from '../../../platform/http/etag.ts';
import { NOT_FOUND, type Refused, type RefusedEdit } from '../../../platform/refused.ts';
import { findSite } from '../../../records/sites/find-sites.ts';
import { type ApprovalLimits, LIMITED_ACTS } from '../../../records/sites/limited-acts.ts';
import { updateSite } from '../../../records/sites/site-store.ts';

/**
 * Sets above which amounts a site needs a second person. A higher limit, or none in place of one, needs a second person
 * itself: else one person could lift a limit, and set it again.
 */
export async function changeLimits(
  db: Db,
  actor: Actor,
  id: string,
  limits: ApprovalLimits,
): Promise<{ ok: true } | RefusedEdit | AwaitsApproval> {
  return await db.write(async (tx) => {
    const found = await findSite(tx.q, id);
    if (found === null) return NOT_FOUND;
    if (isStale(actor, found.site)) return STALE;
    return await changeLimitsIn(tx, actor, id, limits);
  });
}

/** The same within a transaction that does more. */
export async function changeLimitsIn(
  tx: Tx,
  actor: Actor,
  id: string,
  limits: ApprovalLimits,
): Promise<{ ok: true } | Refused | AwaitsApproval> {
  const found = await findSite(tx.q, id);
  if (found === null) return NOT_FOUND;
  const before = found.site.approvalLimits;
  const isSame = LIMITED_ACTS.every((act) => before[act] === limits[act]);
  if (isSame) return { ok: true };
  if (isWidened(before, limits) && actor.approved === undefined) {
    const act = { kind: 'limits', subjectId: id, args: limits, siteIds: [id], about: {} } as const;
    return await requestApproval(tx, actor, { ...act, reason: found.site.name }, null);
  }
  await updateSite(tx.q, { ...found.site, approvalLimits: limits, modifiedAt: actor.at });
  await audit(tx, actor, { subject: 'site', subjectId: id, action: 'site.limits', before, after: limits });
  return { ok: true };
}

function isWidened(before: ApprovalLimits, after: ApprovalLimits): boolean {
  return LIMITED_ACTS.some((act) => {
    const [was, is] = [before[act], after[act]];
    return was !== null && (is === null || is > was);
  });
}
