import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '@hlid/cloud/app';
import { CardGateways } from '@hlid/cloud/card-gateways/card-gateways';
import type { CardGateway } from '@hlid/cloud/card-gateways/gateway';
import { OnlineJournal } from '@hlid/cloud/online-payments/online-journal';
import { PaymentResolver } from '@hlid/cloud/online-payments/payment-resolver';
import { createTestApi } from '@hlid/cloud/test/api';
import { allInvoices } from '@hlid/cloud/test/settlements';
import { visitTable } from '@hlid/cloud/visits/record/visit-table';
import { PAY_PATHS } from '@hlid/protocol/pay-paths';
import { MINUTE_MS } from '@hlid/protocol/utc-time';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CHARGE_FAULTS } from '../sim/gateway-rigs.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { ValitorGatewaySimulator } from '../sim/valitor-gateway.ts';
import { readForm } from '../sim/valitor-gateway-bank.ts';
import { VALITOR_CARDS } from '../sim/valitor-gateway-books.ts';
import { cardNumbersIn } from './card-numbers.ts';

const RUNS = Number(process.env['HLID_PAYMENT_RUNS'] ?? 80);
/** Payments of one cloud; each of its cars is paid for by several people. */
const RUNS_PER_CLOUD = 20;
const PRICE = 500;
const HUNDREDTHS = 100;
const VALITOR_KEY = 'Test.c2ltdWxhdG9yLWtleQ==';
/** Longer than every lease, pause and reference. */
const LONG_MS = 20 * MINUTE_MS;
const CANARY_CODE = '749';

const STEPS = ['begin', 'readReturn', 'charge', 'findOut', 'refund'] as const;
type Death = `${'before' | 'after'} ${(typeof STEPS)[number]}`;
const DEATHS = STEPS.flatMap((step) => [`before ${step}`, `after ${step}`] as const);

const CARDS: readonly [string, ...string[]] = [
  ...([VALITOR_CARDS.frictionless, VALITOR_CARDS.frictionless, VALITOR_CARDS.challenged] as const),
  ...([VALITOR_CARDS.attempted, VALITOR_CARDS.refused, VALITOR_CARDS.noFunds] as const),
  ...([VALITOR_CARDS.stolen, VALITOR_CARDS.notEnrolled, VALITOR_CARDS.authenticateAgain] as const),
];

const FormSchema = z.object({
  next: z.object({
    kind: z.literal('form'),
    url: z.string(),
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
});
const DueSchema = z.looseObject({ amountMinor: z.int(), standing: z.string() });
const StaysSchema = z.object({ stays: z.array(z.looseObject({ key: z.string() })) });
const InvoicesSchema = z.array(z.looseObject({ status: z.string(), amountMinor: z.int() }));

/** A cloud whose process can die at each call to its provider, and a provider that can misbehave. */
async function startRig() {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  let now = () => new Date();
  const valitor = new ValitorGatewaySimulator({ apiKey: VALITOR_KEY, now: () => now() });
  await valitor.start();
  const clock = { now: () => now() };
  const deaths: { at: Death | null } = { at: null };
  const config = {
    ...{ kind: 'valitor-pay' as const, url: valitor.url, apiKey: VALITOR_KEY, acceptNotEnrolled: false },
    ...{ timeoutMs: 300, lateMs: 0 },
  };
  const makeGateways = () => {
    const made = new CardGateways([{ id: 'valitor-pay', config }], 'valitor-pay', {
      ...{ clock, log, dataDir: '/nonexistent' },
    });
    makeMortal(made.get('valitor-pay'), deaths);
    return made;
  };
  const api = await createTestApi({ cardGateways: makeGateways(), log });
  now = () => api.clock.now();
  const product = { type: 'default', price: PRICE, vehicleCategory: 'light', productCode: 'P' };
  const { id: productId } = await api.made('/products', product);
  const makeProcess = () => {
    const context = { ...api.context, cardGateways: makeGateways(), log };
    return { app: createApp(context), resolver: new PaymentResolver(context, new OnlineJournal(context)) };
  };
  let running = makeProcess();

  async function post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const answer = await running.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return await answer.json();
  }
  async function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const { pathname } = new URL(url);
    await running.app.request(pathname, { method: 'POST', body: new URLSearchParams(fields) });
  }
  return {
    ...{ api, valitor, deaths, logged, productId, post, postForm },
    resolve: () => running.resolver.run(),
    restart() {
      deaths.at = null;
      running = makeProcess();
    },
    async close() {
      valitor.letThrough();
      await valitor.stop();
      await api.close();
    },
  };
}
type Rig = Awaited<ReturnType<typeof startRig>>;

