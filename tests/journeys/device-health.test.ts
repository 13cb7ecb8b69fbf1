import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EdgeFileSchema } from '@hlid/edge/config';
import { createEdge, type Edge } from '@hlid/edge/edge';
import { systemClock } from '@hlid/node/clock';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { createSite } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';
import { type OnvifDeviceSim, startOnvifDevice } from '../sim/onvif-device.ts';

const SITE = { name: 'Health', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };

const DeviceSchema = z.looseObject({
  kind: z.string(),
  id: z.string(),
  state: z.string(),
  alarm: z.boolean(),
});

let folder: string;
let device: OnvifDeviceSim;
let cloud: CloudProgram;
let operator: Operator;
let siteId: string;
let edge: Edge | null;
let localUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hlid-health-'));
  device = await startOnvifDevice({ password: 'parking-1' });
  const login = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  cloud = await startCloud({ folder: join(folder, 'cloud'), apiKey, operator: login });
  operator = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...login });
  const access = await createSite(operator, SITE);
  siteId = access.siteId;
  const onvif = { url: device.url, user: 'hlid', password: 'not-that-one', timeoutMs: 500 };
  const file = EdgeFileSchema.parse({
    site: SITE,
    cloud: { httpUrl: cloud.httpUrl(), mqttUrl: cloud.mqttUrl(), ...access },
    lanes: [{ id: 'in-1', name: 'In', direction: 'entry', gate: { kind: 'onvif', ...onvif } }],
    cameras: [{ id: 'cam-1', lane: 'in-1', onvif }],
  });
  edge = createEdge(
    { ...file, dataDir: join(folder, 'edge'), logLevel: 'silent', edgePort: 0, cameraPort: 0 },
    { log: pino({ enabled: false }), clock: systemClock },
  );
  ({ localUrl } = await edge.start());
});

afterAll(async () => {
  await edge?.stop();
  await cloud?.stop();
  await device?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function cloudDevices() {
  const schema = z.looseObject({ data: z.array(DeviceSchema) });
  const answer = await operator.call(schema, 'GET', `/sites/${siteId}/devices`);
  return new Map(answer.data.map((one) => [`${one.kind}:${one.id}`, one]));
}

it('a wrong password shows at the site and in the cloud, is tried again when somebody says so, and then the site goes away', async () => {
  await waitFor(async () => (await cloudDevices()).get('camera:cam-1')?.state === 'login-refused', {
    what: 'the cloud to know of the refused login',
  });
  const devices = await cloudDevices();
  expect(devices.get('gate:in-1')).toMatchObject({ state: 'login-refused', alarm: true });
  expect(devices.get('database:site')).toMatchObject({ state: 'ok', alarm: false });
  expect((await operator.ask('GET', `/sites/${siteId}`)).body).toMatchObject({
    devices: { alarms: 2, worst: 'login-refused' },
  });

  const health = await (await fetch(new URL('/health', localUrl))).json();
  expect(health).toMatchObject({
    status: 'attention',
    concerns: expect.arrayContaining([
      expect.objectContaining({
        device: 'camera:cam-1',
        advice: expect.objectContaining({ en: expect.stringContaining('try-again') }),
      }),
    ]),
  });
  const metrics = await (await fetch(new URL('/metrics', localUrl))).text();
  expect(metrics).toContain('hlid_device_alarm{kind="camera",device="cam-1"} 1');
  expect(metrics).toContain('hlid_link_up 1');

  const failed = device.failedLogins();
  const { secret } = z
    .looseObject({ secret: z.string() })
    .parse(JSON.parse(await readFile(join(folder, 'edge', 'local-api.json'), 'utf8')));
  const tryAgain = (authorization: string) =>
    fetch(new URL('/api/devices', localUrl), {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ action: 'try-again', device: null }),
    });
  expect((await tryAgain('Bearer nobody')).status).toBe(401);
  const answer = await tryAgain(`Bearer ${secret}`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      devices: [
        { kind: 'camera', id: 'cam-1' },
        { kind: 'gate', id: 'in-1' },
      ],
    },
  ]);
  await waitFor(() => device.failedLogins() > failed, { what: 'the login to be tried again' });

  await edge?.stop();
  edge = null;
  await waitFor(async () => (await cloudDevices()).get('link:site')?.state === 'unreachable', {
    what: 'the cloud to see that the site is away',
  });
  expect((await cloudDevices()).get('camera:cam-1')).toMatchObject({
    ...{ state: 'unknown', alarm: false },
    lastKnown: { state: 'login-refused' },
  });
});
