import { newId } from '@hlid/node/new-id';
import { readNewer } from '@hlid/protocol/base/read-newer';
import { PaymentSchema } from '@hlid/protocol/records/payment';
import { VisitSchema } from '@hlid/protocol/records/visit';
import { SettlementItemSchema } from '@hlid/protocol/site-link/site-change';
import { SiteEventBodySchema } from '@hlid/protocol/site-link/site-event';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { type EventRow, unpackEvents } from './event-pack.ts';
import { unpackJson } from './packed-json.ts';
import { firstPlace, plateSlot } from './plate-slot.ts';
import { type Row, readDamaged } from './read-damaged.ts';
import type { SiteDb } from './site-db.ts';

/** The rows that a new database got from a damaged one. */
export interface Rescued {
  /** The numbers of rows by table; tables without rows are left out. */
  rows: Readonly<Record<string, number>>;
  /** Tables of which something could not be read. */
  damaged: readonly string[];
}

/** A million of them are checked less strictly than when they came in. */
const HasPlateSchema = z.looseObject({ plate: z.string() });

interface TablePlan {
  table: string;
  /** The condition for rows that are needed to decide at the lanes; absent: all rows are. */
  essential?: string;
  /** Long lists can come from the cloud again: they are copied until this timeout, and the rest is left out. */
  withinMs?: number;
  /** A condition of a row: a column with JSON, and the schema of its content. */
  json?: Readonly<Record<string, z.ZodType | null>>;
}

/**
 * Rows for the lanes' decisions come first, then the books, then long lists. Events that the cloud has, and the
 * numbers of those it does not have, are not copied as they are: the new database begins an epoch (ADR 1).
 */
export const PLANS: readonly TablePlan[] = [
  { table: 'gate_hold' },
  { table: 'list_item', json: { body: null } },
  { table: 'pricing', json: { body: null } },
  { table: 'camera_clock' },
  { table: 'command' },
  { table: 'erasure' },
  { table: 'terminal_day' },
  { table: 'kiosk_search' },
  { table: 'device', essential: '0' },
  { table: 'health_note', json: { body: null } },
  { table: 'settlement', json: { body: SettlementItemSchema } },
  {
    table: 'payment',
    json: { body: PaymentSchema, bill: null, baseline: null, booking: null },
  },
  { table: 'visit', essential: 'ended_at IS NULL', json: { body: VisitSchema } },
  { table: 'passage', json: { keys: null, decision: null } },
  { table: 'standing_plate', json: { body: null } },
  { table: 'read', essential: '0' },
  { table: 'picture', essential: '0' },
  { table: 'vehicle', withinMs: 2000, json: { body: null } },
  { table: 'permit', withinMs: 4000, json: { body: HasPlateSchema } },
];

/**
 * Copies what can be read of a damaged database into a new, empty one, and begins an epoch in it that is new to
 * the cloud. Rows with invalid content are left out.
 *
 * @param essentialOnly only what decides at the lanes
 */
