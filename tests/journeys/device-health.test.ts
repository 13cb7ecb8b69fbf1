import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { fourLanes } from '../harness/edge-document.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { newSecret } from '../harness/new-secret.ts';
import { waitFor } from '../harness/wait.ts';
import { TINY_JPEG } from '../sim/jpeg.ts';
import { type OnvifDeviceSim, startOnvifDevice } from '../sim/onvif-device.ts';

const DeviceSchema = z.looseObject({
  kind: z.string(),
  id: z.string(),
  state: z.string(),
  alarm: z.boolean(),
});

const ConcernSchema = z.looseObject({ device: z.string().optional() });

let device: OnvifDeviceSim;
let network: Network;

beforeAll(async () => {
  device = await startOnvifDevice({ password: 'parking-1' });
  network = await startNetwork({
    lanes: fourLanes(newSecret)
      .filter(({ id }) => id.startsWith('in-'))
      .map((lane) => ({ ...lane, isPolled: lane.id === 'in-1' })),
    onvif: { url: device.url, user: 'hlid', password: 'not-that-one', timeoutMs: 500 },
    snapshot: () => {
      const { href: url } = new URL('/snapshot.jpg', device.url);
      return { url, user: 'hlid', password: 'parking-1' };
    },
  });
});

afterAll(async () => {
  await network?.stop();
  await device?.stop();
});

async function cloudDevices() {
  const schema = z.looseObject({ data: z.array(DeviceSchema) });
  const answer = await network.operator.call(schema, 'GET', `/sites/${network.site.siteId}/devices`);
  return new Map(answer.data.map((one) => [`${one.kind}:${one.id}`, one]));
}

it('an operator sees what a camera sees now, and learns at once what is wrong with another', async () => {
  const { operator, site } = network;
  const ask = (what: string) => operator.ask('POST', `/sites/${site.siteId}/${what}`);
  const taken = await ask('lanes/in-2/snapshot');
  expect(taken).toMatchObject({ status: 200, body: { cameraId: 'cam-in-2' } });
  const { url } = z.looseObject({ url: z.string() }).parse(taken.body);
  expect((await operator.bytes(url)).toString('base64')).toBe(TINY_JPEG);
  expect(await ask('devices/camera/cam-in-1/snapshot')).toMatchObject({
    status: 502,
    body: { codes: [{ code: 'camera-login-refused' }] },
  });
  expect(await ask('devices/camera/cam-in-1/try-again')).toMatchObject({
    status: 200,
    body: { state: 'login-refused' },
  });
  expect(await ask('devices/gate/in-2/try-again')).toMatchObject({ status: 200, body: { state: 'ok' } });
  expect(await ask('devices/camera/cam-in-2/try-again')).toMatchObject({
    status: 409,
    body: { codes: [{ code: 'device-not-checkable' }] },
  });
});

