import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deleteOldCopy } from '@hlid/node/migration/copy-before';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { EraseItem } from '@hlid/protocol/site-link/site-change';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { PlateEraser } from './erase-plate.ts';
import { packRows } from './pack-rows.ts';
import { pruneTables } from './prune-tables.ts';
import type { RetentionConfig } from './retention-config.ts';

const INTERVAL_MS = HOUR_MS;

interface RetentionOptions {
  keep: RetentionConfig;
  /** Deletes the pictures of reads. */
  deletePictures: (readIds: readonly string[]) => Promise<unknown>;
  /** Closes visits that began before a moment and never ended, within the running transaction. */
  closeLost: (before: UtcTime, at: UtcTime) => void;
  /** Rows were deleted, or no longer contain a plate: what is kept in memory of them is outdated. */
  onDeleted: () => void;
}

/** Deletes old rows of the site's database, and erases the plates that the cloud requests to be erased. */
export class RetentionRun {
  readonly #context: EdgeContext;
  readonly #options: RetentionOptions;
  readonly #eraser: PlateEraser;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #runAgain = false;
  #requested = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: EdgeContext, options: RetentionOptions) {
    const { deletePictures, onDeleted } = options;
    this.#context = context;
    this.#options = options;
    this.#eraser = new PlateEraser(context, { deletePictures, onErased: onDeleted });
    context.commit.onCommitted(() => this.#onCommitted());
  }

  /** Runs at once, and from then on every hour. */
  start(): void {
    this.#timer = setInterval(() => void this.run(), INTERVAL_MS);
    void this.run();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  /** Runs at once, or once more after the current run; resolves when it is done. */
  run(): Promise<void> {
    if (this.#running) this.#runAgain = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Stores a request to erase a plate, within the running transaction; a run starts after that. */
  requestErasure(id: string, item: EraseItem): void {
    this.#eraser.request(id, item);
    this.#requested = true;
  }

  #onCommitted(): void {
    if (!this.#requested || this.#timer === undefined) return;
    this.#requested = false;
    void this.run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    do {
      this.#runAgain = false;
      try {
        await this.#runOnce(signal);
      } catch (err) {
        // A full or locked disk: the next hour tries again.
        if (!signal.aborted) this.#context.log.error({ event: LOG_EVENTS.retentionFailed, err });
      }
    } while (this.#runAgain && !signal.aborted);
  }

  async #runOnce(signal: AbortSignal): Promise<void> {
    const { db, events, clock, log } = this.#context;
    const { keep, onDeleted } = this.#options;
    const erased = await this.#eraser.run(signal);
    if (erased.rows + erased.waiting > 0) log.info({ event: LOG_EVENTS.plateErased, ...erased });
    const now = clock.now();
    // A copy contains every plate that was in the database at its time.
    const copiesFrom = erased.rows > 0 ? now.getTime() : now.getTime() - keep.readDays * DAY_MS;
    removeOldCopies(db.name, new Date(copiesFrom));
    deleteOldCopy(db.name, { now, upMs: process.uptime() * 1000 });
    // A day after the cloud, which then has erased more of them than their plates.
    const lostBefore = utcTime(now.getTime() - (keep.unsettledDays + 1) * DAY_MS);
    await this.#context.commit.run(() => this.#options.closeLost(lostBefore, utcTime(now)));
    const pruned = await pruneTables(this.#context, { keep, now, signal });
    if (pruned.passages > 0) onDeleted();
    let deleted = 1;
    while (deleted > 0 && !signal.aborted) deleted = await events.pruneOld(now);
    let packed = 1;
    while (packed > 0 && !signal.aborted) packed = await events.packOld();
    await packRows(this.#context, now, signal);
  }
}

/**
 * Deletes the copies of the database that migrations and restores kept before a moment. @returns how many
 */
export function removeOldCopies(dbPath: string, before: Date): number {
  const folder = dirname(dbPath);
  const old = readdirSync(folder).filter(
    (name) => isCopy(name, basename(dbPath)) && statSync(join(folder, name)).mtime < before,
  );
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old.length;
}

function isCopy(name: string, database: string): boolean {
  return ['.before-upgrade', '.replaced-'].some((kept) => name.startsWith(database + kept));
}
