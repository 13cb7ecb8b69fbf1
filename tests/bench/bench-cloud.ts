import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloud } from '../harness/cloud-program.ts';
import { IdViewSchema, LoginViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn } from '../harness/operator.ts';
import { createSite } from '../harness/provision.ts';
import { copyTotals, fillCloud } from './fill-cloud.ts';
import { startFloorProgram } from './floor-program.ts';
import { memoryOf } from './memory-of.ts';

/** The real cloud program with a year of visits, and the bare floor on the same database. */
export interface BenchCloud {
  visits: number;
  /** Its data. */
  folder: string;
  siteId: string;
  cameraId: string;
  url: string;
  floorUrl: string;
  /** The token of the operator's program. */
  token: string;
  operator: { id: string; password: string };
  /** Asks the cloud as an operator. */
  ask(method: string, path: string, body?: object): Promise<number>;
  askFloor(method: string, path: string, body?: object): Promise<number>;
  /** Reads an answer to its end and throws it away; returns its bytes. */
  drain(path: string, signal: AbortSignal): Promise<number>;
  /** The resident memory of the cloud now, MB. */
  memoryMb(): number;
  /** Does a piece of work; gives the most memory that the cloud had resident meanwhile, MB. */
  peakMemoryMb(work: () => Promise<void>): Promise<number>;
  stop(): Promise<void>;
}

/** Runs work with a cloud of this many visits, and stops the cloud. */
export async function withBenchCloud<T>(
  visits: number,
  work: (cloud: BenchCloud) => Promise<T>,
  otherSites = 0,
): Promise<T> {
  const cloud = await startBenchCloud(visits, otherSites);
  try {
    return await work(cloud);
  } finally {
    await cloud.stop();
  }
}

/** @param otherSites have the same totals as the one with the visits */
export async function startBenchCloud(visits: number, otherSites = 0): Promise<BenchCloud> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-'));
  // Without this, the retention run would erase what is older than half a year during the measurement.
  await writeFile(join(folder, 'cloud.yaml'), 'retention:\n  visitDays: 3650\n');
  const operator = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const cloud = await startCloud({ folder, apiKey, operator, env: { HLID_LOG_LEVEL: 'warn' } });
  const removeAll = async () => {
    await cloud.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const access = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...operator });
    const site = { name: 'Bench', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
    const { siteId } = await createSite(access, site);
    const camera = { name: 'Entrance', location: 'entrance', remoteId: 'cam-in', siteId };
    const { id: cameraId } = await access.call(IdViewSchema, 'POST', '/cameras', camera);
    await access.call(LoginViewSchema.partial(), 'POST', '/visits', newVisit('F1RST'));
    const others: string[] = [];
    for (let n = 0; n < otherSites; n++) {
      others.push((await createSite(access, { ...site, name: `Bench ${n}` })).siteId);
    }
    await cloud.stop();
    fillCloud(join(folder, 'cloud.db'), siteId, visits);
    copyTotals(join(folder, 'cloud.db'), siteId, others);
    await cloud.start();
    const token = await tokenOf(cloud.httpUrl(), apiKey, operator);
    const floor = await startFloorProgram('floor-cloud.ts', [join(folder, 'cloud.db')]);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
    const authorization = { authorization: `Bearer ${token}` };
    return {
      visits,
      folder,
      siteId,
      cameraId,
      url: cloud.httpUrl(),
      floorUrl: floor.url,
      token,
      operator,
      ask: (method, path, body) => ask(agent, new URL(path, cloud.httpUrl()), method, authorization, body),
      askFloor: (method, path, body) => ask(agent, new URL(path, floor.url), method, {}, body),
      async drain(path, signal) {
        const response = await fetch(new URL(path, cloud.httpUrl()), { headers: authorization, signal });
        let bytes = 0;
        for await (const piece of response.body ?? []) bytes += piece.byteLength;
        return bytes;
      },
      memoryMb: () => memoryOf(Number(cloud.ready()['pid'])).now,
      async peakMemoryMb(work) {
        const pid = Number(cloud.ready()['pid']);
        // This reading resets the peak, which has been that of the start.
        memoryOf(pid);
        await work();
        return memoryOf(pid).most;
      },
      async stop() {
        agent.destroy();
        await floor.stop();
        await removeAll();
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

/** A visit that begins now. */
export function newVisit(plate: string) {
  return { startedOn: new Date(Date.now() - 1000).toISOString(), plate, status: 'new' };
}

/** The token of a session. */
export async function tokenOf(url: string, apiKey: string, operator: { id: string; password: string }) {
  const response = await fetch(new URL('/auth/login', url), {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ device_uuid: crypto.randomUUID(), provider: 'password', ...operator }),
  });
  return LoginViewSchema.parse(await response.json()).access_token;
}

/** Sends a request, reads the answer to its end, and gives its status. */
export function ask(
  agent: http.Agent,
  url: URL,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const content =
      text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const request = http.request(url, { method, agent, headers: { ...headers, ...content } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(text);
  });
}
