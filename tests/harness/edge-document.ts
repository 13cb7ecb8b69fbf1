import type { Direction } from '@hlid/protocol/records/lane';
import type { SimulatedFormat } from './lane-camera.ts';

/** A lane with its camera and its output on the relay board. */
export interface LanePlan {
  id: string;
  name: string;
  direction: Direction;
  cameraId: string;
  /** The secret in the camera's push URL. */
  token: string;
  /** Camera documents in which its maker's format leave the camera. */
  format: SimulatedFormat;
  /** The output of the relay board that moves its gate. */
  output: number;
  /** The camera is polled for events, by ONVIF, and moves the gate by its own relay. */
  isPolled?: boolean;
  /** The loops at the lane, as in `edge.yaml`. */
  loops?: object;
  /** Its reader of codes, as in `edge.yaml`. */
  codeReader?: object;
}

export interface CloudAccess {
  httpUrl: string;
  mqttUrl: string;
  siteId: string;
  secret: string;
}

export interface SitePlan {
  name: string;
  timeZone: string;
  currency: string;
  /** The settings that differ from the defaults of protocol's SiteSettings. */
  settings: Readonly<Record<string, unknown>>;
}

/** What stands in `edge.yaml`. */
export interface EdgeDocument {
  site: SitePlan;
  cloud?: CloudAccess;
  cameras: object[];
  lanes: object[];
  terminal?: object;
  health?: object;
}

/** The address and login at which an ONVIF camera is polled. */
export interface OnvifAccess {
  url: string;
  user: string;
  password: string;
  timeoutMs?: number;
}

export type SnapshotPlan = (cameraId: string) => { url: string; user: string; password: string };

/** The configuration of a site with one relay board for its gates, except for those of ONVIF cameras. */
export function edgeDocument(plan: {
  site: SitePlan;
  lanes: readonly LanePlan[];
  relayUrl: string;
  cloud?: CloudAccess;
  /** The camera of all lanes with a polled camera. */
  onvif?: OnvifAccess;
  /** The address from which the current picture of a camera that posts is read. */
  snapshot?: SnapshotPlan;
  /** How long a gate stays open; the daemon's default if not given. */
  gateOpenMs?: number;
  /** More options of every gate, such as `timeoutMs`; `none`: the lanes have none. */
  gate?: Readonly<Record<string, unknown>> | 'none';
  /** The card terminal of the site. */
  terminal?: object;
}): EdgeDocument {
  return {
    site: plan.site,
    ...(plan.cloud && { cloud: plan.cloud }),
    ...(plan.terminal && { terminal: plan.terminal }),
    cameras: plan.lanes.map((lane) => ({
      id: lane.cameraId,
      lane: lane.id,
      token: lane.token,
      ...(lane.isPolled
        ? { onvif: plan.onvif }
        : plan.snapshot && { snapshot: plan.snapshot(lane.cameraId) }),
      directionReliable: false,
      opensOnGroup: false,
      settings: { minimumOcrScore: 0.7 },
    })),
    lanes: plan.lanes.map((lane) => ({
      id: lane.id,
      name: lane.name,
      direction: lane.direction,
      ...(plan.gateOpenMs && { gateOpenMs: plan.gateOpenMs }),
      ...(lane.loops && { loops: lane.loops }),
      ...(lane.codeReader && { codeReader: lane.codeReader }),
      gate: plan.gate === 'none' ? 'none' : gateOf(lane, { ...plan, gate: plan.gate }),
    })),
  };
}

function gateOf(
  lane: LanePlan,
  plan: { relayUrl: string; onvif?: OnvifAccess; gate: Readonly<Record<string, unknown>> | undefined },
): object {
  return lane.isPolled
    ? { kind: 'onvif', ...plan.onvif, ...plan.gate }
    : { ...boardGate(`${plan.relayUrl}/relay/${lane.output}`), ...plan.gate };
}

function boardGate(output: string): object {
  return {
    kind: 'http',
    mode: 'pulse',
    open: { method: 'POST', url: `${output}/pulse`, body: '', headers: {} },
    hold: { method: 'POST', url: `${output}/on` },
    release: { method: 'POST', url: `${output}/off` },
    state: { url: output, closedPattern: '"gate":"closed"' },
    timeoutMs: 2000,
  };
}

/** Two entrances and two exits, as most journeys have them. */
export function fourLanes(token: (cameraId: string) => string): LanePlan[] {
  return lanesOf(['open-alpr', 'survision', 'open-alpr', 'survision'], token);
}

/** The same, each with a camera of another maker, the last of which is polled: for the demo. */
export function lanesOfMakers(token: (cameraId: string) => string): LanePlan[] {
  const lanes = lanesOf(['open-alpr', 'hikvision', 'survision', 'axis'], token);
  return lanes.map((lane) => ({ ...lane, isPolled: lane.id === 'out-2' }));
}

type Format = LanePlan['format'];

function lanesOf(
  [in1, in2, out1, out2]: readonly [Format, Format, Format, Format],
  token: (cameraId: string) => string,
): LanePlan[] {
  const lane = (
    id: string,
    name: string,
    direction: Direction,
    format: LanePlan['format'],
    output: number,
  ): LanePlan => ({
    id,
    name,
    direction,
    cameraId: `cam-${id}`,
    token: token(`cam-${id}`),
    format,
    output,
  });
  return [
    lane('in-1', 'Entrance 1', 'entry', in1, 1),
    lane('in-2', 'Entrance 2', 'entry', in2, 2),
    lane('out-1', 'Exit 1', 'exit', out1, 3),
    lane('out-2', 'Exit 2', 'exit', out2, 4),
  ];
}
