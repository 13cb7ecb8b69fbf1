import { createHash } from 'node:crypto';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { keptPictures } from '@hlid/protocol/camera/kept-pictures';
import { pictureType } from '@hlid/protocol/camera/picture-type';
import type { ReadPicture } from '@hlid/protocol/plate/plate-read';
import { MAX_PICTURE_BYTES } from '@hlid/protocol/site-link/edge-api';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { PictureFiles } from './picture-files.ts';
import type { NewPicture, PictureStore } from './picture-store.ts';
import { placePicture } from './place-picture.ts';
import type { PlacedRead, ReadPlaces } from './read-places.ts';

/** Pictures of one read, to be kept if they are worth it. */
export interface SeenPictures {
  read: PlacedRead;
  pictures: readonly ReadPicture[];
  takenAt: UtcTime;
}

/**
 * The most that may wait in memory to be written. If the disk is slower than the cameras, later pictures are
 * lost.
 */
const MAX_WAITING_CHARACTERS = 48 * 1024 * 1024;
/** Documents of which the rows are written down together. */
const AT_ONCE = 20;

interface KeepingParts extends Pick<EdgeContext, 'commit' | 'log'> {
  store: PictureStore;
  files: PictureFiles;
  places: ReadPlaces;
  events: Pick<EventLog, 'lastSeq'>;
  /** No room on the disk for more than the events and gates need. */
  isTight: () => boolean;
  onKept: () => void;
  /** A file could not be written. */
  onFailed: () => void;
}

/** Stores pictures, one after the other, apart from everything that a gate waits for. */
export class PictureKeeping {
  readonly #parts: KeepingParts;
  readonly #waiting: SeenPictures[] = [];
  /** Files that are being written and have no row yet. */
  readonly #unfinished = new Set<string>();
  #waitingCharacters = 0;
  #writing: Promise<void> | null = null;

  constructor(parts: KeepingParts) {
    this.#parts = parts;
  }

  keep(seen: SeenPictures): void {
    const tooMany = this.#waitingCharacters + sizeOf(seen) > MAX_WAITING_CHARACTERS;
    if (this.#parts.isTight() || tooMany) {
      this.#lose(seen, tooMany ? 'too many wait for the disk' : 'no room on the disk');
      return;
    }
    this.#waiting.push(seen);
    this.#waitingCharacters += sizeOf(seen);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  /** Whether a file is being written and has no row yet. */
  isUnfinished(name: string): boolean {
    return this.#unfinished.has(name.replace(/\.part$/, ''));
  }

  /** Resolves when nothing is waiting to be written. */
  async idle(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #lose(seen: SeenPictures, reason: string): void {
    this.#parts.log.warn({ event: LOG_EVENTS.pictureLost, readId: seen.read.id, reason });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const written: NewPicture[] = [];
      for (const seen of this.#waiting.splice(0, AT_ONCE)) {
        this.#waitingCharacters -= sizeOf(seen);
        await this.#write(seen, written).catch((error: unknown) => {
          this.#lose(seen, messageOf(error));
          this.#parts.onFailed();
        });
      }
      await this.#storeRows(written);
    }
  }

  /** @param written what the batch has so far */
  async #write(seen: SeenPictures, written: NewPicture[]): Promise<void> {
    const { store, files, places, events } = this.#parts;
    const { id, passageId, score } = seen.read;
    const ofPassage =
      passageId === null
        ? store.ofRead(id)
        : [...store.ofPassage(passageId), ...written.filter((other) => other.passageId === passageId)];
    const visitReadId = passageId === null ? null : places.visitReadOf(passageId);
    const readId = placePicture({ id, score }, ofPassage, visitReadId);
    if (readId === null) return;
    for (const { kind, picture } of keptPictures(seen.pictures, decode)) {
      const made: NewPicture = {
        readId,
        passageId,
        kind,
        score,
        takenAt: seen.takenAt,
        contentType: picture.contentType,
        bytes: picture.bytes.length,
        sha256: createHash('sha256').update(picture.bytes).digest('base64'),
        state: 'waiting',
        afterSeq: events.lastSeq(),
        tries: 0,
        dueAt: seen.takenAt,
      };
      const name = files.nameOf(made);
      this.#unfinished.add(name);
      try {
        await files.write(made, picture.bytes);
      } catch (error) {
        this.#unfinished.delete(name);
        throw error;
      }
      written.push(made);
    }
  }

  async #storeRows(written: readonly NewPicture[]): Promise<void> {
    if (written.length === 0) return;
    const { store, files, commit, log } = this.#parts;
    try {
      await commit.runSoon(() => {
        for (const picture of written) store.add(picture);
      });
      log.debug({ event: LOG_EVENTS.picturesKept, pictures: written.length });
      this.#parts.onKept();
    } catch (error) {
      for (const picture of written) {
        log.warn({ event: LOG_EVENTS.pictureLost, readId: picture.readId, reason: messageOf(error) });
        await files.remove(picture).catch(() => undefined);
      }
    }
    for (const picture of written) this.#unfinished.delete(files.nameOf(picture));
  }
}

/** The type by the first bytes, whatever is declared; a picture is never decoded here. */
function decode({ base64 }: ReadPicture): { contentType: NewPicture['contentType']; bytes: Buffer } | null {
  const bytes = Buffer.from(base64, 'base64');
  const contentType = bytes.length > MAX_PICTURE_BYTES ? null : pictureType(bytes);
  return contentType && { contentType, bytes };
}

function sizeOf({ pictures }: SeenPictures): number {
  return pictures.reduce((sum, { base64 }) => sum + base64.length, 0);
}
