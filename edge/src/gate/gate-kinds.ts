import { z } from 'zod';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { AxisGateSchema, createAxisGate } from './axis-gate.ts';
import type { Gate } from './gate.ts';
import { createHikvisionGate, HikvisionGateSchema } from './hikvision-gate.ts';
import { createHttpGate, HttpGateSchema } from './http-gate.ts';
import { createOnvifGate, OnvifGateSchema } from './onvif-gate.ts';
import { createSurvisionGate, SurvisionGateSchema } from './survision-gate.ts';

/** Gate drivers by kind: how each is configured and made. A new one is a file of its own and a line in both places. */
export const GateConfigSchema = z.discriminatedUnion('kind', [
  HttpGateSchema,
  OnvifGateSchema,
  HikvisionGateSchema,
  SurvisionGateSchema,
  AxisGateSchema,
]);
export type GateConfig = z.infer<typeof GateConfigSchema>;

/** @param parts what several gates share */
export function createGate(config: GateConfig, parts: { onvif: OnvifDevices }): Gate {
  switch (config.kind) {
    case 'http':
      return createHttpGate(config);
    case 'onvif':
      return createOnvifGate(config, parts.onvif);
    case 'hikvision':
      return createHikvisionGate(config);
    case 'survision':
      return createSurvisionGate(config);
    case 'axis':
      return createAxisGate(config);
    default:
      return config satisfies never;
  }
}
