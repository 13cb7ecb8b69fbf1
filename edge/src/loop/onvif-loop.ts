import { z } from 'zod';
import { ONVIF_OPTIONS } from '../onvif/onvif-options.ts';
import { type LoopParts, type LoopSource, NO_LOOP } from './loop-source.ts';

/** A digital input of an ONVIF device: of a camera of the site, or of a separate device. */
export const OnvifLoopSchema = z
  .strictObject({
    kind: z.literal('onvif'),
    /** The input's token, as `camera watch` shows it. */
    input: z.string().min(1),
    /** The id of a camera that is read by ONVIF. */
    camera: z.string().min(1).optional(),
    device: ONVIF_OPTIONS.optional(),
    /** The input is off while a vehicle is there. */
    inverted: z.boolean().default(false),
  })
  .refine(({ camera, device }) => (camera === undefined) !== (device === undefined), {
    message: 'either the id of a camera, or how its own device is reached',
    path: ['camera'],
  });
export type OnvifLoopConfig = z.infer<typeof OnvifLoopSchema>;

export function createOnvifLoop(
  { input, inverted, camera, device: ownDevice }: OnvifLoopConfig,
  { onvif, cameraOptions }: LoopParts,
): LoopSource {
  const options = ownDevice ?? (camera === undefined ? null : cameraOptions(camera));
  if (options === null) return NO_LOOP;
  const device = onvif.at(options);
  let active: boolean | null = null;
  const listeners: (() => void)[] = [];

  device.listen({
    topics: ['tns1:Device/Trigger//.'],
    onTrigger(trigger) {
      if (trigger.kind !== 'input' || trigger.token !== input) return;
      active = trigger.active;
      for (const listener of listeners) listener();
    },
  });

  return {
    // A state from before the line broke may have changed; with new events the device sends the state again.
    occupied: () => (active === null || device.completeSince() === null ? null : active !== inverted),
    watch: (listener) => void listeners.push(listener),
  };
}
