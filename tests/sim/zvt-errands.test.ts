import { deadline } from '@hlid/protocol/test/deadline';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { CARDS } from './zvt-cards.ts';
import { order, startRig, witness, type ZvtRig } from './zvt-rig.ts';
import type { ZvtTerminalOptions } from './zvt-terminal.ts';

let rig: ZvtRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const LINES: ZvtTerminalOptions[] = [{ line: 'tcp' }, { line: 'serial' }];

describe.each(LINES)('over $line, a ZVT terminal', (line) => {
  async function start(...[sim, options]: Parameters<typeof startRig>): Promise<ZvtRig> {
    rig = await startRig({ ...line, ...sim }, options);
    return rig;
  }

  async function startReady(...given: Parameters<typeof startRig>): Promise<ZvtRig> {
    const own = await start(...given);
    await own.ready();
    return own;
  }

  async function paid({ sim, driver }: ZvtRig) {
    sim.present(CARDS.visa);
    const outcome = await driver.pay(order(), witness().events);
    if (outcome.kind !== 'approved') throw new Error(JSON.stringify(outcome));
    return outcome.transaction;
  }

  const untilReceived = ({ sim }: ZvtRig, control: string) =>
    waitFor(() => sim.received.includes(control), { what: `a command ${control}` });

  it('answers a status query, a registration, another query and a log-off', async () => {
    const own = await startReady();
    const commands = own.sim.received.filter((control) => control !== '8000');
    expect(commands).toEqual(['0501', '0600', '0501']);
    await own.driver.stop();
    expect(own.sim.received.at(-1)).toBe('0602');
    expect(own.driver.status().connection).toBe('DISCONNECTED');
  });

  it.each([
    { status: 0x51, commands: ['0693'], bare: false },
    { status: 0xc2, commands: ['0670', '0693'], bare: true },
    { status: 0xe4, commands: ['0670', '0693'], bare: false },
    { status: 0xf0, commands: ['0650'], bare: true },
  ])('gets the commands that it requests ($status)', async ({ status, commands, bare }) => {
    const own = await start({ faults: { status }, bareStatus: bare });
    for (const command of commands) await untilReceived(own, command);
    await own.ready();
    expect(own.sim.faults.status).toBe(0);
  });

  it('returns its newest booking after it was busy for a moment', async () => {
    const own = await startReady();
    const { reference } = await paid(own);
    own.sim.faults.busy = 2;
    expect(await own.driver.lastResult()).toMatchObject({ kind: 'transaction', transaction: { reference } });
  });

  it('accepts payments again after its end of day', async () => {
    const own = await start({ faults: { status: 0xf0 } }, { busyMs: 60_000 });
    await waitFor(() => own.driver.status().code === 'F0', { what: 'its code' });
    expect(own.driver.status()).toMatchObject({ connection: 'UNKNOWN', problem: 'it needs its end of day' });
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({ kind: 'not-sent' });
    expect(await own.driver.endOfDay()).toMatchObject({ problem: null });
    await own.ready();
  });

  it('runs a diagnosis without moving money', async () => {
    const own = await startReady();
    const lines = ['Terminal-ID: 52500001', 'Verbindung geprüft'];
    expect(await own.driver.diagnose?.()).toEqual({ problem: null, lines });
    expect(own.sim.received).toContain('0670');
    expect(own.sim.book.sales).toEqual([]);
  });

  it('returns its newest transaction, and whether that was a reversal', async () => {
    const own = await startReady();
    const before = await own.driver.lastResult();
    expect(before).toMatchObject({ kind: 'transaction', transaction: { amountMinor: 1 } });
    const transaction = await paid(own);
    expect(await own.driver.lastResult()).toMatchObject({ transaction, reversed: false });
    expect(await own.driver.reverse(transaction)).toBe('reversed');
    expect(await own.driver.lastResult()).toMatchObject({ reversed: true });
    expect(own.sim.received).toEqual(expect.arrayContaining(['0620', '0630']));
  });

  it('reverses a sale until its end of day', async () => {
    const own = await startReady();
    const transaction = await paid(own);
    const { totals } = await own.driver.endOfDay();
    expect(totals).toEqual({
      currency: 'ISK',
      cards: [{ type: 'visa', count: 1, amountMinor: 1500 }],
      receipt: ['** KASSENSCHNITT **', 'Gesamt: 1500'],
    });
    expect(await own.driver.reverse(transaction)).toBe('not-possible');
    expect(own.sim.book.totalMinor()).toBe(1500);
  });

  it.each([
    { code: 0xb4, outcome: 'already-reversed' },
    { code: 0xb5, outcome: 'not-possible' },
    // Its line to the bank: it may be asked again.
    { code: 0x7d, outcome: 'not-begun' },
    { code: 0x9c, outcome: 'not-begun' },
  ])('answers a reversal with code $code, and the outcome is $outcome', async ({ code, outcome }) => {
    const own = await startReady();
    const transaction = await paid(own);
    own.sim.faults.reversalCode = code;
    expect(await own.driver.reverse(transaction)).toBe(outcome);
    expect(own.sim.book.reversals).toEqual([]);
    expect(await own.driver.reverse(transaction)).toBe('reversed');
  });

  it.each([{ currency: 978 }, { amountMinor: 150_000 }])(
    'reverses nothing if its booking differs from the sale (%o)',
    async (lie) => {
      const own = await startReady();
      const transaction = await paid(own);
      Object.assign(own.sim.faults, lie);
      expect(await own.driver.reverse(transaction)).toBe('not-possible');
      expect(own.sim.book.totalMinor()).toBe(1500);
    },
  );

  it('aborts a payment on request', async () => {
    const own = await startReady();
    const paying = own.driver.pay(order(), witness().events);
    await waitFor(() => own.sim.waitsForCard(), { what: 'the terminal to ask for a card' });
    expect(own.driver.status().connection).toBe('ACTIVE');
    await own.driver.cancel();
    expect(await paying).toEqual({ kind: 'cancelled', code: '6C' });
    expect(own.sim.received).toContain('06B0');
    expect(own.driver.status().connection).toBe('CONNECTED');
  });

  it('may approve after an abort, and the approval counts or is reversed', async () => {
    for (const wanted of [true, false]) {
      const own = await startReady();
      own.sim.faults.approvesAfterAbort = true;
      const paying = own.driver.pay(order(), witness(async () => wanted).events);
      await waitFor(() => own.sim.waitsForCard(), { what: 'the terminal to ask for a card' });
      await own.driver.cancel();
      own.sim.present(CARDS.visa);
      expect(await paying).toMatchObject({ kind: wanted ? 'approved' : 'cancelled' });
      expect(own.sim.book.totalMinor()).toBe(wanted ? 1500 : 0);
      await own.close();
    }
  });

  it('has a very late approval refused and reversed', async () => {
    const own = await startReady(
      { bankMs: deadline(600), answerMs: deadline(2000) },
      { completionMs: deadline(150) },
    );
    own.sim.present(CARDS.visa);
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({ kind: 'unknown' });
    await own.ready();
    const newest = await waitFor(
      async () => {
        const last = await own.driver.lastResult();
        return last.kind === 'transaction' && last;
      },
      { what: 'the terminal to report its newest transaction' },
    );
    expect(newest).toMatchObject({ transaction: { amountMinor: 1 } });
    expect(own.sim.book.sales).toEqual([]);
    expect(own.sim.book.takenBack).toHaveLength(1);
  });

  it.each<[string, ZvtTerminalOptions]>([
    ['before it approves', { faults: { printsFirst: true } }],
    ['line by line', { printsByLines: true }],
    ['line by line, in Latin-1 that it does not announce', { printsByLines: true, latin1: true }],
  ])('prints its receipts %s, and the customer’s receipt is stored', async (_how, options) => {
    const own = await startReady(options);
    own.sim.present(CARDS.visa);
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({
      kind: 'approved',
      receipt: [
        '** KUNDENBELEG für Sie **',
        'Bezahlung',
        'Terminal-ID: 52500001',
        'Beleg-Nr: 0002',
        'Karte: **** **** **** 1111',
        'Betrag: 1500',
      ],
    });
  });

  it('has no stored receipt if it is to print nothing', async () => {
    const own = await startReady({}, { receipts: false });
    own.sim.present(CARDS.visa);
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({ kind: 'approved', receipt: [] });
  });

  it('takes cards by itself, and sends prompts', async () => {
    const own = await startReady({ byItself: { afterMs: 20, card: () => CARDS.mastercard }, pinMs: 5 });
    const seen = witness();
    expect(await own.driver.pay(order(), seen.events)).toMatchObject({ kind: 'approved' });
    expect(seen.prompts.map(({ text }) => text)).toEqual([
      'Karte bitte',
      'Bitte PIN eingeben',
      'Bitte warten',
    ]);
  });
});
