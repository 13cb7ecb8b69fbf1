import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EdgeFileSchema } from '@hlid/edge/config';
import { createEdge, type Edge } from '@hlid/edge/edge';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { edgeDocument, fourLanes } from '../harness/edge-document.ts';
import { cameraOf } from '../harness/lane-camera.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { addDefaultProducts, createSite, registerCameras } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';
import { newPlate } from '../sim/plates.ts';
import { type Relay, startRelay } from '../sim/relay.ts';
import { seededRandom } from '../sim/seeded-random.ts';

const SITE = { name: 'Away', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
/** Fits the real time well enough that tokens and certificates hold, and is plainly not it. */
const START = Date.now() - 6 * HOUR_MS;

let folder: string;
let relay: Relay;
let cloud: CloudProgram;
let operator: Operator;
let edge: Edge;
let urls: { localUrl: string; cameraUrl: string };
const clock = { time: START, now: () => new Date(clock.time) };
const lanes = fourLanes(newSecret);
const cameras = new Map(lanes.map((lane) => [lane.id, cameraOf(lane)]));

// The edge runs in this process, with a clock of ours; cloud, broker, cameras and relays are as ever.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hlid-away-'));
  relay = await startRelay();
  const login = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  cloud = await startCloud({ folder: join(folder, 'cloud'), apiKey, operator: login });
  operator = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...login });
  const access = await createSite(operator, SITE);
  await registerCameras(operator, access.siteId, lanes);
  await addDefaultProducts(operator);
  const document = edgeDocument({
    site: SITE,
    lanes,
    relayUrl: relay.url,
    cloud: { httpUrl: cloud.httpUrl(), mqttUrl: cloud.mqttUrl(), ...access },
  });
  edge = createEdge(
    {
      ...EdgeFileSchema.parse(document),
      dataDir: join(folder, 'edge'),
      logLevel: 'silent',
      edgePort: 0,
      cameraPort: 0,
    },
    { log: pino({ enabled: false }), clock },
  );
  urls = await edge.start();
  await waitFor(async () => (await link()).feedAt > 0 && (await caughtUp()), { what: 'the first contact' });
});

afterAll(async () => {
  await edge?.stop();
  await cloud?.stop();
  await relay?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function link(): Promise<{ connected: boolean; seq: number; acknowledged: number; feedAt: number }> {
  const health = await (await fetch(new URL('/health', urls.localUrl))).json();
  return (health as { link: Awaited<ReturnType<typeof link>> }).link;
}

async function caughtUp(): Promise<boolean> {
  const { connected, seq, acknowledged } = await link();
  return connected && seq === acknowledged;
}

async function passes(laneId: string, plate: string): Promise<void> {
  const lane = lanes.find(({ id }) => id === laneId);
  for (const document of cameras.get(laneId)?.see({ plate, score: 0.95, at: clock.now() }) ?? []) {
    const url = `${urls.cameraUrl}/cameras/${lane?.cameraId}/${lane?.format}?token=${lane?.token}`;
    expect((await post(url, document)).status).toBe(200);
  }
}

it('with the cloud away for an hour of traffic, it afterwards has every visit once, in order, with its own times', async () => {
  const random = seededRandom(7);
  const drivenIn: { plate: string; startedOn: string; endedOn: string | null }[] = [];
  await cloud.kill();
  const until = clock.time + HOUR_MS;
  while (clock.time < until) {
    const plate = newPlate(random);
    if (drivenIn.some((visit) => visit.plate === plate)) continue;
    const visit = { plate, startedOn: clock.now().toISOString(), endedOn: null as string | null };
    await passes(random.pick(['in-1', 'in-2']), plate);
    drivenIn.push(visit);
    clock.time += random.between(9000, 20_000);
    if (random.chance(0.5)) {
      // Within the grace: it owes nothing.
      visit.endedOn = clock.now().toISOString();
      await passes(random.pick(['out-1', 'out-2']), plate);
      clock.time += random.between(9000, 20_000);
    }
  }
  const waiting = await link();
  expect(waiting.connected).toBe(false);
  expect(waiting.seq - waiting.acknowledged).toBeGreaterThan(drivenIn.length * 2);

  await cloud.restart();
  await waitFor(caughtUp, { what: 'the cloud to catch up', withinMs: 45_000 });
  const inCloud = await operator.visits();
  expect(
    inCloud.map(({ plate, startedOn, endedOn }) => ({ plate, startedOn, endedOn })).toReversed(),
  ).toEqual(drivenIn);
});
