import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS } from '@hlid/protocol/utc-time';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { BROKER_AVAILABLE, startSharedBroker } from '../harness/mosquitto.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { storedId, storedSiteId } from '../harness/stored-columns.ts';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { pause, startTraffic } from './steady-traffic.ts';

const KILLS = 3;
const SETTLED_WITHIN_MS = 60_000;
/** Long before a cloud looks by itself for what the other has changed. */
const AT_ONCE_MS = 10_000;

let broker: Awaited<ReturnType<typeof startSharedBroker>>;
let network: FaultyNetwork;
let clouds: [CloudProgram, CloudProgram];
let operators: [Operator, Operator];

/** Two clouds on one database, and one stock broker between them and the site. */
beforeEach(async () => {
  if (!BROKER_AVAILABLE) return;
  broker = await startSharedBroker();
  const env = { HLID_BROKER_URL: broker.url };
  network = await startFaultyNetwork({ cloudEnv: env, mqttUrl: broker.url });
  const { folders, apiKey, operatorLogin } = network;
  const second = await startCloud({ folder: folders.cloud, apiKey, operator: operatorLogin, env });
  clouds = [network.cloud, second];
  operators = [network.operator, await logIn({ cloudUrl: second.httpUrl(), apiKey, ...operatorLogin })];
});
afterEach(async () => {
  await clouds?.[1].stop();
  await network?.stop();
  await broker?.stop();
});

describe.skipIf(!BROKER_AVAILABLE)('two clouds on one database and one broker', () => {
  it(`store each event once while they serve traffic and calls and one or the other is killed, ${KILLS} times`, async () => {
    const { folders } = network;
    const traffic = startTraffic(network, 3);
    const calls = startCalls(operators);
    const random = seededRandom(77);
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(random.between(100, 600));
      const unlucky = clouds[random.chance(0.5) ? 0 : 1];
      await unlucky.kill();
      await pause(random.between(0, 300));
      await unlucky.restart();
    }
    const permits = await calls.stop();
    await traffic.stop();
    await network.settled(SETTLED_WITHIN_MS);
    await checkBooks(folders, traffic.accepted);
    expect(traffic.accepted.size).toBeGreaterThan(KILLS);
    // Each answered request is there once, from either cloud, and the site has it too (settled: no change is missing).
    expect(permitsOf(folders.cloud)).toEqual(permits.toSorted());
    expect(permits.length).toBeGreaterThan(KILLS);
  });

  it('bill no charge twice, whenever they are killed while both bill', async () => {
    const { folders } = network;
    const customers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => addBilledCustomer(operators[0], n)),
    );
    chargeYesterday(folders.cloud, network.site.siteId, customers);
    const random = seededRandom(99);
    const billing = operators.map(async (operator) => {
      for (let run = 0; run < 10; run++) {
        await operator.ask('POST', '/billing/runs', {}).catch(() => null);
        await pause(random.between(5, 60));
      }
    });
    for (let kill = 0; kill < 3; kill++) {
      await pause(random.between(20, 200));
      const unlucky = clouds[random.chance(0.5) ? 0 : 1];
      await unlucky.kill();
      await unlucky.restart();
    }
    await Promise.all(billing);
    await operators[0].ask('POST', '/billing/runs', {});
    checkBilled(folders.cloud, customers);
  });

  it("know the site's lists after one of them restarts, without new messages", async () => {
    await operators[0].addPermit('KNOWN1');
    await network.settled();
    for (const cloud of clouds) {
      await cloud.kill();
      await cloud.restart();
    }
    await network.settled(SETTLED_WITHIN_MS);
  });

  it('send a change of either to the site immediately', async () => {
    for (const [n, operator] of operators.entries()) {
      const plate = `EITH${n}`;
      await operator.addPermit(plate);
      const lag = async () => (await network.operator.site(network.site.siteId)).presence.lag;
      await waitFor(async () => (await lag()) === 0, {
        what: `the site to have ${plate}`,
        withinMs: AT_ONCE_MS,
      });
    }
  });
});

function permitsOf(folder: string): string[] {
  const db = new Database(join(folder, 'cloud.db'), { readonly: true });
  try {
    return db.prepare('SELECT plate FROM whitelist_entry ORDER BY plate').pluck().all() as string[];
  } finally {
    db.close();
  }
}

/** Permits added through both, again where nobody answered. */
function startCalls(through: readonly Operator[]) {
  const answered: string[] = [];
  let over = false;
  const calling = through.map(async (operator, which) => {
    for (let n = 0; !over; n++) {
      const plate = `P${which}X${n}`;
      for (;;) {
        const answer = await operator
          .ask('POST', '/visit/whitelist', { plate, reason: 'Both at once' })
          .catch(() => null);
        // 422: the one before had made it and died before it could say so.
        if (answer !== null && [303, 422].includes(answer.status)) break;
        await pause(50);
      }
      answered.push(plate);
      await pause(20);
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

async function addBilledCustomer(operator: Operator, n: number): Promise<string> {
  const customer = { name: `Company ${n}`, language: 'is', options: { billingMethod: 'daily' } };
  return (await operator.call(IdViewSchema, 'POST', '/customers', { customer })).id;
}

const CHARGES_EACH = 20;

/** What visits that ended yesterday would have left. */
function chargeYesterday(folder: string, siteId: string, customers: readonly string[]): void {
  const at = new Date(Date.now() - DAY_MS).toISOString();
  const db = new Database(join(folder, 'cloud.db'), { timeout: 5000 });
  try {
    const add = db.prepare(
      `INSERT INTO charge (id, cause, customer_id, site_id, visit_id, plate, vehicle_category, units, amount_minor, currency, vat_rate, at)
       VALUES (@id, hex(@id), @customer, @siteId, @id, 'ABX12', 'light', 1, @amount, 'ISK', 24, @at)`,
    );
    db.transaction(() => {
      for (const customer of customers) {
        for (let n = 1; n <= CHARGES_EACH; n++)
          add.run({
            id: storedId(randomUUID()),
            customer,
            siteId: storedSiteId(siteId),
            amount: n * 100,
            at,
          });
      }
    })();
  } finally {
    db.close();
  }
}

/** One invoice a customer, of all its charges; numbers without a gap; income as much as the invoices. */
function checkBilled(folder: string, customers: readonly string[]): void {
  const due = (CHARGES_EACH * (CHARGES_EACH + 1) * 100) / 2;
  const db = new Database(join(folder, 'cloud.db'), { readonly: true });
  try {
    const invoices = db.prepare('SELECT customer_id AS customer, amount_minor AS amount FROM invoice').all();
    const expected = customers.map((customer) => ({ customer, amount: due }));
    expect(invoices).toHaveLength(customers.length);
    expect(invoices).toEqual(expect.arrayContaining(expected));
    expect(db.prepare('SELECT count(*) FROM charge WHERE invoice_id IS NULL').pluck().get()).toBe(0);
    const numbers = db.prepare('SELECT number FROM invoice ORDER BY number').pluck().all();
    expect(numbers).toEqual(customers.map((_, n) => n + 1));
    expect(db.prepare('SELECT sum(amount_minor) FROM income').pluck().get()).toBe(due * customers.length);
  } finally {
    db.close();
  }
}
