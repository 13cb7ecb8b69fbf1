import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { API_KEY } from '@hlid/cloud/test/api';
import {
  createOnlineRig,
  type Death,
  DRIVER,
  type OnlineRig,
  type Script,
} from '@hlid/cloud/test/online-payments';
import { allInvoices } from '@hlid/cloud/test/settlements';
import { MINUTE_MS } from '@hlid/protocol/utc-time';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { cardNumbersIn } from './card-numbers.ts';

let rig: OnlineRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** Long enough for every lease and every pause to end. */
const LONG_MS = 6 * MINUTE_MS;

/** The resolver works until nothing is left to do. */
async function heal({ api, resolver, deaths }: OnlineRig): Promise<void> {
  deaths.at = null;
  for (let round = 0; round < 8; round += 1) {
    await resolver.run();
    api.wait(LONG_MS);
  }
}

interface Books {
  provider: number;
  invoices: number;
  states: string[];
}

async function booksOf(of: OnlineRig): Promise<Books> {
  const invoices = (await allInvoices(of.api)).filter(({ paymentType }) => paymentType === 'online');
  return {
    provider: of.book().totalMinor(),
    invoices: invoices.reduce((sum, one) => sum + (one.status === 'paid' ? one.amountMinor : 0), 0),
    states: invoices.map(({ status }) => status),
  };
}

/** What a process that may die has done by then. */
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

