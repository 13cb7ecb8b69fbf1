import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, callerName, ownRows, seesSite } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, type RefusedConflict, refusedConflict } from '../../platform/refused.ts';
import type { ProposalRow } from '../../records/matching/match-table.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { findPhoto } from '../photos/find-photos.ts';
import { teach } from './confusion-store.ts';
import { endAtMatch, findMatched, undoMatch } from './end-at-match.ts';
import {
  deleteProposals,
  openProposalsWith,
  proposalById,
  putProposal,
  unmatchedExit,
} from './match-store.ts';
import { PROPOSAL_ACTIONS } from './proposal-actions.ts';

export const auditProposal = auditOf<ProposalRow>('match-proposal', ({ undo: _undo, ...row }) => row);

export type Judged =
  | { ok: true; proposal: ProposalRow }
  | Extract<Refused, { reason: 'not-found' }>
  | RefusedConflict;

const CHANGED = refusedConflict(mistake('changed-since'));

/** A person says that the two are one car: the visit ends at the exit. */
export async function acceptProposal(db: Db, actor: Actor, id: string): Promise<Judged> {
  return await judge(db, actor, id, 'accept', async (tx, row) => {
    const free = await freeCars(tx.q, row);
    if (free === null) return CHANGED;
    const undo = await endAtMatch(tx, actor, free);
    await teach(tx.q, await readAtEntry(tx.q, free.visit), free.exit, 1);
    await withdrawOthers(tx, row);
    return { ...row, state: 'accepted', isJudged: true, undo };
  });
}

/** A person says that the two are not one car: nothing changes, and the pair is not proposed again. */
export async function rejectProposal(db: Db, actor: Actor, id: string): Promise<Judged> {
  return await judge(db, actor, id, 'reject', async (_tx, row) => ({
    ...row,
    state: 'rejected',
    isJudged: true,
  }));
}

/** Takes back what a person, or the run, has decided. A pair that a person decided is proposed again. */
export async function undoProposal(db: Db, actor: Actor, id: string): Promise<Judged> {
  return await judge(db, actor, id, 'undo', async (tx, row) => {
    const { state, undo, visitId, exitReadId } = row;
    const after = {
      ...row,
      state: state === 'settled' ? 'undone' : 'open',
      isJudged: true,
      undo: null,
    } as const;
    if (undo === null) return after;
    const matched = await findMatched(tx.q, visitId, exitReadId);
    if ('reason' in matched) return matched;
    const refused = await undoMatch(tx, actor, matched, undo);
    if (refused !== null) return refused;
    await teach(tx.q, await readAtEntry(tx.q, matched.visit), matched.exit, -1);
    return after;
  });
}

async function judge(
  db: Db,
  actor: Actor,
  id: string,
  action: keyof typeof PROPOSAL_ACTIONS,
  change: (tx: Tx, row: ProposalRow) => Promise<ProposalRow | RefusedConflict>,
): Promise<Judged> {
  return await db.write(async (tx) => {
    const row = await proposalById(tx.q, id);
    if (row === null || !seesSite(ownRows(actor.caller), row.siteId)) return NOT_FOUND;
    const why = PROPOSAL_ACTIONS[action].refuse(row);
    if (why !== null) return refusedConflict(why);
    const changed = await change(tx, row);
    if ('reason' in changed) return changed;
    const proposal = { ...changed, modifiedAt: actor.at, by: callerName(actor.caller) };
    await putProposal(tx.q, proposal);
    await auditProposal(tx, actor, `match-proposal.${action}`, row, proposal);
    return { ok: true, proposal };
  });
}

/** The open visit and the exit of a pair, if neither has found another since; null: one has. */
export async function freeCars(
  q: Queries,
  { visitId, exitReadId }: Pick<ProposalRow, 'visitId' | 'exitReadId'>,
): Promise<{ visit: VisitRow; exit: PhotoRow } | null> {
  const visit = await findVisitRow(q, visitId, ALL_ROWS);
  const exit = await unmatchedExit(q, exitReadId);
  if (visit === null || exit === null || visit.endedAt !== null || visit.plate === null) return null;
  return visit.siteId === exit.siteId ? { visit, exit } : null;
}

export async function readAtEntry(q: Queries, { entryReadId }: VisitRow): Promise<PhotoRow | null> {
  return entryReadId === null ? null : ((await findPhoto(q, entryReadId, ALL_ROWS))?.photo ?? null);
}

/** People are not asked any more about other pairs of the two. The run proposes them again, should this one be undone. */
export async function withdrawOthers(tx: Tx, { id, visitId, exitReadId }: ProposalRow): Promise<void> {
  const others = await openProposalsWith(tx.q, { visitId, exitReadId });
  await deleteProposals(
    tx.q,
    others.flatMap((other) => (other.id === id ? [] : [other.id])),
  );
}
