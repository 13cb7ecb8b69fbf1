import { type CameraConfig, type LaneConfig, onvifOptions } from '../config/config.ts';
import type { Gate } from '../gate/gate.ts';
import { createGate } from '../gate/gate-kinds.ts';
import type { LoopSources } from '../loop/lane-loops.ts';
import { createLoop, type LoopConfig } from '../loop/loop-kinds.ts';
import { NO_LOOP } from '../loop/loop-source.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';

/** The devices of a lane, besides its cameras. */
export interface LaneDevices {
  /** Null: the lane has none. */
  gate: Gate | null;
  loops: LoopSources;
}

/** The gate and the loops of each lane, by its id. */
export function createLaneDevices(
  { lanes, cameras }: { lanes: readonly LaneConfig[]; cameras: readonly CameraConfig[] },
  onvif: OnvifDevices,
): Map<string, LaneDevices> {
  /** The ways in and out of an ONVIF device are shared: a loop may be an input of the lane's camera. */
  const cameraOptions = (cameraId: string) => {
    const camera = cameras.find(({ id }) => id === cameraId);
    return camera ? onvifOptions(camera) : null;
  };
  const loop = (config: LoopConfig | undefined) =>
    config ? createLoop(config, { onvif, cameraOptions }) : NO_LOOP;
  return new Map(
    lanes.map(({ id, gate, loops }) => [
      id,
      {
        gate: gate.kind === 'none' ? null : createGate(gate, { onvif }),
        loops: { arrival: loop(loops?.arrival), passed: loop(loops?.passed) },
      },
    ]),
  );
}