/** A process that dies never continues: no call returns to it. */
function makeMortal(gateway: CardGateway | null, deaths: { at: Death | null }): void {
  for (const step of STEPS) {
    const call: unknown = gateway?.[step];
    if (gateway === null || typeof call !== 'function') continue;
    const dies = (moment: Death) => {
      if (deaths.at !== moment) return null;
      deaths.at = null;
      return new Promise<never>(() => undefined);
    };
    Object.defineProperty(gateway, step, {
      value: async (...given: unknown[]) => {
        await dies(`before ${step}`);
        const answer: unknown = await call.apply(gateway, given);
        await dies(`after ${step}`);
        return answer;
      },
    });
  }
}

/** A driver on the payment page, with everything that browsers do twice, too early or not at all. */
async function pay(rig: Rig, random: SeededRandom, plate: string): Promise<void> {
  const { post } = rig;
  const found = StaysSchema.safeParse(await post(PAY_PATHS.find, { siteCode: rig.api.site.id, plate }));
  const stay = found.data?.stays[0]?.key;
  if (stay === undefined) return;
  const due = DueSchema.safeParse(await post(PAY_PATHS.due, { stay }));
  if (due.data?.standing !== 'due') return;
  const payment = randomUUID();
  const card = { number: random.pick(CARDS), expire: '12/30', ccv: CANARY_CODE };
  const browser = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
  const { amountMinor } = due.data;
  const order = { payment, stay, amountMinor, language: 'is', browser, card };
  if (random.chance(0.1)) void post(PAY_PATHS.finish, { payment, card }).catch(() => null);
  const ordered = await Promise.all([
    post(PAY_PATHS.order, order),
    ...(random.chance(0.2) ? [post(PAY_PATHS.order, order)] : []),
  ]);
  const form = ordered.map((answer) => FormSchema.safeParse(answer).data).find((one) => one !== undefined);
  if (form !== undefined) await authenticate(rig, random, form);
  if (random.chance(0.1)) void post(PAY_PATHS.cancel, { payment });
  const finishes = Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () =>
    post(PAY_PATHS.finish, { payment, card }),
  );
  await Promise.all(finishes);
}

/** At the bank, whose form then comes to us never, once or several times. */
async function authenticate(rig: Rig, random: SeededRandom, { next }: z.infer<typeof FormSchema>) {
  const sent = Object.fromEntries(next.fields.map(({ name, value }) => [name, value]));
  const act = random.chance(0.9) ? 'accept' : 'refuse';
  const asForm = async (url: string, fields: Record<string, string>) => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
    return readForm(await answer.text());
  };
  let answer = await asForm(next.url, sent);
  if (answer.action.startsWith('/')) {
    answer = await asForm(new URL(answer.action, next.url).href, { ...answer.fields, act });
  }
  const times = random.pick([0, 1, 1, 1, 1, 2, 3]);
  await Promise.all(Array.from({ length: times }, () => rig.postForm(answer.action, answer.fields)));
}

/** What goes wrong at the provider, at the kiosk and with the time meanwhile. */
async function meddle(rig: Rig, random: SeededRandom, plate: string): Promise<void> {
  const { api, valitor } = rig;
  switch (random.between(0, 6)) {
    case 0: {
      const token = await api.roleToken('kiosk');
      const body = { plate, quantity: 1, product: rig.productId, language: 'is' };
      await api.call('POST', '/kiosk/register-payment', { body, token });
      return;
    }
    case 1:
      valitor.faults.charge = random.pick<(typeof CHARGE_FAULTS)[number]>(CHARGE_FAULTS).fault;
      return;
    case 2:
      valitor.faults.losesRefund = true;
      return;
    case 3:
      valitor.faults.lie = { authorizedAmount: (PRICE + 1) * HUNDREDTHS };
      return;
    case 4:
      await rig.resolve();
      return;
    case 5:
      rig.deaths.at = random.pick(DEATHS as [Death, ...Death[]]);
      return;
    default:
      api.wait(random.between(1, 4) * MINUTE_MS);
  }
}

