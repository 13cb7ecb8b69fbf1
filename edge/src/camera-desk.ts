import { messageOf } from '@hlid/protocol/fault';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate-read';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { ReadDesk } from './camera/read-desk.ts';
import type { CameraConfig } from './config.ts';
import type { GroupCommit } from './db/group-commit.ts';
import type { ExitWatch, VehicleSigns } from './decision/exit-watch.ts';
import type { FaultOpenings, UndecidedVehicle } from './decision/fault-openings.ts';
import type { LetOut } from './decision/let-out.ts';
import { LOG_EVENTS } from './events.ts';
import type { Lane, ReadOutcome } from './lane.ts';
import type { LaneOutcome } from './lane-steps.ts';
import type { HeldBackRead } from './loop/lane-by-loop.ts';

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
  /** A read that waits for its vehicle to be on the loop. */
  holdBack: (laneId: string, held: HeldBackRead) => void;
  log: Logger;
}): ReadDesk {
  const { lanes, commit, exitWatch, faults, log } = parts;
  const cameras = new Map(parts.cameras.map((camera) => [camera.id, camera]));

  /** Shows and does what came of a read; where the gate has been opened for want of a decision, it is not opened again. */
  function follow(laneId: string, outcome: ReadOutcome, vehicle: UndecidedVehicle | null, at: UtcTime): void {
    if (outcome.unread) exitWatch.seen(laneId, signsOf([outcome.unread.read]), outcome.unread);
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

  return {
    async take(cameraId, document: CameraDocument, receivedAt) {
      const camera = cameras.get(cameraId);
      const lane = camera && lanes.get(camera.lane);
      if (!camera || !lane || document.reads.length === 0) return { stored: 0, repeated: 0 };
      const laneId = camera.lane;
      const at = utcTime(receivedAt);
      const watched = parts.exits.has(laneId);
      const fresh = watched ? document.reads.filter((read) => mayCount(lane, read, camera, at)) : [];
      const vehicle = fresh.length > 0 ? vehicleOf(fresh, receivedAt) : null;
      const waitsAlready = exitWatch.waits(laneId);
      if (vehicle) exitWatch.seen(laneId, vehicle);
      let outcomes: ReadOutcome[];
      try {
        outcomes = await commit.run(() => document.reads.map((read) => lane.pass(read, camera, at)));
      } catch (error) {
        log.error({ event: LOG_EVENTS.laneFailed, laneId, reason: messageOf(error), err: error });
        if (vehicle) {
          exitWatch.ended(laneId);
          faults.open(laneId, vehicle);
        }
        throw error;
      }
      // A document that is sent again says nothing of the car that waits there now.
      const decided = outcomes.some(({ passage }) => passage !== null);
      if (decided || (vehicle && !waitsAlready)) exitWatch.ended(laneId);
      for (const outcome of outcomes) follow(laneId, outcome, vehicle, at);
      const repeated = outcomes.filter((outcome) => outcome.repeated).length;
      return { stored: outcomes.length - repeated, repeated };
    },
  };
}

/** Whether a vehicle is there that waits for a decision; where that cannot be judged, rather so. */
function mayCount(lane: Lane, read: PlateRead, camera: CameraConfig, at: UtcTime): boolean {
  try {
    return lane.judge(read, camera, at) === 'counts';
  } catch {
    return !read.late && !read.parked;
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
