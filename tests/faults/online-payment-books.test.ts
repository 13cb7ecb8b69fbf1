import {
  createOnlineRig,
  type Death,
  DRIVER,
  type OnlineRig,
  type Script,
} from '@hlid/cloud/test/online-payments';
import { allInvoices } from '@hlid/cloud/test/settlements';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, describe, expect, it } from 'vitest';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { cardNumbersIn } from './card-numbers.ts';
import { checkOnlineBooks } from './online-books.ts';
import { payOnPage } from './page-driver.ts';
import { type PayingCloud, startPayingCloud, untilOver } from './paying-cloud.ts';
import { PAYING_PROVIDERS } from './paying-providers.ts';

const RUNS = Number(process.env['HLID_PAYMENT_RUNS'] ?? 100);
/** Enough for every end to come. */
const MANY = 100;
/** Payments of one cloud; each of its cars is paid for by several people. */
const RUNS_PER_CLOUD = 20;
/** One of each provider at a time, since much of a payment is waiting for the provider. */
const AT_ONCE = PAYING_PROVIDERS.length;
/** Longer than every lease, pause and reference. */
const LONG_MS = 20 * MINUTE_MS;
/** The number of rounds after which each outcome is known: some answers to questions are lost too. */
const MAX_ROUNDS = 20;

describe('the cloud dies', () => {
  let rig: OnlineRig | null = null;
  afterEach(async () => {
    await rig?.close();
    rig = null;
  });

  /** The resolver works until nothing is left to do. */
  async function heal({ api, resolver, deaths }: OnlineRig): Promise<void> {
    deaths.at = null;
    for (let round = 0; round < 8; round += 1) {
      await resolver.run();
      api.wait(LONG_MS);
    }
  }

  async function booksOf(of: OnlineRig) {
    const invoices = (await allInvoices(of.api)).filter(({ paymentType }) => paymentType === 'online');
    return {
      provider: of.book().totalMinor(),
      invoices: invoices.reduce((sum, one) => sum + (one.status === 'paid' ? one.amountMinor : 0), 0),
      states: invoices.map(({ status }) => status),
    };
  }

  /** Runs work of a process that may die, until then. */
  async function untilDeath(work: Promise<unknown>): Promise<void> {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    const over = work.then(end, end);
    // The database answers within a few turns; a process that is dead has nothing more to come.
    for (let turns = 0; turns < 400 && !isOver; turns += 1) await Promise.race([over, turn()]);
  }

  const DEATHS: { death: Death; script: Script; ends: 'paid' | 'failed' | 'refunded' }[] = [
    { death: 'before begin', script: 'approve', ends: 'failed' },
    { death: 'after begin', script: 'approve', ends: 'failed' },
    { death: 'before charge', script: 'approve', ends: 'failed' },
    { death: 'after charge', script: 'approve', ends: 'paid' },
    { death: 'after charge', script: 'insufficient-funds', ends: 'failed' },
    { death: 'before refund', script: 'wrong-amount', ends: 'failed' },
    { death: 'after refund', script: 'wrong-amount', ends: 'failed' },
  ];

  it.each(DEATHS)(
    '$death of a card of $script: $ends, and the books agree',
    async ({ death, script, ends }) => {
      rig = await createOnlineRig();
      const visit = await rig.api.visit({ plate: 'ABX12' });
      rig.deaths.at = death;
      await untilDeath(rig.payments.purchase(DRIVER, rig.order(visit, script)));
      expect(rig.deaths.at).toBeNull();
      rig.restart();
      await heal(rig);
      const paid = ends === 'paid' ? 500 : 0;
      expect(await booksOf(rig)).toEqual({ provider: paid, invoices: paid, states: [ends] });
      expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: paid / 500, flags: [] });
      expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
      if (ends === 'paid') return;
      const again = await rig.payments.purchase(DRIVER, rig.order(visit));
      expect(again).toMatchObject({ ok: true, payment: { state: 'settled' } });
    },
  );

  it.each<Death>(['before findOut', 'after findOut'])(
    '%s: it is found out by the next one',
    async (death) => {
      rig = await createOnlineRig();
      const visit = await rig.api.visit({ plate: 'ABX12' });
      await rig.payments.purchase(DRIVER, rig.order(visit, 'timeout-after-booking'));
      rig.deaths.at = death;
      await untilDeath(rig.resolver.run());
      rig.restart();
      await heal(rig);
      expect(await booksOf(rig)).toEqual({ provider: 500, invoices: 500, states: ['paid'] });
    },
  );
});

