import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { type LocallinkSim, startLocallinkTerminal } from './locallink-terminal.ts';
import { type LocallinkTill, ORDER, openLocallinkTill, watchingDriver } from './locallink-till.ts';

let sim: LocallinkSim;
let till: LocallinkTill;
const open = async (more: object = {}) => {
  till = openLocallinkTill(sim, more);
  await till.ready();
};
beforeEach(async () => {
  sim = await startLocallinkTerminal();
});
afterEach(async () => {
  await till.close();
  await sim.stop();
  expect(sim.offences).toEqual([]);
});

const UNMASKED = '4556737586899855';

it('takes a payment, shows its progress, and returns the receipt', async () => {
  await open();
  sim.present(null);
  const driver = watchingDriver(() => true);
  const paying = till.terminal.pay(ORDER, driver.events);
  await waitFor(() => driver.prompts.includes('present-card'), { what: 'the prompt' });
  sim.present({});
  const outcome = await paying;
  const [booked] = sim.books.booked();
  expect(outcome).toEqual({
    kind: 'approved',
    transaction: {
      reference: booked?.uti,
      terminalId: '34550576',
      amountMinor: 1500,
      currency: 'ISK',
      authorisation: booked?.authCode,
      card: { type: 'mastercard', lastFour: '0036' },
      at: 'Nov 21, 2026 12:00:00',
      marks: { message: '100' },
    },
    receipt: ['EINTAK KORTHAFA', '', '21/11/26  12:00', 'HEIMILAÐ', '1.500 ISK', '541333******0036'],
  });
  // 1,500 kr. is 150000 for a terminal that counts hundredths.
  expect(booked?.amount).toBe(150_000);
  expect(driver.approvals).toHaveLength(1);
  expect(till.terminal.status().connection).toBe('CONNECTED');
  expect(await till.terminal.lastResult()).toMatchObject({ kind: 'transaction', reversed: false });
});

it.each([
  ['54', 'card-expired'],
  ['55', 'wrong-pin'],
  ['91', 'no-connection'],
  ['97', 'refused'],
])('is declined by the bank with %s', async (responseCode, reason) => {
  await open();
  sim.present({ responseCode });
  const driver = watchingDriver(() => true);
  expect(await till.terminal.pay(ORDER, driver.events)).toMatchObject({
    kind: 'declined',
    reason,
    code: responseCode,
  });
  expect(driver.approvals).toEqual([]);
  expect(await till.terminal.lastResult()).toEqual({ kind: 'none' });
});

describe('a driver who cancels', () => {
  it('can cancel at the terminal', async () => {
    await open();
    sim.present({ pressesCancel: true });
    expect(await till.terminal.pay(ORDER, watchingDriver(() => true).events)).toMatchObject({
      kind: 'cancelled',
    });
  });

  it('can cancel at the kiosk while the terminal waits for a card', async () => {
    await open();
    sim.present(null);
    const driver = watchingDriver(() => true);
    const paying = till.terminal.pay(ORDER, driver.events);
    await waitFor(() => driver.prompts.includes('present-card'), { what: 'the prompt' });
    expect(till.terminal.status().connection).toBe('ACTIVE');
    await till.terminal.cancel();
    expect(await paying).toMatchObject({ kind: 'cancelled' });
    expect(sim.books.booked()).toEqual([]);
  });

  it('has a late approval reversed after the terminal accepted the cancellation', async () => {
    await open();
    sim.present(null);
    sim.books.habits.approvesAfterCancel = true;
    const driver = watchingDriver(() => false);
    const paying = till.terminal.pay(ORDER, driver.events);
    await waitFor(() => driver.prompts.includes('present-card'), { what: 'the prompt' });
    await till.terminal.cancel();
    expect(await paying).toMatchObject({ kind: 'cancelled' });
    expect(driver.approvals).toHaveLength(1);
    expect([sim.books.booked(), sim.books.all().map(({ type }) => type)]).toEqual([[], ['SALE', 'REVERSAL']]);
  });

  it('pays nothing if the approval cannot be stored', async () => {
    await open();
    const { events } = watchingDriver(() => Promise.reject(new Error('the disk is full')));
    expect(await till.terminal.pay(ORDER, events)).toMatchObject({ kind: 'cancelled' });
    expect(sim.books.booked()).toEqual([]);
  });

  it('has an unknown outcome if the sale cannot be reversed either', async () => {
    await open();
    sim.books.habits.reversesNothing = true;
    expect(await till.terminal.pay(ORDER, watchingDriver(() => false).events)).toMatchObject({
      kind: 'unknown',
    });
    expect(await till.terminal.lastResult()).toMatchObject({
      kind: 'transaction',
      reversed: false,
      transaction: { amountMinor: 1500 },
    });
  });
});

