import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OperatedCloud, startOperatedCloud } from './cloud-program.ts';
import { fourLanes } from './edge-document.ts';
import type { EdgeProgram } from './edge-program.ts';
import { newSecret } from './new-secret.ts';
import type { Operator } from './operator.ts';
import { addDefaultProducts, createSite, registerCameras, type SiteAccess } from './provision.ts';
import { type Site, type SiteOptions, sitePlan, startSite } from './site.ts';
import { waitFor } from './wait.ts';

export interface NetworkOptions extends SiteOptions {
  cloudEnv?: Record<string, string>;
  /** What is between the site and the broker: receives the broker's address, returns the one that the site uses. */
  mqttLine?: (mqttUrl: string) => string;
  /** More options of the edge's link to the cloud, such as `maxReconnectMs`. */
  cloudLink?: Readonly<Record<string, unknown>>;
  /** Called before the site's edge starts: another broker needs the site's login. */
  onSite?: (site: SiteAccess) => void;
}

/** A cloud and one site with its edge, cameras and gates: everything real but the devices. */
export interface Network extends OperatedCloud, Site {
  readonly site: SiteAccess;
  /** The data folders of the programs. */
  readonly folders: { cloud: string; edge: string };
  /** Waits until the cloud has every event of the site, and the site every change of the cloud. */
  settled(withinMs?: number): Promise<void>;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
}

/** Starts a cloud and a provisioned site as child processes, connected. */
export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const { lanes = fourLanes(newSecret), mqttLine = (mqttUrl: string) => mqttUrl } = options;
  const folder = await mkdtemp(join(tmpdir(), 'hlid-network-'));
  const folders = { cloud: join(folder, 'cloud'), edge: join(folder, 'edge') };
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.splice(0).reverse()) await next();
  };

  try {
    const operated = await startOperatedCloud({
      folder: folders.cloud,
      ...(options.cloudEnv && { env: options.cloudEnv }),
    });
    const { cloud, operator } = operated;
    stops.push(() => cloud.stop());
    const access = await createSite(operator, sitePlan(options));
    options.onSite?.(access);
    await registerCameras(operator, access.siteId, lanes);
    await addDefaultProducts(operator);
    const site = await startSite({
      ...options,
      lanes,
      folder: folders.edge,
      cloud: {
        httpUrl: cloud.httpUrl(),
        mqttUrl: mqttLine(cloud.mqttUrl()),
        ...access,
        ...options.cloudLink,
      },
    });
    stops.push(site.stop);
    const network: Network = {
      ...operated,
      ...site,
      site: access,
      folders,
      settled: (withinMs = 30_000) => settled(network, withinMs),
      stop,
    };
    await network.settled();
    return network;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function settled({ operator, site, edge, cloud }: Network, withinMs: number): Promise<void> {
  let last = '';
  const isSettled = async () => {
    const [link, presence] = await bothSides(operator, site.siteId, edge);
    last = JSON.stringify({ link, presence });
    return link?.connected && presence.connected && presence.acknowledged === link.seq && presence.lag === 0;
  };
  const detail = () => `${last}\n${edge.tail()}\n${cloud.tail()}`;
  await waitFor(isSettled, { what: 'site and cloud to hold the same', withinMs, detail });
}

/** The edge's own numbers beside the cloud's: the cloud alone cannot count what it has not received. */
async function bothSides(operator: Operator, siteId: string, edge: EdgeProgram) {
  const response = await fetch(new URL('/health', edge.localUrl()));
  const { link } = (await response.json()) as { link: { connected: boolean; seq: number } | null };
  const { presence } = await operator.site(siteId);
  return [link, presence] as const;
}
