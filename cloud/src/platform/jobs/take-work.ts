import { type Clock, nowUtc } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../db/db.ts';
import type { Instance } from './cloud-instance.ts';
import { WorkLease } from './work-lease.ts';
import type { WorkQueue } from './work-queue.ts';

/** An attempt under way gets this time to finish at a stop. */
const STOPPING_MS = 3000;
/** After so many attempts in a row that reached nothing, the rest waits for the next run. */
const MAX_FAILURES = 5;

/** The process that takes work. */
export interface Worker {
  db: Db;
  clock: Clock;
  /** Absent: other processes wait for the end of its leases. */
  instance?: Instance | undefined;
  /** Absent: three seconds. */
  stoppingMs?: number | undefined;
}

/** The rows of a queue, as they are read and counted. */
export interface WorkSource<Row> {
  queue: WorkQueue;
  leaseMs: number;
  find(q: Queries, id: string): Promise<Row | null>;
  update(q: Queries, id: string, change: { attempts: number }): Promise<void>;
}

/** A row that this process has until its lease ends, with this attempt counted. */
export interface TakenWork<Row> {
  row: Row;
  lease: WorkLease;
  at: UtcTime;
}

/** Takes the row that has been due longest. @returns null: none is due, or another process was faster */
export async function takeWork<Row extends { attempts: number }>(
  { db, clock, instance }: Worker,
  { queue, leaseMs, find, update }: WorkSource<Row>,
): Promise<TakenWork<Row> | null> {
  const at = nowUtc(clock);
  // Most runs find nothing: they need no transaction.
  if (!(await db.read((q) => queue.isAnyDue(q, at)))) return null;
  return await db.write(async ({ q }) => {
    const [id] = await queue.due(q, at, 1);
    const lease = new WorkLease(clock, { leaseMs, instance });
    if (id === undefined || !(await queue.claim(q, id, at, lease))) return null;
    const waiting = await find(q, id);
    if (waiting === null) return null;
    const row = { ...waiting, attempts: waiting.attempts + 1 };
    await update(q, id, { attempts: row.attempts });
    return { row, lease, at };
  });
}

/**
 * Takes all rows that are due, one after another, until the signal is aborted.
 *
 * @param advance does the next step; its signal is aborted some time after `signal`. It returns whether the other side was
 *   reached, or was not needed
 */
export async function workOff<Row extends { attempts: number }>(
  worker: Worker,
  source: WorkSource<Row>,
  signal: AbortSignal,
  advance: (taken: TakenWork<Row>, signal: AbortSignal) => Promise<boolean>,
): Promise<void> {
  const giveUp = abortLater(signal, worker.stoppingMs);
  let failures = 0;
  try {
    while (!signal.aborted && failures < MAX_FAILURES) {
      const taken = await takeWork(worker, source);
      if (taken === null) return;
      const isReached = await advance(taken, giveUp.signal);
      failures = isReached ? 0 : failures + 1;
    }
  } finally {
    giveUp.end();
  }
}

/** A signal that comes some time after another one, for work that is nearly done. `end` takes the wait back. */
export function abortLater(signal: AbortSignal, ms = STOPPING_MS): { signal: AbortSignal; end(): void } {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => later.abort(), ms);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: later.signal,
    end() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
