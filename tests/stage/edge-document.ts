import type { Direction } from '@hlid/protocol/lane';

/** A lane with its camera and its output on the relay board. */
export interface LanePlan {
  id: string;
  name: string;
  direction: Direction;
  cameraId: string;
  /** The secret in the camera's push URL. */
  token: string;
  /** Camera documents in which its maker's format leave the camera. */
  format: 'open-alpr' | 'survision';
  /** Which output of the relay board moves its gate. */
  output: number;
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
  /** Where it differs from the defaults of protocol's SiteSettings. */
  settings: Readonly<Record<string, unknown>>;
}

/** What stands in `edge.yaml`. */
export interface EdgeDocument {
  site: SitePlan;
  cloud?: CloudAccess;
  cameras: object[];
  lanes: object[];
}

/** The configuration of a site whose gates hang on one relay board. */
export function edgeDocument(plan: {
  site: SitePlan;
  lanes: readonly LanePlan[];
  relayUrl: string;
  cloud?: CloudAccess;
  /** More about every gate, such as `timeoutMs`. */
  gate?: Readonly<Record<string, unknown>>;
}): EdgeDocument {
  return {
    site: plan.site,
    ...(plan.cloud && { cloud: plan.cloud }),
    cameras: plan.lanes.map((lane) => ({
      id: lane.cameraId,
      lane: lane.id,
      token: lane.token,
      directionReliable: false,
      opensOnGroup: false,
      settings: { minimumOcrScore: 0.7 },
    })),
    lanes: plan.lanes.map((lane) => ({
      id: lane.id,
      name: lane.name,
      direction: lane.direction,
      gate: {
        kind: 'http',
        mode: 'pulse',
        open: { method: 'POST', url: `${plan.relayUrl}/relay/${lane.output}/pulse`, body: '', headers: {} },
        hold: { method: 'POST', url: `${plan.relayUrl}/relay/${lane.output}/on` },
        release: { method: 'POST', url: `${plan.relayUrl}/relay/${lane.output}/off` },
        state: { url: `${plan.relayUrl}/relay/${lane.output}`, closedPattern: '"gate":"closed"' },
        timeoutMs: 2000,
        ...plan.gate,
      },
    })),
  };
}

/** Two entrances and two exits, as the demo and most journeys have them. */
export function fourLanes(token: (cameraId: string) => string): LanePlan[] {
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
    lane('in-1', 'Entrance 1', 'entry', 'open-alpr', 1),
    lane('in-2', 'Entrance 2', 'entry', 'survision', 2),
    lane('out-1', 'Exit 1', 'exit', 'open-alpr', 3),
    lane('out-2', 'Exit 2', 'exit', 'survision', 4),
  ];
}
