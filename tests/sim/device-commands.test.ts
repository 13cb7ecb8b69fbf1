import { CommandAge } from '@hlid/edge/commands/command-age';
import { DeviceCommands, type ScreenView } from '@hlid/edge/commands/device-commands';
import { EdgeFileSchema } from '@hlid/edge/config/config';
import { createGate } from '@hlid/edge/gate/gate-kinds';

import { discoverDevices } from '@hlid/edge/onvif/discover';
import { OnvifDevices } from '@hlid/edge/onvif/onvif-devices';
import type { BringSnapshot } from '@hlid/edge/picture/bring-picture';
import { Snapshots } from '@hlid/edge/picture/snapshots';
import { DEVICE_COMMAND_LIFE_MS, type DeviceCommand } from '@hlid/protocol/site-link/commands';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { TINY_JPEG } from './jpeg.ts';
import { type OnvifDeviceOptions, type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';
import { startRelay } from './relay.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

const clock = { now: () => new Date() };
const log = pino({ enabled: false });
const LOGIN = { user: 'hlid', password: 'parking-1' };
const HOUR_MS = 3_600_000;

async function start(options: OnvifDeviceOptions = {}): Promise<OnvifDeviceSim> {
  const device = await startOnvifDevice(options);
  cleanUp.push(() => device.stop());
  return device;
}

/** A site with these cameras at one lane, and no other way to their pictures than its own. */
function commandsOf(
  cameras: readonly object[],
  { device, screen = { kind: 'away' } }: { device?: OnvifDeviceSim; screen?: ScreenView } = {},
) {
  const config = EdgeFileSchema.parse({
    site: { name: 'Test', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' },
    lanes: ['in-1', 'in-2'].map((id) => ({
      id,
      name: id,
      direction: 'entry',
      gate: { kind: 'http', open: { url: 'http://127.0.0.1:9/' } },
    })),
    cameras: cameras.map((camera, at) => ({ id: `cam-${at + 1}`, lane: 'in-1', ...camera })),
  });
  const uploaded = new Map<string, Buffer>();
  const bring: BringSnapshot = async (id, { picture }) => {
    uploaded.set(id, Buffer.from(picture));
    return null;
  };
  const devices = new OnvifDevices({ clock, log });
  const commands = new DeviceCommands(
    { clock, log },
    {
      config,
      bring,
      age: new CommandAge(clock),
      snapshots: new Snapshots({ cameras: config.cameras, devices, clock, log }),
      takeScreen: async () => screen,
      checkDevice: async () => 'no-device',
      discover: () => discoverDevices({ group: '127.0.0.1', port: device?.discoveryPort ?? 9, waitMs: 300 }),
      pushesFrom: () => null,
    },
  );
  let n = 0;
  return {
    uploaded,
    give: (
      command: { action: 'take-picture'; of: object } | { action: 'find-cameras' },
      sentAt = Date.now(),
    ) =>
      commands.handle({
        v: 1,
        id: `01980000-0000-7000-8000-${String(++n).padStart(12, '0')}`,
        by: 'account:anna',
        sentAt: new Date(sentAt).toISOString(),
        echo: null,
        expiresAt: new Date(sentAt + DEVICE_COMMAND_LIFE_MS).toISOString(),
        ...command,
      } as DeviceCommand),
  };
}

const takeFrom = (of: object) => ({ action: 'take-picture', of }) as const;

it.each(['token', 'digest-md5', 'digest-sha256'] as const)(
  'a picture comes from an ONVIF camera that wants %s, and from its plain address too',
  async (way) => {
    const device = await start({ logins: [way] });
    const { give, uploaded } = commandsOf([
      { token: 'x'.repeat(16) },
      { onvif: { url: device.url, ...LOGIN } },
      { lane: 'in-2', token: 'y'.repeat(16), snapshot: { url: plainAddress(device), ...LOGIN } },
    ]);
    for (const [of, cameraId] of [
      [{ laneId: 'in-1' }, 'cam-2'],
      [{ laneId: 'in-2' }, 'cam-3'],
      [{ cameraId: 'cam-3' }, 'cam-3'],
    ] as const) {
      const reply = await give(takeFrom(of));
      expect(reply).toMatchObject({ outcome: 'done', cameraId });
      expect(uploaded.get(reply.id)?.toString('base64')).toBe(TINY_JPEG);
    }
    expect(device.failedLogins()).toBe(0);
  },
);

it('a picture of the kiosk’s screen comes from its page, or what it shows in words', async () => {
  const picture = Buffer.from('a picture');
  const shown = commandsOf([], { screen: { kind: 'picture', contentType: 'image/jpeg', picture } });
  const reply = await shown.give(takeFrom({ screen: 'kiosk' }));
  expect(reply).toMatchObject({ outcome: 'done' });
  expect(shown.uploaded.get(reply.id)).toEqual(picture);
  for (const [screen, refusal] of [
    [{ kind: 'away' }, { reason: 'kiosk-away' }],
    [
      { kind: 'text', text: 'Greiða' },
      { reason: 'kiosk-no-picture', detail: 'Greiða' },
    ],
  ] as const) {
    const { give, uploaded } = commandsOf([], { screen });
    expect(await give(takeFrom({ screen: 'kiosk' }))).toMatchObject({ outcome: 'refused', ...refusal });
    expect(uploaded.size).toBe(0);
  }
});

const plainAddress = ({ url }: OnvifDeviceSim) => new URL('/snapshot.jpg', url).href;

it('a picture that cannot be taken is refused with the reason', async () => {
  const device = await start({ logins: ['digest-md5'] });
  const plain = plainAddress(device);
  const posting = { token: 'x'.repeat(16) };
  const { give, uploaded } = commandsOf([
    posting,
    { ...posting, snapshot: { url: plain, ...LOGIN, password: 'wrong' } },
    { ...posting, snapshot: { url: new URL('/nothing', plain).href } },
    { ...posting, snapshot: { url: 'http://127.0.0.1:9/picture.jpg' } },
  ]);
  const reasonOf = async (of: object) => (await give(takeFrom(of))).reason;
  expect(await reasonOf({ cameraId: 'cam-1' })).toBe('no-picture-source');
  expect(await reasonOf({ laneId: 'in-2' })).toBe('no-picture-source');
  expect(await reasonOf({ cameraId: 'cam-2' })).toBe('camera-login');
  expect(await reasonOf({ cameraId: 'cam-3' })).toBe('no-picture');
  expect(await reasonOf({ cameraId: 'cam-4' })).toBe('camera-away');
  expect(await reasonOf({ cameraId: 'cam-9' })).toBe('no-device');
  expect(await reasonOf({ laneId: 'in-9' })).toBe('no-lane');
  expect(uploaded.size).toBe(0);
});

it('a command that is too old is not carried out', async () => {
  const device = await start();
  const { give, uploaded } = commandsOf([{ onvif: { url: device.url, ...LOGIN } }]);
  const reply = await give(takeFrom({ laneId: 'in-1' }), Date.now() - 2 * DEVICE_COMMAND_LIFE_MS);
  expect(reply).toMatchObject({ outcome: 'expired', echo: expect.any(String) });
  expect(uploaded.size).toBe(0);
});

it('cameras are found with what is configured of them', async () => {
  const device = await start({ discovery: {} });
  const found = {
    address: device.url,
    name: 'Hlid plate camera',
    maker: '',
    model: 'PLATE-1',
    profiles: ['M'],
  };
  const other = commandsOf([{ onvif: { url: 'http://127.0.0.1:9/' } }], { device });
  expect(await other.give({ action: 'find-cameras' })).toMatchObject({
    cameras: [{ ...found, configured: [] }],
  });
  const same = commandsOf([{ onvif: { url: device.url, ...LOGIN } }], { device });
  expect(await same.give({ action: 'find-cameras' })).toMatchObject({
    cameras: [{ ...found, configured: [{ kind: 'camera', id: 'cam-1' }] }],
  });
});

it('a camera that was away is connected to at once, without the pause between retries', async () => {
  const first = await startOnvifDevice();
  const { port } = first;
  const times = { waitMs: 200, lifeMs: 60_000, firstPauseMs: HOUR_MS, maxPauseMs: HOUR_MS };
  const devices = new OnvifDevices({ clock, log, times });
  const device = devices.at(
    EdgeFileSchema.shape.cameras.unwrap().element.parse({
      id: 'cam-1',
      lane: 'in-1',
      onvif: { url: first.url, ...LOGIN, timeoutMs: 1000 },
    }).onvif ?? raise(),
  );
  device.listen({ topics: null });
  devices.start();
  cleanUp.push(() => devices.stop());
  await waitFor(() => device.state().state === 'ok', { what: 'the camera to be connected' });
  await first.stop();
  await waitFor(() => device.state().state === 'unreachable', { what: 'the camera to be away' });
  await device.check();
  expect(device.state().state).toBe('unreachable');
  await start({ port });
  await device.check();
  expect(device.state().state).toBe('ok');
});

function raise(): never {
  throw new Error('the camera has no onvif');
}

it('a gate is reached without being moved, or is not', async () => {
  const relay = await startRelay({ outputs: 1, gateOpenMs: 100 });
  const open = { method: 'POST', url: `${relay.url}/relay/1/pulse` } as const;
  const config = EdgeFileSchema.shape.lanes.element.shape.gate.parse({ kind: 'http', open });
  if (config.kind === 'none') throw new Error('it is a relay');
  const gate = createGate(config, { onvif: new OnvifDevices({ clock, log }) });
  let moved = 0;
  relay.onOpening(() => moved++);
  expect(await gate.check?.()).toBe('connected');
  await relay.stop();
  expect(await gate.check?.()).toBe('unreachable');
  expect(moved).toBe(0);
});
