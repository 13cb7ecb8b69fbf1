import { join } from 'node:path';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import type { PictureKind } from '@hlid/protocol/site-link/edge-api';
import type { BoardPicture } from '@hlid/protocol/site-link/site-board';
import { type DiskSpace, diskSpace } from '../base/disk-space.ts';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeConfig } from '../config/config.ts';
import type { LaneUpdate } from '../lane/lane-status.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Passage } from '../passage/passage-store.ts';
import { type BringPicture, createPictureHttp } from './bring-picture.ts';
import { PictureKeeping } from './keep-pictures.ts';
import { mendPictures } from './mend-pictures.ts';
import { PictureDesk } from './picture-desk.ts';
import { createPictureFiles, type PictureFiles } from './picture-files.ts';
import { PictureSender, type SenderTiming } from './picture-sender.ts';
import { type Picture, type PictureState, PictureStore } from './picture-store.ts';
import { PicturePruning } from './prune-pictures.ts';
import { createReadPlaces } from './read-places.ts';
import { Snapshots } from './snapshots.ts';

/** The state of the pictures of the site. */
export interface PicturesView {
  waiting: { pictures: number; bytes: number; oldestAt: UtcTime | null };
  /** All of them, those that the cloud has too. */
  kept: { pictures: number; bytes: number };
  /** No new ones are kept: the disk is full. */
  noRoom: boolean;
  /** Why none goes to the cloud; null while all is well. */
  trouble: string | null;
}

/**
 * Pictures on their way from cameras to the cloud. Nothing else waits for them.
 *
 * ```
 *  camera ─▶ read handler ─▶ lane ─▶ gate
 *              └─(afterwards)─▶ picture desk ─▶ keeping ─▶ files + rows ─▶ sender ─HTTP─▶ cloud
 *                                   └─ snapshot of an ONVIF camera            └─ pruning, by age and room
 * ```
 */
export class Pictures {
  readonly snapshots: Snapshots;
  readonly #context: EdgeContext;
  readonly #store: PictureStore;
  readonly #files: PictureFiles;
  readonly #pruning: PicturePruning;
  readonly #sender: PictureSender | null;
  readonly #keeping: PictureKeeping;
  readonly #desk: PictureDesk;
  readonly #stopping = new AbortController();
  #mending: Promise<void> = Promise.resolve();
  #onKept: () => void = () => undefined;

