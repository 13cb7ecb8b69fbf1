import { z } from 'zod';
import type { LoopParts, LoopSource } from './loop-source.ts';
import { createOnvifLoop, OnvifLoopSchema } from './onvif-loop.ts';

/** Loops by kind. A new one is a separate file and a line here. */
const LOOP_KINDS = {
  onvif: { schema: OnvifLoopSchema, create: createOnvifLoop },
};

const LoopSchema = z.discriminatedUnion('kind', [LOOP_KINDS.onvif.schema]);
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

export function createLoop(config: LoopConfig, parts: LoopParts): LoopSource {
  return LOOP_KINDS[config.kind].create(config, parts);
}