describe('an approval that differs from the order is reversed', () => {
  it.each([
    ['in another currency', { currencyCode: '978' }, 'currency'],
    ['of another amount', { totalAmount: '1500' }, 'amount'],
    ['by another terminal', { terminalId: '11111111' }, 'terminal'],
  ])('%s', async (_what, retells, reason) => {
    await open();
    sim.books.habits.retells = retells;
    const driver = watchingDriver(() => true);
    expect(await till.terminal.pay(ORDER, driver.events)).toMatchObject({ kind: 'declined', reason });
    expect([driver.approvals, sim.books.booked()]).toEqual([[], []]);
  });

  it('if the receipt shows that the terminal counts whole krónur', async () => {
    await open();
    sim.books.habits.receiptDigits = 0;
    const outcome = await till.terminal.pay(ORDER, watchingDriver(() => true).events);
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'amount' });
    expect(sim.books.booked()).toEqual([]);
  });

  it('is not reversed if whole krónur are configured', async () => {
    await open({ amountDigits: 0 });
    sim.books.habits.receiptDigits = 0;
    const outcome = await till.terminal.pay(ORDER, watchingDriver(() => true).events);
    expect(outcome).toMatchObject({ kind: 'approved', transaction: { amountMinor: 1500 } });
    expect(sim.books.booked()[0]?.amount).toBe(1500);
  });
});

it('refuses cards that need its own approval, and repeats the refusal until the terminal receives it', async () => {
  await open();
  sim.fail('result', { kind: 'dropped', acts: false }, 2);
  sim.present({ isOwn: true });
  expect(await till.terminal.pay(ORDER, watchingDriver(() => true).events)).toMatchObject({
    kind: 'declined',
    reason: 'card-unsupported',
  });
  expect(sim.calls.filter((call) => call === 'result')).toHaveLength(3);
  expect(sim.books.isBusy()).toBe(false);
});

it('keeps only four digits of an unmasked card number, in every file, log and receipt', async () => {
  await open();
  sim.present({ number: UNMASKED, isUnmasked: true, applicationId: 'A0000000031010' });
  const outcome = await till.terminal.pay(ORDER, watchingDriver(() => true).events);
  expect(outcome).toMatchObject({
    transaction: { card: { type: 'visa', lastFour: '9855' } },
    receipt: expect.arrayContaining(['************9855']),
  });
  const kept = readdirSync(till.folder).map((name) => readFileSync(join(till.folder, name), 'utf8'));
  const everything = [JSON.stringify(outcome), till.log(), ...kept].join('\n');
  expect(everything).not.toContain(UNMASKED);
  expect(everything).toContain('9855');
  for (const name of readdirSync(till.folder)) {
    expect(statSync(join(till.folder, name)).mode & 0o777).toBe(0o600);
  }
});

it('sends no order in another currency, and no two orders at a time', async () => {
  await open();
  const { events } = watchingDriver(() => true);
  expect(await till.terminal.pay({ ...ORDER, currency: 'EUR' }, events)).toMatchObject({
    kind: 'declined',
    reason: 'currency',
  });
  sim.present(null);
  const first = till.terminal.pay(ORDER, events);
  expect(await till.terminal.pay(ORDER, events)).toMatchObject({ kind: 'not-sent' });
  expect(await till.terminal.lastResult()).toMatchObject({ kind: 'unavailable' });
  expect(await till.terminal.endOfDay()).toMatchObject({ totals: null });
  sim.present({});
  expect(await first).toMatchObject({ kind: 'approved' });
  expect(sim.calls.filter((call) => call === 'sell')).toHaveLength(1);
});

it('reverses a sale by its reference, once', async () => {
  await open();
  const outcome = await till.terminal.pay(ORDER, watchingDriver(() => true).events);
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  const { transaction } = outcome;
  expect(await till.terminal.reverse({ ...transaction, terminalId: '1' })).toBe('not-possible');
  expect(await till.terminal.reverse(transaction)).toBe('reversed');
  expect(sim.books.booked()).toEqual([]);
  expect(await till.terminal.reverse(transaction)).toBe('already-reversed');
  expect(await till.terminal.lastResult()).toMatchObject({ kind: 'transaction', reversed: true });
});

it('closes its day with its totals', async () => {
  await open();
  const { events } = watchingDriver(() => true);
  for (let sale = 0; sale < 2; sale++) await till.terminal.pay(ORDER, events);
  const outcome = await till.terminal.pay(ORDER, events);
  if (outcome.kind === 'approved') await till.terminal.reverse(outcome.transaction);
  const { totals, problem } = await till.terminal.endOfDay();
  expect([totals, problem]).toEqual([
    {
      cards: [{ type: 'all', count: null, amountMinor: 3000 }],
      currency: 'ISK',
      receipt: ['SALES 300000', 'REFUNDS 0'],
    },
    null,
  ]);
  expect(sim.books.totals().totalSales).toBe(0);
  expect(await till.terminal.lastResult()).toMatchObject({ kind: 'transaction' });
});
