import { CameraClocks } from '@hlid/edge/camera/camera-clock';
import { CameraWatch } from '@hlid/edge/camera/camera-watch';
import { OnvifSource } from '@hlid/edge/camera/onvif-source';
import { EdgeFileSchema } from '@hlid/edge/config/config';
import { OnvifDevices } from '@hlid/edge/onvif/onvif-devices';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate/plate-read';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { TINY_JPEG } from './jpeg.ts';
import { type OnvifDeviceOptions, type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';
import { SELF_SIGNED } from './self-signed.ts';

let device: OnvifDeviceSim;
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

const QUICK = { waitMs: 500, lifeMs: 3000, firstPauseMs: 20, maxPauseMs: 100 };
/** Far less than the clock is off, and more than any machine takes for a test. */
const HOUR_MS = 3_600_000;
const MONTH_MS = 31 * 24 * HOUR_MS;
/** Longer than any test may take. */
const NEVER = { firstMs: HOUR_MS, maxMs: HOUR_MS };

async function start(options: OnvifDeviceOptions = {}): Promise<void> {
  device = await startOnvifDevice(options);
  cleanUp.push(() => device.stop());
}

/** A camera as the configuration describes it, and what the lane gets of it. */
function watchCamera(
  more: Record<string, unknown> = {},
  { busyTimes = 0, times = QUICK, retry = { firstMs: 100, maxMs: 5000 } } = {},
) {
  const clock = { now: () => new Date() };
  const log = pino({ enabled: false });
  const { cameras } = EdgeFileSchema.parse({
    site: { name: 'Test', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' },
    lanes: [
      {
        id: 'in-1',
        name: 'In',
        direction: 'entry',
        gate: { kind: 'http', open: { url: 'http://127.0.0.1:9/' } },
      },
    ],
    cameras: [
      {
        id: 'cam-1',
        lane: 'in-1',
        onvif: { url: device.url, user: 'hlid', password: 'parking-1', timeoutMs: 500, ...more },
      },
    ],
  });
  const devices = new OnvifDevices({ clock, log, times });
  const documents: CameraDocument[] = [];
  let attempts = 0;
  const watch = new CameraWatch({
    cameras,
    clocks: new CameraClocks(),
    onClockLearned: () => undefined,
    log,
  });
  const source = new OnvifSource({
    cameras,
    devices,
    reads: {
      async handle(_cameraId, document) {
        if (attempts++ < busyTimes) throw new Error('the database is busy');
        documents.push(document);
        return { stored: document.reads.length, repeated: 0 };
      },
    },
    watch,
    clock,
    log,
    retry,
  });
  devices.start();
  const stop = async () => {
    await devices.stop();
    await source.stop();
  };
  cleanUp.push(stop);
  return {
    documents,
    attempts: () => attempts,
    stop,
    lastSeenAt: () => watch.cameras()[0]?.lastSeenAt,
    state: () => devices.states()[0]?.state,
    mended: () => cameras.flatMap(({ onvif }) => (onvif ? devices.at(onvif).mended() : [])),
    subscribed: () => waitFor(() => device.pullPoints() === 1, { what: 'a subscription' }),
    read: (plate: string): Promise<PlateRead> =>
      waitFor(() => documents.flatMap(({ reads }) => reads).find((read) => read.plateRaw === plate), {
        what: `the read of ${plate}`,
        detail: () => JSON.stringify(devices.states()),
      }),
  };
}

it('reads plates on the topic of Profile M, with their pictures', async () => {
  await start();
  const camera = watchCamera();
  await camera.subscribed();
  device.tellPlate({
    plate: 'KZ-D82',
    likelihood: 0.91,
    country: 'ISL',
    direction: 'Approach',
    image: TINY_JPEG,
  });
  expect(await camera.read('KZ-D82')).toMatchObject({
    plate: 'KZD82',
    score: 0.91,
    country: 'IS',
    direction: 'approaching',
    late: false,
    eventKey: expect.stringMatching(/^onvif\/plate\/Plates\/1\//),
  });
  expect(camera.documents[0]?.pictures).toEqual([
    { kind: 'plate', contentType: 'image/jpeg', base64: TINY_JPEG },
  ]);
});

it('reads the plates of an Axis camera by its own topic', async () => {
  await start({
    addressing: 'parameter',
    topics: ['tnsaxis:CameraApplicationPlatform/ALPV.AllPlates', 'tns1:Device/Trigger/Relay'],
  });
  const camera = watchCamera({ plates: ['axis'] });
  await camera.subscribed();
  device.tellAxisPlate({ plate: 'II04458', carId: 7, country: 'PRT' });
  device.tellAxisPlate({ plate: 'IIO4458', carId: 7, carState: 'lost' });
  const first = await camera.read('II04458');
  const last = await camera.read('IIO4458');
  expect(first).toMatchObject({ plate: 'II04458', country: 'PT', late: false });
  expect(last.late).toBe(true);
  expect(last.relatedKeys).toEqual(first.relatedKeys);
  expect(last.eventKey).not.toBe(first.eventKey);
});

it('reads plates though the device names none of their topics', async () => {
  // The device has none of the topics: then everything is subscribed to, and sorted out here.
  await start({ topics: ['tns1:VideoSource/MotionAlarm'] });
  const camera = watchCamera();
  await camera.subscribed();
  device.tellPlate({ plate: 'ABX12' });
  await camera.read('ABX12');
  expect(
    device.requests.filter(({ operation, refused }) => operation.startsWith('Create') && refused),
  ).toHaveLength(1);
});

it.each(['token', 'digest-md5', 'digest-sha256'] as const)(
  'works with a camera whose clock is a month off, by %s',
  async (way) => {
    await start({ logins: [way], clockAheadMs: -MONTH_MS });
    const camera = watchCamera();
    await camera.subscribed();
    device.tellPlate({ plate: 'KZD82' });
    const read = await camera.read('KZD82');
    expect(Math.abs(Date.parse(read.capturedAt ?? '') - Date.now())).toBeLessThan(HOUR_MS);
    expect(read.late).toBe(false);
    expect(device.failedLogins()).toBe(0);
  },
);

it('follows a clock that is set while it is connected', async () => {
  await start({ logins: ['token'] });
  const camera = watchCamera();
  await camera.subscribed();
  device.setClockAhead(MONTH_MS);
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
  device.tellPlate({ plate: 'ABX12' });
  const read = await camera.read('ABX12');
  expect(Math.abs(Date.parse(read.capturedAt ?? '') - Date.now())).toBeLessThan(HOUR_MS);
});

it('marks the read of an old event as late', async () => {
  await start();
  const camera = watchCamera();
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82', at: new Date(Date.now() - 60_000) });
  expect(await camera.read('KZD82')).toMatchObject({ late: true });
});

it.each([true, false])('renews its subscription (pulling prolongs it: %s)', async (pullProlongs) => {
  await start({ pullProlongs });
  const camera = watchCamera();
  await camera.subscribed();
  await waitFor(() => device.requests.filter(({ operation }) => operation === 'PullMessages').length >= 8, {
    what: 'pulls for longer than a subscription lives',
  });
  expect(device.requests.filter(({ operation }) => operation.startsWith('Create'))).toHaveLength(1);
  expect(device.requests.some(({ operation }) => operation === 'Renew')).toBe(!pullProlongs);
  expect(camera.lastSeenAt()).not.toBeNull();
});

it('subscribes without renewal if the device does not support it', async () => {
  await start({ renews: false });
  const camera = watchCamera();
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
  expect(camera.state()).toMatchObject({ state: 'ok' });
});

// Home Assistant's issues describe real cameras like these: core 81963, 83524, 92308.
it.each([
  { lifetimeFormat: 'until' },
  { lifetimeFormat: 'not' },
  { lifetimeFormat: 'until-or-1970' },
  { maxEvents: 10 },
  { maxWaitMs: 1000 },
] as const)('uses the only way that a device supports (%o)', async (ways) => {
  await start(ways);
  const camera = watchCamera({}, { times: { ...QUICK, waitMs: 2000, lifeMs: 6000 } });
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
  expect(device.failedLogins()).toBe(0);
});

// Home Assistant, core issue 91089: a user who may read events, but not request them again.
it('reads plates for a user without all permissions of a subscription', async () => {
  await start();
  device.fail(
    { kind: 'fault', code: 'ter:NotAuthorized' },
    { operation: 'SetSynchronizationPoint', times: 100 },
  );
  const camera = watchCamera();
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
  expect(camera.state()).toMatchObject({ state: 'ok' });
  expect(device.failedLogins()).toBe(0);
});

it('subscribes again when the device has forgotten it, and unsubscribes at the end', async () => {
  await start({ maxPullPoints: 1 });
  const camera = watchCamera();
  await camera.subscribed();
  device.forgetSubscriptions();
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
  await camera.stop();
  expect(device.pullPoints()).toBe(0);
});

it('never stops trying a device that is away', async () => {
  await start();
  const camera = watchCamera();
  await camera.subscribed();
  const { port } = device;
  await device.stop();
  await waitFor(() => camera.state()?.state === 'unreachable', { what: 'the device to be missed' });
  device = await startOnvifDevice({ port });
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
  expect(camera.state()).toMatchObject({ state: 'ok', lastError: null });
});

it.each([
  { kind: 'dropped', acts: false },
  { kind: 'fault', code: 'ter:Action' },
] as const)('continues after a failed pull ($kind)', async (fault) => {
  await start();
  const camera = watchCamera();
  await camera.subscribed();
  device.fail(fault, { operation: 'PullMessages', times: 2 });
  await waitFor(() => camera.state()?.state !== 'ok' && camera.state()?.lastError, { what: 'the fault' });
  await waitFor(() => camera.state()?.state === 'ok', { what: 'the device to be well again' });
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await camera.read('KZD82');
});

it.each(['token', 'digest-md5', 'digest-sha256'] as const)(
  'tries a wrong password once, by %s, and then not again',
  async (way) => {
    await start({ logins: [way], lockAfter: 5 });
    const camera = watchCamera({ password: 'parking-2' });
    await waitFor(() => camera.state()?.state === 'login-refused', { what: 'the refusal' });
    expect(device.failedLogins()).toBe(1);
    const before = device.requests.length;
    await expect(
      waitFor(() => device.requests.length > before, { what: 'another try', withinMs: 300 }),
    ).rejects.toThrow();
  },
);

it('accepts an untrusted certificate only if it is configured to', async () => {
  await start({ tls: SELF_SIGNED });
  const strict = watchCamera();
  await waitFor(() => strict.state()?.lastError?.includes('self-signed'), { what: 'the complaint' });
  await strict.stop();
  const lenient = watchCamera({ selfSigned: true });
  await lenient.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await lenient.read('KZD82');
});

it('keeps events that the database could not store, in order', async () => {
  await start();
  const camera = watchCamera({}, { busyTimes: 3 });
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  device.tellPlate({ plate: 'ABX12' });
  await camera.read('ABX12');
  expect(camera.documents.flatMap(({ reads }) => reads).map(({ plate }) => plate)).toEqual([
    'KZD82',
    'ABX12',
  ]);
});

it('stops although the database does not work, in the middle of a long pause', async () => {
  await start();
  const camera = watchCamera({}, { busyTimes: Number.POSITIVE_INFINITY, retry: NEVER });
  await camera.subscribed();
  device.tellPlate({ plate: 'KZD82' });
  await waitFor(() => camera.attempts() === 1, { what: 'an attempt to store the read' });
  await camera.stop();
  expect(camera.attempts()).toBe(2);
  expect(camera.documents).toEqual([]);
});

it('reads the plates of a camera that answers without HTTP, and says so to its installer', async () => {
  await start({ logins: ['token'], answersAs: (envelope) => envelope });
  const camera = watchCamera({ login: 'token' });
  await camera.subscribed();
  device.tellPlate({ plate: 'ABX12' });
  expect(await camera.read('ABX12')).toMatchObject({ plate: 'ABX12' });
  expect(camera.mended()).toEqual(['an answer is mended: it has no status line']);
});
