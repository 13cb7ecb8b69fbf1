import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from 'zod';
import { type AwaitsApproval, secondPerson } from '../../people/approvals/second-person.ts';
import { auditOf } from '../../people/audit/audit.ts';
import { mayCall } from '../../people/auth/may-call.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, eq, inArray, isNull } from '../../platform/db/sql.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedConflict,
  refusedConflict,
  refusedInput,
} from '../../platform/refused.ts';
import { accountTable as a } from '../../records/accounts/account-table.ts';
import {
  DAY_SIGNED,
  type DayCloseRow,
  type DayDifferenceRow,
  dayDifferenceTable as d,
  SEVERAL_SITES,
  dayCloseTable as t,
} from '../../records/books/day-close-table.ts';
import { moneyFileTable } from '../../records/books/money-file-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import type { CloseDifference } from './carry-over.ts';
import { CLOSE_ACTIONS } from './close-actions.ts';
import { unpackSnapshot } from './close-snapshot.ts';
import {
  closeOfDay,
  dayToBeOver,
  differencesOf,
  factsOfClose,
  findClose,
  isUndecided,
  placeOf,
  siteOf,
  todayAt,
} from './close-store.ts';
import type { ClosingPlace } from './closing-place.ts';
import { type ComputedClose, computeClose, storedRow } from './compute-close.ts';
import type { DayDecision } from './day-close.ts';
import { SignSchema } from './day-close.ts';
import { filesOfDay } from './gather-providers.ts';

const auditClose = auditOf<DayCloseRow>('day-close', ({ id: _, snapshot: __, expected: ___, ...row }) => ({
  ...row,
  siteId: siteOf(row),
}));

/** How often a day is compared again because another person has changed its close meanwhile. */
const MAX_TRIES = 3;

type Computed = { ok: true; id: string } | Refused | RefusedConflict;

/** Makes the close of a day, or compares the day again. What was decided about a difference stays while it is the same. */
export async function makeClose(
  db: Db,
  actor: Actor,
  asked: { siteId: string | null; day: string },
): Promise<Computed> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const made = await tryToMake(db, actor, asked);
    if (made !== null) return made;
  }
  return refusedConflict(mistake('day-close-changed'));
}

/** @returns null: another one has changed the close while the day was compared */
async function tryToMake(
  db: Db,
  actor: Actor,
  { siteId, day }: { siteId: string | null; day: string },
): Promise<Computed | null> {
  const read = await db.read(async (q) => {
    const place = await placeOf(q, siteId, day);
    if (place === null) return null;
    const before = await closeOfDay(q, place);
    const today = todayAt(place, actor.at);
    if (day > today || before?.state === 'signed') return { place, today, before, computed: null };
    return { place, today, before, computed: await computeClose(q, place, today) };
  });
  if (read === null) return refusedInput(mistake('not-found', 'siteId', { what: 'site' }));
  const { place, today, before, computed } = read;
  if (day > today) return refusedInput(mistake('day-not-begun', 'day'));
  if (computed === null) return refusedInput(mistake('day-close-signed'));
  return await db.write(async (tx) => {
    const now = await closeOfDay(tx.q, place);
    if (now?.revision !== before?.revision || now?.id !== before?.id) return null;
    return { ok: true, id: await storeComputed(tx, actor, { place, before: now, computed }) };
  });
}

