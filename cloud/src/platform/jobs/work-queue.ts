import { type BackoffLimits, backoffMs } from '@hlid/protocol/base/backoff';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { customType, index, integer, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../db/compact-columns.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from '../db/sql.ts';
import type { ReleaseHeld } from './cloud-instance.ts';
import type { WorkLease } from './work-lease.ts';

/** The columns of a table with rows of work, beside its own. */
export function workColumns() {
  return {
    /** When a process takes it, or may take it over from one that has died; null: nothing is to be done. */
    dueAt: text('due_at'),
    /** Attempts in a row without success. */
    attempts: integer('attempts').notNull().default(0),
    /** The process that has it until `dueAt`; null: none. */
    heldBy: text('held_by'),
  };
}

/** The indexes of these columns. They have only the rows that are still to be done. */
export function workIndexes(name: string, { dueAt, heldBy }: { dueAt: SQLiteColumn; heldBy: SQLiteColumn }) {
  return [
    index(`${name}_due`).on(dueAt).where(sql`due_at IS NOT NULL`),
    index(`${name}_held`).on(heldBy).where(sql`due_at IS NOT NULL AND held_by IS NOT NULL`),
  ];
}

/** The pauses after failed attempts: each twice the one before, or these in milliseconds, the last one again and again. */
export type Backoff = BackoffLimits | readonly number[];

/** When the next attempt is due. @param attempts failed ones in a row, 1 or more */
export function dueAfter(at: UtcTime, attempts: number, backoff: Backoff): UtcTime {
  const pauseMs =
    'firstMs' in backoff
      ? backoffMs(attempts, backoff)
      : (backoff[Math.min(attempts, backoff.length) - 1] ?? 0);
  return utcTime(millis(at) + pauseMs);
}

/** The stored part of a lease. */
export type Held = Pick<WorkLease, 'until' | 'heldBy'>;

/** The state of a piece of work after an attempt; `dueAt` null: nothing is left to do. */
export interface NextAttempt {
  dueAt: UtcTime | null;
  /** Absent: as many as before. */
  attempts?: number;
}

const plainId = customType<{ data: string; driverData: string | Uint8Array | ArrayBuffer }>({
  dataType: () => 'text',
  toDriver: (id) => id,
  fromDriver: (stored) => String(stored),
});

/** The columns of every queue. */
function workTable(name: string, id: typeof compactId) {
  return sqliteTable(name, { id: id('id').primaryKey(), ...workColumns() });
}

type WorkTable = ReturnType<typeof workTable>;

function selectDue(t: WorkTable) {
  return prepared((q) =>
    q
      .select({ id: t.id })
      .from(t)
      .where(and(isNotNull(t.dueAt), lte(t.dueAt, sql.placeholder('now'))))
      .orderBy(asc(t.dueAt))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
}

/**
 * The rows of one table as work that any number of processes share. A process claims a row by one conditional
 * update, which moves `dueAt` to the end of its lease. The row is due again then, so that work is not lost
 * when its process dies. A process stores results of its work only while it holds the row, which it checks in
 * the same transaction.
 */
export class WorkQueue {
  readonly #table: WorkTable;
  readonly #due: ReturnType<typeof selectDue>;

  /** @param options.isCompact ids are stored by `compactId` */
  constructor(table: string, { isCompact = false }: { isCompact?: boolean } = {}) {
    this.#table = workTable(table, isCompact ? compactId : plainId);
    this.#due = selectDue(this.#table);
  }

  /** The ids that are due, the one that waits longest first. */
  async due(q: Queries, now: UtcTime, limit: number): Promise<string[]> {
    const rows = await this.#due(q).all({ now, limit });
    return rows.map(({ id }) => id);
  }

  async isAnyDue(q: Queries, now: UtcTime): Promise<boolean> {
    return (await this.due(q, now, 1)).length > 0;
  }

  /** Takes work that is due. @returns whether no other process was faster */
  async claim(q: Queries, id: string, now: UtcTime, lease: Held): Promise<boolean> {
    const t = this.#table;
    return await this.#change(q, and(eq(t.id, id), lte(t.dueAt, now)), held(lease));
  }

  /** Goes on with a later lease. @returns whether the work was still this process's */
  async renew(q: Queries, id: string, lease: Held, later: Held): Promise<boolean> {
    return await this.#change(q, this.#isOurs(id, lease), held(later));
  }

  /** Whether this process still has the work: what it stores in this transaction is then the last word about it. */
  async holds(q: Queries, id: string, lease: Held): Promise<boolean> {
    const found = await q
      .select({ id: this.#table.id })
      .from(this.#table)
      .where(this.#isOurs(id, lease))
      .get();
    return found !== undefined;
  }

  /** Ends the work of this process. @returns whether it was still its; else nothing is changed */
  async settle(q: Queries, id: string, lease: Held, next: NextAttempt): Promise<boolean> {
    return await this.#change(q, this.#isOurs(id, lease), { ...next, heldBy: null });
  }

  /** Makes the work of dead processes due now. */
  async release(q: Queries, dead: readonly string[], now: UtcTime): Promise<void> {
    const t = this.#table;
    const isHeld = and(isNotNull(t.dueAt), inArray(t.heldBy, [...dead]));
    await this.#change(q, isHeld, { dueAt: now, heldBy: null });
  }

  /** A lease ends at another moment than any other of its row, so its end identifies its holder. */
  #isOurs(id: string, { until, heldBy }: Held): SQL | undefined {
    const t = this.#table;
    return and(eq(t.id, id), eq(t.dueAt, until), heldBy === null ? isNull(t.heldBy) : eq(t.heldBy, heldBy));
  }

  async #change(
    q: Queries,
    where: SQL | undefined,
    fields: NextAttempt & { heldBy: string | null },
  ): Promise<boolean> {
    const t = this.#table;
    const changed = await q.update(t).set(fields).where(where).returning({ id: t.id });
    return changed.length > 0;
  }
}

function held({ until, heldBy }: Held) {
  return { dueAt: until, heldBy };
}

/** Frees what dead processes had of some queues, and announces that work is due. */
export function releaseWork(announcement: string, ...queues: readonly WorkQueue[]): ReleaseHeld {
  return async (tx, dead, now) => {
    for (const queue of queues) await queue.release(tx.q, dead, now);
    tx.announce(announcement);
  };
}