  constructor(
    context: EdgeContext,
    options: {
      config: Pick<EdgeConfig, 'dataDir' | 'cameras' | 'cloud' | 'pictures'>;
      devices: Pick<OnvifDevices, 'at'>;
      timing?: Partial<SenderTiming>;
      space?: () => Promise<DiskSpace>;
      bring?: BringPicture;
    },
  ) {
    const { config, devices, timing, space = () => diskSpace(config.dataDir) } = options;
    const { db, clock, log } = context;
    const store = new PictureStore(db);
    const files = createPictureFiles(join(config.dataDir, 'site-pictures'));
    const places = createReadPlaces(db);
    this.#context = context;
    this.snapshots = new Snapshots({ cameras: config.cameras, devices, clock, log });
    this.#store = store;
    this.#files = files;
    this.#pruning = new PicturePruning({
      ...context,
      store,
      files,
      settings: config.pictures,
      space,
      alone: config.cloud === null,
    });
    const bring = options.bring ?? (config.cloud && createPictureHttp(config.cloud));
    this.#sender = bring && new PictureSender({ ...context, store, files, bring, ...(timing && { timing }) });
    this.#keeping = new PictureKeeping({
      ...context,
      store,
      files,
      places,
      isTight: () => this.#pruning.isTight(),
      onKept: () => {
        this.#sender?.wake();
        this.#onKept();
      },
      onFailed: () => void this.#pruning.prune(),
    });
    this.#desk = new PictureDesk({
      keeping: this.#keeping,
      places,
      snapshots: this.snapshots,
      onFailed: (err) => log.error({ event: LOG_EVENTS.pictureLost, reason: messageOf(err), err }),
    });
  }

  /** @param listener called for a new picture */
  onKept(listener: () => void): void {
    this.#onKept = listener;
  }

  start(): void {
    const { commit, log } = this.#context;
    const [store, files, keeping, { signal }] = [
      this.#store,
      this.#files,
      this.#keeping,
      this.#stopping,
    ] as const;
    this.#mending = mendPictures({ store, files, commit, log }, (name) => keeping.isUnfinished(name), signal)
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.pruningFailed, err }))
      .then(() => (signal.aborted ? undefined : this.#pruning.start()));
    this.#sender?.start();
  }

  /** Resolves when what was taken is kept, and nothing is on its way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#mending;
    await Promise.all([this.#pruning.stop(), this.#sender?.stop(), this.#keeping.idle()]);
  }

  /** The reads of a document have been handled. */
  documentHandled(cameraId: string, document: CameraDocument, receivedAt: Date): void {
    this.#desk.documentHandled(cameraId, document, receivedAt);
  }

  onLaneUpdate(update: LaneUpdate): void {
    this.#desk.onLaneUpdate(update);
  }

  /** The cloud has acknowledged events. */
  wake(): void {
    this.#sender?.wake();
  }

  /** Erases what is here of these reads, also where the cloud has it. @returns how many pictures */
  async forget(readIds: readonly string[]): Promise<number> {
    this.#desk.forget();
    // A picture that is being written has no row yet.
    await this.#keeping.idle();
    const pictures = readIds.flatMap((readId) => this.#store.ofRead(readId));
    for (const picture of pictures) await this.#files.remove(picture);
    await this.#context.commit.run(() => this.#store.remove(pictures.map(({ id }) => id)));
    return pictures.length;
  }

  /**
   * The read with the picture of a passage that people are shown, and whether the cloud has the picture. The
   * read that decided may have come without one: many cameras send a car's picture with a later or an earlier
   * document.
   */
  shownOf({ id, readId }: Pick<Passage, 'id' | 'readId'>): { photoId: string; picture: BoardPicture } {
    const pictures = this.#store
      .ofPassage(id)
      .toSorted((one, other) => Number(other.readId === readId) - Number(one.readId === readId));
    const inState = (wanted: PictureState) => pictures.find(({ state }) => state === wanted);
    const stored = inState('stored');
    if (stored) return { photoId: stored.readId, picture: 'there' };
    const waiting = inState('waiting');
    return waiting ? { photoId: waiting.readId, picture: 'coming' } : { photoId: readId, picture: 'none' };
  }

  /** Whether the picture of a read is here. */
  has(readId: string, kind: PictureKind): boolean {
    return this.#store.get(readId, kind) !== undefined;
  }

  /** The picture of a read, as long as it is here. */
  async pictureOf(
    readId: string,
    kind: PictureKind,
  ): Promise<{ contentType: Picture['contentType']; bytes: Buffer } | null> {
    const picture = this.#store.get(readId, kind);
    const bytes = picture ? await this.#files.read(picture) : null;
    return picture && bytes ? { contentType: picture.contentType, bytes } : null;
  }

  view(): PicturesView {
    const counts = this.#store.count();
    const waiting = counts.find(({ state }) => state === 'waiting');
    const sum = (of: 'pictures' | 'bytes') => counts.reduce((total, count) => total + count[of], 0);
    return {
      waiting: {
        pictures: waiting?.pictures ?? 0,
        bytes: waiting?.bytes ?? 0,
        oldestAt: waiting?.oldestAt ?? null,
      },
      kept: { pictures: sum('pictures'), bytes: sum('bytes') },
      noRoom: this.#pruning.isTight(),
      trouble: this.#sender?.trouble() ?? null,
    };
  }

  /** Resolves when what was taken is kept. */
  idle(): Promise<void> {
    return this.#keeping.idle();
  }

  /** Removes at once what is too old, or stands in the way of what needs room more. */
  prune(): Promise<void> {
    return this.#pruning.prune();
  }
}
