import type { StoredReads } from '@hlid/protocol/camera/camera-format';
import { messageOf } from '@hlid/protocol/fault';
import type { ReadStanding } from '@hlid/protocol/passage';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate-read';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { lanesOf } from './camera/camera-lanes.ts';
import type { ReadDesk } from './camera/read-desk.ts';
import type { CameraConfig } from './config.ts';
import type { GroupCommit } from './db/group-commit.ts';
import type { ExitWatch, VehicleSigns } from './decision/exit-watch.ts';
import type { FaultOpenings, UndecidedVehicle } from './decision/fault-openings.ts';
import type { LetOut } from './decision/let-out.ts';
import { LOG_EVENTS } from './events.ts';
import type { Lane, ReadOutcome } from './lane.ts';
import type { LaneOutcome } from './lane-steps.ts';
import type { ReadView } from './local-api/lane-board.ts';
import type { HeldBackRead } from './loop/lane-by-loop.ts';
import type { Passage } from './passage/passage-store.ts';

const GROUP_IS_LATE =
  'a group, sent when the vehicle has passed: it corrects the plate and opens nothing, unless opensOnGroup is set';

/** Hands a camera's reads to its lane, and moves the gate once they are on the disk. */
export function createCameraDesk(parts: {
  cameras: readonly CameraConfig[];
  lanes: ReadonlyMap<string, Lane & LetOut>;
  commit: GroupCommit;
  exits: ReadonlySet<string>;
  exitWatch: ExitWatch;
  faults: FaultOpenings;
  /** Moves the gate and shows the passage. */
  act: (outcome: LaneOutcome) => void;
  /** The lane that a read belongs to; null: none. */
  laneOf: (camera: CameraConfig, read: PlateRead, at: UtcTime) => string | null;
  /** Shows a passage that moves no gate. */
  showPassage: (passage: Passage) => void;
  /** Shows a read to technicians. */
  showRead: (laneId: string, read: ReadView) => void;
  /** A read that waits for its vehicle to be on the loop. */
  holdBack: (laneId: string, held: HeldBackRead) => void;
  log: Logger;
}): ReadDesk {
  const { lanes, commit, exitWatch, faults, log } = parts;
  const cameras = new Map(parts.cameras.map((camera) => [camera.id, camera]));

  /**
   * Shows and does what came of a read; where the gate has been opened for want of a decision, it is not opened again.
   */
  function follow(laneId: string, outcome: ReadOutcome, vehicle: UndecidedVehicle | null, at: UtcTime): void {
    if (outcome.unread) exitWatch.seen(laneId, signsOf([outcome.unread.read]), outcome.unread);
    if (outcome.leftEarlier) parts.showPassage(outcome.leftEarlier);
    if (outcome.heldBack) parts.holdBack(laneId, outcome.heldBack);
    const { passage } = outcome;
    const served = passage && vehicle && faults.servedBy(laneId, vehicle);
    if (!served) {
      parts.act(outcome);
      return;
    }
    served
      .then((how) => commit.run(() => lanes.get(laneId)?.opened(passage.id, at, how) ?? null))
      .then((gone) => parts.act({ passage: gone, opening: null, repeated: false }))
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.laneFailed, laneId, err }));
  }

  async function takeAtLane(
    camera: CameraConfig,
    laneId: string,
    { reads, summary }: CameraDocument,
    receivedAt: Date,
  ): Promise<StoredReads> {
    const lane = lanes.get(laneId);
    if (!lane) return { stored: 0, repeated: 0 };
    const at = utcTime(receivedAt);
    const watched = parts.exits.has(laneId);
    const standings = reads.map((read) => standingOf(lane, read, camera, at));
    const fresh = reads.filter((_, index) => standings[index] === 'counts');
    const vehicle = fresh.length > 0 ? vehicleOf(fresh, receivedAt) : null;
    const waitsAlready = exitWatch.waits(laneId);
    if (vehicle) exitWatch.seen(laneId, vehicle);
    let outcomes: ReadOutcome[];
    try {
      outcomes = await commit.run(() => reads.map((read) => lane.pass(read, camera, at)));
    } catch (error) {
      log.error({ event: LOG_EVENTS.laneFailed, laneId, reason: messageOf(error), err: error });
      if (vehicle && (watched || letsIn(lane, fresh, camera, at))) {
        exitWatch.ended(laneId);
        faults.open(laneId, vehicle);
      }
      throw error;
    }
    // A document that is sent again says nothing of the car that waits there now.
    const decided = outcomes.some(({ passage }) => passage !== null);
    if (decided || (vehicle && !waitsAlready)) exitWatch.ended(laneId);
    for (const outcome of outcomes) follow(laneId, outcome, vehicle, at);
    for (const [index, { plate, score }] of reads.entries()) {
      const outcome = outcomes[index];
      const standing = outcome?.heldBack ? 'held-back' : standings[index];
      if (!standing || outcome?.repeated) continue;
      const why = summary && standing === 'late' ? GROUP_IS_LATE : null;
      parts.showRead(laneId, { cameraId: camera.id, at, plate, score, standing, why });
    }
    const repeated = outcomes.filter((outcome) => outcome.repeated).length;
    return { stored: outcomes.length - repeated, repeated };
  }

  /** A read that belongs to no lane is not ours to keep: it may be of somebody who drives by. */
  function showOutside(camera: CameraConfig, { cameraZone, direction, score }: PlateRead, at: UtcTime): void {
    const zone = cameraZone === undefined ? 'no zone' : `zone ${cameraZone}`;
    const why = `seen in ${zone}, ${direction}: this belongs to none of the camera’s lanes`;
    const read = { cameraId: camera.id, at, plate: null, score, standing: 'filtered', why } as const;
    for (const laneId of lanesOf(camera)) parts.showRead(laneId, read);
  }

  return {
    async take(cameraId, document: CameraDocument, receivedAt) {
      const camera = cameras.get(cameraId);
      if (!camera) return { stored: 0, repeated: 0 };
      const at = utcTime(receivedAt);
      const byLane = new Map<string, PlateRead[]>();
      for (const read of document.reads) {
        const laneId = parts.laneOf(camera, read, at);
        if (laneId === null) showOutside(camera, read, at);
        else byLane.set(laneId, [...(byLane.get(laneId) ?? []), read]);
      }
      const results = await Promise.allSettled(
        [...byLane].map(([laneId, reads]) => {
          // Which way it may move here was checked when its lane was chosen.
          const directionReliable = camera.directionReliable && !tellsDirection(camera, laneId);
          const ofLane = { ...document, reads };
          return takeAtLane({ ...camera, directionReliable }, laneId, ofLane, receivedAt);
        }),
      );
      const taken: StoredReads = { stored: 0, repeated: 0 };
      for (const result of results) {
        // A lane whose reads could not be stored keeps no other lane's gate closed.
        if (result.status === 'rejected') throw result.reason;
        taken.stored += result.value.stored;
        taken.repeated += result.value.repeated;
      }
      return taken;
    },
  };
}

