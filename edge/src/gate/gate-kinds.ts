import { z } from 'zod';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { AxisGateSchema, createAxisGate } from './axis-gate.ts';
import type { Gate } from './gate.ts';
import { createHikvisionGate, HikvisionGateSchema } from './hikvision-gate.ts';
import { createHttpGate, HttpGateSchema } from './http-gate.ts';
import { OnvifGate, type OnvifGateConfig, OnvifGateSchema } from './onvif-gate.ts';
import { createSurvisionGate, SurvisionGateSchema } from './survision-gate.ts';

/** Gate drivers by kind. A new one is a separate file and a line here. */
const GATE_KINDS = {
  http: { schema: HttpGateSchema, create: createHttpGate },
  onvif: {
    schema: OnvifGateSchema,
    create: (config: OnvifGateConfig, parts: GateParts): Gate => new OnvifGate(config, parts),
  },
  hikvision: { schema: HikvisionGateSchema, create: createHikvisionGate },
  survision: { schema: SurvisionGateSchema, create: createSurvisionGate },
  axis: { schema: AxisGateSchema, create: createAxisGate },
};

type GateKind = keyof typeof GATE_KINDS;
type ConfigOf<K extends GateKind> = z.infer<(typeof GATE_KINDS)[K]['schema']>;
/** A gate that is moved. */
export type GateConfig = ConfigOf<GateKind>;

interface GateParts {
  onvif: OnvifDevices;
}

const CREATE: { readonly [K in GateKind]: { create(config: ConfigOf<K>, parts: GateParts): Gate } } =
  GATE_KINDS;

const { http, onvif, hikvision, survision, axis } = GATE_KINDS;
const NoGateSchema = z.strictObject({ kind: z.literal('none') });

/** The gate of a lane. `none`, also written without `kind`: cars drive through, and nothing is moved. */
export const LaneGateSchema = z.preprocess(
  (given) => (given === 'none' ? { kind: 'none' } : given),
  z.discriminatedUnion('kind', [
    http.schema,
    onvif.schema,
    hikvision.schema,
    survision.schema,
    axis.schema,
    NoGateSchema,
  ]),
);
export type LaneGateConfig = z.infer<typeof LaneGateSchema>;

export function createGate<K extends GateKind>(config: ConfigOf<K> & { kind: K }, parts: GateParts): Gate {
  return CREATE[config.kind].create(config, parts);
}
