import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { StoredReads } from '@hlid/protocol/camera/camera-format';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate/plate-read';
import { lanesOf } from '../config/camera-lanes.ts';
import type { CameraConfig } from '../config/config.ts';
import type { Lanes } from '../lane/lanes.ts';
import type { ClockCheck } from '../visit/clock-check.ts';
import type { LaneChooser } from './lane-chooser.ts';

const NO_READS: StoredReads = { stored: 0, repeated: 0 };

/** Called when the reads of a document are on the disk and its gates have their commands. */
export type OnHandled = (cameraId: string, document: CameraDocument, receivedAt: Date) => void;

/** Passes each read of a camera to its lane. */
export class ReadHandler {
  readonly #cameras: ReadonlyMap<string, CameraConfig>;
  readonly #lanes: Lanes;
  readonly #chooser: LaneChooser;
  readonly #clockCheck: ClockCheck | null;
  readonly #listeners: OnHandled[] = [];

  constructor(options: {
    cameras: readonly CameraConfig[];
    lanes: Lanes;
    chooser: LaneChooser;
    /** Null: a change of the clock is not detected. */
    clockCheck: ClockCheck | null;
  }) {
    this.#cameras = new Map(options.cameras.map((camera) => [camera.id, camera]));
    this.#lanes = options.lanes;
    this.#chooser = options.chooser;
    this.#clockCheck = options.clockCheck;
  }

  onHandled(listener: OnHandled): void {
    this.#listeners.push(listener);
  }

  /**
   * Resolves once every read of the document is durably stored and decided; the gates have their commands by then. The
   * same event twice resolves too.
   */
  async handle(cameraId: string, document: CameraDocument, receivedAt: Date): Promise<StoredReads> {
    const camera = this.#cameras.get(cameraId);
    if (!camera) return NO_READS;
    this.#clockCheck?.check();
    const stored = camera.lanes
      ? await this.#handleSplit(camera, document, receivedAt)
      : await this.#lanes.get(camera.lane)?.handle(camera, document, receivedAt);
    for (const listener of this.#listeners) listener(cameraId, document, receivedAt);
    return stored ?? NO_READS;
  }

  /** A camera that sees several lanes. */
  async #handleSplit(camera: CameraConfig, document: CameraDocument, receivedAt: Date): Promise<StoredReads> {
    const at = utcTime(receivedAt);
    const byLane = new Map<string, PlateRead[]>();
    for (const read of document.reads) {
      const laneId = this.#chooser.choose(camera, read, at);
      if (laneId === null) this.#showOutside(camera, read, at);
      else byLane.set(laneId, [...(byLane.get(laneId) ?? []), read]);
    }
    const results = await Promise.allSettled(
      [...byLane].map(([laneId, reads]) => {
        // The direction in which it may move here was checked when its lane was chosen.
        const directionReliable = camera.directionReliable && !splitsByDirection(camera, laneId);
        const lane = this.#lanes.get(laneId);
        return lane?.handle({ ...camera, directionReliable }, { ...document, reads }, receivedAt);
      }),
    );
    const sum = { ...NO_READS };
    for (const result of results) {
      // A failed write of one lane's reads must not keep another lane's gate closed.
      if (result.status === 'rejected') throw result.reason;
      sum.stored += result.value?.stored ?? 0;
      sum.repeated += result.value?.repeated ?? 0;
    }
    return sum;
  }

  /** A read that belongs to no lane is not kept: it may be of a car that drives by. */
  #showOutside(camera: CameraConfig, { cameraZone, direction, score }: PlateRead, at: UtcTime): void {
    const zone = cameraZone === undefined ? 'no zone' : `zone ${cameraZone}`;
    const reason = `seen in ${zone}, ${direction}: this belongs to none of the camera’s lanes`;
    const read = { cameraId: camera.id, at, plate: null, score, standing: 'filtered', reason } as const;
    for (const laneId of lanesOf(camera)) this.#lanes.get(laneId)?.showRead(read);
  }
}

/** Whether the camera's reads come to this lane by their direction. */
function splitsByDirection({ lanes = [] }: CameraConfig, laneId: string): boolean {
  return lanes.some(({ lane, direction }) => lane === laneId && direction !== undefined);
}