async function storeComputed(
  tx: Tx,
  actor: Actor,
  { place, before, computed }: { place: ClosingPlace; before: DayCloseRow | null; computed: ComputedClose },
): Promise<string> {
  const { columns, expected, arrived, snapshot, differences } = computed;
  const figures = { columns, expected, arrived, snapshot };
  if (before === null) {
    const row: DayCloseRow = {
      id: newId(),
      siteId: place.siteId ?? SEVERAL_SITES,
      day: place.day,
      state: 'open',
      revision: 1,
      ...figures,
      computedAt: actor.at,
      computedBy: callerName(actor.caller),
      signedAt: null,
      signedBy: null,
    };
    await tx.q.insert(t).values(row);
    for (const [place, one] of differences.entries()) await insertDifference(tx.q, row.id, place + 1, one);
    await auditClose(tx, actor, 'day-close.compute', null, row);
    return row.id;
  }
  const stored = await differencesOf(tx.q, [before.id]);
  if (!hasChanged(before, stored, computed)) return before.id;
  const after: DayCloseRow = {
    ...before,
    ...figures,
    revision: before.revision + 1,
    computedAt: actor.at,
    computedBy: callerName(actor.caller),
  };
  const { id, ...fields } = after;
  await tx.q.update(t).set(fields).where(eq(t.id, id));
  await replaceDifferences(tx.q, id, stored, differences);
  await auditClose(tx, actor, 'day-close.compute', before, after);
  return id;
}

/** Whether a comparison found anything else than what a close has. */
function hasChanged(
  before: DayCloseRow,
  stored: readonly DayDifferenceRow[],
  { columns, expected, arrived, differences }: ComputedClose,
): boolean {
  const figures = (one: Pick<DayCloseRow, 'columns' | 'expected' | 'arrived'>) =>
    JSON.stringify([one.columns, one.expected, one.arrived]);
  const texts = (all: readonly { key: string; amountMinor: number }[]) =>
    JSON.stringify(all.map(({ key, amountMinor }) => `${key} ${amountMinor}`).sort());
  return figures(before) !== figures({ columns, expected, arrived }) || texts(stored) !== texts(differences);
}

async function replaceDifferences(
  q: Queries,
  closeId: string,
  stored: readonly DayDifferenceRow[],
  found: readonly CloseDifference[],
): Promise<void> {
  const byKey = new Map(stored.map((row) => [row.key, row]));
  const kept = new Set<string>();
  let n = Math.max(0, ...stored.map((row) => row.n));
  for (const one of found) {
    const same = byKey.get(one.key);
    if (same?.amountMinor === one.amountMinor) kept.add(one.key);
  }
  const gone = stored.filter(({ key }) => !kept.has(key)).map((row) => row.n);
  for (const number of gone) await q.delete(d).where(and(eq(d.closeId, closeId), eq(d.n, number)));
  for (const one of found) if (!kept.has(one.key)) await insertDifference(q, closeId, ++n, one);
}

async function insertDifference(
  q: Queries,
  closeId: string,
  n: number,
  { key, kind, cause, ofCloseId, amountMinor, currency, rows }: CloseDifference,
): Promise<void> {
  const row: DayDifferenceRow = {
    closeId,
    n,
    key,
    kind,
    cause,
    ofCloseId,
    amountMinor,
    currency,
    rows: rows.map(storedRow),
    decision: 'open',
    reason: null,
    decidedBy: null,
    decidedAt: null,
    assigneeId: null,
    answer: null,
  };
  await q.insert(d).values(row);
}

/** Decides about differences of a close: all that are named, or none. */
export async function decideDifferences(
  db: Db,
  actor: Actor,
  id: string,
  decision: DayDecision,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findClose(tx.q, id);
    if (before === null) return NOT_FOUND;
    const all = await differencesOf(tx.q, [id]);
    const refused = CLOSE_ACTIONS.decide.refuse(factsOfClose(before, all, null));
    if (refused !== null) return refusedInput(refused);
    const wanted = new Set(decision.differences);
    const chosen = all.filter(({ n }) => wanted.has(n));
    const [unknown] = [...wanted].filter((n) => !chosen.some((row) => row.n === n));
    if (unknown !== undefined) {
      return refusedInput(mistake('day-close-difference', 'differences', { difference: String(unknown) }));
    }
    const wrong = await refuseDecision(tx.q, actor, before, chosen, decision);
    if (wrong !== null) return wrong;
    for (const { n } of chosen) {
      await tx.q
        .update(d)
        .set(fieldsOf(decision, actor))
        .where(and(eq(d.closeId, id), eq(d.n, n)));
    }
    const after: DayCloseRow = { ...before, revision: before.revision + 1 };
    await tx.q.update(t).set({ revision: after.revision }).where(eq(t.id, id));
    await auditClose(
      tx,
      actor,
      `day-close.${ACTION_OF[decision.decision]}`,
      before,
      after,
      reasonOf(decision),
    );
    return { ok: true };
  });
}

