import type { ReadDesk } from '../camera/read-desk.ts';
import type { Gate } from '../gate/gate.ts';

/** Measures the way on which a driver waits, from outside: nothing on it knows of being measured. */
export interface RelayTimer {
  desk(desk: ReadDesk): ReadDesk;
  gate(laneId: string, gate: Gate): Gate;
}

/** @param onTold how long after a camera's document its lane's relay was told to open, in milliseconds */
export function createRelayTimer(
  cameras: readonly { id: string; lane: string }[],
  onTold: (sinceDocumentMs: number) => void,
): RelayTimer {
  const laneOf = new Map(cameras.map(({ id, lane }) => [id, lane]));
  /** The ticks of the documents that are under way, the oldest first. */
  const underWay = new Map<string, number[]>();

  return {
    desk: (desk) => ({
      async take(cameraId, document, receivedAt) {
        const laneId = laneOf.get(cameraId);
        if (laneId === undefined) return await desk.take(cameraId, document, receivedAt);
        const ticks = underWay.get(laneId) ?? [];
        underWay.set(laneId, ticks);
        const started = performance.now();
        ticks.push(started);
        try {
          // The gate is told before this resolves.
          return await desk.take(cameraId, document, receivedAt);
        } finally {
          const at = ticks.indexOf(started);
          if (at >= 0) ticks.splice(at, 1);
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
