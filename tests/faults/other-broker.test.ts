import { afterEach, beforeEach, describe, it } from 'vitest';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { MOSQUITTO_INSTALLED, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { waitFor } from '../harness/wait.ts';
import { checkBooks } from './books.ts';
import { type FaultyLine, startFaultyLine } from './faulty-line.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { startTraffic } from './steady-traffic.ts';

const CARS_BETWEEN = 4;

let brokers: Mosquitto[];
/** The cloud's way to the broker; the site's is `network.line`. */
let cloudLine: FaultyLine;
let network: FaultyNetwork;
let secondCloud: CloudProgram | undefined;

beforeEach(async () => {
  if (!MOSQUITTO_INSTALLED) return;
  secondCloud = undefined;
  const first = await startMosquitto();
  brokers = [first];
  cloudLine = await startFaultyLine();
  network = await startFaultyNetwork({
    cloudEnv: { HLID_BROKER_URL: cloudLine.to(first.url) },
    mqttUrl: first.url,
  });
});
afterEach(async () => {
  await secondCloud?.stop();
  await network?.stop();
  await cloudLine?.stop();
  for (const broker of brokers ?? []) await broker.stop();
});

/** Moves all to another broker, which has no state: no session, no retained message. */
async function replaceBroker(): Promise<void> {
  const next = await startMosquitto();
  brokers.push(next);
  for (const line of [cloudLine, network.line]) {
    line.to(next.url);
    line.drop();
  }
}

/** Checks that messages and commands of the cloud arrive while traffic goes on. */
async function checkBothWays(plate: string): Promise<void> {
  const { operator, site, edge } = network;
  const presence = async () => (await operator.site(site.siteId)).presence;
  const patience = { withinMs: 30_000, detail: edge.tail };
  await waitFor(async () => (await presence()).connected, { what: 'the site', ...patience });
  await operator.addPermit(plate);
  await waitFor(async () => (await presence()).lag === 0, { what: `the site to have ${plate}`, ...patience });
  const path = `/sites/${site.siteId}/lanes/in-1/open`;
  await waitFor(async () => (await operator.ask('POST', path, { reasonCode: 'guest' })).status === 200, {
    what: 'a command to be done',
    ...patience,
  });
}

describe.skipIf(!MOSQUITTO_INSTALLED)('another broker at the same address', () => {
  it('receives each event once: first empty, twice during traffic, then the broker inside the cloud', async () => {
    const { folders } = network;
    const traffic = startTraffic(network, 6);
    for (let replaced = 0; replaced < 2; replaced++) {
      await traffic.goesOn(CARS_BETWEEN);
      await replaceBroker();
    }
    await traffic.goesOn(CARS_BETWEEN);
    await checkBothWays('SECOND1');

    const http = Number(new URL(network.cloud.httpUrl()).port);
    await network.cloud.stop();
    secondCloud = await startCloud({
      folder: folders.cloud,
      apiKey: network.apiKey,
      operator: network.operatorLogin,
      ports: { http },
    });
    network.line.to(secondCloud.mqttUrl());
    network.line.drop();
    await traffic.stop();
    await checkBothWays('THIRD1');
    await network.settled(30_000);
    await checkBooks(folders, traffic.accepted);
  });
});
