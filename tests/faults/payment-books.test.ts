import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Payment } from '@hlid/protocol/records/payment';
import { expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { CARDS, type SimCard } from '../sim/zvt-cards.ts';
import { ZVT_STEPS } from '../sim/zvt-faults.ts';
import { cardNumbersIn } from './card-numbers.ts';
import { cloudInvoices } from './cloud-invoices.ts';
import { orderThrough, untilOver } from './order-through.ts';
import { type PayingSite, startPayingSite } from './paying-site.ts';

/** More by the environment, for a night. */
const RUNS = Number(process.env['HLID_TERMINAL_PAYMENT_RUNS'] ?? 300);
/** The number of simultaneous sites, since much of a payment is waiting for the terminal. */
const SITES = 20;
const PRICE = 500;
const DAEMON_STEPS = ['created', 'sent', 'asked', 'approval', 'approved', 'ended'] as const;
const GOOD: readonly [SimCard, ...SimCard[]] = [CARDS.visa, CARDS.mastercard, CARDS.amex, CARDS.unmasked];

type Fault = (pay: PayingSite, random: SeededRandom, visitId: string) => void | Promise<void>;

/** The faults of a payment, each as often as it is named. */
const FAULTS: readonly [Fault, ...Fault[]] = [
  () => undefined,
  () => undefined,
  (pay, random) => {
    pay.sim.faults.powerCutAt = random.pick(ZVT_STEPS);
  },
  (pay, random) => {
    pay.sim.faults.lineCutAt = random.pick(ZVT_STEPS);
  },
  (pay, random) => {
    pay.dieAt = random.pick(DAEMON_STEPS);
  },
  (pay) => {
    pay.sim.faults.currency = 978;
  },
  (pay) => {
    pay.sim.faults.amountMinor = PRICE / 10;
  },
  (pay, random) => {
    pay.sim.faults.printsFirst = random.chance(0.5);
    pay.sim.faults.busy = random.between(0, 2);
  },
  // The driver changes his mind, in time or not.
  async (pay, random) => {
    pay.sim.faults.approvesAfterAbort = random.chance(0.5);
    await someTime(random);
    await pay.changeMind();
  },
  async (pay, random) => {
    await someTime(random);
    pay.sim.pressCancel();
  },
  // Another payer has paid for it meanwhile.
  async (pay, random, visitId) => {
    await someTime(random);
    pay.payElsewhere(visitId);
  },
];

/** A few turns of the program: a fault strikes anywhere in a payment. */
async function someTime(random: SeededRandom): Promise<void> {
  for (let turns = random.between(0, 40); turns > 0; turns--) await new Promise(setImmediate);
}

async function runOne(pay: PayingSite, random: SeededRandom, run: number): Promise<void> {
  await pay.ready();
  const visitId = await pay.enter(`BK${String(run).padStart(4, '0')}`);
  const fault = random.pick(FAULTS);
  pay.sim.present(random.chance(0.1) ? CARDS.refused : random.pick(GOOD));
  await orderThrough(pay, visitId, () => fault(pay, random, visitId));
  // No driver pays for the same twice at once.
  if (!pay.dead && random.chance(0.2)) {
    pay.sim.present(random.pick(GOOD));
    await pay.order(visitId).catch(() => null);
  }
  await untilOver(pay);
  if (pay.dead) await pay.restart();
  pay.dieAt = null;
  await pay.settled();
  pay.sim.heal();
}

async function keepBooks(seed: number, runs: number): Promise<Record<string, number>> {
  const random = seededRandom(seed);
  const pay = await startPayingSite({
    answerMs: 240,
    cardMs: 900,
    flushes: false,
    isSoonGivenUp: false,
  });
  const ends: Record<string, number> = {};
  try {
    for (let run = 0; run < runs; run++) await runOne(pay, random, run);

    const payments = pay.all();
    const settled = payments.filter(({ state }) => state === 'settled');
    const settledMinor = settled.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const reported = new Map<string, Payment>();
    for (const { body } of pay.site.events()) {
      if (body.type === 'payment.changed') reported.set(body.payment.id, body.payment);
    }
    for (const { state } of payments) ends[state] = (ends[state] ?? 0) + 1;

    const forPerson = payments.filter(({ needsPerson }) => needsPerson);
    const messages = (id: string) => pay.log.filter((line) => line.includes(id)).join('');
    expect(forPerson.map(({ id }) => messages(id))).toEqual([]);
    expect(settledMinor, 'terminal and journal').toBe(pay.sim.book.totalMinor());
    expect([...reported.values()], 'events and journal').toEqual(payments);
    for (const { id, visitId } of payments) {
      const paid = settled.some((payment) => payment.id === id);
      const settlements = pay.settlements(visitId).filter((settlement) => settlement.id === id);
      expect(settlements.length, 'settlements and journal').toBe(paid ? 1 : 0);
      // A driver who paid twice, at the terminal and elsewhere, gets the terminal's payment back.
      const units = pay.settlements(visitId).reduce((sum, settlement) => sum + settlement.units, 0);
      expect(units).toBeLessThanOrEqual(1);
      expect(pay.visit(visitId)?.unitsMet).toBe(units);
    }
    const invoices = await cloudInvoices(pay.site.core.events.epoch, pay.site.events());
    const paid = invoices.filter(({ status }) => status === 'paid');
    expect(paid.map(({ id }) => id).toSorted(), 'invoices and journal').toEqual(
      settled.map(({ id }) => id).toSorted(),
    );
    const invoicedMinor = paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    expect(invoicedMinor, 'invoices and terminal').toBe(pay.sim.book.totalMinor());
    // The day that is closed at night has the amount that was taken.
    await pay.ready();
    await waitFor(() => pay.payments.day.close(), { what: 'the end of the day' });
    expect(pay.payments.signs().day).toMatchObject({ state: 'ok' });

    const files = readdirSync(pay.site.folder).map((name) => readFileSync(join(pay.site.folder, name)));
    expect([...files, ...pay.log].flatMap(cardNumbersIn)).toEqual([]);
    return ends;
  } finally {
    await pay.close();
  }
}

it(`the books of terminal, journal, visits, events and invoices agree over ${RUNS} payments in which anything goes wrong`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`Payment books: seed ${seed}`);
  const all = await Promise.all(
    Array.from({ length: SITES }, (_, site) => keepBooks(seed + site, RUNS / SITES)),
  ).catch((error: unknown) => {
    throw new Error(`With seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  });
  const ends = (state: Payment['state']) => all.reduce((sum, each) => sum + (each[state] ?? 0), 0);
  // It was about something.
  expect(ends('settled')).toBeGreaterThan(RUNS / 6);
  expect(ends('reversed')).toBeGreaterThan(0);
  expect(ends('cancelled')).toBeGreaterThan(0);
  expect(ends('declined')).toBeGreaterThan(0);
});
