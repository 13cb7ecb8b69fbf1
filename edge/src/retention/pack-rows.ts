import { HOUR_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { packJson } from '../db/packed-json.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { type RowWindow, rowWindows } from './row-windows.ts';

/** The time without a change after which rows are packed. */
const PACKED_AFTER_MS = HOUR_MS;
/** Rows of one transaction, so that packing never delays a gate: some milliseconds. */
const ROWS_AT_ONCE = 50;

/**
 * The columns that are packed, and the rows of each table: those that seldom change again, or are seldom
 * read.
 */
const TABLES = [
  {
    table: 'visit',
    columns: ['body'],
    old: `ended_at < @before AND reported_seq <= @acknowledged AND typeof(body) = 'text'
      AND json_extract(body, '$.status') = 'completed'`,
  },
  {
    table: 'passage',
    columns: ['decision', 'votes', 'keys'],
    old: "last_seen_at < @before AND gate <> 'wanted' AND typeof(decision) = 'text'",
  },
  {
    table: 'settlement',
    columns: ['body'],
    old: "typeof(body) = 'text' AND json_extract(body, '$.settledAt') < @before",
  },
  {
    table: 'payment',
    columns: ['body', 'bill', 'booking'],
    old: `changed_at < @before AND needs_person = 0 AND typeof(body) = 'text'
      AND state NOT IN ('created', 'sent', 'approved', 'unknown') AND (state <> 'settled' OR day_closed_at IS NOT NULL)`,
  },
] as const;

type PackContext = Pick<EdgeContext, 'db' | 'commit' | 'events'>;
type Values = RowWindow & { before: UtcTime; acknowledged: number };

/** Packs the JSON of older rows (packed-json.ts), in steps that delay no gate. A row that changes again is plain again. */
export async function packRows(
  { db, commit, events }: PackContext,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const before = utcTime(now.getTime() - PACKED_AFTER_MS);
  for (const plan of TABLES) {
    const step = preparePacking(db, plan);
    for await (const window of rowWindows(db, plan.table)) {
      const values = () => ({ ...window, before, acknowledged: events.acknowledged() });
      while (!signal.aborted && step.hasOld(values())) await commit.run(() => step.pack(values()));
      if (signal.aborted) return;
    }
  }
}

function preparePacking(db: SiteDb, { table, columns, old }: (typeof TABLES)[number]) {
  const from = `FROM ${table} WHERE rowid > @after AND rowid <= @upTo AND ${old}`;
  const first = db.prepare<[Values]>(`SELECT 1 ${from} LIMIT 1`);
  const rows = db.prepare<[Values], Record<string, unknown>>(
    `SELECT rowid AS row, * ${from} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
  );
  const names = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const remove = db.prepare<[Record<string, unknown>]>(`DELETE FROM ${table} WHERE rowid = @row`);
  const add = db.prepare<[Record<string, unknown>]>(
    `INSERT INTO ${table} (rowid, ${names.join(', ')}) VALUES (@row, ${names.map((name) => `@${name}`).join(', ')})`,
  );
  return {
    hasOld: (values: Values) => first.get(values) !== undefined,
    pack(values: Values): void {
      const found = rows.all(values);
      // Removed and added again: an update would leave pages half empty, which only a removal merges.
      for (const row of found) remove.run(row);
      for (const row of found) {
        const packed = columns.map((name) => [name, packJson(String(row[name]))] as const);
        add.run({ ...row, ...Object.fromEntries(packed) });
      }
    },
  };
}
