import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { CARDS, type SimCard } from './zvt-cards.ts';
import { order, startRig, witness, type ZvtRig } from './zvt-rig.ts';
import type { ZvtTerminalOptions } from './zvt-terminal.ts';

let rig: ZvtRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

async function startReady(...given: Parameters<typeof startRig>): Promise<ZvtRig> {
  rig = await startRig(...given);
  await rig.ready();
  return rig;
}

function payWith(card: SimCard, { sim, driver }: ZvtRig, seen = witness()) {
  sim.present(card);
  return driver.pay(order(), seen.events);
}

const LINES: ZvtTerminalOptions[] = [{ line: 'tcp' }, { line: 'serial' }];

describe.each(LINES)('a ZVT terminal over $line', (sim) => {
  it('takes a card, sends prompts, and returns the receipt', async () => {
    const ready = await startReady(sim);
    const seen = witness();
    const outcome = await payWith(CARDS.mastercard, ready, seen);
    expect(outcome).toMatchObject({
      kind: 'approved',
      transaction: {
        amountMinor: 1500,
        currency: 'ISK',
        terminalId: '52500001',
        card: { type: 'mastercard', lastFour: '4444' },
      },
    });
    expect(seen.prompts).toEqual([
      { prompt: 'present-card', text: 'Karte bitte' },
      { prompt: 'see-terminal', text: 'Bitte PIN eingeben' },
      { prompt: 'contacting-bank', text: 'Bitte warten' },
    ]);
    expect(outcome.kind === 'approved' && outcome.receipt).toContain('** KUNDENBELEG für Sie **');
    expect(ready.sim.book.sales).toHaveLength(1);
    expect(ready.sim.book.totalMinor()).toBe(1500);
    expect(seen.approvals).toHaveLength(1);
  });

  it('reverses its booking once', async () => {
    const ready = await startReady(sim);
    const outcome = await payWith(CARDS.visa, ready);
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    expect(await ready.driver.lastResult()).toMatchObject({
      kind: 'transaction',
      transaction: { reference: outcome.transaction.reference },
      reversed: false,
    });
    expect(await ready.driver.reverse(outcome.transaction)).toBe('reversed');
    expect(await ready.driver.reverse(outcome.transaction)).toBe('already-reversed');
    expect(await ready.driver.lastResult()).toMatchObject({ reversed: true });
    expect(ready.sim.book.totalMinor()).toBe(0);
  });

  it('is read byte by byte, in undeclared Latin-1', async () => {
    const ready = await startReady({ ...sim, latin1: true });
    ready.sim.faults.byteByByte = true;
    const outcome = await payWith(CARDS.amex, ready);
    expect(outcome).toMatchObject({
      kind: 'approved',
      transaction: { card: { type: 'amex', lastFour: '0005' } },
    });
    expect(outcome.kind === 'approved' && outcome.receipt[0]).toBe('** KUNDENBELEG für Sie **');
  });

  it('closes its day, and returns the totals', async () => {
    const ready = await startReady(sim);
    await payWith(CARDS.visa, ready);
    await payWith(CARDS.mastercard, ready);
    expect(await ready.driver.endOfDay()).toMatchObject({
      problem: null,
      totals: {
        currency: 'ISK',
        cards: [
          { type: 'mastercard', count: 1, amountMinor: 1500 },
          { type: 'visa', count: 1, amountMinor: 1500 },
        ],
      },
    });
    expect(ready.sim.book.days).toEqual([{ count: 2, amountMinor: 3000 }]);
  });
});

