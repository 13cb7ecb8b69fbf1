import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { ApprovedOtherwise, decideApproval } from '../../people/approvals/second-person.ts';
import { mayCall } from '../../people/auth/may-call.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedConflict,
  refusedConflict,
  refusedInput,
} from '../../platform/refused.ts';
import { type ApprovalRow, approvalTable as t } from '../../records/approvals/approval-table.ts';
import { APPROVAL_ACTIONS, type ApprovalAction } from './approval-actions.ts';
import { ROUTE_OF_KIND } from './approval-kinds.ts';
import { type Carriers, carryOut } from './carry-out.ts';
import { seesApproval } from './find-approvals.ts';

export type Decided =
  | { ok: true }
  | Refused
  | RefusedConflict
  /** The act could not be carried out, and will not be. */
  | { ok: false; reason: 'failed'; mistakes: Mistake[] };

/** The act was not done: takes the transaction back. */
class NotCarriedOut extends Error {
  readonly refused: Exclude<Awaited<ReturnType<typeof carryOut>>, { ok: true }>;
  constructor(refused: NotCarriedOut['refused']) {
    super('an approved act was not carried out');
    this.refused = refused;
  }
}

/**
 * A second person approves an act, which is done in the same transaction. It is done once, or it still waits.
 *
 * @param amountMinor what the approver has seen; an act that is now worth something else waits on with its new amount
 */
export async function approve(
  carriers: Carriers,
  actor: Actor,
  id: string,
  amountMinor: number | null,
): Promise<Decided> {
  const { db } = carriers;
  const approving: Actor = { ...actor, ifMatch: undefined, approved: { amountMinor } };
  try {
    const done = await db.write(async (tx) => {
      const found = await approvalFor(tx.q, actor, id, 'approve');
      if (!found.ok) return found;
      const { row } = found;
      if (row.amountMinor !== amountMinor) return refusedConflict(mistake('approval-amount-changed'));
      if (!mayCall(actor.caller, ROUTE_OF_KIND[row.kind], { siteId: row.siteId })) return NOT_FOUND;
      const carried = await carryOut(tx, carriers, approving, row);
      if (!carried.ok) throw new NotCarriedOut(carried);
      await decideApproval(tx, actor, row, { state: 'done' });
      return { ok: true as const, send: carried.send };
    });
    if (!done.ok) return done;
    const problem = (await done.send?.()) ?? null;
    return problem === null ? { ok: true } : await fail(db, actor, id, 'done', [problem]);
  } catch (error) {
    if (error instanceof ApprovedOtherwise) return await showAmount(db, id, error.amountMinor);
    if (error instanceof NotCarriedOut) return await notCarriedOut(db, actor, id, error.refused);
    throw error;
  }
}

/** Ends a request without doing anything: a second person refuses it, or the person who made it withdraws it. */
export async function endApproval(
  db: Db,
  actor: Actor,
  id: string,
  end: { action: 'refuse'; answer: string } | { action: 'withdraw' },
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const found = await approvalFor(tx.q, actor, id, end.action);
    if (!found.ok) return found;
    const decision =
      end.action === 'refuse'
        ? ({ state: 'refused', answer: end.answer } as const)
        : ({ state: 'withdrawn' } as const);
    await decideApproval(tx, actor, found.row, decision);
    return { ok: true };
  });
}

async function approvalFor(
  q: Queries,
  { caller, at }: Actor,
  id: string,
  action: ApprovalAction,
): Promise<{ ok: true; row: ApprovalRow } | Refused> {
  const row = await q.select().from(t).where(eq(t.id, id)).get();
  if (row === undefined || !seesApproval(caller, row)) return NOT_FOUND;
  const isOwn = row.requestedBy === callerName(caller);
  const why = APPROVAL_ACTIONS[action].refuse({ ...row, isOwn, at });
  return why === null ? { ok: true, row } : refusedInput(why);
}

/** Refusals that may end soon: the request waits on. */
const PASSING = new Set<Mistake['code']>(['refund-under-way', 'refund-unclear', 'charged-back']);

async function notCarriedOut(
  db: Db,
  actor: Actor,
  id: string,
  refused: NotCarriedOut['refused'],
): Promise<Decided> {
  switch (refused.reason) {
    case 'not-connected':
      return refusedConflict(mistake('reversal-not-connected'));
    case 'not-begun':
      return refusedConflict(mistake('reversal-not-begun', [], { reason: refused.fault }));
    case 'no-answer':
      return refusedConflict(mistake('reversal-unknown'));
    case 'step-up':
      return refusedConflict(mistake('step-up-needed'));
    case 'conflict':
      return await fail(db, actor, id, 'waiting', [refused.mistake]);
    case 'approval':
      throw new Error('an approved act does not wait for a second person');
    case 'not-found':
      return await fail(db, actor, id, 'waiting', [mistake('approval-subject-gone')]);
    case 'already-there':
    case 'input': {
      const mistakes = refused.reason === 'input' ? refused.mistakes : [refused.mistake];
      const [passing] = mistakes.filter(({ code }) => PASSING.has(code));
      if (passing !== undefined) return refusedConflict(passing);
      return await fail(db, actor, id, 'waiting', mistakes);
    }
    default:
      return refused satisfies never;
  }
}

/** The act cannot be done any more: what it changes is no longer as it was. */
async function fail(
  db: Db,
  actor: Actor,
  id: string,
  from: 'waiting' | 'done',
  problems: Mistake[],
): Promise<Decided> {
  await db.write(async (tx) => {
    const row = await tx.q.select().from(t).where(eq(t.id, id)).get();
    if (row?.state === from) await decideApproval(tx, actor, row, { state: 'failed', problems });
  });
  return { ok: false, reason: 'failed', mistakes: problems };
}

/** The request waits on, with what the act is worth now. */
async function showAmount(db: Db, id: string, amountMinor: number | null): Promise<Decided> {
  await db.write(async (tx) => {
    const row = await tx.q.select().from(t).where(eq(t.id, id)).get();
    if (row?.state === 'waiting') await tx.q.update(t).set({ amountMinor }).where(eq(t.id, id));
  });
  return refusedConflict(mistake('approval-amount-changed'));
}
