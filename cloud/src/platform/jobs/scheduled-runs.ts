import { randomUUID } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db } from '../db/db.ts';
import { and, eq, gt, isNull, lt, or } from '../db/sql.ts';
import { EVENTS } from '../events.ts';
import type { Instance } from './cloud-instance.ts';
import { jobTable as t } from './job-table.ts';

/** Work that is done again and again by one process at a time, and may be broken off anywhere. */
export interface ScheduledRun {
  name: string;
  everyMs: number;
  /** Announcements of the database after which it is done at once. */
  wakesOn?: string;
  /** Longer than that and another process may begin it too: `work` must bear that. */
  leaseMs?: number;
  /** Whether there is anything to do: read before the run is taken, which is written down. Absent: always. */
  isDue?(now: UtcTime): Promise<boolean>;
  work(run: { now: UtcTime; signal: AbortSignal }): Promise<void>;
}

const USUAL_LEASE_MS = 5 * MINUTE_MS;
/** A lease that ends more leases from now than this was written with a wrong clock: its end is not awaited. */
const MAX_LEASES_AHEAD = 2;

/** Does scheduled work. Which process has it is a row of the database, so that several clouds share one. */
export class ScheduledRuns {
  readonly #parts: { db: Db; clock: Clock; log: Logger };
  readonly #holder: string;
  readonly #runs: ScheduledRun[];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #working = new Map<string, Promise<void>>();
  readonly #wokenMeanwhile = new Set<string>();
  readonly #stopping = new AbortController();
  #unwatch: () => void = () => undefined;

  /** @param instance the process of the runs; absent: no other process waits for it */
  constructor(parts: { db: Db; clock: Clock; log: Logger; instance?: Instance }, runs: ScheduledRun[]) {
    this.#parts = parts;
    this.#holder = parts.instance?.id ?? randomUUID();
    this.#runs = runs;
  }

  start(): void {
    this.#unwatch = this.#parts.db.onAnnounced((names) => {
      for (const run of this.#runs) {
        if (run.wakesOn !== undefined && names.has(run.wakesOn)) this.#wake(run);
      }
    });
    for (const run of this.#runs) this.#wake(run);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unwatch();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#working.values());
  }

  #wake(run: ScheduledRun): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#working.has(run.name)) {
      this.#wokenMeanwhile.add(run.name);
      return;
    }
    clearTimeout(this.#timers.get(run.name));
    const working = this.#attempt(run).finally(() => {
      this.#working.delete(run.name);
      if (this.#stopping.signal.aborted) return;
      if (this.#wokenMeanwhile.delete(run.name)) this.#wake(run);
      else
        this.#timers.set(
          run.name,
          setTimeout(() => this.#wake(run), run.everyMs),
        );
    });
    this.#working.set(run.name, working);
  }

  async #attempt(run: ScheduledRun): Promise<void> {
    const { db, clock, log } = this.#parts;
    const now = nowUtc(clock);
    try {
      if ((await run.isDue?.(now)) === false || !(await this.#take(run, now))) return;
    } catch (error) {
      log.error({ event: EVENTS.runFailed, run: run.name, err: error }, messageOf(error));
      return;
    }
    let failure: string | null = null;
    try {
      await run.work({ now, signal: this.#stopping.signal });
    } catch (error) {
      failure = messageOf(error);
      if (!this.#stopping.signal.aborted) {
        log.error({ event: EVENTS.runFailed, run: run.name, err: error }, failure);
      }
    }
    try {
      await db.write(async ({ q }) => {
        const done =
          failure === null ? { lastDoneAt: nowUtc(clock), lastError: null } : { lastError: failure };
        await q
          .update(t)
          .set({ heldBy: null, heldUntil: null, ...done })
          .where(and(eq(t.name, run.name), eq(t.heldBy, this.#holder)));
      });
    } catch (error) {
      log.error({ event: EVENTS.runFailed, run: run.name, err: error }, messageOf(error));
    }
  }

  /** @returns whether this process does it now */
  async #take(run: ScheduledRun, now: UtcTime): Promise<boolean> {
    const leaseMs = run.leaseMs ?? USUAL_LEASE_MS;
    const heldUntil = utcTime(millis(now) + leaseMs);
    const isFree = or(
      isNull(t.heldUntil),
      lt(t.heldUntil, now),
      gt(t.heldUntil, utcTime(millis(now) + MAX_LEASES_AHEAD * Math.max(leaseMs, 0))),
    );
    return await this.#parts.db.write(async ({ q }) => {
      await q.insert(t).values({ name: run.name }).onConflictDoNothing();
      const taken = await q
        .update(t)
        .set({ heldBy: this.#holder, heldUntil, lastStartedAt: now })
        .where(and(eq(t.name, run.name), isFree))
        .returning({ name: t.name });
      return taken.length > 0;
    });
  }
}
