import type { Clock } from '@hlid/node/clock';
import type { EraseItem } from '@hlid/protocol/site-change';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import { LOG_EVENTS } from '../events.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { createPlateEraser } from './erase-plate.ts';
import { removeOldCopies } from './old-copies.ts';
import { pruneBooks } from './prune-books.ts';
import type { RetentionConfig } from './retention-config.ts';

/** Keeps the site's books short: what is old goes, and what the cloud has asked to be forgotten. */
export interface RetentionRun {
  /** Notes that a plate is to be forgotten, within the running transaction; it is begun after that. */
  erase(id: string, item: EraseItem): void;
  /** At once, and from then on every hour. */
  start(): void;
  /** At once; resolves when it is done. While it is being done, once more after. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = HOUR_MS;

export function createRetentionRun(parts: {
  db: SiteDb;
  commit: GroupCommit;
  events: Pick<EventLog, 'acknowledged' | 'pruneOld'>;
  keep: RetentionConfig;
  /** Removes the pictures of reads. */
  forgetPictures: (readIds: readonly string[]) => Promise<unknown>;
  /** Rows went, or no longer name a plate: what is kept in memory of them is old. */
  onForgotten: () => void;
  clock: Clock;
  log: Logger;
}): RetentionRun {
  const { db, commit, events, keep, clock, log, onForgotten } = parts;
  const acknowledged = () => events.acknowledged();
  const eraser = createPlateEraser({
    ...{ db, commit, acknowledged, forgetPictures: parts.forgetPictures },
    onErased: onForgotten,
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let again = false;
  let noted = false;
  let timer: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    const { signal } = stopping;
    do {
      again = false;
      try {
        const erased = await eraser.work(signal);
        if (erased.rows + erased.waiting > 0) log.info({ event: LOG_EVENTS.plateErased, ...erased });
        const now = clock.now();
        // A copy has every plate that was in the database then.
        const copiesFrom = erased.rows > 0 ? now.getTime() : now.getTime() - keep.readDays * DAY_MS;
        removeOldCopies(db.name, new Date(copiesFrom));
        const pruned = await pruneBooks({ db, commit, keep, acknowledged }, now, signal);
        if (pruned.passages > 0) onForgotten();
        let forgotten = 1;
        while (forgotten > 0 && !signal.aborted) forgotten = await events.pruneOld(now);
      } catch (err) {
        // A full or locked disk: the next hour tries again.
        if (!signal.aborted) log.error({ event: LOG_EVENTS.retentionFailed, err });
      }
    } while (again && !signal.aborted);
  }

  function run(): Promise<void> {
    if (running) again = true;
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  }

  commit.onCommitted(() => {
    if (!noted || timer === undefined) return;
    noted = false;
    void run();
  });

  return {
    erase(id, item) {
      eraser.note(id, item);
      noted = true;
    },
    run,
    start() {
      timer = setInterval(() => void run(), EVERY_MS);
      void run();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
