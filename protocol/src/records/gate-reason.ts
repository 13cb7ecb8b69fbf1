import { z } from 'zod';

/** Why a person moved a gate. Stable: logs and the console build on it; its words are in `words/gate-words.ts`. */
export const GATE_REASONS = [
  'unreadable-plate',
  'wrong-plate',
  'cannot-pay',
  'paid-elsewhere',
  'guest',
  'delivery',
  'emergency',
  'device-fault',
  'event',
  'works',
  'test',
  /** Needs a note. */
  'other',
] as const;
export const GateReasonSchema = z.enum(GATE_REASONS).meta({ id: 'GateReason' });
export type GateReason = z.infer<typeof GateReasonSchema>;
