import { z } from 'zod';
import type { Gate } from './gate.ts';
import { createHttpGate, HttpGateSchema } from './http-gate.ts';

/** Gate drivers by kind: how each is configured and made. A new one is a file of its own and a line in both places. */
export const GateConfigSchema = z.discriminatedUnion('kind', [HttpGateSchema]);
export type GateConfig = z.infer<typeof GateConfigSchema>;

export function createGate(config: GateConfig): Gate {
  switch (config.kind) {
    case 'http':
      return createHttpGate(config);
    default:
      return config.kind satisfies never;
  }
}
