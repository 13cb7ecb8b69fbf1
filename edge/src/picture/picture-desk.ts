import type { CameraDocument, ReadPicture } from '@hlid/protocol/plate-read';
import { utcTime } from '@hlid/protocol/utc-time';
import type { ReadDesk } from '../camera/read-desk.ts';
import type { LaneBoard } from '../local-api/lane-board.ts';
import type { PictureKeeping } from './keep-pictures.ts';
import type { PlacedRead, ReadPlaces } from './read-places.ts';
import type { Snapshots } from './take-snapshots.ts';

/** A camera that sees plates where none are fills no disk with reads of nobody. */
const LOOSE_PAUSE_MS = 10_000;
/** So many passages are remembered as asked for a snapshot. */
const MAX_ASKED = 200;

/** The newest sight of a car that stands at a closed gate. */
interface StandingCar {
  cameraId: string;
  read: PlacedRead;
  pictures: readonly ReadPicture[];
  at: Date;
}

/**
 * Takes what documents show, once their reads are on the disk and their gates are told. A read that opened nothing yet
 * is remembered: when the car is let go after all, it is that read which stands at the visit.
 */
export function createPictureDesk(parts: {
  keeping: PictureKeeping;
  places: ReadPlaces;
  snapshots: Snapshots;
  board: Pick<LaneBoard, 'subscribe'>;
  onFailed: (error: unknown) => void;
}) {
  const { keeping, places, snapshots } = parts;
  const standing = new Map<string, StandingCar>();
  const looseAt = new Map<string, number>();
  const asked = new Set<string>();

  parts.board.subscribe((news) => {
    if (!('passage' in news) || !news.passage.open) return;
    const car = standing.get(news.laneId);
    if (car?.read.passageId !== news.passage.id) return;
    standing.delete(news.laneId);
    // The board is told before the gate is.
    setImmediate(() => keep(car));
  });

  function documentTaken(cameraId: string, { reads, pictures }: CameraDocument, at: Date): void {
    const [first] = reads;
    // Pictures are of the first read.
    const read = first && places.find(cameraId, first.eventKey);
    if (!read) return;
    const seen = { cameraId, read, pictures, at };
    const { laneId, passageId } = read;
    if (passageId === null) {
      keepLoose(seen);
      return;
    }
    if (!read.passed) standing.set(laneId, seen);
    else if (standing.get(laneId)?.read.passageId === passageId) standing.delete(laneId);
    if (pictures.length > 0 || isNew(passageId)) keep(seen);
  }

  function isNew(passageId: string): boolean {
    if (asked.has(passageId)) return false;
    asked.add(passageId);
    for (const oldest of asked) {
      if (asked.size <= MAX_ASKED) break;
      asked.delete(oldest);
    }
    return true;
  }

  function keep({ cameraId, read, pictures, at }: StandingCar): void {
    const takenAt = utcTime(at);
    if (pictures.length > 0) {
      keeping.keep({ read, pictures, takenAt });
    } else if (snapshots.canTake(cameraId)) {
      snapshots
        .take(cameraId)
        .then((picture) => picture && keeping.keep({ read, pictures: [picture], takenAt }))
        .catch(parts.onFailed);
    }
  }

  /** A read of no passage: kept for whoever reviews it. */
  function keepLoose(seen: StandingCar): void {
    const last = looseAt.get(seen.cameraId) ?? Number.NEGATIVE_INFINITY;
    // Away from it in either direction: clocks are set.
    if (Math.abs(seen.at.getTime() - last) < LOOSE_PAUSE_MS) return;
    looseAt.set(seen.cameraId, seen.at.getTime());
    keep(seen);
  }

  return {
    /** What is in memory of cars that stand at closed gates. */
    forget: () => standing.clear(),
    /** A desk that takes reads as the given one does, and then their pictures. */
    behind: (desk: ReadDesk): ReadDesk => ({
      async take(cameraId, document, receivedAt) {
        const taken = await desk.take(cameraId, document, receivedAt);
        if (document.reads.length > 0 && (document.pictures.length > 0 || snapshots.canTake(cameraId))) {
          // The camera's answer goes out first.
          setImmediate(() => {
            try {
              documentTaken(cameraId, document, receivedAt);
            } catch (error) {
              parts.onFailed(error);
            }
          });
        }
        return taken;
      },
    }),
  };
}
