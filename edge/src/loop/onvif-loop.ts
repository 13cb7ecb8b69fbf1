import { z } from 'zod';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { ONVIF_OPTIONS, type OnvifOptions } from '../onvif/onvif-options.ts';
import type { LoopSource } from './loop-source.ts';

/** A digital input of an ONVIF device: of a camera of the site, or of a device of its own. */
export const OnvifLoopSchema = z
  .strictObject({
    kind: z.literal('onvif'),
    /** The input's token, as `camera watch` shows it. */
    input: z.string().min(1),
    /** The id of a camera that is asked by ONVIF. */
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

/** @param options of the device */
export function createOnvifLoop(
  { input, inverted }: OnvifLoopConfig,
  options: OnvifOptions,
  devices: OnvifDevices,
): LoopSource {
  const device = devices.at(options);
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
    // What it said before the line broke need not be so any more; when events come again it says how it stands.
    occupied: () => (active === null || device.completeSince() === null ? null : active !== inverted),
    watch: (listener) => void listeners.push(listener),
  };
}
