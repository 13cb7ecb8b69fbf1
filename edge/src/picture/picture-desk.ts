import { utcTime } from '@hlid/protocol/base/utc-time';
import type { CameraDocument, ReadPicture } from '@hlid/protocol/plate/plate-read';
import type { LaneUpdate } from '../lane/lane-status.ts';
import type { PictureKeeping } from './keep-pictures.ts';
import type { PlacedRead, ReadPlaces } from './read-places.ts';
import type { Snapshots } from './snapshots.ts';

/** A camera that sees plates where none are must not fill the disk with reads that belong to no passage. */
const LOOSE_PAUSE_MS = 10_000;
/** The number of passages remembered as having requested a snapshot. */
const MAX_ASKED = 200;

/** The newest sight of a car that stands at a closed gate. */
interface StandingCar {
  cameraId: string;
  read: PlacedRead;
  pictures: readonly ReadPicture[];
  at: Date;
}

/**
 * Keeps the pictures of documents, once their reads are on the disk and their gates have their commands. A read that
 * opened nothing yet is remembered: when the car may go after all, it is that read which stands at the visit.
 */
export class PictureDesk {
  readonly #keeping: PictureKeeping;
  readonly #places: ReadPlaces;
  readonly #snapshots: Pick<Snapshots, 'canTake' | 'take'>;
  readonly #onFailed: (error: unknown) => void;
  readonly #standing = new Map<string, StandingCar>();
  readonly #looseAt = new Map<string, number>();
  readonly #asked = new Set<string>();

  constructor(options: {
    keeping: PictureKeeping;
    places: ReadPlaces;
    snapshots: Pick<Snapshots, 'canTake' | 'take'>;
    onFailed: (error: unknown) => void;
  }) {
    this.#keeping = options.keeping;
    this.#places = options.places;
    this.#snapshots = options.snapshots;
    this.#onFailed = options.onFailed;
  }

  /** The reads of a document have been handled: keeps its pictures, after the camera's answer is out. */
  documentHandled(cameraId: string, document: CameraDocument, at: Date): void {
    if (document.reads.length === 0) return;
    if (document.pictures.length === 0 && !this.#snapshots.canTake(cameraId)) return;
    setImmediate(() => {
      try {
        this.#keepOf(cameraId, document, at);
      } catch (error) {
        this.#onFailed(error);
      }
    });
  }

  onLaneUpdate(update: LaneUpdate): void {
    if (!('passage' in update) || !update.passage.open) return;
    const car = this.#standing.get(update.laneId);
    if (car?.read.passageId !== update.passage.id) return;
    this.#standing.delete(update.laneId);
    // The news come before the gate has its command.
    setImmediate(() => this.#keep(car));
  }

  /** Forgets what is in memory of cars that stand at closed gates. */
  forget(): void {
    this.#standing.clear();
  }

  #keepOf(cameraId: string, { reads, pictures }: CameraDocument, at: Date): void {
    const [first] = reads;
    // Pictures are of the first read.
    const read = first && this.#places.find(cameraId, first, utcTime(at));
    if (!read) return;
    const seen = { cameraId, read, pictures, at };
    const { laneId, passageId } = read;
    if (passageId === null) {
      this.#keepLoose(seen);
      return;
    }
    if (!read.passed) this.#standing.set(laneId, seen);
    else if (this.#standing.get(laneId)?.read.passageId === passageId) this.#standing.delete(laneId);
    if (pictures.length > 0 || this.#isNew(passageId)) this.#keep(seen);
  }

  #isNew(passageId: string): boolean {
    const asked = this.#asked;
    if (asked.has(passageId)) return false;
    asked.add(passageId);
    for (const oldest of asked) {
      if (asked.size <= MAX_ASKED) break;
      asked.delete(oldest);
    }
    return true;
  }

  #keep({ cameraId, read, pictures, at }: StandingCar): void {
    const takenAt = utcTime(at);
    if (pictures.length > 0) {
      this.#keeping.keep({ read, pictures, takenAt });
    } else if (this.#snapshots.canTake(cameraId)) {
      this.#snapshots
        .take(cameraId)
        .then((picture) => picture && this.#keeping.keep({ read, pictures: [picture], takenAt }))
        .catch(this.#onFailed);
    }
  }

  /** A read without a passage: kept for review. */
  #keepLoose(seen: StandingCar): void {
    const last = this.#looseAt.get(seen.cameraId) ?? Number.NEGATIVE_INFINITY;
    // Away from it in either direction: clocks are set.
    if (Math.abs(seen.at.getTime() - last) < LOOSE_PAUSE_MS) return;
    this.#looseAt.set(seen.cameraId, seen.at.getTime());
    this.#keep(seen);
  }
}