describe('a ZVT terminal in a payment with problems', () => {
  it.each([
    { card: CARDS.refused, reason: 'refused', code: '05' },
    { card: CARDS.expired, reason: 'card-expired', code: '78' },
  ])('returns the reason ($reason)', async ({ card, reason, code }) => {
    const ready = await startReady();
    expect(await payWith(card, ready)).toMatchObject({ kind: 'declined', reason, code });
    expect(ready.sim.book.sales).toEqual([]);
    expect(await payWith(CARDS.visa, ready)).toMatchObject({ kind: 'approved' });
  });

  it('is cancelled by its red key', async () => {
    const { sim, driver } = await startReady();
    const paying = driver.pay(order(), witness().events);
    await waitFor(() => sim.waitsForCard(), { what: 'the terminal to ask for a card' });
    expect(driver.status().connection).toBe('ACTIVE');
    sim.pressCancel();
    expect(await paying).toEqual({ kind: 'cancelled', code: '6C' });
  });

  it('is cancelled by the till', async () => {
    const { sim, driver } = await startReady();
    const paying = driver.pay(order(), witness().events);
    await waitFor(() => sim.waitsForCard(), { what: 'the terminal to ask for a card' });
    await driver.cancel();
    expect(await paying).toEqual({ kind: 'cancelled', code: '6C' });
    expect(sim.received).toContain('06B0');
  });

  it('may approve although it was cancelled, and the approval counts', async () => {
    const { sim, driver } = await startReady();
    sim.faults.approvesAfterAbort = true;
    const paying = driver.pay(order(), witness().events);
    await waitFor(() => sim.waitsForCard(), { what: 'the terminal to ask for a card' });
    await driver.cancel();
    sim.present(CARDS.visa);
    expect(await paying).toMatchObject({ kind: 'approved' });
    expect(sim.book.totalMinor()).toBe(1500);
  });

  it('reverses an approval that is no longer wanted', async () => {
    const ready = await startReady();
    const outcome = await payWith(
      CARDS.visa,
      ready,
      witness(async () => false),
    );
    expect(outcome).toMatchObject({ kind: 'cancelled' });
    expect(ready.sim.book).toMatchObject({ sales: [], takenBack: [{ amountMinor: 1500 }] });
  });

  it.each([
    { fault: { currency: 978 }, reason: 'currency' },
    { fault: { amountMinor: 150_000 }, reason: 'amount' },
    { fault: { terminalId: '99999999' }, reason: 'terminal' },
  ])('has its approval reversed if it approves something else ($reason)', async ({ fault, reason }) => {
    const ready = await startReady();
    Object.assign(ready.sim.faults, fault);
    const seen = witness();
    expect(await payWith(CARDS.visa, ready, seen)).toMatchObject({ kind: 'declined', reason });
    expect(seen.approvals).toEqual([]);
    expect(ready.sim.book).toMatchObject({ sales: [], takenBack: [{ amountMinor: 1500 }] });
  });

  it('gets a request to wait while an approval is stored', async () => {
    const ready = await startReady({}, { approvalMs: 20 });
    let write = () => {};
    const written = new Promise<boolean>((resolve) => {
      write = () => resolve(true);
    });
    const outcome = payWith(
      CARDS.visa,
      ready,
      witness(() => written),
    );
    await waitFor(() => ready.sim.received.includes('849C'), { what: 'the till to ask for patience' });
    write();
    expect(await outcome).toMatchObject({ kind: 'approved' });
    expect(ready.sim.book.sales).toHaveLength(1);
  });

  it('has an approval reversed that takes too long to store', async () => {
    const ready = await startReady({}, { approvalMs: 5 });
    const outcome = await payWith(
      CARDS.visa,
      ready,
      witness(() => new Promise(() => {})),
    );
    expect(outcome).toMatchObject({ kind: 'cancelled' });
    expect(ready.sim.book).toMatchObject({ sales: [], takenBack: [{ amountMinor: 1500 }] });
  });

  it('is sent nothing while it is busy', async () => {
    const ready = await startReady();
    ready.sim.faults.busy = 1;
    expect(await payWith(CARDS.visa, ready)).toMatchObject({ kind: 'not-sent' });
    expect(await payWith(CARDS.visa, ready)).toMatchObject({ kind: 'approved' });
  });

  it('is sent nothing while it is away', async () => {
    const { sim, driver } = await startReady();
    await sim.close();
    await waitFor(() => driver.status().connection === 'DISCONNECTED', { what: 'the driver to notice' });
    expect(await driver.pay(order(), witness().events)).toMatchObject({ kind: 'not-sent' });
    expect(await driver.lastResult()).toMatchObject({ kind: 'unavailable' });
  });
});
