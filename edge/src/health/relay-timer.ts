import { type CameraLane, lanesOf } from '../camera/camera-lanes.ts';
import type { ReadDesk } from '../camera/read-desk.ts';
import type { Gate } from '../gate/gate.ts';

/** Measures the way on which a driver waits, from outside: nothing on it knows of being measured. */
export interface RelayTimer {
  desk(desk: ReadDesk): ReadDesk;
  gate(laneId: string, gate: Gate): Gate;
}

/** @param onTold how long after a camera's document its lane's relay was told to open, in milliseconds */
export function createRelayTimer(
  cameras: readonly { id: string; lane: string; lanes?: readonly CameraLane[] | undefined }[],
  onTold: (sinceDocumentMs: number) => void,
): RelayTimer {
  const lanes = new Map(cameras.map((camera) => [camera.id, lanesOf(camera)]));
  /** The ticks of the documents that are under way, the oldest first. */
  const underWay = new Map<string, number[]>();

  return {
    desk: (desk) => ({
      async take(cameraId, document, receivedAt) {
        const started = performance.now();
        const waiting = (lanes.get(cameraId) ?? []).map((laneId) => {
          const ticks = underWay.get(laneId) ?? [];
          underWay.set(laneId, ticks);
          ticks.push(started);
          return ticks;
        });
        try {
          // The gate is told before this resolves.
          return await desk.take(cameraId, document, receivedAt);
        } finally {
          for (const ticks of waiting) {
            const at = ticks.indexOf(started);
            if (at >= 0) ticks.splice(at, 1);
          }
        }
      },
    }),
    gate: (laneId, gate) => ({
      ...gate,
      pulse() {
        const [started] = underWay.get(laneId) ?? [];
        const answered = gate.pulse();
        if (started !== undefined) onTold(performance.now() - started);
        return answered;
      },
    }),
  };
}
