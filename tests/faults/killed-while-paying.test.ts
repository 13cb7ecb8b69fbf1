import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namedGatewaySchema } from '@hlid/cloud/platform/card-gateways/gateway-kinds';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { BROKER_AVAILABLE, startSharedBroker } from '../harness/mosquitto.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { waitFor } from '../harness/wait.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';
import { startVerifoneRig } from '../sim/verifone-gateway-rig.ts';
import { browserAt, payOnPage } from './page-driver.ts';

/** The lease on a process's current work. A recovery that waits for its end takes that long. */
const LEASE_MS = 5 * MINUTE_MS;
const PLATE = 'KLM45';
const PRICE = 500;
/** A driver who does everything once, and in time. */
const CALM: SeededRandom = {
  next: () => 0,
  between: (low) => low,
  pick: ([first, second]) => second ?? first,
  chance: (probability) => probability > 0.5,
};

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A site with a driver who pays through a cloud; its provider has booked the payment and does not answer. */
async function payingNetwork(cloudEnv: Record<string, string>, mqttUrl?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-killed-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const rig = await startVerifoneRig();
  stops.push(() => rig.close());
  const { config } = namedGatewaySchema({}).parse({ ...rig.settings, timeoutMs: MINUTE_MS });
  const file = join(folder, 'cloud.yaml');
  writeFileSync(file, stringify({ cardGateways: [config], cardGateway: config.kind }));
  const env = { HLID_CLOUD_CONFIG: file, HLID_TRUSTED_PROXIES: '127.0.0.1', ...cloudEnv };
  const network = await startNetwork({
    settings: { entryGraceMinutes: 0 },
    cloudEnv: env,
    cloudLink: { maxReconnectMs: 300 },
    ...(mqttUrl !== undefined && { mqttLine: () => mqttUrl }),
  });
  stops.push(() => network.stop());
  await network.lane('in-1').passes(PLATE);
  await network.settled();
  const pay = async (cloud: CloudProgram) => {
    rig.failNextCharge('silent-after-booking');
    const driver = { ...rig, source: () => rig.source('good') };
    const stay = { siteCode: network.site.siteId, plate: PLATE };
    const paying = payOnPage(browserAt(cloud.httpUrl()), driver, CALM, stay);
    await waitFor(() => rig.books().charges === 1, { what: 'the provider to book the payment' });
    await cloud.kill();
    await paying;
  };
  return { rig, network, env, pay };
}

/** @returns how long it took until the payment was settled */
async function settledMs(operator: Operator, cloud: CloudProgram): Promise<number> {
  const begun = performance.now();
  const isPaid = async () => {
    const [visit] = await operator.visits({ plate: PLATE });
    return visit?.paymentStatus === 'kiosk';
  };
  const patience = { withinMs: LEASE_MS / 2, detail: () => cloud.tail() };
  await waitFor(isPaid, { what: 'the payment to be settled', ...patience });
  return performance.now() - begun;
}

async function leaves(network: Network): Promise<void> {
  await network.settled(MINUTE_MS);
  expect(await network.lane('out-1').passes(PLATE)).toMatchObject({ open: true, reason: 'paid' });
}

describe('a cloud that is killed while a provider has a payment in hand, which it books', () => {
  it('settles it as soon as it is there again, and does not wait for the lease of its own dead process', async () => {
    const { rig, network, pay } = await payingNetwork({});
    await pay(network.cloud);
    await network.cloud.start();
    const tookMs = await settledMs(network.operator, network.cloud);
    console.info(`Settled ${Math.round(tookMs)} ms after the start, of a lease of ${LEASE_MS} ms`);
    expect(tookMs / LEASE_MS).toBeLessThan(0.1);
    await leaves(network);
    expect([rig.books(), rig.complaints()]).toMatchObject([{ charges: 1, takenMinor: PRICE }, []]);
  });

  it.skipIf(!BROKER_AVAILABLE)(
    'is noticed by the other cloud of its database, which settles the payment',
    async () => {
      const broker = await startSharedBroker();
      stops.push(() => broker.stop());
      const { rig, network, env, pay } = await payingNetwork({ HLID_BROKER_URL: broker.url }, broker.url);
      const { folders, apiKey, operatorLogin } = network;
      const survivor = await startCloud({ folder: folders.cloud, apiKey, operator: operatorLogin, env });
      stops.push(() => survivor.stop());
      await pay(network.cloud);
      const operator = await logIn({ cloudUrl: survivor.httpUrl(), apiKey, ...operatorLogin });
      const tookMs = await settledMs(operator, survivor);
      console.info(`Settled ${Math.round(tookMs)} ms after the kill, of a lease of ${LEASE_MS} ms`);
      expect(tookMs / LEASE_MS).toBeLessThan(0.25);
      await network.cloud.start();
      await leaves(network);
      expect([rig.books(), rig.complaints()]).toMatchObject([{ charges: 1, takenMinor: PRICE }, []]);
    },
  );
});
