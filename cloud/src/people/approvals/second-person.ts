import { newId } from '@hlid/node/new-id';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { and, eq, lte } from '../../platform/db/sql.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import type { Refused } from '../../platform/refused.ts';
import { isAboveLimit, limitsOf } from '../../records/approvals/approval-limits.ts';
import {
  type ApprovalKind,
  type ApprovalRow,
  approvalTable as t,
} from '../../records/approvals/approval-table.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import type { LimitedAct } from '../../records/sites/limited-acts.ts';
import { auditOf } from '../audit/audit.ts';

/** How long a request waits for its answer. */
export const APPROVAL_LIFE_MS = 7 * DAY_MS;

/** The act waits for a second person, and was not done. */
export interface AwaitsApproval {
  ok: false;
  reason: 'approval';
  id: string;
}

/** An act that gives something up, before anything of it is done. */
export interface ActToApprove {
  kind: ApprovalKind;
  subjectId: string;
  /** The body of the call, which is carried out as it is. */
  args: unknown;
  reason: string;
  /** The sites that it concerns. */
  siteIds: readonly string[];
  about: Partial<Pick<ApprovalRow, 'visitId' | 'invoiceId' | 'paymentId' | 'disputeId'>>;
}

/** The amount that an act gives up. */
export interface GivenUp {
  limit: LimitedAct;
  amountMinor: number;
  currency: string;
  /**
   * The amount of the same kind that was given up before: the sum of both decides, so parts do not pass below
   * the limit.
   */
  beforeMinor: number;
}

/** Takes back what a transaction has done: the act is no longer what a second person has approved. */
export class ApprovedOtherwise extends Error {
  readonly amountMinor: number | null;
  constructor(amountMinor: number | null) {
    super('an act is not what was approved');
    this.amountMinor = amountMinor;
  }
}

export const auditApproval = auditOf<ApprovalRow>(
  'approval',
  ({ id: _, args: __, reason: ___, answer: ____, ...row }) => row,
);

/**
 * Keeps an act until a second person has approved it, if it is above a limit. For a use case in its transaction, when
 * nothing else refuses the act and before it changes anything.
 *
 * @returns null: it may be done now
 */
export async function secondPerson(
  tx: Tx,
  actor: Actor,
  act: ActToApprove,
  given: GivenUp,
): Promise<AwaitsApproval | Refused | null> {
  const { caller, approved } = actor;
  const { limit, amountMinor, beforeMinor, currency } = given;
  if (approved !== undefined) {
    if (approved.amountMinor !== amountMinor) throw new ApprovedOtherwise(amountMinor);
    return null;
  }
  // Parts of the cloud decide nothing: they follow what happened.
  if (caller.kind === 'cloud') return null;
  const limits = await limitsOf(tx.q, act.siteIds);
  const sum = { amountMinor: amountMinor + beforeMinor, currency };
  return isAboveLimit(limits, limit, sum) ? await requestApproval(tx, actor, act, given) : null;
}

/** Stores an act for a second person. @param given null: no amount decides */
export async function requestApproval(
  tx: Tx,
  actor: Actor,
  { kind, subjectId, args, reason, siteIds, about }: ActToApprove,
  given: Pick<GivenUp, 'amountMinor' | 'currency'> | null,
): Promise<AwaitsApproval | Refused> {
  const isSame = and(eq(t.state, 'waiting'), eq(t.kind, kind), eq(t.subjectId, subjectId));
  await expireApprovals(tx, actor, and(isSame, lte(t.expiresAt, actor.at)));
  const waiting = await tx.q.select({ id: t.id }).from(t).where(isSame).get();
  if (waiting !== undefined) {
    return { ok: false, reason: 'already-there', id: waiting.id, mistake: mistake('approval-waiting') };
  }
  const [siteId = null, ...others] = [...new Set(siteIds)];
  const row: ApprovalRow = {
    id: newId(),
    kind,
    subjectId,
    args,
    siteId: others.length > 0 ? null : siteId,
    visitId: about.visitId ?? null,
    invoiceId: about.invoiceId ?? null,
    paymentId: about.paymentId ?? null,
    disputeId: about.disputeId ?? null,
    amountMinor: given?.amountMinor ?? null,
    currency: given?.currency ?? null,
    reason,
    state: 'waiting',
    requestedBy: callerName(actor.caller),
    requestedAt: actor.at,
    expiresAt: utcTime(millis(actor.at) + APPROVAL_LIFE_MS),
    decidedBy: null,
    decidedAt: null,
    answer: null,
    problems: [],
  };
  await tx.q.insert(t).values(row);
  await auditApproval(tx, actor, 'approval.request', null, row, reason);
  await recordEvent(tx, { type: 'approval.requested', subjectId: row.id, siteId: row.siteId, at: actor.at });
  return { ok: false, reason: 'approval', id: row.id };
}

/** Ends requests to which nobody has answered. @returns how many */
export async function expireApprovals(tx: Tx, actor: Actor, those: ReturnType<typeof and>): Promise<number> {
  const rows = await tx.q.select().from(t).where(those);
  for (const row of rows) await decideApproval(tx, actor, row, { state: 'expired' });
  return rows.length;
}

/** The end of a request: what was decided, by whom and when. */
export async function decideApproval(
  tx: Tx,
  actor: Actor,
  before: ApprovalRow,
  decision: Pick<ApprovalRow, 'state'> & Partial<Pick<ApprovalRow, 'answer' | 'problems' | 'amountMinor'>>,
): Promise<void> {
  const fields = { ...decision, decidedBy: callerName(actor.caller), decidedAt: actor.at };
  await tx.q.update(t).set(fields).where(eq(t.id, before.id));
  const after: ApprovalRow = { ...before, ...fields };
  await auditApproval(tx, actor, `approval.${ACTION_OF[after.state]}`, before, after, decision.answer);
  const { id: subjectId, siteId } = before;
  await recordEvent(tx, { type: 'approval.decided', subjectId, siteId, at: actor.at });
}

const ACTION_OF: Readonly<Record<ApprovalRow['state'], string>> = {
  waiting: 'request',
  done: 'approve',
  refused: 'refuse',
  withdrawn: 'withdraw',
  expired: 'expire',
  failed: 'fail',
};
