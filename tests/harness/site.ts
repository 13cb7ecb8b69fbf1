import { type Relay, type RelayOptions, startRelay } from '../sim/relay.ts';
import {
  type CloudAccess,
  edgeDocument,
  fourLanes,
  type LanePlan,
  type OnvifAccess,
  type SitePlan,
  type SnapshotPlan,
} from './edge-document.ts';
import { type EdgeProgram, startEdge } from './edge-program.ts';
import { cameraOf } from './lane-camera.ts';
import { type LaneHandle, laneHandle } from './lane-handle.ts';
import { newSecret } from './new-secret.ts';

export interface SiteOptions {
  name?: string;
  /** The settings that differ from the defaults of protocol's SiteSettings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Two entrances (`in-1`, `in-2`) and two exits (`out-1`, `out-2`) by default. */
  lanes?: readonly LanePlan[];
  relay?: RelayOptions;
  /** More options of every gate, such as `timeoutMs`; `none`: the lanes have none. */
  gate?: Readonly<Record<string, unknown>> | 'none';
  /** The camera of all lanes with a polled camera. */
  onvif?: OnvifAccess;
  /** The address from which the current picture of a camera that posts is read. */
  snapshot?: SnapshotPlan;
  /** The site's card terminal, as in `edge.yaml`. */
  terminal?: object;
  edgeEnv?: Record<string, string>;
  /** A command that runs the edge (see programs.ts). */
  edgeUnder?: readonly string[];
}

/** A site with the real edge program. Its cameras and gates are simulated. */
export interface Site {
  readonly edge: EdgeProgram;
  readonly relay: Relay;
  lane(id: string): LaneHandle;
  stop(): Promise<void>;
}

/** What the site is called where a test does not name it. */
export function sitePlan({ name = 'Test site', settings = {} }: SiteOptions): SitePlan {
  return { name, timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings };
}

/** @param folder the edge's data folder; its owner removes it */
export async function startSite(
  options: SiteOptions & { folder: string; cloud?: CloudAccess },
): Promise<Site> {
  const { lanes = fourLanes(newSecret), folder, cloud, gate, onvif, snapshot, terminal } = options;
  const relay = await startRelay({ outputs: lanes.length, ...options.relay });
  try {
    const edge = await startEdge({
      folder,
      document: edgeDocument({
        site: sitePlan(options),
        lanes,
        relayUrl: relay.url,
        ...(cloud && { cloud }),
        ...(gate && { gate }),
        ...(onvif && { onvif }),
        ...(snapshot && { snapshot }),
        ...(terminal && { terminal }),
      }),
      ...(options.edgeEnv && { env: options.edgeEnv }),
      ...(options.edgeUnder && { under: options.edgeUnder }),
    });
    const handles = lanes.map((plan) => laneHandle({ plan, camera: cameraOf(plan), edge, relay }));
    return {
      edge,
      relay,
      lane(id) {
        const handle = handles.find(({ plan }) => plan.id === id);
        if (!handle) throw new Error(`There is no lane ${id}`);
        return handle;
      },
      async stop() {
        await edge.stop();
        await relay.stop();
      },
    };
  } catch (error) {
    await relay.stop();
    throw error;
  }
}
