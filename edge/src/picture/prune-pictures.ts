import type { Clock } from '@hlid/node/clock';
import { DAY_MS, MINUTE_MS, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { PictureSettings } from '../config.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { DiskSpace } from '../disk-space.ts';
import { LOG_EVENTS } from '../events.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Picture, PictureStore } from './picture-store.ts';

/** Keeps pictures from growing old, and from filling the disk: events and gates need room. */
export interface PicturePruning {
  start(): void;
  stop(): Promise<void>;
  /** Looks at once. */
  prune(): Promise<void>;
  /** There is hardly any room left: no new pictures. */
  isTight(): boolean;
}

/** Nobody may keep pictures of vehicles for longer, sent or not. */
const MAX_DAYS = 90;
const PRUNE_EVERY_MS = MINUTE_MS;
const AT_ONCE = 100;
/** With less than this part of the room that is to be kept free, the disk counts as full. */
const FULL_PART = 0.25;
const MIB = 1024 * 1024;

type Why = 'age' | 'space';

export function createPicturePruning(parts: {
  store: PictureStore;
  files: PictureFiles;
  commit: GroupCommit;
  events: Pick<EventLog, 'acknowledged'>;
  settings: PictureSettings;
  /** Nothing is ever brought to a cloud: what waits grows old like the rest. */
  alone: boolean;
  space: () => Promise<DiskSpace>;
  clock: Clock;
  log: Logger;
}): PicturePruning {
  const { store, files, commit, events, settings, clock, log } = parts;
  let timer: NodeJS.Timeout | undefined;
  let pruning: Promise<void> | null = null;
  let stopped = false;
  let tight = false;

  async function forget(pictures: readonly Picture[], why: Why): Promise<void> {
    // A full disk takes no row's removal before a file has gone; a row without its file is found at the next start.
    for (const picture of pictures) await files.remove(picture);
    await commit.runSoon(() => store.remove(pictures.map(({ id }) => id)));
    const lost = pictures.filter(({ state }) => state === 'waiting');
    for (const { id, readId } of parts.alone ? [] : lost) {
      log.warn({ event: LOG_EVENTS.pictureLost, id, readId, reason: `pruned for ${why}, not brought yet` });
    }
    log.info({ event: LOG_EVENTS.picturesPruned, pictures: pictures.length, lost: lost.length, why });
  }

  async function pruneOld(): Promise<void> {
    const before = (days: number) => utcTime(clock.now().getTime() - days * DAY_MS);
    const kept = before(settings.keepDays);
    for (const old of [
      () => store.takenBefore(kept, 'stored', AT_ONCE),
      () => store.takenBefore(kept, 'refused', AT_ONCE),
      () => store.takenBefore(parts.alone ? kept : before(MAX_DAYS), 'waiting', AT_ONCE),
    ]) {
      for (let found = old(); found.length > 0 && !stopped; found = old()) await forget(found, 'age');
    }
  }

  /** Those that may go first; one whose visit the cloud has not heard of yet goes only when the disk is full. */
  function nextToGo(isFull: boolean): Picture[] {
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

  async function pruneForSpace(): Promise<void> {
    while (!stopped) {
      const { free, total } = await parts.space();
      const wanted = Math.min(settings.keepFreeMb * MIB, (total * settings.keepFreePercent) / 100);
      const full = wanted * FULL_PART;
      const candidates = free < wanted ? nextToGo(free < full) : [];
      if (candidates.length === 0) {
        noteRoom(free < full, free);
        return;
      }
      await forget(asManyAs(candidates, wanted - free), 'space');
    }
  }

  function noteRoom(isTight: boolean, free: number): void {
    if (isTight !== tight) {
      const event = isTight ? LOG_EVENTS.pictureNoRoom : LOG_EVENTS.pictureRoomAgain;
      log[isTight ? 'error' : 'info']({ event, free });
    }
    tight = isTight;
  }

  function prune(): Promise<void> {
    pruning ??= (async () => {
      await pruneOld();
      await pruneForSpace();
    })()
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.pruningFailed, err }))
      .finally(() => {
        pruning = null;
      });
    return pruning;
  }

  return {
    start() {
      void prune();
      timer = setInterval(() => void prune(), PRUNE_EVERY_MS);
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await pruning;
    },
    prune,
    isTight: () => tight,
  };
}

/** The first of them that together have so many bytes; all, where they have fewer. */
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
