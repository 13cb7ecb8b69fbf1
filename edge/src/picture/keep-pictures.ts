import { createHash } from 'node:crypto';
import { keptPictures } from '@hlid/protocol/camera/kept-pictures';
import { pictureType } from '@hlid/protocol/camera/part-picture';
import { MAX_PICTURE_BYTES } from '@hlid/protocol/edge-api';
import { messageOf } from '@hlid/protocol/fault';
import type { ReadPicture } from '@hlid/protocol/plate-read';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Picture, PictureStore } from './picture-store.ts';
import { placePicture } from './place-picture.ts';
import type { PlacedRead, ReadPlaces } from './read-places.ts';

/** Pictures of one read, to be kept if they are worth it. */
export interface SeenPictures {
  read: PlacedRead;
  pictures: readonly ReadPicture[];
  takenAt: UtcTime;
}

/** Writes pictures down, one after the other, apart from everything that a gate waits for. */
export interface PictureKeeping {
  keep(seen: SeenPictures): void;
  /** Files that are being written and have no row yet. */
  isInHand(name: string): boolean;
  /** Resolves when nothing is waiting to be written. */
  idle(): Promise<void>;
}

/** Of what waits in memory to be written; where the disk is slower than the cameras, what comes then is lost. */
const MAX_WAITING_CHARACTERS = 48 * 1024 * 1024;
/** Documents of which the rows are written down together. */
const AT_ONCE = 20;

export function createPictureKeeping(parts: {
  store: PictureStore;
  files: PictureFiles;
  places: ReadPlaces;
  commit: GroupCommit;
  events: Pick<EventLog, 'lastSeq'>;
  /** No room on the disk for more than the events and gates need. */
  isTight: () => boolean;
  onKept: () => void;
  /** A file could not be written. */
  onFailed: () => void;
  log: Logger;
}): PictureKeeping {
  const { store, files, places, commit, events, log } = parts;
  const waiting: SeenPictures[] = [];
  let waitingCharacters = 0;
  let writing: Promise<void> | null = null;
  const inHand = new Set<string>();

  function lose(seen: SeenPictures, reason: string): void {
    log.warn({ event: LOG_EVENTS.pictureLost, readId: seen.read.id, reason });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      const written: Picture[] = [];
      for (const seen of batch) {
        waitingCharacters -= sizeOf(seen);
        await write(seen, written).catch((error: unknown) => {
          lose(seen, messageOf(error));
          parts.onFailed();
        });
      }
      await writeDown(written);
    }
  }

  /** @param written what the batch has so far */
  async function write(seen: SeenPictures, written: Picture[]): Promise<void> {
    const { id, passageId, score } = seen.read;
    const ofPassage =
      passageId === null
        ? store.ofRead(id)
        : [...store.ofPassage(passageId), ...written.filter((other) => other.passageId === passageId)];
    const visitReadId = passageId === null ? null : places.visitReadOf(passageId);
    const readId = placePicture({ id, score }, ofPassage, visitReadId);
    if (readId === null) return;
    for (const { kind, picture } of keptPictures(seen.pictures, decode)) {
      const made: Picture = {
        ...{ id: newId(), readId, passageId, kind, score, takenAt: seen.takenAt },
        contentType: picture.contentType,
        bytes: picture.bytes.length,
        sha256: createHash('sha256').update(picture.bytes).digest('hex'),
        state: 'waiting',
        afterSeq: events.lastSeq(),
        tries: 0,
        dueAt: seen.takenAt,
      };
      const name = files.nameOf(made);
      inHand.add(name);
      try {
        await files.write(made, picture.bytes);
      } catch (error) {
        inHand.delete(name);
        throw error;
      }
      written.push(made);
    }
  }

  async function writeDown(written: readonly Picture[]): Promise<void> {
    if (written.length === 0) return;
    try {
      await commit.runSoon(() => written.forEach(store.add));
      log.debug({ event: LOG_EVENTS.picturesKept, pictures: written.length });
      parts.onKept();
    } catch (error) {
      for (const picture of written) {
        log.warn({ event: LOG_EVENTS.pictureLost, readId: picture.readId, reason: messageOf(error) });
        await files.remove(picture).catch(() => undefined);
      }
    }
    for (const picture of written) inHand.delete(files.nameOf(picture));
  }

  return {
    keep(seen) {
      const tooMany = waitingCharacters + sizeOf(seen) > MAX_WAITING_CHARACTERS;
      if (parts.isTight() || tooMany) {
        lose(seen, tooMany ? 'too many wait for the disk' : 'no room on the disk');
        return;
      }
      waiting.push(seen);
      waitingCharacters += sizeOf(seen);
      writing ??= writeAll().finally(() => {
        writing = null;
      });
    },
    isInHand: (name) => inHand.has(name.replace(/\.part$/, '')),
    async idle() {
      while (writing) await writing;
    },
  };
}

/** By its first bytes, whatever it is said to be; it is never decoded here. */
function decode({ base64 }: ReadPicture): { contentType: Picture['contentType']; bytes: Buffer } | null {
  const bytes = Buffer.from(base64, 'base64');
  const contentType = bytes.length > MAX_PICTURE_BYTES ? null : pictureType(bytes);
  return contentType && { contentType, bytes };
}

function sizeOf({ pictures }: SeenPictures): number {
  return pictures.reduce((sum, { base64 }) => sum + base64.length, 0);
}
