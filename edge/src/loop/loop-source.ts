import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { OnvifOptions } from '../onvif/onvif-options.ts';

/** One loop in the ground, or a light barrier: whatever reports that a vehicle is there. */
export interface LoopSource {
  /** Whether a vehicle is there now; null: unknown, as long as its device is away. */
  occupied(): boolean | null;
  /** Called when the device reports the state of the loop again. */
  watch(listener: () => void): void;
}

export interface LoopParts {
  onvif: OnvifDevices;
  /** How the ONVIF device of a camera is reached; null: the camera is not asked. */
  cameraOptions: (cameraId: string) => OnvifOptions | null;
}

/** The source of a lane without such a loop. */
export const NO_LOOP: LoopSource = { occupied: () => null, watch: () => undefined };
