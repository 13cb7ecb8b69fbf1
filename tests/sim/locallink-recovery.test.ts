import type { LastResult } from '@hlid/edge/terminal/terminal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { type LocallinkFault, type LocallinkSim, startLocallinkTerminal } from './locallink-terminal.ts';
import { type LocallinkTill, ORDER, openLocallinkTill, watchingDriver } from './locallink-till.ts';

let sim: LocallinkSim;
let till: LocallinkTill;
const others: LocallinkTill[] = [];
beforeEach(async () => {
  sim = await startLocallinkTerminal();
  till = openLocallinkTill(sim);
  await till.ready();
});
afterEach(async () => {
  for (const each of [...others.splice(0), till]) await each.close();
  await sim.stop();
  expect(sim.offences).toEqual([]);
});

const driver = () => watchingDriver(() => true);
/** The result is read until there is one. */
const settled = (of: LocallinkTill): Promise<LastResult> =>
  waitFor(
    async () => {
      const last = await of.terminal.lastResult();
      return last.kind === 'unavailable' ? null : last;
    },
    { what: 'what the terminal has booked' },
  );
/** The terminal has charged something, and cannot report by which sale. */
const sawTakings = () =>
  waitFor(
    async () => {
      const last = await till.terminal.lastResult();
      if (last.kind !== 'unavailable') throw new Error(last.kind);
      return last.problem.includes('taken 150000 and not 0');
    },
    { what: 'its takings' },
  );
const afterPowerCut = (more?: object): LocallinkTill => {
  const next = till.begunAnew(more);
  others.push(next);
  return next;
};

describe.each([
  ['drops the connection', { kind: 'dropped', acts: true }],
  ['drops the connection in its answer', { kind: 'dropped', acts: true, midAnswer: true }],
  ['sends nothing', { kind: 'silent', acts: true }],
  ['answers nonsense', { kind: 'says', status: 200, text: '<html>' }],
  ['is out of order', { kind: 'says', status: 500, text: '' }],
  ['drops the connection before it receives the sale', { kind: 'dropped', acts: false }],
  ['never receives the sale, and sends nothing', { kind: 'silent', acts: false }],
] satisfies [string, LocallinkFault][])('a terminal that gets a sale, and %s', (_what, fault) => {
  it('cancels the sale on request, and books nothing', async () => {
    sim.present(null);
    sim.fail('sell', fault, 1);
    expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'unknown' });
    expect(await settled(till)).toEqual({ kind: 'none' });
    expect([sim.books.isBusy(), sim.books.booked()]).toEqual([false, []]);
    // The next sale is paid.
    sim.present({});
    expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'approved' });
  });
});

it('never reports that nothing was booked if a sale without a reference was', async () => {
  sim.fail('sell', { kind: 'silent', acts: true }, 1);
  expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'unknown' });
  expect(sim.books.booked()).toHaveLength(1);
  await sawTakings();
  expect(till.log()).toContain('terminal.sale-open');
});

it('sends no sale if the terminal cannot report its state first', async () => {
  for (const fault of [
    { kind: 'silent', acts: true },
    { kind: 'dropped', acts: true },
  ] as const) {
    sim.fail('x-report', fault);
    expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'not-sent' });
  }
  sim.heal();
  sim.fail('status', { kind: 'dropped', acts: true });
  expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'not-sent' });
  expect(sim.calls).not.toContain('sell');
});

it('waits for slow answers, and repeats a query whose answer is lost', async () => {
  sim.fail('sell', { kind: 'slow', answersAfterMs: 120 });
  sim.fail('look', { kind: 'dropped', acts: true, midAnswer: true }, 3);
  expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'approved' });
  expect(sim.books.booked()).toHaveLength(1);
});

it('resets the connection of a call that times out', async () => {
  sim.fail('sell', { kind: 'silent', acts: false }, 1);
  expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'unknown' });
  await waitFor(() => sim.resets() === 1, { what: 'the connection to be reset' });
});

it('queries again while the terminal does not know a sale that has just begun', async () => {
  sim.fail('look', { kind: 'says', status: 400, text: '' }, 2);
  expect(await till.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'approved' });
});

it('reports unknown if the line stays cut, and finds the sale by its reference afterwards', async () => {
  sim.fail('look', { kind: 'dropped', acts: true });
  const watching = driver();
  expect(await till.terminal.pay(ORDER, watching.events)).toMatchObject({ kind: 'unknown' });
  expect(await till.terminal.lastResult()).toMatchObject({ kind: 'unavailable' });
  sim.heal();
  const [booked] = sim.books.booked();
  expect(await settled(till)).toMatchObject({
    kind: 'transaction',
    reversed: false,
    transaction: { reference: booked?.uti, amountMinor: 1500 },
  });
  expect(watching.approvals).toEqual([]);
});

