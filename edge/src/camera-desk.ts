import { messageOf } from '@hlid/protocol/fault';
import type { CameraDocument } from '@hlid/protocol/plate-read';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { ReadDesk } from './camera/read-desk.ts';
import type { CameraConfig } from './config.ts';
import type { GroupCommit } from './db/group-commit.ts';
import { LOG_EVENTS } from './events.ts';
import type { GateKeeper } from './gate/gate-keeper.ts';
import type { Lane, LaneOutcome } from './lane.ts';

/** An exit that cannot decide opens, but not for every frame of the same car. */
const FAULT_OPENING_PAUSE_MS = 10_000;

/** Hands a camera's reads to its lane, and moves the gate once they are on the disk. */
export function createCameraDesk(parts: {
  cameras: readonly CameraConfig[];
  lanes: ReadonlyMap<string, Lane>;
  exits: ReadonlySet<string>;
  commit: GroupCommit;
  keeper: GateKeeper;
  /** Moves the gate and shows the passage. */
  act: (outcome: LaneOutcome) => void;
  log: Logger;
}): ReadDesk {
  const { lanes, commit, keeper, log } = parts;
  const cameras = new Map(parts.cameras.map((camera) => [camera.id, camera]));
  const openedOnFault = new Map<string, number>();

  /** Nobody is trapped: without a database nothing is known to be due. */
  function openOnFault(laneId: string, receivedAt: Date): void {
    const last = openedOnFault.get(laneId) ?? Number.NEGATIVE_INFINITY;
    if (!parts.exits.has(laneId) || receivedAt.getTime() - last < FAULT_OPENING_PAUSE_MS) return;
    openedOnFault.set(laneId, receivedAt.getTime());
    void keeper.open({ laneId, passageId: null, why: 'fault', by: `lane:${laneId}`, onlyIfClosed: false });
  }

  return {
    async take(cameraId, document: CameraDocument, receivedAt) {
      const camera = cameras.get(cameraId);
      const lane = camera && lanes.get(camera.lane);
      if (!camera || !lane || document.reads.length === 0) return { stored: 0, repeated: 0 };
      const at = utcTime(receivedAt);
      let outcomes: LaneOutcome[];
      try {
        outcomes = await commit.run(() => document.reads.map((read) => lane.pass(read, camera, at)));
      } catch (error) {
        log.error({
          event: LOG_EVENTS.laneFailed,
          laneId: camera.lane,
          reason: messageOf(error),
          err: error,
        });
        openOnFault(camera.lane, receivedAt);
        throw error;
      }
      outcomes.forEach(parts.act);
      const repeated = outcomes.filter((outcome) => outcome.repeated).length;
      return { stored: outcomes.length - repeated, repeated };
    },
  };
}