export function rescueRows(from: SiteDb, to: SiteDb, { essentialOnly = false } = {}): Rescued {
  const rows: Record<string, number> = {};
  const damaged: string[] = [];

  /** @param change of a row before it is written; null leaves it out */
  function copy(plan: TablePlan, change: (row: Row) => Row | null = (row) => row, where?: string): void {
    const { table, json = {}, withinMs = Number.POSITIVE_INFINITY } = plan;
    const columns = columnsOf(from, table).filter((name) => columnsOf(to, table).includes(name));
    const places = columns.map(() => '?').join(', ');
    const names = columns.map((name) => `"${name}"`).join(', ');
    const insert = to.prepare<unknown[]>(`INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${places})`);
    const until = performance.now() + withinMs;
    let copied = 0;
    let complete = true;
    const read = readDamaged(from, { table, columns, ...(where && { where }) }, (row) => {
      const makesSense = Object.entries(json).every(([name, schema]) => holdsJson(row[name], schema));
      const changed = makesSense ? change(row) : null;
      complete &&= makesSense;
      if (changed)
        copied += insertRow(
          insert,
          columns.map((name) => changed[name]),
        );
      if (copied % 1000 !== 0 || performance.now() < until) return true;
      complete = false;
      return false;
    });
    if (copied > 0) rows[table] = copied;
    if (read.damaged || !complete || columns.length === 0) damaged.push(table);
  }

  to.transaction(() => {
    const meta = readMeta(from);
    const acknowledged = meta.get('acknowledged');
    // Without it, it is unknown what the cloud has: all visits are reported again, and no event twice.
    const reported =
      acknowledged === undefined && meta.size === 0 ? Number.POSITIVE_INFINITY : Number(acknowledged ?? 0);
    const renumbered = new Map<number, number>();
    if (!essentialOnly) {
      const events = { table: 'event', json: { body: SiteEventBodySchema } };
      copyEvents(events, reported, renumbered);
    }
    const numberOf = (seq: unknown): number =>
      Number(seq) <= reported ? Math.min(0, Number(seq) - reported || 0) : (renumbered.get(Number(seq)) ?? 0);
    for (const plan of PLANS) {
      if (essentialOnly && plan.essential === '0') continue;
      copy(
        plan,
        (row) => {
          if (plan.table === 'visit') return { ...row, reported_seq: numberOf(row['reported_seq']) };
          if (plan.table === 'picture') return { ...row, after_seq: numberOf(row['after_seq']) };
          return row;
        },
        essentialOnly ? plan.essential : undefined,
      );
    }
    if (!essentialOnly) {
      copy({ table: 'quota_units' }, (row) => {
        const seq = renumbered.get(Number(row['seq']));
        return seq === undefined ? null : { ...row, seq };
      });
    }
    placePermits(to);
    const keep = to.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    for (const key of ['feed-n', 'feed-hash', 'feed-mark']) {
      const value = meta.get(key);
      if (value !== undefined) keep.run(key, value);
    }
    keep.run('epoch', newId());
    keep.run('unconfirmed-from', '0');
    const eventsLost = damaged.includes('event') || reported === Number.POSITIVE_INFINITY;
    if (eventsLost) keep.run('cloud-lost-events', meta.get('epoch') ?? '');
  })();
  return { rows, damaged };

  /** Events that the cloud does not have, numbered from 1. */
  function copyEvents(plan: TablePlan, reported: number, renumbered: Map<number, number>): void {
    if (reported === Number.POSITIVE_INFINITY) return void damaged.push(plan.table);
    const last = lastEvent(from);
    let expected = reported;
    const renumber = (row: Row) => {
      expected++;
      renumbered.set(Number(row['seq']), renumbered.size + 1);
      return { ...row, seq: renumbered.size };
    };
    copyPackedEvents(reported, renumber);
    copy(plan, renumber, `seq > ${reported}`);
    if (last !== null && last > expected && !damaged.includes(plan.table)) damaged.push(plan.table);
  }

  /** Copies events out of packs that a restored cloud does not have any more. */
  function copyPackedEvents(reported: number, renumber: (row: Row) => Row): void {
    const insert = to.prepare('INSERT INTO event (seq, at, body) VALUES (@seq, @at, @body)');
    const columns = ['first_seq', 'last_seq', 'body'];
    readDamaged(from, { table: 'event_pack', columns, where: `last_seq > ${reported}` }, (row) => {
      const events = eventsOfPack(row).filter(
        ({ seq, body }) => seq > reported && holdsJson(body, SiteEventBodySchema),
      );
      for (const event of events) insert.run(renumber({ ...event }));
      return true;
    });
  }
}

function insertRow(insert: Database.Statement<unknown[]>, values: unknown[]): number {
  try {
    return insert.run(...values).changes;
  } catch {
    // A value that the column does not take.
    return 0;
  }
}

function holdsJson(stored: unknown, schema: z.ZodType | null): boolean {
  // Null where the column may be empty; what must not be is refused when it is written.
  if (stored === null) return true;
  if (typeof stored !== 'string' && !(stored instanceof Uint8Array)) return false;
  try {
    const value: unknown = JSON.parse(unpackJson(stored));
    return schema === null || readNewer(schema, value).success;
  } catch {
    return false;
  }
}

/** None of a damaged pack. */
function eventsOfPack({ first_seq, last_seq, body }: Row): EventRow[] {
  try {
    return unpackEvents({ firstSeq: Number(first_seq), lastSeq: Number(last_seq), body: body as Uint8Array });
  } catch {
    return [];
  }
}

function columnsOf(db: SiteDb, table: string): string[] {
  try {
    return (db.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
  } catch {
    return [];
  }
}

function readMeta(db: SiteDb): ReadonlyMap<string, string> {
  const meta = new Map<string, string>();
  readDamaged(db, { table: 'meta', columns: ['key', 'value'] }, ({ key, value }) => {
    meta.set(String(key), String(value));
    return true;
  });
  return meta;
}

function lastEvent(db: SiteDb): number | null {
  try {
    return Number(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'event'").pluck().get() ?? 0);
  } catch {
    return null;
  }
}

/** The index of the permits by plate (plate-slot.ts) is built again. */
function placePermits(db: SiteDb): void {
  db.function('place_of_permit', (row, body) => {
    const { plate } = JSON.parse(String(body)) as { plate: string };
    return firstPlace(plateSlot(plate)) + BigInt(Number(row));
  });
  db.exec('INSERT INTO permit_place (place) SELECT place_of_permit(row, body) FROM permit ORDER BY 1');
}
