import { join } from 'node:path';
import type { Clock } from '@hlid/node/clock';
import type { PictureKind } from '@hlid/protocol/edge-api';
import { messageOf } from '@hlid/protocol/fault';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { ReadDesk } from '../camera/read-desk.ts';
import type { EdgeConfig } from '../config.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import { type DiskSpace, diskSpace } from '../disk-space.ts';
import { LOG_EVENTS } from '../events.ts';
import type { LaneBoard } from '../local-api/lane-board.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { type BringPicture, createPictureHttp } from './bring-picture.ts';
import { createPictureKeeping } from './keep-pictures.ts';
import { mendPictures } from './mend-pictures.ts';
import { createPictureDesk } from './picture-desk.ts';
import { createPictureFiles } from './picture-files.ts';
import { createPictureSender, type SenderTiming } from './picture-sender.ts';
import { createPictureStore, type Picture } from './picture-store.ts';
import { createPicturePruning } from './prune-pictures.ts';
import { createReadPlaces } from './read-places.ts';
import { createSnapshots } from './take-snapshots.ts';

/** How it is with the pictures that are here. */
export interface PicturesView {
  waiting: { pictures: number; bytes: number; oldestAt: UtcTime | null };
  /** All of them, those that the cloud has too. */
  kept: { pictures: number; bytes: number };
  /** No new ones are kept: the disk is full. */
  noRoom: boolean;
  /** Why none goes to the cloud; null while all is well. */
  trouble: string | null;
}

/** Pictures on their way from cameras to the cloud. Nothing else waits for them. */
export interface Pictures {
  /** A desk that takes reads as the given one does, and then their pictures. */
  behind(desk: ReadDesk): ReadDesk;
  start(): void;
  /** Resolves when what was taken is kept, and nothing is on its way any more. */
  stop(): Promise<void>;
  /** The cloud has acknowledged events. */
  wake(): void;
  /** Erases what is here of these reads, also where the cloud has it. @returns how many pictures */
  forget(readIds: readonly string[]): Promise<number>;
  /** The picture of a read, as long as it is here. */
  pictureOf(
    readId: string,
    kind: PictureKind,
  ): Promise<{ contentType: Picture['contentType']; bytes: Buffer } | null>;
  view(): PicturesView;
  /** Resolves when what was taken is kept. */
  idle(): Promise<void>;
  /** Removes at once what is too old, or stands in the way of what needs room more. */
  prune(): Promise<void>;
}

/**
 * ```
 *  camera ─▶ desk ─▶ gate
 *              └─(afterwards)─▶ picture desk ─▶ keeping ─▶ files + rows ─▶ sender ─HTTP─▶ cloud
 *                                   └─ snapshot of an ONVIF camera            └─ pruning, by age and room
 * ```
 */
export function createPictures(parts: {
  config: Pick<EdgeConfig, 'dataDir' | 'cameras' | 'cloud' | 'pictures'>;
  db: SiteDb;
  commit: GroupCommit;
  events: EventLog;
  board: LaneBoard;
  devices: Pick<OnvifDevices, 'at'>;
  clock: Clock;
  log: Logger;
  timing?: Partial<SenderTiming>;
  space?: () => Promise<DiskSpace>;
  bring?: BringPicture;
}): Pictures {
  const { config, db, commit, events, clock, log } = parts;
  const store = createPictureStore(db);
  const files = createPictureFiles(join(config.dataDir, 'site-pictures'));
  const places = createReadPlaces(db);
  const stopping = new AbortController();

  const pruning = createPicturePruning({
    ...{ store, files, commit, events, clock, log },
    settings: config.pictures,
    alone: config.cloud === null,
    space: parts.space ?? (() => diskSpace(config.dataDir)),
  });
  const bring = parts.bring ?? (config.cloud && createPictureHttp(config.cloud));
  const sender =
    bring &&
    createPictureSender({
      ...{ store, files, bring, commit, events, clock, log },
      ...(parts.timing && { timing: parts.timing }),
    });
  const keeping = createPictureKeeping({
    ...{ store, files, places, commit, events, log },
    isTight: pruning.isTight,
    onKept: () => sender?.wake(),
    onFailed: () => void pruning.prune(),
  });
  const desk = createPictureDesk({
    ...{ keeping, places, board: parts.board },
    snapshots: createSnapshots({ cameras: config.cameras, devices: parts.devices, clock, log }),
    onFailed: (error) => log.error({ event: LOG_EVENTS.pictureLost, reason: messageOf(error), err: error }),
  });
  let mending: Promise<void> = Promise.resolve();

  return {
    behind: desk.behind,
    start() {
      mending = mendPictures({ store, files, commit, log }, keeping.isInHand, stopping.signal)
        .catch((err: unknown) => log.error({ event: LOG_EVENTS.pruningFailed, err }))
        .then(() => (stopping.signal.aborted ? undefined : pruning.start()));
      sender?.start();
    },
    async stop() {
      stopping.abort();
      await mending;
      await Promise.all([pruning.stop(), sender?.stop(), keeping.idle()]);
    },
    wake: () => sender?.wake(),
    idle: keeping.idle,
    prune: pruning.prune,
    async forget(readIds) {
      desk.forget();
      // What is in hand has no row yet.
      await keeping.idle();
      const pictures = readIds.flatMap(store.ofRead);
      for (const picture of pictures) await files.remove(picture);
      await commit.run(() => store.remove(pictures.map(({ id }) => id)));
      return pictures.length;
    },
    async pictureOf(readId, kind) {
      const picture = store.get(readId, kind);
      const bytes = picture ? await files.read(picture) : null;
      return picture && bytes ? { contentType: picture.contentType, bytes } : null;
    },
    view() {
      const counts = store.count();
      const waiting = counts.find(({ state }) => state === 'waiting');
      const sum = (of: 'pictures' | 'bytes') => counts.reduce((total, count) => total + count[of], 0);
      return {
        waiting: {
          pictures: waiting?.pictures ?? 0,
          bytes: waiting?.bytes ?? 0,
          oldestAt: waiting?.oldestAt ?? null,
        },
        kept: { pictures: sum('pictures'), bytes: sum('bytes') },
        noRoom: pruning.isTight(),
        trouble: sender?.trouble() ?? null,
      };
    },
  };
}