/** Whether the camera's reads come to this lane by their direction. */
function tellsDirection({ lanes = [] }: CameraConfig, laneId: string): boolean {
  return lanes.some(({ lane, direction }) => lane === laneId && direction !== undefined);
}

/** Whether a vehicle is there that is to be decided on; where that cannot be judged, rather so. */
function standingOf(lane: Lane, read: PlateRead, camera: CameraConfig, at: UtcTime): ReadStanding {
  try {
    return lane.judge(read, camera, at);
  } catch {
    return read.late ? 'late' : read.parked ? 'parked' : 'counts';
  }
}

/** Without a disk to write to, an entrance still opens for whom the rules let in, as far as they can be read. */
function letsIn(lane: Lane, reads: readonly PlateRead[], camera: CameraConfig, at: UtcTime): boolean {
  try {
    return reads.some((read) => lane.letsIn(read, camera, at));
  } catch {
    return false;
  }
}

function vehicleOf(reads: readonly PlateRead[], receivedAt: Date): UndecidedVehicle {
  return { ...signsOf(reads), seenAtMs: receivedAt.getTime() };
}

function signsOf(reads: readonly PlateRead[]): VehicleSigns {
  return {
    plates: reads.flatMap(({ plate }) => plate ?? []),
    keys: reads.flatMap(({ eventKey, relatedKeys }) => [eventKey, ...relatedKeys]),
  };
}