const ACTION_OF: Readonly<Record<DayDecision['decision'], string>> = {
  accepted: 'accept',
  'written-off': 'write-off',
  task: 'assign',
  done: 'answer',
  open: 'reopen',
};

function reasonOf(decision: DayDecision): string | null {
  if (decision.decision === 'open') return null;
  return decision.decision === 'done' ? decision.answer : decision.reason;
}

function fieldsOf(decision: DayDecision, actor: Actor): Partial<DayDifferenceRow> {
  const by = { decidedBy: callerName(actor.caller), decidedAt: actor.at };
  switch (decision.decision) {
    case 'open':
      return {
        decision: 'open',
        reason: null,
        assigneeId: null,
        answer: null,
        decidedBy: null,
        decidedAt: null,
      };
    case 'task': {
      const { reason, assigneeId } = decision;
      return { decision: 'task', reason, assigneeId, answer: null, ...by };
    }
    case 'done':
      return { decision: 'done', answer: decision.answer, ...by };
    case 'accepted':
    case 'written-off':
      return { decision: decision.decision, reason: decision.reason, assigneeId: null, answer: null, ...by };
    default:
      return decision satisfies never;
  }
}

async function refuseDecision(
  q: Queries,
  { caller }: Actor,
  close: DayCloseRow,
  chosen: readonly DayDifferenceRow[],
  decision: DayDecision,
): Promise<Refused | null> {
  if (decision.decision === 'task') {
    const isFit = (await peopleFor(q, close)).some(({ id }) => id === decision.assigneeId);
    return isFit ? null : refusedInput(mistake('day-close-assignee', 'assigneeId'));
  }
  if (decision.decision !== 'done') return null;
  const own = caller.kind === 'account' ? caller.accountId : null;
  const isOwn = chosen.every((row) => row.decision === 'task' && row.assigneeId === own);
  return isOwn ? null : refusedInput(mistake('day-close-own-task'));
}

/** The operators who can look into a difference: those who may decide about it themselves. */
export async function peopleFor(q: Queries, close: DayCloseRow): Promise<{ id: string; name: string }[]> {
  const operators = await operatorsOf(q);
  return operators
    .filter(({ rights, id }) =>
      mayCall(
        { kind: 'account', accountId: id, role: 'operator', customerId: null, tokenId: '', rights },
        CLOSE_ACTIONS.decide.route,
        { siteId: siteOf(close) },
      ),
    )
    .map(({ id, name }) => ({ id, name }));
}

/** There are few: a list is always whole. */
const MAX_OPERATORS = 500;

async function operatorsOf(q: Queries) {
  const rows = await q
    .select()
    .from(a)
    .where(and(eq(a.role, 'operator'), eq(a.status, 'active')))
    .limit(MAX_OPERATORS);
  return rows.map(({ id, name, permissions, siteIds }) => ({ id, name, rights: { permissions, siteIds } }));
}

/** Signs a close, after the day was compared once more: who signs has seen what is true now. */
export async function signClose(
  db: Db,
  actor: Actor,
  id: string,
  args: { revision: number },
): Promise<{ ok: true } | Refused | RefusedConflict | AwaitsApproval> {
  const close = await db.read((q) => findClose(q, id));
  if (close === null) return NOT_FOUND;
  if (close.state === 'open' && close.revision === args.revision) {
    const again = await makeClose(db, actor, { siteId: siteOf(close), day: close.day });
    if (!again.ok) return again;
  }
  return await db.write((tx) => signIn(tx, actor, id, args));
}

