import { callNodeOnvif } from '@hlid/edge/onvif/call-node-onvif';
import { findRelayOutputs, getInformation, getServices } from '@hlid/edge/onvif/device-service';
import { ONVIF_OPTIONS } from '@hlid/edge/onvif/onvif-options';
import { HELD_BACK_MS, OnvifSession } from '@hlid/edge/onvif/onvif-session';
import { afterEach, describe, expect, it } from 'vitest';
import { type OnvifDeviceOptions, type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';
import { SELF_SIGNED } from './self-signed.ts';

let device: OnvifDeviceSim;
afterEach(() => device.stop());

const start = async (options: OnvifDeviceOptions = {}) => {
  device = await startOnvifDevice(options);
};

/** A session, by default of the right user; its clock can be set. */
function openSession(more: Record<string, unknown> = {}) {
  const time = { aheadMs: 0 };
  const options = ONVIF_OPTIONS.parse({
    url: device.url,
    user: 'hlid',
    password: 'parking-1',
    timeoutMs: 400,
    ...more,
  });
  const session = new OnvifSession(options, { now: () => new Date(Date.now() + time.aheadMs) });
  return { session, time };
}

const operations = () => device.requests.map(({ operation }) => operation);

describe('node-onvif', () => {
  it.each(['getCapabilities', 'getDeviceInformation', 'getRelayOutputs'] as const)(
    'calls %s on a device that accepts tokens',
    async (question) => {
      await start({ logins: ['token'], clockAheadMs: 40 * 86_400_000 });
      const { session } = openSession();
      const answer = await callNodeOnvif(session, question);
      expect(answer).toMatchObject({ ok: true });
      expect(device.failedLogins()).toBe(0);
    },
  );

  it('is not used for logins that it does not support', async () => {
    await start({ logins: ['digest-sha256'] });
    expect(await callNodeOnvif(openSession().session, 'getRelayOutputs')).toBeNull();
    const { session: strange } = openSession({ user: 'a&b', login: 'token' });
    expect(await callNodeOnvif(strange, 'getRelayOutputs')).toBeNull();
    expect(device.failedLogins()).toBe(0);
  });

  it('does not make a second try of a wrong password', async () => {
    await start({ logins: ['token'] });
    const { session } = openSession({ password: 'parking-2' });
    expect(await findRelayOutputs(session, null)).toMatchObject({ reason: 'login-refused' });
    expect(await findRelayOutputs(session, null)).toMatchObject({ reason: 'held-back' });
    expect(device.failedLogins()).toBe(1);
  });
});

describe('a session', () => {
  it.each([
    { user: 'a&b <c>', password: 'þorn & "ð"' },
    { user: 'björn', password: 'x' },
  ])('logs in as $user', async (account) => {
    for (const way of ['token', 'digest-sha256'] as const) {
      device = await startOnvifDevice({ ...account, logins: [way] });
      expect(await getInformation(openSession(account).session)).toMatchObject({
        ok: true,
        value: { maker: 'Hlid', model: 'Plate camera' },
      });
      if (way === 'token') await device.stop();
    }
  });

  it('works over https', async () => {
    await start({ tls: SELF_SIGNED });
    const { session } = openSession({ selfSigned: true });
    const services = await getServices(session);
    expect(services).toMatchObject({ ok: true, value: { events: expect.stringMatching(/^https:/) } });
    expect(await findRelayOutputs(session, null)).toMatchObject({
      value: { relays: [{ token: 'relay-1', mode: 'Bistable', idleState: 'open' }] },
    });
  });

  it('finds the services of a device that does not support GetCapabilities', async () => {
    await start();
    device.fail({ kind: 'fault', code: 'ter:ActionNotSupported' }, { operation: 'GetCapabilities' });
    expect(await getServices(openSession().session)).toMatchObject({
      ok: true,
      value: { events: expect.stringContaining('/onvif/event_service') },
    });
  });

  it.each(['token', 'digest-md5'] as const)(
    'makes one failed login for many calls at once, by %s',
    async (way) => {
      await start({ logins: [way] });
      const { session } = openSession({ password: 'parking-2' });
      await Promise.all(Array.from({ length: 5 }, () => getInformation(session)));
      expect(device.failedLogins()).toBe(1);
    },
  );

  it('tries again after a long time, or when an operator requests it', async () => {
    await start({ logins: ['digest-md5'], lockAfter: 10 });
    const { session, time } = openSession({ password: 'parking-2' });
    await getInformation(session);
    expect(session.heldBackUntil()).not.toBeNull();
    time.aheadMs = HELD_BACK_MS + 1000;
    expect(session.heldBackUntil()).toBeNull();
    await getInformation(session);
    await getInformation(session);
    expect(device.failedLogins()).toBe(2);
    session.tryAgain();
    await getInformation(session);
    expect(device.failedLogins()).toBe(3);
  });

  it('requests another nonce when one is used up', async () => {
    await start({ logins: ['digest-sha256'], nonceUses: 2 });
    const { session } = openSession();
    for (let times = 0; times < 5; times++) expect((await getInformation(session)).ok).toBe(true);
    expect(device.failedLogins()).toBe(0);
  });

  it('makes a new token when the clock of the device is set', async () => {
    await start({ logins: ['token'] });
    const { session } = openSession({ login: 'token' });
    await session.learnClock();
    device.setClockAhead(-3_600_000);
    expect(
      await session.call({ url: device.url, action: 'x', body: { xml: '<tds:GetDeviceInformation/>' } }),
    ).toMatchObject({ ok: true });
    expect(Math.round((session.clockAheadMs() ?? 0) / 10_000)).toBe(-360);
  });

  it.each(['token', 'digest-md5'] as const)(
    'distinguishes a missing permission from a wrong password, by %s',
    async (way) => {
      await start({ logins: [way] });
      const { session } = openSession();
      expect((await getInformation(session)).ok).toBe(true);
      device.fail({ kind: 'fault', code: 'ter:NotAuthorized' }, { operation: 'GetRelayOutputs' });
      const body = { xml: '<tds:GetRelayOutputs/>' };
      expect(await session.call({ url: device.url, action: 'x', body })).toMatchObject({
        reason: 'fault',
        message: expect.stringContaining('not allowed'),
      });
      device.fail({ kind: 'fault', code: 'ter:NotAuthorized' }, { operation: 'GetRelayOutputs', times: 2 });
      expect(await findRelayOutputs(session, null)).toMatchObject({ reason: 'fault' });
      expect(session.heldBackUntil()).toBeNull();
      expect(device.failedLogins()).toBe(0);
    },
  );

  it('treats a refusal as a wrong password until a call has succeeded', async () => {
    await start({ logins: ['token'] });
    const { session } = openSession();
    device.fail({ kind: 'fault', code: 'ter:NotAuthorized' }, { operation: 'GetRelayOutputs', times: 2 });
    const body = { xml: '<tds:GetRelayOutputs/>' };
    expect(await session.call({ url: device.url, action: 'x', body })).toMatchObject({
      reason: 'login-refused',
    });
    expect(session.heldBackUntil()).not.toBeNull();
  });

  it('never throws, and returns the reason', async () => {
    await start();
    const { session } = openSession({ login: 'token' });
    device.fail({ kind: 'silent', acts: false }, { operation: 'GetDeviceInformation' });
    const body = { xml: '<tds:GetDeviceInformation/>' };
    const ask = (url: string) => session.call({ url, action: 'x', body });
    expect(await ask(device.url)).toMatchObject({ reason: 'unknown' });
    device.fail({ kind: 'dropped', acts: true }, { operation: 'GetDeviceInformation' });
    expect(await ask(device.url)).toMatchObject({ reason: 'unknown' });
    device.fail({ kind: 'slow', answersAfterMs: 1000 }, { operation: 'GetDeviceInformation' });
    expect(await ask(device.url)).toMatchObject({ reason: 'unknown' });
    device.fail({ kind: 'fault', code: 'ter:Action' }, { operation: 'GetDeviceInformation' });
    expect(await ask(device.url)).toMatchObject({ reason: 'fault', fault: { codes: ['Sender', 'Action'] } });
    expect(await ask('http://127.0.0.1:1/')).toMatchObject({ reason: 'unreachable' });
    expect(await ask('nonsense')).toMatchObject({ reason: 'unreachable' });
    expect(operations().filter((name) => name === 'GetDeviceInformation')).toHaveLength(4);
  });
});
