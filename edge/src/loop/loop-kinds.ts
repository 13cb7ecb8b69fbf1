import { z } from 'zod';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { OnvifOptions } from '../onvif/onvif-options.ts';
import type { LoopSource } from './loop-source.ts';
import { createOnvifLoop, OnvifLoopSchema } from './onvif-loop.ts';

/** Loops by kind: how each is configured and made. A new one is a file of its own and a line in both places. */
const LoopSchema = z.discriminatedUnion('kind', [OnvifLoopSchema]);
export type LoopConfig = z.infer<typeof LoopSchema>;

/** The loops of a lane, as far as it has them. */
export const LaneLoopsSchema = z
  .strictObject({
    /** A vehicle stands before the gate. */
    arrival: LoopSchema.optional(),
    /** A vehicle is behind the gate: it has driven through. */
    passed: LoopSchema.optional(),
    /** Entrances: a read counts only with a vehicle on the arrival loop, where parked cars stand in view. */
    readsNeedArrival: z.boolean().default(false),
  })
  .refine(({ arrival, readsNeedArrival }) => arrival !== undefined || !readsNeedArrival, {
    message: 'needs an arrival loop',
    path: ['readsNeedArrival'],
  });

export function createLoop(
  config: LoopConfig,
  parts: { onvif: OnvifDevices; cameraOptions: (cameraId: string) => OnvifOptions | null },
): LoopSource {
  switch (config.kind) {
    case 'onvif': {
      const options =
        config.device ?? (config.camera === undefined ? null : parts.cameraOptions(config.camera));
      return options === null ? NEVER_TELLS : createOnvifLoop(config, options, parts.onvif);
    }
    default:
      return config.kind satisfies never;
  }
}

/** Of a lane without such a loop. */
export const NEVER_TELLS: LoopSource = { occupied: () => null, watch: () => undefined };
