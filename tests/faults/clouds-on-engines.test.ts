import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { MOSQUITTO_INSTALLED, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { SQLD_INSTALLED, type Sqld, startSqld } from '../harness/sqld.ts';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { pause, startTraffic } from './steady-traffic.ts';

const KILLS = 4;
const SETTLED_WITHIN_MS = 120_000;
const HAVE_ENGINES = SQLD_INSTALLED && MOSQUITTO_INSTALLED;

let broker: Mosquitto;
let database: Sqld;
let network: FaultyNetwork;
let clouds: [CloudProgram, CloudProgram];
let operators: [Operator, Operator];

/** Two clouds on a real libSQL server and a stock broker, and a site. The second cloud has an empty data folder. */
beforeEach(async () => {
  if (!HAVE_ENGINES) return;
  broker = await startMosquitto();
  database = await startSqld();
  const env = { HLID_BROKER_URL: broker.url, ...database.env };
  network = await startFaultyNetwork({ cloudEnv: env, mqttUrl: broker.url });
  const { folders, apiKey, operatorLogin } = network;
  const second = await startCloud({ folder: `${folders.cloud}-2`, apiKey, operator: operatorLogin, env });
  clouds = [network.cloud, second];
  operators = [network.operator, await logIn({ cloudUrl: second.httpUrl(), apiKey, ...operatorLogin })];
});
afterEach(async () => {
  await clouds?.[1].stop();
  await network?.stop();
  await database?.stop();
  await broker?.stop();
});

describe.skipIf(!HAVE_ENGINES)('two clouds on a libSQL server and Mosquitto', () => {
  it(`store each event once while clouds and the database are killed, ${KILLS} times`, async () => {
    const traffic = startTraffic(network, 3);
    const random = seededRandom(41);
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(random.between(300, 1000));
      if (kill % 2 === 0) {
        await database.kill();
        await pause(random.between(0, 500));
        await database.start();
      } else {
        const unlucky = clouds[random.chance(0.5) ? 0 : 1];
        await unlucky.kill();
        await unlucky.restart();
      }
    }
    await traffic.stop();
    await network.settled(SETTLED_WITHIN_MS);
    expect(traffic.accepted.size).toBeGreaterThan(KILLS);
    await checkBooks(network.folders, traffic.accepted, async (sql) => {
      const { columns, rows } = await database.client.execute(sql);
      return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
    });
  });

  it('show at one what was changed at the other, and send it to the site', async () => {
    const [first, second] = operators;
    const { id } = await first.addPermit('ENGINE');
    expect((await second.ask('GET', `/visit/whitelist/${id}`)).status).toBe(200);
    await network.settled(SETTLED_WITHIN_MS);
    expect(await network.lane('in-1').passes('ENGINE')).toMatchObject({ open: true, reason: 'permit' });
    await network.settled(SETTLED_WITHIN_MS);
    await waitFor(async () => (await second.visits({ plate: 'ENGINE' })).length === 1, {
      what: 'the visit at the other cloud',
    });
  });
});
