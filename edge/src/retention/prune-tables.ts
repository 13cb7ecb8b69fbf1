import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { RetentionConfig } from './retention-config.ts';
import { type RowWindow, rowWindows } from './row-windows.ts';

/** Deleted rows, by what they were. */
export type Pruned = Record<
  'reads' | 'passages' | 'standingPlates' | 'visits' | 'settlements' | 'payments',
  number
>;

/** The clock may have been set between a fact and its event. */
const CLOCK_MARGIN_MS = DAY_MS;

/** The parameters of the statements below. */
interface Ages {
  readsBefore: UtcTime;
  visitsBefore: UtcTime;
  unsettledBefore: UtcTime;
  acknowledged: number;
}

const OVER = `ended_at IS NOT NULL AND reported_seq <= @acknowledged
  AND ended_at < max(@visitsBefore, @unsettledBefore)
  AND ended_at < iif(json_extract(unpacked(body), '$.status') = 'completed', @visitsBefore, @unsettledBefore)`;

/** The retention has closed these visits, which never ended, and their time is over. */
const LOST = `ended_at IS NOT NULL AND reported_seq <= @acknowledged
  AND json_extract(unpacked(body), '$.status') = 'completed'
  AND json_extract(unpacked(body), '$.startedAt') < @unsettledBefore
  AND instr(json_extract(unpacked(body), '$.flags'), '"lost-exit"') > 0`;

/**
 * The rows of each table that are deleted. Settlements stay longer than their visit, in case it is settled
 * again.
 */
const TABLES = [
  { kind: 'reads', table: 'read', old: 'received_at < @readsBefore' },
  { kind: 'passages', table: 'passage', old: "last_seen_at < @readsBefore AND gate <> 'wanted'" },
  { kind: 'standingPlates', table: 'standing_plate', old: 'seen_at < @readsBefore' },
  { kind: 'visits', table: 'visit', old: `((${OVER}) OR (${LOST}))` },
  {
    kind: 'settlements',
    table: 'settlement',
    old: `json_extract(unpacked(body), '$.settledAt') < @visitsBefore
      AND NOT EXISTS (SELECT 1 FROM visit WHERE visit.id = settlement.visit_id)`,
  },
  {
    kind: 'payments',
    table: 'payment',
    // A settled payment is first compared with the terminal's day, however late that is closed.
    old: `changed_at < @visitsBefore AND needs_person = 0
      AND state NOT IN ('created', 'sent', 'approved', 'unknown') AND (state <> 'settled' OR day_closed_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM visit WHERE visit.id = payment.visit_id)`,
  },
] as const;

type PruneContext = Pick<EdgeContext, 'db' | 'commit' | 'events'>;

/**
 * Deletes old rows from the site's tables, in steps that delay no gate. Visits that are not over stay, and whatever
 * has not been reported to the cloud, which may still need it from here.
 */
export async function pruneTables(
  context: PruneContext,
  { keep, now, signal }: { keep: RetentionConfig; now: Date; signal: AbortSignal },
): Promise<Pruned> {
  const { db, commit } = context;
  const pruned: Pruned = {
    reads: 0,
    passages: 0,
    standingPlates: 0,
    visits: 0,
    settlements: 0,
    payments: 0,
  };
  const ages = agesOf(context, keep, now);
  for (const { kind, table, old } of TABLES) {
    const condition = `rowid > @after AND rowid <= @upTo AND ${old}`;
    const anyOld = db.prepare<[RowWindow & Ages], number>(
      `SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`,
    );
    const drop = db.prepare<[RowWindow & Ages]>(`DELETE FROM ${table} WHERE ${condition}`);
    for await (const window of rowWindows(db, table)) {
      if (signal.aborted) return pruned;
      // A window without old rows needs no write.
      if (anyOld.get({ ...window, ...ages() }) === undefined) continue;
      // Checked again within the transaction: a person may have reopened a visit meanwhile.
      pruned[kind] += await commit.run(() => drop.run({ ...window, ...ages() }).changes);
    }
  }
  return pruned;
}

/** Computes the parameters again at each call: meanwhile the cloud acknowledges events. */
function agesOf({ events }: PruneContext, keep: RetentionConfig, now: Date): () => Ages {
  return () => {
    const acknowledged = events.acknowledged();
    const unreported = events.firstUnacknowledgedAt();
    const reportedUntil = unreported === null ? now.getTime() : millis(unreported) - CLOCK_MARGIN_MS;
    const before = (days: number) => utcTime(Math.min(now.getTime() - days * DAY_MS, reportedUntil));
    return {
      readsBefore: before(keep.readDays),
      visitsBefore: before(keep.visitDays),
      unsettledBefore: before(keep.unsettledDays),
      acknowledged,
    };
  };
}
