import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { RetentionConfig } from './retention-config.ts';
import { ROW_KEYS, type RowWindow, rowWindows } from './row-windows.ts';

/** Rows that went, by what they were. */
export type Pruned = Record<'reads' | 'passages' | 'visits' | 'settlements' | 'payments', number>;

/** Between a fact and the clock of its event there may be a clock that was set. */
const CLOCK_MARGIN_MS = DAY_MS;

/** Values that say what is old enough, by the names that the statements below use. */
interface Ages {
  readsBefore: UtcTime;
  visitsBefore: UtcTime;
  unsettledBefore: UtcTime;
  acknowledged: number;
}

const OVER = `ended_at IS NOT NULL AND reported_seq <= @acknowledged
  AND ended_at < iif(json_extract(body, '$.status') = 'completed', @visitsBefore, @unsettledBefore)`;

/** What goes of each table. A settlement goes after its visit: should a person settle it again, it is known here. */
const BOOKS = [
  { kind: 'reads', table: 'read', old: 'received_at < @readsBefore' },
  { kind: 'passages', table: 'passage', old: "last_seen_at < @readsBefore AND gate <> 'wanted'" },
  { kind: 'visits', table: 'visit', old: OVER },
  {
    kind: 'settlements',
    table: 'settlement',
    old: `json_extract(body, '$.settledAt') < @visitsBefore
      AND NOT EXISTS (SELECT 1 FROM visit WHERE visit.id = settlement.visit_id)`,
  },
  {
    kind: 'payments',
    table: 'payment',
    // What is booked is compared with the terminal's day first, however late that is closed.
    old: `changed_at < @visitsBefore AND needs_person = 0
      AND state NOT IN ('created', 'sent', 'approved', 'unknown') AND (state <> 'settled' OR day_closed_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM visit WHERE visit.id = payment.visit_id)`,
  },
] as const;

/**
 * Forgets what is old in the site's books, in steps that hold no gate up. Visits that are not over stay, and whatever
 * the cloud has not been told: should it ask, it is answered from here.
 */
export async function pruneBooks(
  parts: { db: SiteDb; commit: GroupCommit; keep: RetentionConfig; acknowledged: () => number },
  now: Date,
  signal: AbortSignal,
): Promise<Pruned> {
  const { db, commit } = parts;
  const pruned: Pruned = { reads: 0, passages: 0, visits: 0, settlements: 0, payments: 0 };
  const firstUntold = db
    .prepare<[number], string>('SELECT at FROM event WHERE seq > ? ORDER BY seq LIMIT 1')
    .pluck();

  function ages(): Ages {
    const { readDays, visitDays, unsettledDays } = parts.keep;
    const acknowledged = parts.acknowledged();
    const untold = firstUntold.get(acknowledged);
    const told = untold === undefined ? now.getTime() : millis(untold) - CLOCK_MARGIN_MS;
    const before = (days: number) => utcTime(Math.min(now.getTime() - days * DAY_MS, told));
    return {
      readsBefore: before(readDays),
      visitsBefore: before(visitDays),
      unsettledBefore: before(unsettledDays),
      acknowledged,
    };
  }

  for (const { kind, table, old } of BOOKS) {
    const key = ROW_KEYS[table];
    const within = `${key} > @after AND ${key} <= @upTo AND ${old}`;
    const anyOld = db.prepare<[RowWindow & Ages], number>(`SELECT 1 FROM ${table} WHERE ${within} LIMIT 1`);
    const drop = db.prepare<[RowWindow & Ages]>(`DELETE FROM ${table} WHERE ${within}`);
    for await (const window of rowWindows(db, table)) {
      if (signal.aborted) return pruned;
      // Nothing is written for a window in which all is new.
      if (anyOld.get({ ...window, ...ages() }) === undefined) continue;
      // Looked at again within the transaction: meanwhile a person may have opened a visit again.
      pruned[kind] += await commit.run(() => drop.run({ ...window, ...ages() }).changes);
    }
  }
  return pruned;
}