/** Until it is over, or its process has died: then nothing more comes of it. */
async function untilOver(rig: Rig, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void work.then(end, end);
  const mayDie = rig.deaths.at !== null;
  const deadline = performance.now() + 2000;
  while (!isOver && performance.now() < deadline) {
    if (mayDie && rig.deaths.at === null) {
      // The others of that process go on for a moment at most.
      for (let turns = 0; turns < 50 && !isOver; turns += 1) await new Promise(setImmediate);
      return;
    }
    await new Promise(setImmediate);
  }
}

async function keepBooks(seed: number, runs: number): Promise<Record<string, number>> {
  const random = seededRandom(seed);
  const rig = await startRig();
  const { api, valitor } = rig;
  try {
    const visits = [];
    for (let car = 0; car < runs; car += 1) {
      visits.push(await api.visit({ plate: `ONL${String(car).padStart(2, '0')}` }));
    }
    for (let run = 0; run < runs; run += 1) {
      // A car that nobody has paid for yet, or one of those before it.
      const plate = (random.chance(0.7) ? visits[run] : visits[random.between(0, run)])?.plate ?? '';
      if (random.chance(0.5)) await untilOver(rig, meddle(rig, random, plate));
      const drivers = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => pay(rig, random, plate));
      const others = random.chance(0.3) ? [meddle(rig, random, plate)] : [];
      await untilOver(rig, Promise.all([...drivers, ...others]));
      if (random.chance(0.3)) rig.restart();
      // As drivers do whose card was declined.
      await untilOver(rig, pay(rig, random, plate));
    }
    // The provider is back, and so is a process that lives.
    Object.assign(valitor.faults, { charge: null, losesRefund: false, lie: null });
    rig.restart();
    for (let round = 0; round < 6; round += 1) {
      await rig.resolve();
      api.wait(LONG_MS);
    }

    const invoices = (await allInvoices(api)).filter(({ paymentType }) => paymentType === 'online');
    const paid = InvoicesSchema.parse(invoices.filter(({ status }) => status === 'paid'));
    const paidMinor = paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    expect(valitor.books.taken(), 'provider and invoices').toBe(paidMinor * HUNDREDTHS);
    expect(invoices.filter(({ status }) => status === 'draft' || status === 'incomplete')).toEqual([]);
    expect((await api.call('GET', '/payments')).body['data'], 'payments without an outcome').toEqual([]);
    const all = (await allInvoices(api)).filter((one) => one.status === 'paid' && one.amountMinor > 0);
    for (const { id, plate } of visits) {
      const row = await api.db.read(
        async (q) => await q.select().from(visitTable).where(eq(visitTable.id, id)).get(),
      );
      const times = all.filter(({ visitId }) => visitId === id).length;
      expect(row?.unitsMet, `${plate}: units and invoices`).toBe(times);
    }
    const folder = join(api.dbPath, '..');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const contents = [
      Buffer.from(rig.logged.join('')),
      ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
    ];
    for (const content of contents) {
      expect(cardNumbersIn(content)).toEqual([]);
      for (const number of Object.values(VALITOR_CARDS)) expect(content.includes(number)).toBe(false);
      expect(content.includes(`"${CANARY_CODE}"`)).toBe(false);
    }
    expect(valitor.complaints).toEqual([]);
    return {
      paid: paid.length,
      failed: invoices.length - paid.length,
      charges: valitor.books.payments.length,
    };
  } finally {
    await rig.close();
  }
}

it(`provider, journal, visits and invoices agree over ${RUNS} payments in which anything goes wrong`, async () => {
  const seed = Number(process.env['HLID_PAYMENT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`Online payments: seed ${seed}`);
  const ends = { paid: 0, failed: 0, charges: 0 };
  for (let cloud = 0; cloud * RUNS_PER_CLOUD < RUNS; cloud += 1) {
    const end = await keepBooks(seed + cloud, RUNS_PER_CLOUD).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : error;
      throw new Error(`With HLID_PAYMENT_SEED=${seed + cloud}: ${problem}`, { cause: error });
    });
    for (const [name, count] of Object.entries(end)) ends[name as keyof typeof ends] += count;
  }
  console.info(`Online payments: ${JSON.stringify(ends)}`);
  // It was about something.
  expect(ends.paid).toBeGreaterThan(RUNS / 20);
  expect(ends.failed).toBeGreaterThan(0);
  expect(ends.charges).toBeGreaterThan(ends.paid);
}, 3_600_000);
