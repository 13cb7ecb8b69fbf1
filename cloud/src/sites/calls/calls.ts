import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { CALL_RINGS_MS } from '@hlid/protocol/site-link/edge-api';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { auditOf, cloudActor } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, desc, eq, inArray, lt } from '../../platform/db/sql.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { type CallRow, callTable as t } from '../../records/calls/call-table.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { type CallClose, type CallView, callView } from './call-view.ts';

/** How long calls that are over are listed, and kept. */
const KEPT_MS = 30 * DAY_MS;
const MAX_LISTED = 200;
const EXPIRES_EVERY_MS = 15_000;

const auditCall = auditOf<CallRow>('call', ({ id: _, ...row }) => row);

/** A call; null: there is none. */
export async function findCall(q: Queries, id: string): Promise<CallView | null> {
  const row = await q.select().from(t).where(eq(t.id, id)).get();
  return row === undefined ? null : callView(row);
}

/** Calls of these sites (null: of all): those that ring or are accepted, or those that are over; the newest first. */
export async function listCalls(
  q: Queries,
  { siteIds, over }: { siteIds: readonly string[] | null; over: boolean },
): Promise<CallView[]> {
  const states = over ? (['closed', 'missed'] as const) : (['ringing', 'accepted'] as const);
  const rows = await q
    .select()
    .from(t)
    .where(and(inArray(t.state, [...states]), ofSites(t.siteId, siteIds)))
    .orderBy(desc(t.at), desc(t.id))
    .limit(MAX_LISTED);
  return rows.map(callView);
}

/** A driver's call as its site reports it. One that comes too late rings nowhere. */
export async function ingestCall(
  tx: Tx,
  { siteId, at, arrivedAt }: { siteId: string; at: UtcTime; arrivedAt: UtcTime },
  { callId: id, terminalId, visitId, language }: Extract<SiteEventBody, { type: 'help.wanted' }>,
): Promise<void> {
  const isLate = millis(arrivedAt) - millis(at) > CALL_RINGS_MS;
  const nobody = { acceptedBy: null, acceptedByName: null, acceptedAt: null, closedBy: null };
  const open = { ...nobody, closedAt: null, done: null, note: null };
  const row: CallRow = { id, siteId, terminalId, visitId, language, at, state: 'ringing', ...open };
  const late = { state: 'missed' as const, closedAt: arrivedAt };
  await tx.q
    .insert(t)
    .values({ ...row, ...(isLate && late) })
    .onConflictDoNothing();
  const type = isLate ? 'call.closed' : 'call.opened';
  await recordEvent(tx, { type, subjectId: id, siteId, at: arrivedAt });
}

type Changed = { ok: true; call: CallView } | { ok: false; call: CallView } | null;

/**
 * An operator accepts a call: the first one has it.
 *
 * @returns not ok: another operator has it, or it is over; null: there is no such call
 */
export async function acceptCall(db: Db, actor: Actor, id: string): Promise<Changed> {
  return await db.write(async (tx) => {
    const before = await tx.q.select().from(t).where(eq(t.id, id)).get();
    if (before === undefined) return null;
    const by = callerName(actor.caller);
    if (before.state !== 'ringing') {
      return { ok: before.state === 'accepted' && before.acceptedBy === by, call: callView(before) };
    }
    const { caller } = actor;
    const name =
      caller.kind === 'account' ? ((await findAccount(tx.q, caller.accountId))?.name ?? null) : null;
    const fields = { state: 'accepted', acceptedBy: by, acceptedByName: name, acceptedAt: actor.at } as const;
    return { ok: true, call: await change(tx, actor, before, fields, 'call.accepted') };
  });
}

/**
 * Closes a call, with what was done, by the person who has accepted it. Any person may close a call that has
 * not been accepted.
 */
export async function closeCall(db: Db, actor: Actor, id: string, closing: CallClose): Promise<Changed> {
  return await db.write(async (tx) => {
    const before = await tx.q.select().from(t).where(eq(t.id, id)).get();
    if (before === undefined) return null;
    const by = callerName(actor.caller);
    const isAnothers = before.state === 'accepted' && before.acceptedBy !== by;
    const isOver = before.state === 'closed' || before.state === 'missed';
    if (isAnothers || isOver) return { ok: false, call: callView(before) };
    const { done, note = '' } = closing;
    const fields = { state: 'closed', closedBy: by, closedAt: actor.at, done, note } as const;
    return { ok: true, call: await change(tx, actor, before, fields, 'call.closed') };
  });
}

async function change(
  tx: Tx,
  actor: Actor,
  before: CallRow,
  fields: Partial<CallRow>,
  type: 'call.accepted' | 'call.closed',
): Promise<CallView> {
  const after = { ...before, ...fields };
  await tx.q.update(t).set(fields).where(eq(t.id, before.id));
  await auditCall(tx, actor, type, before, after);
  await recordEvent(tx, { type, subjectId: before.id, siteId: before.siteId, at: actor.at });
  return callView(after);
}

/** Marks calls that no operator has accepted in time as missed; deletes old ones. */
export function callRun(db: Db): ScheduledRun {
  const tooLong = (now: UtcTime) =>
    and(eq(t.state, 'ringing'), lt(t.at, utcTime(millis(now) - CALL_RINGS_MS)));
  const old = (now: UtcTime) =>
    and(inArray(t.state, ['closed', 'missed']), lt(t.at, utcTime(millis(now) - KEPT_MS)));
  return {
    name: 'calls',
    everyMs: EXPIRES_EVERY_MS,
    isDue: (now) =>
      db.read(async (q) => {
        const due = await q.select({ id: t.id }).from(t).where(tooLong(now)).limit(1).get();
        return (
          due !== undefined || (await q.select({ id: t.id }).from(t).where(old(now)).get()) !== undefined
        );
      }),
    async work({ now }) {
      await db.write(async (tx) => {
        for (const row of await tx.q.select().from(t).where(tooLong(now)).all()) {
          await change(tx, cloudActor('calls', now), row, { state: 'missed', closedAt: now }, 'call.closed');
        }
        await tx.q.delete(t).where(old(now));
      });
    },
  };
}
