import type { Db } from '@hlid/cloud/platform/db/db';
import { whitelistTable } from '@hlid/cloud/records/whitelist/whitelist-table';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BROKER_AVAILABLE } from '../harness/mosquitto.ts';
import type { Operator } from '../harness/operator.ts';
import { SQLD_INSTALLED, type Sqld, startSqld } from '../harness/sqld.ts';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { addBilledCustomers, billToEnd, checkBilled } from './billed-customers.ts';
import { type CloudPair, startCloudPair } from './cloud-pair.ts';
import { atRandom, type SteadyTraffic } from './steady-traffic.ts';

const KILLS = 3;
const SETTLED_WITHIN_MS = 60_000;
/** Long before a cloud looks by itself for what the other has changed. */
const AT_ONCE_MS = 10_000;

const DATABASES = [
  { name: 'one database file', isHere: BROKER_AVAILABLE, start: async () => null },
  { name: 'sqld, a libSQL server', isHere: BROKER_AVAILABLE && SQLD_INSTALLED, start: startSqld },
];

describe.each(DATABASES)('two clouds on $name, and one broker', ({ isHere, start }) => {
  if (!isHere) {
    it.skip('needs Mosquitto, and for a libSQL server its program on the path or in HLID_SQLD');
    return;
  }
  let database: Sqld | null;
  let pair: CloudPair;

  beforeEach(async () => {
    database = await start();
    pair = await startCloudPair(database);
  });
  afterEach(async () => {
    await pair?.stop();
    await database?.stop();
  });

  it(`store each event once while they serve traffic and calls and one or the other is killed, ${KILLS} times`, async () => {
    const traffic = pair.startTraffic(3);
    const calls = startCalls(pair.operators, traffic);
    const random = seededRandom(77);
    for (let kill = 0; kill < KILLS; kill++) {
      await traffic.goesOn(random.between(1, 8));
      const unlucky = random.pick(pair.clouds);
      await unlucky.kill();
      // The other cloud serves both meanwhile.
      await traffic.goesOn(random.between(0, 4));
      await unlucky.restart();
    }
    const permits = await calls.stop();
    await pair.checkBooks(traffic);
    expect(traffic.accepted.size).toBeGreaterThan(KILLS);
    // Each answered request is there once, from either cloud, and the site has it too (settled: no change is missing).
    const db = await pair.openDb();
    try {
      expect(await permitsOf(db)).toEqual(permits.toSorted());
    } finally {
      await db.close();
    }
    expect(permits.length).toBeGreaterThan(KILLS);
  });

  it('bill no charge twice, whenever they are killed while both bill', async () => {
    const db = await pair.openDb();
    try {
      const { siteId } = pair.network.site;
      const customers = await addBilledCustomers(pair.operators[0], db, { siteId, count: 12 });
      const traffic = pair.startTraffic(9);
      const random = seededRandom(99);
      const billing = pair.operators.map(async (operator) => {
        for (let run = 0; run < 10; run++) {
          await operator.ask('POST', '/billing/runs', {}).catch(() => null);
          await atRandom(random, 5, 60);
        }
      });
      for (let kill = 0; kill < KILLS; kill++) {
        await atRandom(random, 20, 200);
        const unlucky = random.pick(pair.clouds);
        await unlucky.kill();
        await unlucky.restart();
      }
      await Promise.all(billing);
      await Promise.all(pair.operators.map(billToEnd));
      await pair.checkBooks(traffic);
      await checkBilled(db, customers);
    } finally {
      await db.close();
    }
  });

  it("know the site's lists after one of them restarts, without new messages", async () => {
    await pair.operators[0].addPermit('KNOWN1');
    await pair.network.settled();
    for (const cloud of pair.clouds) {
      await cloud.kill();
      await cloud.restart();
    }
    await pair.network.settled(SETTLED_WITHIN_MS);
  });

  it('send a change of either to the site immediately, and show it at the other', async () => {
    const { network, operators } = pair;
    for (const [n, operator] of operators.entries()) {
      // Their own lanes, and plates that no camera confuses.
      const plate = ['FIRST1', 'OTHER2'][n] ?? '';
      const { id } = await operator.addPermit(plate);
      const lag = async () => (await network.operator.site(network.site.siteId)).presence.lag;
      await waitFor(async () => (await lag()) === 0, {
        what: `the site to have ${plate}`,
        withinMs: AT_ONCE_MS,
      });
      expect(await network.lane(`in-${n + 1}`).passes(plate)).toMatchObject({ open: true, reason: 'permit' });
      await network.settled(SETTLED_WITHIN_MS);
      for (const other of operators) {
        expect((await other.ask('GET', `/visit/whitelist/${id}`)).status).toBe(200);
        expect(await other.visits({ plate })).toHaveLength(1);
      }
    }
  });
});

async function permitsOf(db: Db): Promise<string[]> {
  const rows = await db.read((q) => q.select({ plate: whitelistTable.plate }).from(whitelistTable));
  return rows.map(({ plate }) => plate).toSorted();
}

/** Adds permits through both, again if there was no answer. */
function startCalls(through: readonly Operator[], traffic: SteadyTraffic) {
  const answered: string[] = [];
  let over = false;
  const calling = through.map(async (operator, which) => {
    for (let n = 0; !over; n++) {
      const plate = `P${which}X${n}`;
      const isAdded = async () => {
        const { status } = await operator.ask('POST', '/visit/whitelist', { plate, reason: 'Both at once' });
        // 422: the request before created it, and its cloud ended before it answered.
        return status === 303 || status === 422;
      };
      await waitFor(isAdded, { what: `the permit ${plate}`, withinMs: SETTLED_WITHIN_MS });
      answered.push(plate);
      await traffic.goesOn(1);
    }
  });
  return {
    async stop() {
      over = true;
      await Promise.all(calling);
      return answered;
    },
  };
}
