import { OnvifGate, OnvifGateSchema } from '@hlid/edge/gate/onvif-gate';
import { OnvifDevices } from '@hlid/edge/onvif/onvif-devices';
import { deadline } from '@hlid/protocol/test/deadline';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor, withDeadline } from '../harness/wait.ts';
import { type OnvifDeviceOptions, type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';

let device: OnvifDeviceSim;
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

/** A relay must still be on when a test looks, and the first answers must come in time, on a slow machine too. */
const PULSE_MS = deadline(200);
const QUICK = { waitMs: 2000, lifeMs: 5000, firstPauseMs: 20, maxPauseMs: 50 };

async function start(options: OnvifDeviceOptions = {}): Promise<void> {
  device = await startOnvifDevice(options);
  cleanUp.push(() => device.stop());
}

/** Makes the gate like the daemon. */
function makeGate(more: Record<string, unknown> = {}) {
  const devices: OnvifDevices = new OnvifDevices({
    clock: { now: () => new Date() },
    log: pino({ enabled: false }),
    times: QUICK,
  });
  const config = OnvifGateSchema.parse({
    kind: 'onvif',
    url: device.url,
    user: 'hlid',
    password: 'parking-1',
    pulseMs: PULSE_MS,
    timeoutMs: deadline(400),
    ...more,
  });
  const gate = new OnvifGate(config, { onvif: devices });
  const started = gate.start();
  devices.start();
  cleanUp.push(async () => {
    await Promise.all([gate.stop?.(), devices.stop()]);
  });
  /** The relay is set, and its events come. */
  const ready = async () => {
    await withDeadline(started, { what: 'the relay to be ready' });
    await waitFor(() => device.pullPoints() === 1, { what: 'the subscription' });
  };
  return { gate, ready, state: () => devices.states()[0]?.state };
}

const asked = (operation: string) => device.requests.filter((request) => request.operation === operation);
it('configures the relay as monostable once, verifies that, and pulses with one call', async () => {
  await start();
  const { gate, ready } = makeGate();
  await ready();
  expect(await gate.pulse()).toBe('done');
  expect(await gate.pulse()).toBe('done');
  await waitFor(() => !device.relay('relay-1').active, { what: 'the relay to fall back' });
  expect(device.relay('relay-1')).toMatchObject({ mode: 'Monostable', delayMs: PULSE_MS, activations: 2 });
  expect(asked('SetRelayOutputSettings')).toHaveLength(1);
  expect(asked('GetRelayOutputs')).toHaveLength(2);
  expect(asked('SetRelayOutputState')).toHaveLength(2);
});

it('does not configure a relay that is right already', async () => {
  await start({ relays: [{ token: 'relay-1', mode: 'Monostable', delayMs: PULSE_MS }] });
  const { gate, ready } = makeGate();
  await ready();
  expect(await gate.pulse()).toBe('done');
  expect(asked('SetRelayOutputSettings')).toHaveLength(0);
});

it.each(['token', 'digest-md5', 'digest-sha256'] as const)('logs in with %s', async (way) => {
  await start({ logins: [way], clockAheadMs: -31 * 24 * 3_600_000, nonceUses: 3 });
  const { gate, ready } = makeGate();
  await ready();
  for (let times = 0; times < 5; times++) expect(await gate.pulse()).toBe('done');
  expect(device.failedLogins()).toBe(0);
});

it('releases a relay that only stays on, with as many tries as that needs', async () => {
  await start({ relays: [{ token: 'relay-1', canBeMonostable: false }] });
  const { gate } = makeGate();
  await waitFor(() => asked('SetRelayOutputState').length === 1, { what: 'the release at the start' });
  expect(await gate.pulse()).toBe('done');
  device.fail({ kind: 'silent', acts: false }, { operation: 'SetRelayOutputState', times: 2 });
  expect(device.relay('relay-1').active).toBe(true);
  await waitFor(() => !device.relay('relay-1').active, { what: 'the release' });
  expect(device.relay('relay-1').openings).toBe(1);
});

it('releases at its start a relay that a crash left on', async () => {
  await start({ relays: [{ token: 'relay-1', canBeMonostable: false }] });
  const first = makeGate({ pulseMs: 60_000 });
  await waitFor(() => asked('SetRelayOutputState').length === 1, { what: 'the release at the start' });
  await first.gate.pulse();
  expect(device.relay('relay-1').active).toBe(true);
  makeGate({ pulseMs: 60_000 });
  await waitFor(() => !device.relay('relay-1').active, { what: 'the release' });
});

it('distinguishes refusal, silence and absence', async () => {
  await start({ relays: [{ token: 'relay-1', mode: 'Monostable', delayMs: PULSE_MS }] });
  const { gate, ready, state } = makeGate();
  await ready();
  device.fail({ kind: 'fault', code: 'ter:ModeError' });
  expect(await gate.pulse()).toBe('refused');
  device.fail({ kind: 'silent', acts: false });
  expect(await gate.pulse()).toBe('unknown');
  device.heal();
  await device.stop();
  expect(await gate.pulse()).toBe('unreachable');
  expect(state()).toMatchObject({ state: 'unreachable' });
});

it.each(['silent', 'dropped'] as const)(
  'learns from the event that the relay moved if the answer was lost (%s)',
  async (kind) => {
    await start();
    const { gate, ready } = makeGate();
    await ready();
    device.fail({ kind, acts: true }, { operation: 'SetRelayOutputState', times: 1 });
    expect(await gate.pulse()).toBe('done');
    expect(device.relay('relay-1').activations).toBe(1);
  },
);

it('reports closed after a lost opening only if it received every event and none was of the relay', async () => {
  await start();
  const { gate, ready } = makeGate();
  await ready();
  expect(await gate.report?.()).toBe('unknown');
  expect(await gate.pulse()).toBe('done');
  await waitFor(() => !device.relay('relay-1').active, { what: 'the relay to fall back' });
  expect(await gate.report?.()).toBe('closed');

  device.fail({ kind: 'silent', acts: false }, { operation: 'SetRelayOutputState', times: 1 });
  expect(await gate.pulse()).toBe('unknown');
  expect(await gate.report?.()).toBe('closed');

  device.forgetSubscriptions();
  await waitFor(() => device.pullPoints() === 1, { what: 'a new subscription' });
  expect(await gate.report?.()).toBe('unknown');
});

it('reads a contact if there is one', async () => {
  await start({ inputs: ['contact-1'] });
  const { gate, ready } = makeGate({ contact: { input: 'contact-1', closedWhen: 'inactive' } });
  await ready();
  expect(await gate.report?.()).toBe('closed');
  device.setInput('contact-1', true);
  expect(await gate.report?.()).toBe('open');
});

it('tries a wrong password once, and reports it', async () => {
  await start({ lockAfter: 3 });
  const { gate, state } = makeGate({ password: 'parking-2', relay: 'relay-1' });
  await waitFor(() => state()?.state === 'login-refused', { what: 'the login to be refused' });
  for (let times = 0; times < 5; times++) expect(await gate.pulse()).toBe('refused');
  expect(device.failedLogins()).toBe(1);
});

it('lists the relays if there are several and none is configured', async () => {
  await start({ relays: [{ token: 'a' }, { token: 'b' }] });
  const { gate } = makeGate();
  await waitFor(() => gate.problem?.()?.includes('several relays (a, b)'), { what: 'the complaint' });
  expect(await gate.pulse()).toBe('unreachable');
});

it('configures a relay again that a person changed, and releases it', async () => {
  await start();
  const { gate, ready } = makeGate();
  await ready();
  expect(await gate.pulse()).toBe('done');
  device.setBackRelays();
  expect(await gate.pulse()).toBe('done');
  expect(device.relay('relay-1').mode).toBe('Bistable');
  await waitFor(() => !device.relay('relay-1').active && device.relay('relay-1').mode === 'Monostable', {
    what: 'the relay to be let go and set anew',
  });
});

it('requests whole seconds if a device accepts no others', async () => {
  await start({ relays: [{ token: 'relay-1', wholeSeconds: true }] });
  await makeGate({ pulseMs: 200 }).ready();
  expect(device.relay('relay-1').delayMs).toBe(1000);
});

describe('a relay that only DeviceIO has', () => {
  it.each(['empty', 'ter:ActionNotSupported', 'ter:InvalidArgVal', 'ter:Action'] as const)(
    'is found, whatever the device service answers (%s)',
    async (withoutRelays) => {
      await start({ relaysAt: 'deviceIo', withoutRelays });
      const { gate, ready } = makeGate();
      await ready();
      expect(gate.problem?.()).toBeNull();
      expect(await gate.pulse()).toBe('done');
      expect(device.relay('relay-1')).toMatchObject({ mode: 'Monostable', activations: 1 });
      expect(await gate.hold?.()).toBe('done');
      expect(await gate.release?.()).toBe('done');
      await waitFor(() => device.relay('relay-1').mode === 'Monostable', {
        what: 'the relay to be set back',
      });
    },
  );

  it('is found if the capabilities do not name DeviceIO', async () => {
    await start({ relaysAt: 'deviceIo', withoutRelays: 'empty', hidesDeviceIo: true });
    const { gate, ready } = makeGate();
    await ready();
    expect(await gate.pulse()).toBe('done');
  });
});

it('reports a problem of the gate, but none of the camera, if a camera has no relays', async () => {
  await start({ relays: [] });
  const { gate, state } = makeGate();
  await waitFor(() => gate.problem?.() === 'the device has no relay', { what: 'the problem to be known' });
  await waitFor(() => device.pullPoints() === 1, { what: 'the subscription' });
  expect(await gate.pulse()).toBe('unreachable');
  expect(await gate.hold?.()).toBe('refused');
  expect(state()).toMatchObject({ state: 'ok' });
});

it('reports no problem of a camera whose relay refuses to move', async () => {
  await start();
  const { gate, ready, state } = makeGate();
  await ready();
  device.fail({ kind: 'fault', code: 'ter:ModeError' }, { operation: 'SetRelayOutputState', times: 1 });
  expect(await gate.pulse()).toBe('refused');
  expect(state()).toMatchObject({ state: 'ok' });
});

it('holds the gate open until it is released, and then pulses as before', async () => {
  await start();
  const { gate, ready } = makeGate();
  await ready();
  expect(await gate.hold?.()).toBe('done');
  expect(await gate.hold?.()).toBe('done');
  expect(device.relay('relay-1')).toMatchObject({ active: true, mode: 'Bistable', openings: 1 });
  expect(await gate.release?.()).toBe('done');
  expect(device.relay('relay-1').active).toBe(false);
  await waitFor(() => device.relay('relay-1').mode === 'Monostable', { what: 'the relay to be set back' });
  expect(await gate.pulse()).toBe('done');
  await waitFor(() => !device.relay('relay-1').active, { what: 'the relay to fall back' });
  expect(device.relay('relay-1').openings).toBe(2);
});

it('still holds a gate that was held when the program ended', async () => {
  await start();
  const first = makeGate();
  await first.ready();
  await first.gate.hold?.();
  const second = makeGate();
  expect(await second.gate.hold?.()).toBe('done');
  await waitFor(
    () => device.requests.filter(({ operation }) => operation === 'GetRelayOutputs').length >= 5,
    {
      what: 'the second to have prepared the relay',
    },
  );
  expect(device.relay('relay-1')).toMatchObject({ active: true, mode: 'Bistable', openings: 1 });
});

it('repeats the release until the device accepts it', async () => {
  await start();
  const { gate, ready } = makeGate();
  await ready();
  await gate.hold?.();
  device.fail({ kind: 'silent', acts: false }, { operation: 'SetRelayOutputState', times: 1 });
  expect(await gate.release?.()).toBe('unknown');
  await waitFor(() => !device.relay('relay-1').active, { what: 'the release' });
});
