import { networkInterfaces } from 'node:os';
import { Cam, Discovery } from 'onvif';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { type OnvifDeviceOptions, type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';
import type { OnvifLogin } from './onvif-login.ts';

let device: OnvifDeviceSim;
afterEach(() => device.stop());

/** The npm package `onvif`, an independent peer. */
function connect(more: Record<string, unknown> = {}): Promise<Cam> {
  return new Promise((resolve, reject) => {
    const cam = new Cam(
      {
        hostname: '127.0.0.1',
        port: device.port,
        username: 'hlid',
        password: 'parking-1',
        timeout: 2000,
        ...more,
      },
      (error: Error | null) => (error ? reject(error) : resolve(cam)),
    );
  });
}

const start = async (options: OnvifDeviceOptions = {}) => {
  device = await startOnvifDevice(options);
};

describe('the ONVIF device, for the npm package onvif', () => {
  const logins: [string, OnvifLogin[], Record<string, unknown>][] = [
    ['a WS-UsernameToken', ['token'], {}],
    ['HTTP Digest with MD5', ['digest-md5'], { useWSSecurity: false }],
    ['HTTP Digest with SHA-256', ['digest-sha256'], { useWSSecurity: false }],
    ['either', ['token', 'digest-md5', 'digest-sha256'], {}],
  ];
  it.each(logins)('accepts its login with %s', async (_, ways, more) => {
    await start({ logins: ways, clockAheadMs: 31 * 24 * 3_600_000 });
    const cam = await connect(more);
    const information = await new Promise((resolve, reject) => {
      cam.getDeviceInformation((error, reported) => (error ? reject(error) : resolve(reported)));
    });
    expect(information).toMatchObject({ manufacturer: 'Hlid', model: 'Plate camera' });
    expect(device.failedLogins()).toBe(0);
  });

  it('refuses a wrong password, and locks the account after more tries', async () => {
    await start({ logins: ['token'], lockAfter: 2 });
    const cam = await connect({ password: 'parking-2' });
    const ask = () =>
      new Promise<Error | null>((resolve) => cam.getDeviceInformation((error) => resolve(error)));
    for (let times = 0; times < 3; times++) expect(await ask()).toMatchObject({ message: /not authorized/i });
    expect(device.isLocked()).toBe(true);
    const right = await connect();
    const refused = await new Promise<Error | null>((resolve) => {
      right.getDeviceInformation((error) => resolve(error));
    });
    expect(refused).not.toBeNull();
  });

  it.each(['query', 'parameter'] as const)(
    'sends it plates and inputs by a subscription addressed by %s',
    async (addressing) => {
      await start({ addressing, inputs: ['loop-1'] });
      const cam = await connect();
      const events: { topic: { _: string }; message: { message: { data: unknown } } }[] = [];
      cam.on('event', (event) => events.push(event));
      await waitFor(() => device.pullPoints() === 1, { what: 'a subscription' });
      device.tellPlate({ plate: 'KZD82' });
      const reported = await waitFor(() => events.find(({ topic }) => topic._.includes('LicensePlate')), {
        what: 'the plate at the peer',
      });
      expect(JSON.stringify(reported.message)).toContain('KZD82');
      device.setInput('loop-1', true);
      await waitFor(
        () =>
          events.some(
            ({ topic, message }) =>
              topic._.includes('Device/Trigger/DigitalInput') && JSON.stringify(message).includes('true'),
          ),
        { what: 'the loop at the peer' },
      );
      cam.removeAllListeners('event');
    },
  );

  it('is found by it', async () => {
    await start({ discovery: { port: 3702, group: '239.255.255.250' } });
    const [loopback] =
      Object.entries(networkInterfaces()).find(([, all]) => all?.some(({ internal }) => internal)) ?? [];
    const found = await new Promise<Cam[]>((resolve, reject) => {
      Discovery.probe({ timeout: 2000, ...(loopback && { device: loopback }) }, (error, cams) =>
        error ? reject(new Error('the probe failed', { cause: error })) : resolve(cams as Cam[]),
      );
    });
    expect(found.map(({ hostname, port }) => `${hostname}:${port}`)).toContain(`127.0.0.1:${device.port}`);
  });
});
