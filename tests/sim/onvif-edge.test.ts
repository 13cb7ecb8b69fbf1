import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fourLanes } from '../harness/edge-document.ts';
import { newSecret } from '../harness/new-secret.ts';
import { startSite } from '../harness/site.ts';
import { waitFor } from '../harness/wait.ts';
import { type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

/** Starts a site with one ONVIF device at its entrance: it reads plates, and its relay moves the gate. */
async function startEntrance(device: OnvifDeviceSim) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-onvif-edge-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const site = await startSite({
    folder,
    lanes: fourLanes(newSecret)
      .filter(({ id }) => id === 'in-1')
      .map((lane) => ({ ...lane, isPolled: true })),
    onvif: { url: device.url, user: 'hlid', password: 'parking-1', timeoutMs: 500 },
    gate: { pulseMs: 200 },
  });
  cleanUp.push(site.stop);
  await waitFor(() => device.pullPoints() === 1 && device.relay('relay-1').mode === 'Monostable', {
    what: 'camera and relay to be ready',
    detail: site.edge.tail,
  });
}

it.each(['token', 'digest-sha256'] as const)(
  'a plate from an ONVIF camera opens the gate at its relay once, by %s',
  async (way) => {
    const device = await startOnvifDevice({
      logins: [way],
      maxPullPoints: 1,
      clockAheadMs: 40 * 86_400_000,
    });
    cleanUp.push(() => device.stop());
    await startEntrance(device);
    device.tellPlate({ plate: 'KZD82', objectId: 1 });
    device.tellPlate({ plate: 'KZD82', objectId: 1, likelihood: 0.97 });
    await waitFor(() => device.relay('relay-1').activations === 1, { what: 'the gate to open' });
    await waitFor(() => !device.relay('relay-1').active, { what: 'the relay to fall back' });
    expect(device.relay('relay-1').activations).toBe(1);
    // Camera and gate are one device to it, with one subscription and one login.
    expect(device.failedLogins()).toBe(0);
  },
);

it('an opening whose answer was lost is not repeated if the relay reports that it moved', async () => {
  const device = await startOnvifDevice();
  cleanUp.push(() => device.stop());
  await startEntrance(device);
  device.fail({ kind: 'silent', acts: true }, { operation: 'SetRelayOutputState', times: 1 });
  device.tellPlate({ plate: 'KZD82' });
  await waitFor(() => device.relay('relay-1').activations === 1, { what: 'the gate to open' });
  device.tellPlate({ plate: 'KZD82', likelihood: 0.95 });
  await waitFor(() => device.requests.filter(({ operation }) => operation === 'PullMessages').length > 3, {
    what: 'the second event to be pulled',
  });
  expect(device.relay('relay-1').activations).toBe(1);
});

it('an opening that was lost is repeated once the relay reports that it is closed', async () => {
  const device = await startOnvifDevice();
  cleanUp.push(() => device.stop());
  await startEntrance(device);
  device.fail({ kind: 'silent', acts: false }, { operation: 'SetRelayOutputState', times: 1 });
  let reported = 0;
  // A camera reports the plate repeatedly while the car stands there.
  const standing = setInterval(() => device.tellPlate({ plate: 'KZD82', objectId: ++reported }), 300);
  cleanUp.push(() => clearInterval(standing));
  await waitFor(() => device.relay('relay-1').activations === 1, { what: 'the gate to open after all' });
  expect(device.requests.filter(({ operation }) => operation === 'SetRelayOutputState')).toHaveLength(2);
});