/** Faults at the provider, at the kiosk, in the offices and of the time meanwhile. */
async function meddle(
  cloud: PayingCloud,
  random: SeededRandom,
  visit: { id: string; plate: string | null },
): Promise<void> {
  const { api, provider } = cloud;
  switch (random.between(0, 9)) {
    case 0: {
      const token = await api.roleToken('kiosk');
      const body = { plate: visit.plate, quantity: 1, product: cloud.productId, language: 'is' };
      await api.call('POST', '/kiosk/register-payment', { body, token });
      return;
    }
    case 1:
      return await refundAtOffice(cloud, random, visit.id);
    case 2: {
      if (random.chance(0.7)) return;
      const body = { paymentStatus: 'void', status: 'completed', reason: 'An ambulance' };
      await api.call('PUT', `/visit/${visit.id}`, { body });
      return;
    }
    case 3:
      return await cloud.resolve();
    case 4:
      return cloud.dieSomewhere(random);
    case 5:
      // A request that was held arrives in time, or when its answer is no longer awaited.
      for (let turns = random.between(0, 100); turns > 0; turns -= 1) await new Promise(setImmediate);
      return provider.release();
    case 6:
      provider.release();
      api.wait(random.between(1, 4) * MINUTE_MS);
      return;
    default:
      return await provider.misbehave(random, cloud.browser().postForm);
  }
}

async function refundAtOffice(
  { api, provider }: PayingCloud,
  random: SeededRandom,
  visitId: string,
): Promise<void> {
  const invoices = await allInvoices(api);
  const paid = invoices.find((one) => one.visitId === visitId && one.status === 'paid');
  if (paid === undefined) return;
  const isPart = provider.knowsPartRefunds && random.chance(0.5);
  const body = { reason: 'A complaint', ...(isPart && { amount: 100 }) };
  await api.call('POST', `/invoice/${paid.id}/refund`, { body });
}

async function keepBooks(seed: number, runs: number): Promise<Record<string, number>> {
  const random = seededRandom(seed);
  const cloud = await startPayingCloud(seed);
  const { api, provider } = cloud;
  try {
    const visits: { id: string; plate: string | null }[] = [];
    const pay = (plate: string | null) =>
      payOnPage(cloud.browser(), provider, random, { siteCode: api.site.id, plate: plate ?? '' });
    for (let run = 0; run < runs; run += 1) {
      visits.push(await api.visit({ plate: `ONL${String(run).padStart(2, '0')}` }));
      // Either a car that is not paid for yet, or one of those before it.
      const visit = visits[random.chance(0.7) ? run : random.between(0, run)] ?? { id: '', plate: '' };
      if (random.chance(0.5)) await untilOver(cloud, meddle(cloud, random, visit));
      const drivers = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => pay(visit.plate));
      const others = random.chance(0.4) ? [meddle(cloud, random, visit)] : [];
      await untilOver(cloud, Promise.all([...drivers, ...others]));
      if (random.chance(0.3)) cloud.restart();
      if (random.chance(0.3)) await provider.heal();
      // Drivers pay again after their card was declined.
      await untilOver(cloud, pay(visit.plate));
    }
    // The provider is back, and so is a process that lives.
    await provider.heal();
    cloud.restart();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await cloud.resolve();
      api.wait(LONG_MS);
    }
    return await checkBooks(cloud);
  } finally {
    await cloud.close();
  }
}

async function checkBooks(cloud: PayingCloud): Promise<Record<string, number>> {
  const { api, provider } = cloud;
  const ends = await checkOnlineBooks(api.db, provider.takenMinor(), await api.changes());
  expect((await api.call('GET', '/payments')).body['data'], 'payments for a person').toEqual([]);
  for (const content of cloud.written()) {
    expect(cardNumbersIn(content)).toEqual([]);
    for (const secret of provider.secrets()) expect(content.includes(secret)).toBe(false);
  }
  expect(provider.complaints()).toEqual([]);
  return { charges: provider.charges(), ...ends };
}

it(`provider, journal, visits, events and invoices agree over ${RUNS} payments in which anything goes wrong`, async () => {
  const seed = Number(process.env['HLID_PAYMENT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`Online payments: seed ${seed}`);
  const ends: Record<string, number> = {};
  let next = seed;
  const last = seed + Math.ceil(RUNS / RUNS_PER_CLOUD);
  const work = async () => {
    while (next < last) {
      const own = next++;
      const end = await keepBooks(own, RUNS_PER_CLOUD).catch((error: unknown) => {
        const problem = error instanceof Error ? error.message : error;
        const again = `HLID_PAYMENT_SEED=${own} HLID_PAYMENT_RUNS=${RUNS_PER_CLOUD}`;
        throw new Error(`To repeat it: ${again}. ${problem}`, { cause: error });
      });
      for (const [name, count] of Object.entries(end)) ends[name] = (ends[name] ?? 0) + count;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.info(`Online payments: ${JSON.stringify(ends)}`);
  if (RUNS < MANY) return;
  // It was about something.
  expect(ends['settled']).toBeGreaterThan(RUNS / 10);
  expect(ends['reversed']).toBeGreaterThan(0);
  expect(ends['declined']).toBeGreaterThan(0);
  expect(ends['cancelled']).toBeGreaterThan(0);
}, 3_600_000);
