import { clearSettledTwice } from '../../../money/payments/settled-twice.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { type Actor, ownRows } from '../../../platform/http/caller.ts';
import { NOT_FOUND, type Refused } from '../../../platform/refused.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import { editRow } from '../change/change-visit.ts';
import { recordChange } from '../change/record-change.ts';
import type { VisitFlag, VisitReview } from './visit-commands.ts';

/** Removes the flags that a person has reviewed from a visit, here and at its site. */
export async function reviewVisit(
  db: Db,
  actor: Actor,
  id: string,
  review: VisitReview,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => await reviewVisitWithin(tx, actor, id, review));
}

/** The same within a transaction that does more. */
export async function reviewVisitWithin(
  tx: Tx,
  actor: Actor,
  id: string,
  { flags, reason }: VisitReview,
): Promise<{ ok: true } | Refused> {
  const before = await findVisitRow(tx.q, id, ownRows(actor.caller));
  if (before === null) return NOT_FOUND;
  const reviewed = before.flags.filter(
    (flag) => flag !== 'disputed' && (flags === undefined || flags.includes(flag)),
  );
  if (reviewed.length === 0) return { ok: true };
  const historyText = reason ?? `reviewed: ${reviewed.join(', ')}`;
  const site = await siteOfVisit(tx.q, before);
  const after = await editRow(tx, actor, before, site, { reviewed }, historyText);
  if (reviewed.includes('settled-twice')) await clearSettledTwice(tx.q, id);
  await recordChange(tx, actor, { before, after }, { action: 'visit.review', historyText, reason });
  return { ok: true };
}

/** Puts flags on a visit, here and at its site: a person has another look at it, or undoes a review. */
export async function flagVisitForReview(
  db: Db,
  actor: Actor,
  id: string,
  { flags, reason }: VisitFlag,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findVisitRow(tx.q, id, ownRows(actor.caller));
    if (before === null) return NOT_FOUND;
    const flagged = [...new Set(flags)].filter((flag) => !before.flags.includes(flag));
    if (flagged.length === 0) return { ok: true };
    const historyText = reason ?? `flagged: ${flagged.join(', ')}`;
    const site = await siteOfVisit(tx.q, before);
    const after = await editRow(tx, actor, before, site, { flagged }, historyText);
    await recordChange(tx, actor, { before, after }, { action: 'visit.flag', historyText, reason });
    return { ok: true };
  });
}
