import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { DiskSpace } from '../base/disk-space.ts';
import { LOG_EVENTS } from '../base/events.ts';
import type { PictureSettings } from '../config/config.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Picture, PictureStore } from './picture-store.ts';

/** Pictures of vehicles must not be kept longer, sent or not. */
const MAX_DAYS = 90;
const PRUNE_EVERY_MS = MINUTE_MS;
const AT_ONCE = 100;
/** The disk counts as full with less than this part of the room that is to be kept free. */
const FULL_PART = 0.25;
const MIB = 1024 * 1024;

type PruneReason = 'age' | 'space';

interface PruningParts extends Pick<EdgeContext, 'commit' | 'clock' | 'log'> {
  store: PictureStore;
  files: PictureFiles;
  events: Pick<EventLog, 'acknowledged'>;
  settings: PictureSettings;
  /** The site has no cloud, so pictures are never sent: waiting ones expire like the rest. */
  alone: boolean;
  space: () => Promise<DiskSpace>;
}

/** Keeps pictures from growing old, and from filling the disk: events and gates need room. */
export class PicturePruning {
  readonly #parts: PruningParts;
  #timer: NodeJS.Timeout | undefined;
  #pruning: Promise<void> | null = null;
  #stopped = false;
  #tight = false;

  constructor(parts: PruningParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.prune();
    this.#timer = setInterval(() => void this.prune(), PRUNE_EVERY_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#pruning;
  }

  /** Prunes at once. */
  prune(): Promise<void> {
    this.#pruning ??= this.#pruneAll()
      .catch((err: unknown) => this.#parts.log.error({ event: LOG_EVENTS.pruningFailed, err }))
      .finally(() => {
        this.#pruning = null;
      });
    return this.#pruning;
  }

  /** Whether there is hardly any room left, so that no new pictures are kept. */
  isTight(): boolean {
    return this.#tight;
  }

  async #pruneAll(): Promise<void> {
    await this.#pruneOld();
    await this.#pruneForSpace();
  }

  async #forget(pictures: readonly Picture[], reason: PruneReason): Promise<void> {
    const { store, files, commit, alone, log } = this.#parts;
    // A full disk takes no row's removal before a file has gone; a row without its file is found at the next start.
    for (const picture of pictures) await files.remove(picture);
    await commit.runSoon(() => store.remove(pictures.map(({ id }) => id)));
    const lost = pictures.filter(({ state }) => state === 'waiting');
    for (const { id, readId } of alone ? [] : lost) {
      log.warn({
        event: LOG_EVENTS.pictureLost,
        id,
        readId,
        reason: `pruned for ${reason}, not brought yet`,
      });
    }
    log.info({ event: LOG_EVENTS.picturesPruned, pictures: pictures.length, lost: lost.length, reason });
  }

  async #pruneOld(): Promise<void> {
    const { store, settings, alone, clock } = this.#parts;
    const before = (days: number) => utcTime(clock.now().getTime() - days * DAY_MS);
    const kept = before(settings.keepDays);
    for (const old of [
      () => store.takenBefore(kept, 'stored', AT_ONCE),
      () => store.takenBefore(kept, 'refused', AT_ONCE),
      () => store.takenBefore(alone ? kept : before(MAX_DAYS), 'waiting', AT_ONCE),
    ]) {
      for (let found = old(); found.length > 0 && !this.#stopped; found = old()) {
        await this.#forget(found, 'age');
      }
    }
  }

  /**
   * The pictures that may go first; one with a visit that the cloud has not received yet goes only when the
   * disk is full.
   */
  #nextToGo(isFull: boolean): Picture[] {
    const { store, events } = this.#parts;
    for (const found of [
      () => store.oldest('stored', AT_ONCE),
      () => store.oldest('refused', AT_ONCE),
      () => store.oldest('waiting', AT_ONCE, events.acknowledged()),
      () => (isFull ? store.oldest('waiting', AT_ONCE) : []),
    ]) {
      const pictures = found();
      if (pictures.length > 0) return pictures;
    }
    return [];
  }

  async #pruneForSpace(): Promise<void> {
    const { settings, space } = this.#parts;
    while (!this.#stopped) {
      const { free, total } = await space();
      const wanted = Math.min(settings.keepFreeMb * MIB, (total * settings.keepFreePercent) / 100);
      const full = wanted * FULL_PART;
      const candidates = free < wanted ? this.#nextToGo(free < full) : [];
      if (candidates.length === 0) {
        this.#reportFreeSpace(free < full, free);
        return;
      }
      await this.#forget(asManyAs(candidates, wanted - free), 'space');
    }
  }

  #reportFreeSpace(isTight: boolean, free: number): void {
    if (isTight !== this.#tight) {
      const event = isTight ? LOG_EVENTS.pictureNoRoom : LOG_EVENTS.pictureRoomAgain;
      this.#parts.log[isTight ? 'error' : 'info']({ event, free });
    }
    this.#tight = isTight;
  }
}

/** The first of them that together have this many bytes; all, where they have fewer. */
function asManyAs(pictures: readonly Picture[], bytes: number): Picture[] {
  const taken: Picture[] = [];
  let sum = 0;
  for (const picture of pictures) {
    if (sum >= bytes) break;
    taken.push(picture);
    sum += picture.bytes;
  }
  return taken;
}
