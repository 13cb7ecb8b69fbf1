import { HOUR_MS } from '@hlid/protocol/base/durations';
import { deadline } from '@hlid/protocol/test/deadline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOSQUITTO_INSTALLED } from '../harness/mosquitto.ts';
import { SQLD_INSTALLED, type Sqld, startSqld } from '../harness/sqld.ts';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { addBilledCustomers, billToEnd, checkBilled } from './billed-customers.ts';
import { type CloudHealth, type CloudPair, startCloudPair } from './cloud-pair.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { atRandom, type SteadyTraffic } from './steady-traffic.ts';

const KILLS = 8;
const DISK_MB = 96;
/** Each statement is a request to the server: what has waited for it takes minutes on a busy machine. */
const PATIENCE_MS = 480_000;
const HAVE_ENGINES = SQLD_INSTALLED && MOSQUITTO_INSTALLED;

let disk: SmallDisk | null;
let database: Sqld;
let pair: CloudPair;
let traffic: SteadyTraffic;

/** Reads that the site accepts while something is away. */
const READS_MEANWHILE = 12;

/** The site goes on by itself: that it does, also shows that time goes by. */
async function trafficGoesOn(): Promise<void> {
  const before = traffic.accepted.size;
  await waitFor(() => traffic.accepted.size > before + READS_MEANWHILE, { what: 'traffic at the site' });
}

function cannotBeWritten({ status, faults }: CloudHealth): boolean {
  return status === 'failing' && faults.some((fault) => fault.startsWith('the database cannot be written'));
}

beforeEach(async () => {
  if (!HAVE_ENGINES) return;
  disk = mountSmallDisk(DISK_MB);
  database = await startSqld(disk ? { dataFolder: disk.folder } : {});
  pair = await startCloudPair(database);
});
afterEach(async () => {
  await pair?.stop();
  await database?.stop();
  disk?.stop();
});

describe.skipIf(!HAVE_ENGINES)(
  'two clouds on a libSQL server and Mosquitto',
  { timeout: deadline(PATIENCE_MS) },
  () => {
    it(`have every visit and every invoice once while clouds, database and broker are killed, ${KILLS} times`, async () => {
      traffic = pair.startTraffic(3);
      const random = seededRandom(41);
      const { clouds, broker } = pair;
      for (let kill = 0; kill < KILLS; kill++) {
        await atRandom(random, 200, 800);
        // Each comes twice; which cloud, is chance.
        const unlucky = [database, broker, random.pick(clouds), clouds[kill % 2 === 0 ? 0 : 1]][kill % 4];
        await unlucky?.kill();
        await atRandom(random, 0, 500);
        await unlucky?.start();
      }
      await pair.checkBooks(traffic);
      expect(traffic.accepted.size).toBeGreaterThan(KILLS);
    });

    it('go on when the database was away, silent or gone', async () => {
      traffic = pair.startTraffic(5);
      for (const round of [1, 2]) {
        await trafficGoesOn();
        database.pause();
        await trafficGoesOn();
        database.resume();
        await trafficGoesOn();
        await database.kill();
        for (const [which, operator] of pair.operators.entries()) {
          expect(await operator.ask('GET', '/visits'), `cloud ${which}, ${round}`).toMatchObject({
            status: 500,
          });
          expect(await pair.health(which)).toMatchObject({
            status: 'failing',
            faults: [expect.stringContaining('the database cannot be read')],
          });
        }
        await trafficGoesOn();
        await database.start();
      }
      await pair.checkBooks(traffic);
    });

    it('go on when the broker was away, silent or gone', async () => {
      traffic = pair.startTraffic(6);
      for (let round = 0; round < 2; round++) {
        await trafficGoesOn();
        pair.broker.pause();
        await trafficGoesOn();
        pair.broker.resume();
        await trafficGoesOn();
        await pair.broker.kill();
        await trafficGoesOn();
        await pair.broker.start();
      }
      await pair.checkBooks(traffic);
    });

    it('bill no customer twice while both bill and the database is killed under them', async () => {
      const db = await pair.openDb();
      try {
        const { siteId } = pair.network.site;
        const customers = await addBilledCustomers(pair.operators[0], db, { siteId, count: 12 });
        traffic = pair.startTraffic(7);
        const random = seededRandom(15);
        const bill = () =>
          pair.operators.map((operator) => operator.ask('POST', '/billing/runs', {}).catch(() => null));
        for (let kill = 0; kill < 3; kill++) {
          const billing = bill();
          await atRandom(random, 20, 200);
          await database.kill();
          await Promise.all(billing);
          await database.start();
        }
        await Promise.all(pair.operators.map(billToEnd));
        await pair.checkBooks(traffic);
        await checkBilled(db, customers);
      } finally {
        await db.close();
      }
    });

    it('lose nothing when the disk of the database is full, and report it meanwhile', async (test) => {
      if (disk === null) return test.skip('a small disk cannot be mounted here (it takes root)');
      traffic = pair.startTraffic(10);
      /** The answer of each cloud to a change. */
      const changes = (plate: string) =>
        Promise.all(
          pair.operators.map(async (operator, n) => {
            const body = { plate: `${plate}${n}`, reason: 'Room for one more' };
            return (await operator.ask('POST', '/visit/whitelist', body)).status;
          }),
        );
      for (const [round, leave] of [0, 40_000, 8192].entries()) {
        await trafficGoesOn();
        disk.fill(leave);
        let tries = 0;
        await waitFor(
          async () => (await changes(`FULL${round}X${tries++}`)).every((status) => status === 500),
          {
            what: 'the disk to be full',
          },
        );
        for (const which of [0, 1]) {
          await waitFor(async () => cannotBeWritten(await pair.health(which)), {
            what: 'the fault to be reported',
          });
        }
        await trafficGoesOn();
        disk.free();
        await waitFor(
          async () => (await changes(`FREE${round}X${tries++}`)).every((status) => status === 303),
          {
            what: 'room on the disk',
          },
        );
      }
      await pair.checkBooks(traffic);
    });

    it("count each visit and each invoice once while one's clock is wrong and jumps", async () => {
      traffic = pair.startTraffic(8);
      for (const aheadMs of [2 * HOUR_MS, -2 * HOUR_MS, 30 * HOUR_MS, 0]) {
        pair.setClock(1, aheadMs);
        await trafficGoesOn();
        await pair.clouds[1].kill();
        await pair.clouds[1].start();
        await trafficGoesOn();
      }
      await pair.checkBooks(traffic);
    });
  },
);
