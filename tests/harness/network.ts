import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Relay, type RelayOptions, startRelay } from '../sim/relay.ts';
import { type CloudProgram, startCloud } from './cloud-program.ts';
import { edgeDocument, fourLanes, type LanePlan, type SitePlan } from './edge-document.ts';
import { type EdgeProgram, startEdge } from './edge-program.ts';
import { cameraOf } from './lane-camera.ts';
import { type LaneHandle, laneHandle } from './lane-handle.ts';
import { newSecret } from './new-secret.ts';
import { logIn, type Operator } from './operator.ts';
import { addDefaultProducts, createSite, registerCameras, type SiteAccess } from './provision.ts';
import { waitFor } from './wait.ts';

export interface NetworkOptions {
  /** Where the site differs from the defaults of protocol's SiteSettings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Two entrances (`in-1`, `in-2`) and two exits (`out-1`, `out-2`) unless told. */
  lanes?: readonly LanePlan[];
  relay?: RelayOptions;
  /** More about every gate, such as `timeoutMs`. */
  gate?: Readonly<Record<string, unknown>>;
  /** The site's card terminal, as `edge.yaml` says it. */
  terminal?: object;
  cloudEnv?: Record<string, string>;
  edgeEnv?: Record<string, string>;
  /** A command that runs the edge (see programs.ts). */
  edgeUnder?: readonly string[];
  /** What stands between the site and the broker: given the broker's address, says which one the site uses. */
  mqttLine?: (mqttUrl: string) => string;
  /** More about the edge's link to the cloud, such as `maxReconnectMs`. */
  cloudLink?: Readonly<Record<string, unknown>>;
  /** Hears of the site before its edge starts: a broker of its own has to know its login. */
  onSite?: (site: SiteAccess) => void;
}

/** A cloud and one site with its edge, cameras and gates: everything real but the devices. */
export interface Network {
  readonly cloud: CloudProgram;
  readonly edge: EdgeProgram;
  readonly relay: Relay;
  readonly operator: Operator;
  readonly site: SiteAccess;
  /** Where its programs keep their data: `cloud` and `edge`. */
  readonly folder: string;
  readonly apiKey: string;
  readonly operatorLogin: { id: string; password: string };
  lane(id: string): LaneHandle;
  /** Waits until the cloud has every event of the site, and the site every change of the cloud. */
  settled(withinMs?: number): Promise<void>;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
}

/** Brings up cloud, a provisioned site and its edge as child processes, connected. */
export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-network-'));
  const lanes = options.lanes ?? fourLanes(newSecret);
  const { mqttLine = (mqttUrl: string) => mqttUrl } = options;
  const sitePlan: SitePlan = {
    name: 'Test site',
    timeZone: 'Atlantic/Reykjavik',
    currency: 'ISK',
    settings: options.settings ?? {},
  };
  const apiKey = newSecret();
  const operatorLogin = { id: 'operator@example.is', password: newSecret() };
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.splice(0).reverse()) await next();
  };

  try {
    const relay = await startRelay({ outputs: lanes.length, ...options.relay });
    stops.push(relay.stop);
    const cloud = await startCloud({
      folder: join(folder, 'cloud'),
      apiKey,
      operator: operatorLogin,
      ...(options.cloudEnv && { env: options.cloudEnv }),
    });
    stops.push(() => cloud.stop());
    const operator = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...operatorLogin });
    const site = await createSite(operator, sitePlan);
    options.onSite?.(site);
    await registerCameras(operator, site.siteId, lanes);
    await addDefaultProducts(operator);
    const edge = await startEdge({
      folder: join(folder, 'edge'),
      document: edgeDocument({
        site: sitePlan,
        lanes,
        relayUrl: relay.url,
        cloud: {
          httpUrl: cloud.httpUrl(),
          mqttUrl: mqttLine(cloud.mqttUrl()),
          ...site,
          ...options.cloudLink,
        },
        ...(options.gate && { gate: options.gate }),
        ...(options.terminal && { terminal: options.terminal }),
      }),
      ...(options.edgeEnv && { env: options.edgeEnv }),
      ...(options.edgeUnder && { under: options.edgeUnder }),
    });
    stops.push(() => edge.stop());

    const handles = lanes.map((plan) => laneHandle({ plan, camera: cameraOf(plan), edge, relay }));
    const network: Network = {
      cloud,
      edge,
      relay,
      operator,
      site,
      folder,
      apiKey,
      operatorLogin,
      lane(id) {
        const handle = handles.find(({ plan }) => plan.id === id);
        if (!handle) throw new Error(`There is no lane ${id}`);
        return handle;
      },
      async settled(withinMs = 30_000) {
        let last = '';
        const look = async () => {
          const [link, presence] = await bothSides(operator, site.siteId, edge);
          last = JSON.stringify({ link, presence });
          return (
            link?.connected && presence.connected && presence.acknowledged === link.seq && presence.lag === 0
          );
        };
        const detail = () => `${last}\n${edge.tail()}\n${cloud.tail()}`;
        await waitFor(look, { what: 'site and cloud to hold the same', withinMs, detail });
      },
      stop,
    };
    await network.settled();
    return network;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The edge's own numbers against the cloud's: the cloud alone does not know what it has not been told. */
async function bothSides(operator: Operator, siteId: string, edge: EdgeProgram) {
  const response = await fetch(new URL('/health', edge.localUrl()));
  const { link } = (await response.json()) as { link: { connected: boolean; seq: number } | null };
  const { presence } = await operator.site(siteId);
  return [link, presence] as const;
}
