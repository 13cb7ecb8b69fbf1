import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  site = createTestSite({ withLoops: true });
});
afterEach(() => {
  site.close();
  vi.useRealTimers();
});

const LOW = { score: 0.4 };
const pulses = () => site.gates['out-1'].pulses;
const reported = () => site.core.lanes.lanes().find(({ id }) => id === 'out-1')?.instruction?.code ?? null;

/** Time goes by at the exit, for its timers too. */
async function pass(ms: number): Promise<void> {
  // A commit takes no time by this clock: it is done before the next timer.
  const steps = [...Array<number>(30).fill(Math.min(ms, 3000) / 30), Math.max(0, ms - 3000)];
  for (const step of steps) {
    site.wait(step);
    vi.advanceTimersByTime(step);
    for (let commits = 0; commits < 3; commits++) await site.core.commit.run(() => undefined);
  }
}

/** A car that owes 500 for a day. */
async function park(plate: string): Promise<void> {
  await site.price();
  await site.read('in-1', plate);
  await pass(5 * HOUR_MS);
}

it('waits for a better read, and lets out when none comes', async () => {
  await site.read('out-1', 'ABX12', LOW);
  expect([pulses(), reported()]).toEqual([0, 'wait']);
  await pass(1000);
  expect(pulses()).toBe(0);
  await pass(1000);
  expect([pulses(), reported()]).toEqual([1, 'drive-on']);
  expect(site.reasons()).toEqual(['unread-vehicle']);
});

it('waits for a plate where the camera has read none, and asks its own debtor and the next one', async () => {
  await park('ABX12');
  await site.read('out-1', null);
  await pass(1000);
  expect(pulses()).toBe(0);
  await site.read('out-1', 'ABX12');
  await pass(5000);
  expect([pulses(), site.reasons()]).toEqual([0, ['welcome', 'need-payment']]);
  await site.read('in-1', 'KZD82');
  await pass(5 * HOUR_MS);
  await site.read('out-1', null);
  await pass(2000);
  expect([pulses(), site.reasons().at(-1)]).toEqual([1, 'unread-vehicle']);
  await pass(2500);
  await site.read('out-1', 'KZD82');
  expect([pulses(), site.reasons().at(-1)]).toEqual([1, 'need-payment']);
});

it('does nothing of its own when a better read comes in time', async () => {
  await park('ABX12');
  await site.read('out-1', 'A8X1Z', LOW);
  await pass(1000);
  await site.read('out-1', 'ABX12');
  await pass(5000);
  expect(pulses()).toBe(0);
  expect(site.reasons()).toEqual(['welcome', 'need-payment']);
});

it('asks a debtor to pay whom it has read badly, and lets nobody else out in his place', async () => {
  await park('ABX12');
  await site.read('out-1', 'ABX12', LOW);
  await pass(2000);
  expect([pulses(), reported()]).toEqual([0, 'call-for-help']);
  expect(site.visits()).toMatchObject([
    { status: 'need-payment', flags: ['uncertain-plate'], endedAt: null },
  ]);
});

it('takes the visit of a car that was let out to its end, unbilled, when it is read well after all', async () => {
  await park('ABX12');
  await site.read('out-1', 'TUV99', LOW);
  await pass(2000);
  expect(pulses()).toBe(1);
  await site.read('out-1', 'ABX12');
  expect(site.visits()).toMatchObject([{ plate: 'ABX12', endedAt: site.now(), paymentStatus: null }]);
  expect(pulses()).toBe(1);
});

it('lets out whom only the loop has noticed, each car once', async () => {
  const { arrival, passed } = site.loops['out-1'];
  arrival.set(true);
  await pass(2000);
  expect(pulses()).toBe(1);
  arrival.set(false);
  passed.set(true);
  await pass(1000);
  passed.set(false);
  arrival.set(true);
  await pass(2000);
  expect(pulses()).toBe(2);
  expect(site.reasons()).toEqual(['unread-vehicle', 'unread-vehicle']);
});

it('takes a car that drives onto the loop for the one that was read on its way there', async () => {
  await site.read('out-1', 'ABX12');
  site.loops['out-1'].arrival.set(true);
  await pass(2500);
  expect(site.reasons()).toEqual(['no-visit']);
  expect(pulses()).toBe(1);
});

it('does not let out a debtor who waits on the loop, however long', async () => {
  await park('ABX12');
  await site.read('out-1', 'ABX12');
  site.loops['out-1'].arrival.set(true);
  for (let minutes = 0; minutes < 5; minutes++) await pass(60_000);
  expect(pulses()).toBe(0);
});

it('lets nobody in who is not read', async () => {
  await site.read('in-1', 'ABX12', LOW);
  site.loops['in-1'].arrival.set(true);
  await pass(60_000);
  expect(site.gates['in-1'].pulses).toBe(0);
});

it('leaves it to the site whether an exit opens for whom it does not know', async () => {
  site.close();
  site = createTestSite({
    withLoops: true,
    settings: { opensUnmatchedExit: false, helpPhone: '+354 555 0100' },
  });
  site.loops['out-1'].arrival.set(true);
  await pass(2000);
  expect([pulses(), reported()]).toEqual([0, 'call-for-help']);
});

it('shows nothing to a lane at which nobody stands any more', async () => {
  await site.read('out-1', 'ABX12');
  expect(reported()).toBe('drive-on');
  await pass(8000);
  expect(reported()).toBeNull();
});
