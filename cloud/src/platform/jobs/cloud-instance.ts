import { randomUUID } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db, Tx } from '../db/db.ts';
import { and, eq, inArray, lt, ne } from '../db/sql.ts';
import { EVENTS } from '../events.ts';
import { instanceTable, jobTable } from './job-table.ts';

const BEAT_MS = 4000;
/** The clocks of two clouds may differ by less than this. */
const LIFE_MS = 20_000;
/** A process that could not beat for this long sends nothing any more: soon the others count it as dead. */
const SURE_MS = LIFE_MS - 2 * BEAT_MS;

/** Frees what processes held that are dead. `now`: nothing that one of them began is sent after it. */
export type ReleaseHeld = (tx: Tx, dead: readonly string[], now: UtcTime) => Promise<void>;

/** The part of a process that others may use. */
export type Instance = Pick<CloudInstance, 'id' | 'isAlive'>;

/**
 * This process, as the other clouds of its database know it. It records every few seconds that it runs. What a
 * process held that no longer runs is free at once: without that, payments and other work would wait for the end of
 * its leases.
 */
export class CloudInstance {
  readonly id: string = randomUUID();
  readonly #parts: { db: Db; clock: Clock; log: Logger };
  readonly #isAlone: boolean;
  readonly #release: readonly ReleaseHeld[];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | null = null;
  /** The time of the last beat, by a monotonic clock. */
  #beatAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  /** @param options.isAlone no other process has had the database since this one began: all others are dead */
  constructor(
    parts: { db: Db; clock: Clock; log: Logger },
    options: { isAlone: boolean; release: readonly ReleaseHeld[] },
  ) {
    this.#parts = parts;
    this.#isAlone = options.isAlone;
    this.#release = [releaseJobs, ...options.release];
  }

  async start(): Promise<void> {
    await this.#beat(this.#isAlone);
    this.#plan();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#parts.db.write(async ({ q }) => {
      await q.delete(instanceTable).where(eq(instanceTable.id, this.id));
    });
  }

  /** Whether the others still count on this process: a process that stood still may have been given up. */
  isAlive(): boolean {
    return performance.now() - this.#beatAt < SURE_MS;
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat(false)
        .catch((error: unknown) => {
          this.#parts.log.error({ event: EVENTS.runFailed, run: 'instance', err: error }, messageOf(error));
        })
        .finally(() => this.#plan());
    }, BEAT_MS);
    this.#timer.unref();
  }

  async #beat(allOthersAreDead: boolean): Promise<void> {
    const { db, clock } = this.#parts;
    const beganAt = performance.now();
    await db.write(async (tx) => {
      const now = nowUtc(clock);
      const aliveUntil = utcTime(millis(now) + LIFE_MS);
      await tx.q
        .insert(instanceTable)
        .values({ id: this.id, startedAt: now, aliveUntil })
        .onConflictDoUpdate({ target: instanceTable.id, set: { aliveUntil } });
      const isDead = allOthersAreDead ? undefined : lt(instanceTable.aliveUntil, now);
      const dead = await tx.q
        .delete(instanceTable)
        .where(and(ne(instanceTable.id, this.id), isDead))
        .returning({ id: instanceTable.id });
      if (dead.length === 0) return;
      const ids = dead.map(({ id }) => id);
      for (const release of this.#release) await release(tx, ids, now);
      tx.afterCommit(() => this.#parts.log.warn({ event: EVENTS.instanceDied, instances: ids }));
    });
    this.#beatAt = beganAt;
  }
}

async function releaseJobs({ q }: Tx, dead: readonly string[]): Promise<void> {
  await q
    .update(jobTable)
    .set({ heldBy: null, heldUntil: null })
    .where(inArray(jobTable.heldBy, [...dead]));
}