/** A call of a person, or a request for approval, which names the close too. */
const AsRequestedSchema = z.object(SignSchema.shape);

/** The same within a transaction that does more. What a second person has approved is signed as it was seen. */
export async function signIn(
  tx: Tx,
  actor: Actor,
  id: string,
  args: unknown,
): Promise<{ ok: true } | Refused | RefusedConflict | AwaitsApproval> {
  const { revision } = AsRequestedSchema.parse(args);
  const before = await findClose(tx.q, id);
  const siteId = before && siteOf(before);
  const place = before && (await placeOf(tx.q, siteId, before.day));
  if (before === null || place === null) return NOT_FOUND;
  const differences = await differencesOf(tx.q, [id]);
  const today = await dayToBeOver(tx.q, place, actor.at);
  const refused = CLOSE_ACTIONS.sign.refuse(factsOfClose(before, differences, today));
  if (refused !== null) return refusedInput(refused);
  if (before.revision !== revision) return refusedConflict(mistake('day-close-changed'));
  const waits = await askSecondPerson(tx, actor, before, differences, revision);
  if (waits !== null) return waits;
  await markFiles(tx.q, before, place);
  const after: DayCloseRow = {
    ...before,
    state: 'signed',
    revision: revision + 1,
    signedAt: actor.at,
    signedBy: callerName(actor.caller),
  };
  const { id: _, ...fields } = after;
  await tx.q.update(t).set(fields).where(eq(t.id, id));
  await auditClose(tx, actor, 'day-close.sign', before, after);
  tx.announce(DAY_SIGNED);
  return { ok: true };
}

/** What is accepted and written off is given up, one way or the other; a limit in one currency says nothing of others. */
async function askSecondPerson(
  tx: Tx,
  actor: Actor,
  close: DayCloseRow,
  differences: readonly DayDifferenceRow[],
  revision: number,
): Promise<AwaitsApproval | Refused | null> {
  const sums = new Map<string, number>();
  for (const { currency, amountMinor } of differences.filter((one) => !isUndecided(one))) {
    sums.set(currency, (sums.get(currency) ?? 0) + Math.abs(amountMinor));
  }
  const siteId = siteOf(close);
  const siteIds = siteId === null ? await everySite(tx.q) : [siteId];
  // The largest decides first: one request is enough for all.
  const [largest] = [...sums].sort(([, one], [, other]) => other - one);
  if (largest === undefined) return null;
  const [currency, amountMinor] = largest;
  const act = {
    kind: 'day-close' as const,
    subjectId: close.id,
    // The close is named for who approves.
    args: { revision, closeId: close.id },
    reason: close.day,
    siteIds,
    about: {},
  };
  return await secondPerson(tx, actor, act, { limit: 'close', amountMinor, currency, beforeMinor: 0 });
}

async function everySite(q: Queries): Promise<string[]> {
  const rows = await q.select({ id: siteTable.id }).from(siteTable).where(isNull(siteTable.archivedAt));
  return rows.map(({ id }) => id);
}

/** The files of which rows were compared stay: they show how the figures came about. */
async function markFiles(q: Queries, { id, snapshot }: DayCloseRow, place: ClosingPlace): Promise<void> {
  const { rows } = unpackSnapshot(snapshot).own;
  const ofFiles = rows.filter(({ thing }) => thing === 'settlement-row' || thing === 'bank-entry');
  const files = await filesOfDay(
    q,
    place,
    ofFiles.map((row) => row.id),
  );
  if (files.length === 0) return;
  await q
    .update(moneyFileTable)
    .set({ usedBy: id })
    .where(and(inArray(moneyFileTable.id, files), isNull(moneyFileTable.usedBy)));
}