describe('a terminal that restarts during a sale', () => {
  const begin = async () => {
    sim.present(null);
    const watching = driver();
    const paying = till.terminal.pay(ORDER, watching.events);
    await waitFor(() => watching.prompts.includes('present-card'), { what: 'the prompt' });
    return paying;
  };

  it('still knows the outcome of the sale', async () => {
    sim.present(null);
    const paying = begin();
    await waitFor(() => sim.books.isBusy() && sim.calls.includes('look'), { what: 'the sale' });
    sim.restart(true);
    expect(await paying).toMatchObject({ kind: 'cancelled' });
  });

  it('has forgotten the sale, and its totals show that nothing was booked', async () => {
    const paying = begin();
    await waitFor(() => sim.books.isBusy() && sim.calls.includes('look'), { what: 'the sale' });
    sim.restart(false);
    expect(await paying).toMatchObject({ kind: 'unknown' });
    expect(await settled(till)).toEqual({ kind: 'none' });
  });

  it('has forgotten a booked sale, and leaves it to a person', async () => {
    sim.fail('look', { kind: 'dropped', acts: true });
    const paying = till.terminal.pay(ORDER, driver().events);
    await waitFor(() => sim.books.booked().length === 1, { what: 'the booking' });
    sim.restart(false);
    sim.heal();
    expect(await paying).toMatchObject({ kind: 'unknown' });
    await sawTakings();
  });
});

it('reports unknown if the terminal has forgotten the pairing, and finds the sale after a new pairing', async () => {
  sim.present(null);
  const watching = driver();
  const paying = till.terminal.pay(ORDER, watching.events);
  await waitFor(() => watching.prompts.includes('present-card'), { what: 'the prompt' });
  sim.forgetToken('7777');
  expect(await paying).toMatchObject({ kind: 'unknown' });
  await waitFor(() => till.terminal.status().connection === 'LOGINFAILED', { what: 'the refusal' });
  expect(await till.terminal.lastResult()).toMatchObject({ kind: 'unavailable' });
  sim.present({});
  await waitFor(() => sim.books.booked().length === 1, { what: 'the booking' });
  const next = afterPowerCut({ pairingCode: '7777' });
  await next.ready();
  expect(await settled(next)).toMatchObject({ kind: 'transaction', transaction: { amountMinor: 1500 } });
});

describe('after a power cut of the till', () => {
  it('a sale that waits for a card is cancelled', async () => {
    sim.present(null);
    const watching = driver();
    const paying = till.terminal.pay(ORDER, watching.events);
    await waitFor(() => watching.prompts.includes('present-card'), { what: 'the prompt' });
    const next = afterPowerCut();
    // The terminal is busy with the old one, so nothing new is begun.
    expect(await next.terminal.pay(ORDER, driver().events)).toMatchObject({ kind: 'not-sent' });
    expect(await settled(next)).toEqual({ kind: 'none' });
    await paying;
    expect(sim.books.booked()).toEqual([]);
  });

  it('a booked sale is found by its reference, with all its details', async () => {
    let write = (_stands: boolean) => {};
    const watching = watchingDriver(
      () =>
        new Promise<boolean>((resolve) => {
          write = resolve;
        }),
    );
    const paying = till.terminal.pay(ORDER, watching.events);
    const [approved] = await waitFor(() => watching.approvals.length > 0 && watching.approvals, {
      what: 'the approval',
    });
    const next = afterPowerCut();
    await next.ready();
    expect(await settled(next)).toEqual({ kind: 'transaction', transaction: approved, reversed: false });
    write(true);
    await paying;
  });
});

it('finds a reversal whose answer was lost', async () => {
  const outcome = await till.terminal.pay(ORDER, driver().events);
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  sim.fail('reverse', { kind: 'dropped', acts: true }, 1);
  expect(['unknown', 'reversed']).toContain(await till.terminal.reverse(outcome.transaction));
  await waitFor(async () => (await till.terminal.reverse(outcome.transaction)) === 'already-reversed', {
    what: 'the reversal',
  });
  expect(sim.books.booked()).toEqual([]);
});

it('ends a payment that is under way when the daemon stops', async () => {
  sim.present(null);
  const watching = driver();
  const paying = till.terminal.pay(ORDER, watching.events);
  await waitFor(() => watching.prompts.includes('present-card'), { what: 'the prompt' });
  await till.terminal.stop();
  expect(await paying).toMatchObject({ kind: 'cancelled' });
  expect(sim.books.isBusy()).toBe(false);
});