it('the screen of the kiosk is a device of the site, and an operator sees what it shows', async () => {
  const { operator, site, edge } = network;
  const local = (path: string, init?: RequestInit) =>
    fetch(new URL(`/api/kiosk/${path}`, edge.localUrl()), init);
  const take = () => operator.ask('POST', `/sites/${site.siteId}/devices/kiosk/site/snapshot`);
  expect(await take()).toMatchObject({ status: 502, body: { codes: [{ code: 'kiosk-away' }] } });
  const polled = async () =>
    z.looseObject({ picture: z.string().optional() }).parse(await (await local('site')).json());
  expect(await polled()).not.toHaveProperty('picture');
  await waitFor(async () => (await cloudDevices()).get('kiosk:site')?.state === 'ok', {
    what: 'the kiosk among the devices',
  });
  const wanted = () =>
    waitFor(async () => (await polled()).picture, { what: 'the page to be asked for a picture' });
  for (const [body, answer] of [
    [{ jpeg: TINY_JPEG }, { status: 200 }],
    [{ text: 'Greiða' }, { status: 502, body: { codes: [{ code: 'kiosk-no-picture' }] } }],
  ] as const) {
    const [taken] = await Promise.all([
      take(),
      wanted().then((id) =>
        local(`screen/${id}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    ]);
    expect(taken).toMatchObject(answer);
    if ('jpeg' in body) {
      const { url } = z.looseObject({ url: z.string() }).parse(taken.body);
      expect((await operator.bytes(url)).toString('base64')).toBe(TINY_JPEG);
    }
  }
});

it.each([{ who: 'a technician on site' }, { who: 'an operator' }])(
  'a gate that was repaired loses its alarm by a try of $who, and no gate moves by it',
  async ({ who }) => {
    const { operator, site, edge, folders, relay } = network;
    const ask = (what: string, body?: object) => operator.ask('POST', `/sites/${site.siteId}/${what}`, body);
    const gate = async () => (await cloudDevices()).get('gate:in-2');
    const local = async () => {
      const answer = await (await fetch(new URL('/health', edge.localUrl()))).json();
      const { concerns } = z.looseObject({ concerns: z.array(ConcernSchema) }).parse(answer);
      return concerns.some((one) => one.device === 'gate:in-2');
    };
    relay.fail({ kind: 'refusing' });
    expect(await ask('lanes/in-2/open', { reasonCode: 'guest' })).toMatchObject({ status: 502 });
    await waitFor(async () => (await gate())?.alarm === true && (await local()), {
      what: 'the alarm of the gate, here and there',
    });
    relay.heal();
    const moved = relay.requests.filter(({ acted }) => acted).length;
    if (who === 'an operator') {
      const tried = await ask('devices/gate/in-2/try-again');
      expect(tried).toMatchObject({ status: 200, body: { state: 'ok' } });
    } else {
      const tried = await runEdgeTool(folders.edge, ['gate', 'try-again', 'in-2', '--json']);
      expect([tried.code, JSON.parse(tried.printed)]).toEqual([
        0,
        { devices: [{ kind: 'gate', id: 'in-2' }] },
      ]);
    }
    await waitFor(async () => (await gate())?.alarm === false && !(await local()), {
      what: 'the end of the alarm, here and there',
    });
    expect(await gate()).toMatchObject({ state: 'ok' });
    expect(relay.requests.filter(({ acted }) => acted).length).toBe(moved);
  },
);

it('a refused login shows at the site and in the cloud, is tried again on request, and is unknown once the site is offline', async () => {
  const { operator, site, edge, folders } = network;
  await waitFor(async () => (await cloudDevices()).get('camera:cam-in-1')?.state === 'login-refused', {
    what: 'the cloud to know of the refused login',
  });
  const devices = await cloudDevices();
  expect(devices.get('gate:in-1')).toMatchObject({ state: 'login-refused', alarm: true });
  expect(devices.get('database:site')).toMatchObject({ state: 'ok', alarm: false });
  expect((await operator.ask('GET', `/sites/${site.siteId}`)).body).toMatchObject({
    devices: { alarms: 2, worst: 'login-refused' },
  });

  const health = await (await fetch(new URL('/health', edge.localUrl()))).json();
  expect(health).toMatchObject({
    status: 'attention',
    concerns: expect.arrayContaining([
      expect.objectContaining({
        device: 'camera:cam-in-1',
        advice: expect.objectContaining({ en: expect.stringContaining('try-again') }),
      }),
    ]),
  });
  const metrics = await (await fetch(new URL('/metrics', edge.localUrl()))).text();
  expect(metrics).toContain('hlid_device_alarm{kind="camera",device="cam-in-1"} 1');
  expect(metrics).toContain('hlid_link_up 1');

  const failed = device.failedLogins();
  const { secret } = z
    .looseObject({ secret: z.string() })
    .parse(JSON.parse(await readFile(join(folders.edge, 'local-api.json'), 'utf8')));
  const tryAgain = (authorization: string) =>
    fetch(new URL('/api/devices', edge.localUrl()), {
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
        { kind: 'camera', id: 'cam-in-1' },
        { kind: 'gate', id: 'in-1' },
      ],
    },
  ]);
  await waitFor(() => device.failedLogins() > failed, { what: 'the login to be tried again' });

  await edge.stop();
  await waitFor(async () => (await cloudDevices()).get('link:site')?.state === 'unreachable', {
    what: 'the cloud to see that the site is away',
  });
  expect((await cloudDevices()).get('camera:cam-in-1')).toMatchObject({
    state: 'unknown',
    alarm: false,
    lastKnown: { state: 'login-refused' },
  });
});