describe('the cloud dies', () => {
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

const SCRIPTS: readonly [Script, ...Script[]] = [
  ...(['approve', 'approve', 'approve', 'insufficient-funds', 'form-challenge', 'script-challenge'] as const),
  ...(['timeout-after-booking', 'timeout-before-booking', 'duplicate', 'wrong-amount'] as const),
  ...(['unavailable', 'unavailable-at-charge', 'timeout-then-reversed', 'timeout-then-away'] as const),
];
const ALL_DEATHS: readonly [Death, ...Death[]] = [
  ...(['before begin', 'after begin', 'before charge', 'after charge'] as const),
  ...(['before refund', 'after refund', 'before findOut', 'after findOut', 'after readReturn'] as const),
];

/** One driver tries to pay, with everything that can go wrong. */
async function pay(of: OnlineRig, random: SeededRandom, visit: { id: string }): Promise<void> {
  const script = random.pick(SCRIPTS);
  const payer = random.chance(0.3) ? ({ kind: 'driver', id: 'another' } as const) : DRIVER;
  const order = of.order(visit, script);
  const begun = await of.payments.begin(payer, order);
  if (!begun.ok) return;
  const { reference } = begun.payment;
  const pays = { source: order.source, threedsToken: null as string | null };
  if (begun.next.kind === 'challenge') {
    const { challenge } = begun.next;
    if (challenge.kind === 'script') pays.threedsToken = random.chance(0.8) ? challenge.payload : 'guessed';
    else {
      const fields = Object.fromEntries(challenge.form.fields.map(({ name, value }) => [name, value]));
      const posted = challenge.form.url.split('/').at(-1) ?? '';
      const times = random.between(0, 3);
      await Promise.all(Array.from({ length: times }, () => of.payments.readReturn(posted, fields)));
    }
  }
  const calls = Array.from({ length: random.between(0, 4) }, () =>
    of.payments.finalize(payer, reference, pays),
  );
  await Promise.all(calls);
}

/** What others do meanwhile. */
async function meddle(of: OnlineRig, random: SeededRandom, visit: { id: string; plate: string | null }) {
  const { api } = of;
  switch (random.between(0, 5)) {
    case 0: {
      const token = await api.roleToken('kiosk');
      const body = { plate: visit.plate, quantity: 1, product: of.product, language: 'is' };
      await api.call('POST', '/kiosk/register-payment', { body, token });
      return;
    }
    case 1: {
      const body = { paymentStatus: 'void', status: 'completed', reason: 'An ambulance' };
      await api.call('PUT', `/visit/${visit.id}`, { body });
      return;
    }
    case 2: {
      const paid = (await allInvoices(api)).filter(
        (one) => one.status === 'paid' && one.visitId === visit.id,
      );
      const [invoice] = paid;
      if (invoice === undefined) return;
      const body = { reason: 'A complaint', ...(random.chance(0.5) && { amount: 100 }) };
      await untilDeath(api.call('POST', `/invoice/${invoice.id}/refund`, { body }));
      return;
    }
    case 3:
      await untilDeath(of.resolver.run());
      return;
    default:
      api.wait(random.between(1, 4) * MINUTE_MS);
  }
}

it.each(Array.from({ length: 40 }, (_, n) => n + 1))(
  'random run %i: provider, journal, visits and invoices agree to the króna',
  async (seed) => {
    const random = seededRandom(seed);
    rig = await createOnlineRig();
    const { api } = rig;
    const visits = [];
    for (let n = 0; n < 6; n += 1) visits.push(await api.visit({ plate: `RUN0${n}` }));
    const [first] = visits;
    if (first === undefined) throw new Error('no visits');
    for (let turn = 0; turn < 60; turn += 1) {
      const visit = random.pick([first, ...visits.slice(1)]);
      if (random.chance(0.2)) rig.deaths.at = random.pick(ALL_DEATHS);
      if (random.chance(0.6)) await untilDeath(pay(rig, random, visit));
      else await untilDeath(meddle(rig, random, visit));
      if (random.chance(0.2)) rig.restart();
    }
    rig.restart();
    await heal(rig);
    const { provider, invoices, states } = await booksOf(rig);
    expect(provider).toBe(invoices);
    expect(states.filter((status) => status === 'incomplete' || status === 'draft')).toEqual([]);
    const left = (await api.call('GET', '/payments')).body['data'];
    expect(left).toEqual([]);
    const all = await allInvoices(api);
    for (const visit of visits) {
      const of = all.filter(
        (one) => one.visitId === visit.id && one.status === 'paid' && one.amountMinor > 0,
      );
      const row = await rig.visitRow(visit.id);
      // What is over stays over, also where its money went back.
      if (row?.endedAt === null) expect(row.unitsMet, visit.plate ?? '').toBe(of.length);
      expect(of.length, visit.plate ?? '').toBeLessThanOrEqual(row?.unitsMet ?? 0);
    }
  },
);

it('no card number, security code or encrypted card is on a disk, in a log or in an answer', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'trace' }, sink);
  rig = await createOnlineRig({ log });
  const { api } = rig;
  await api.visit({ plate: 'ABX12' });
  const answers: string[] = [];
  const call = async (path: string, body: unknown, key = 'k') => {
    const headers = { 'x-api-key': API_KEY, 'idempotency-key': key };
    const answer = await api.call('POST', path, { token: null, headers, body });
    answers.push(JSON.stringify(answer.body));
    return answer.body;
  };
  const code = '98147';
  const numbers = ['4000000000000036', '4000000000000051', '5105105105105100', '4111111111111112'];
  for (const [n, number] of numbers.entries()) {
    const card = { number, ccv: '981', expire: '12/35', [`pin${code}`]: code };
    const begun = await call('/payments/init', { vehicle: 'ABX12', provider: 'testing2', card }, `a${n}`);
    await call('/payments/process/finalize', { context: { reference: begun['reference'], card } }, `b${n}`);
    await call('/purchase-product', { vehicle: 'ABX12', provider: 'testing2', card }, `c${n}`);
    await call('/purchase-product', { vehicle: 'ABX12', provider: 'testing2', card: number }, `d${n}`);
    await call('/payments/init', { vehicle: 'ABX12', card: { ...card, number: [number] } }, `e${n}`);
    const encryptedCard = Buffer.from(JSON.stringify(card)).toString('base64');
    const context = { reference: begun['reference'], encryptedCard, publicKeyAlias: 'testing2' };
    await call('/payments/process/3dSecure', { context }, `f${n}`);
    await rig.resolver.run();
  }
  const malformed = await api.call('POST', '/payments/init', {
    token: null,
    headers: { 'x-api-key': API_KEY },
    body: `{"card":{"number":"${numbers[0]}"`,
  });
  answers.push(JSON.stringify(malformed.body));
  const folders = [join(api.dbPath, '..'), rig.dataDir];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(lines.length).toBeGreaterThan(10);
  for (const content of [...files, lines.join('\n'), answers.join('\n')]) {
    expect(cardNumbersIn(content)).toEqual([]);
    expect(content.includes(code)).toBe(false);
    for (const number of numbers) expect(content.includes(number)).toBe(false);
    expect(content.includes(Buffer.from('{"number":"').toString('base64').slice(0, 12))).toBe(false);
  }
});
