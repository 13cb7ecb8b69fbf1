import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { type EdgeProgram, startEdge } from '../harness/edge-program.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { createSite } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';
import { fillPermits } from './fill-permits.ts';
import { type GateTimes, startTimedGates, type TimedGates } from './gate-times.ts';
import { memoryOf } from './memory-of.ts';

/** A cloud with a long whitelist, and a site that has none of it yet: the real programs. */
export interface MillionSite {
  cloud: CloudProgram;
  cloudPath: string;
  operator: Operator;
  gates: TimedGates;
  /** The site's own daemon in a new folder: it begins to take the snapshot at once. */
  startSite(): Promise<EdgeProgram>;
  /** Starts a daemon, which cars pass first: the cloud is away, and comes back at the end. */
  startWarmSite(cars: number): Promise<EdgeProgram>;
  /** Starts a daemon that has no cloud, for comparison. */
  startAlone(): Promise<EdgeProgram>;
  /** The folder of the newest daemon's data. */
  siteFolder(): string;
  /** The number of changes that the site lacks, as it reports it. */
  inStep(): Promise<{ lag: number }>;
  stop(): Promise<void>;
}

const SITE = {
  name: 'Long list',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: { passageWindowMs: 100 },
};
const SNAPSHOT_WITHIN_MS = 300_000;
const MAX_RECONNECT_MS = 500;

export async function startMillionSite(permits: number): Promise<MillionSite> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-million-'));
  const login = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.splice(0).reverse()) await next();
  };
  try {
    const cloud = await startCloud({ folder: join(folder, 'cloud'), apiKey, operator: login });
    stops.push(() => cloud.stop());
    const operator = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...login });
    const site = await createSite(operator, SITE);
    await cloud.stop();
    const cloudPath = join(folder, 'cloud', 'cloud.db');
    fillPermits(cloudPath, permits);
    await cloud.start();
    const gates = await startTimedGates();
    stops.push(() => gates.stop());
    let sites = 0;
    const siteFolder = () => join(folder, `edge-${sites}`);
    const start = async (linked: boolean) => {
      const access = { httpUrl: cloud.httpUrl(), mqttUrl: cloud.mqttUrl(), ...site };
      const cloudLink = { ...access, maxReconnectMs: MAX_RECONNECT_MS };
      const document = gates.document(SITE, linked ? cloudLink : undefined);
      sites++;
      const edge = await startEdge({ folder: siteFolder(), document });
      stops.push(() => edge.stop());
      return edge;
    };
    const startSite = () => start(true);
    const startAlone = () => start(false);
    const startWarmSite = async (cars: number) => {
      await cloud.stop();
      const edge = await start(true);
      await carsDuring({ gates }, edge, cars);
      await cloud.start();
      await waitFor(() => edge.logged('link.connected').length > 0, { what: 'the link' });
      return edge;
    };
    const inStep = async () => (await operator.site(site.siteId)).presence;
    return {
      cloud,
      cloudPath,
      operator,
      gates,
      startSite,
      startWarmSite,
      startAlone,
      siteFolder,
      inStep,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when the site has taken a snapshot. */
export async function tookSnapshot(edge: EdgeProgram): Promise<void> {
  await waitFor(() => edge.logged('feed.replaced').length > 0, {
    what: 'the snapshot',
    withinMs: SNAPSHOT_WITHIN_MS,
    detail: () => edge.tail(),
  });
}

/** Sends cars to the gates of a site at a rate, for as long as something lasts, or a number of them. */
export function carsDuring(
  { gates }: Pick<MillionSite, 'gates'>,
  edge: EdgeProgram,
  during: Promise<unknown> | number,
): Promise<GateTimes> {
  return gates.run(edge.cameraUrl(), CARS_PER_SECOND, during);
}
const CARS_PER_SECOND = 50;

/** The resident memory of a program, now and at most since it started or was last asked, MB (Linux). */
export function memoryMb(program: EdgeProgram | CloudProgram): { now: number; most: number } {
  return memoryOf(Number(program.ready()['pid']));
}
