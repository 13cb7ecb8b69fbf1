import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PayOutcome, TerminalTransaction } from '../terminal/terminal.ts';
import { createTestSite } from '../test-site.ts';
import { createPayments } from './payments.ts';
import { type TestTerminal, testTerminal, testTransaction } from './test-terminal.ts';

const HOUR = 3_600_000;
let site: ReturnType<typeof createTestSite>;
let terminal: TestTerminal;
let payments: ReturnType<typeof createPayments>;

beforeEach(() => {
  site = createTestSite();
  terminal = testTerminal();
  payments = createPayments({
    ...{ terminalId: 'pos-1', terminal, db: site.db, log: pino({ enabled: false }) },
    ...{ commit: site.core.commit, events: site.core.events, stays: site.core.stays },
    ...{ dayClosesAt: '04:00', timeZone: () => 'Atlantic/Reykjavik' },
    timing: { firstPauseMs: 1, mostPauseMs: 2, triesWhileConnected: 3, letOutAfterMs: 60_000 },
    stopPatienceMs: 50,
    clock: { now: () => new Date(site.now()) },
  });
  payments.start();
});
afterEach(async () => {
  await payments.stop();
  site.close();
});

async function inside(plate = 'ABX12', hours = 2): Promise<string> {
  await site.read('in-1', plate);
  site.wait(hours * HOUR);
  return site.core.stays.visits.openByPlate(plate)?.id ?? '';
}

const order = (visitId: string, more: object = {}, key: string = crypto.randomUUID()) =>
  payments.desk.order({ visitId, language: 'is', ...more }, key);
const changed = () =>
  site.events().flatMap(({ body }) => (body.type === 'payment.changed' ? [body.payment] : []));
const states = () => changed().map(({ state }) => state);
const stored = (id: string) => payments.store.get(id)?.payment;

/** Orders, and waits until the terminal is asked. */
async function begin(visitId: string, more: object = {}): Promise<string> {
  const answer = await order(visitId, more);
  if (!answer.ok) throw new Error(answer.reason);
  await expect.poll(() => terminal.isPaying()).toBe(true);
  return answer.payment.id;
}

async function ended(id: string): Promise<void> {
  await expect.poll(() => payments.desk.isActive(id)).toBe(false);
}

async function approve(id: string, amountMinor = 500): Promise<boolean> {
  const { events, end } = terminal.paying();
  const transaction: TerminalTransaction = testTransaction(amountMinor);
  const stands = await events.onApproval(transaction);
  const outcome: PayOutcome = stands
    ? { kind: 'approved', transaction, receipt: ['KVITTUN'] }
    : { kind: 'cancelled', code: null };
  end(outcome);
  await ended(id);
  return stands;
}

describe('a payment', () => {
  it('settles its visit, tells of it after the visit, and lets the car out that waits', async () => {
    site.price(500);
    const visitId = await inside();
    await site.read('out-1', 'ABX12');
    expect(site.gates['out-1'].pulses).toBe(0);
    const id = await begin(visitId);
    expect(await approve(id)).toBe(true);
    expect(states()).toEqual(['created', 'sent', 'approved', 'approved', 'settled']);
    expect(stored(id)).toMatchObject({
      ...{ state: 'settled', amountMinor: 500, units: 1, receipt: ['KVITTUN'] },
      transaction: { card: { type: 'visa', lastFour: '1111' } },
    });
    const types = site.events().map(({ body }) => body.type);
    expect(types.lastIndexOf('payment.changed')).toBeGreaterThan(types.indexOf('visit.updated'));
    await expect.poll(() => site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ status: 'completed', paymentStatus: 'kiosk', unitsMet: 1 }]);
  });

  it('is on the disk before anything goes out, with what the terminal had booked last', async () => {
    site.price(500);
    terminal.last = { kind: 'transaction', transaction: testTransaction(700, '0009'), reversed: false };
    const id = await begin(await inside());
    expect(payments.store.get(id)).toMatchObject({
      payment: { state: 'sent' },
      baseline: { kind: 'transaction', transaction: { reference: '0009' } },
    });
    await approve(id);
  });

  it('is one, however often it is ordered', async () => {
    site.price(500);
    const visitId = await inside();
    const first = await order(visitId, {}, 'the-same-key');
    const [again, other] = [await order(visitId, {}, 'the-same-key'), await order(visitId)];
    expect(first.ok && again.ok && again.payment.id === first.payment.id).toBe(true);
    expect(first.ok && other.ok && other.payment.id === first.payment.id).toBe(true);
    expect(await order(crypto.randomUUID(), {}, 'the-same-key')).toEqual({ ok: false, reason: 'bad-input' });
    await expect.poll(() => terminal.isPaying()).toBe(true);
    if (first.ok) await approve(first.payment.id);
    expect(await order(visitId, {}, 'the-same-key')).toMatchObject({
      ok: true,
      payment: { state: 'settled' },
    });
    expect(await order(visitId)).toEqual({ ok: false, reason: 'nothing-due' });
  });

  it.each([
    ['not-found', async () => order(crypto.randomUUID())],
    ['amount-changed', async () => order(await inside(), { amountMinor: 400 })],
    ['nothing-due', async () => order(await inside('ABX12', 0.1))],
    [
      'terminal-away',
      async () => {
        terminal.connection = 'DISCONNECTED';
        return order(await inside());
      },
    ],
    [
      'terminal-busy',
      async () => {
        await begin(await inside());
        return order(await inside('KLM34'));
      },
    ],
    [
      'visit-ended',
      async () => {
        const visitId = await inside();
        await site.read('out-1', 'ABX12');
        await begin(visitId).then(approve);
        return order(visitId);
      },
    ],
  ])('is refused: %s', async (reason, ask) => {
    site.price(500);
    expect(await ask()).toEqual({ ok: false, reason });
  });

  it('that is declined leaves the visit to be paid', async () => {
    site.price(500);
    const visitId = await inside();
    const id = await begin(visitId);
    terminal.paying().end({ kind: 'declined', reason: 'refused', code: '05', receipt: [] });
    await ended(id);
    expect(stored(id)).toMatchObject({ state: 'declined', reason: 'refused' });
    const again = await begin(visitId);
    expect(await approve(again)).toBe(true);
  });

  it('whose driver has gone is not taken', async () => {
    site.price(500);
    const id = await begin(await inside());
    await payments.desk.cancel(id);
    expect(terminal.cancels).toBe(1);
    expect(await approve(id)).toBe(false);
    expect(stored(id)).toMatchObject({ state: 'cancelled', reason: 'driver-gone' });
  });

  it('that is booked all the same is taken back', async () => {
    site.price(500);
    const id = await begin(await inside());
    await payments.desk.cancel(id);
    const transaction = testTransaction(500);
    expect(await terminal.paying().events.onApproval(transaction)).toBe(false);
    terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
    await ended(id);
    expect(stored(id)).toMatchObject({ state: 'reversed', reason: 'driver-gone' });
    expect(terminal.reversed).toHaveLength(1);
  });

  it.each([
    ['EUR', 500],
    ['ISK', 50],
  ])('of %s %i is not what was ordered', async (currency, amountMinor) => {
    site.price(500);
    const id = await begin(await inside());
    const { events, end } = terminal.paying();
    expect(await events.onApproval({ ...testTransaction(amountMinor), currency })).toBe(false);
    end({ kind: 'cancelled', code: null });
    await ended(id);
    expect(stored(id)).toMatchObject({ state: 'cancelled', reason: 'mismatch' });
  });

  it('of another amount that is booked without a word is taken back, also where that takes two tries', async () => {
    site.price(500);
    terminal.reverses = 'unknown';
    const id = await begin(await inside());
    const transaction = testTransaction(5000);
    terminal.last = { kind: 'transaction', transaction, reversed: false };
    terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
    await expect.poll(() => terminal.reversed.length).toBeGreaterThan(1);
    expect(stored(id)).toMatchObject({ reason: 'mismatch' });
    terminal.reverses = 'reversed';
    await expect.poll(() => stored(id)?.state).toBe('reversed');
    expect(site.visits()).toMatchObject([{ unitsMet: 0, flags: [] }]);
  });

  it('that the cloud asks for while another of its visit is under way is not that other one', async () => {
    site.price(500);
    const visitId = await inside();
    const id = await begin(visitId);
    const paymentId = crypto.randomUUID();
    expect(await order(visitId, { paymentId })).toEqual({ ok: false, reason: 'payment-under-way' });
    await approve(id);
  });

  it.each(['reversed', 'already-reversed', 'not-possible'] as const)(
    'whose visit was paid elsewhere meanwhile: %s',
    async (how) => {
      site.price(500);
      terminal.reverses = how;
      const visitId = await inside();
      const id = await begin(visitId);
      const transaction = testTransaction(500);
      expect(await terminal.paying().events.onApproval(transaction)).toBe(true);
      const item = {
        ...{ id: crypto.randomUUID(), visitId, paymentStatus: 'kiosk' as const, amountMinor: 500 },
        ...{ currency: 'ISK', units: 1, settledAt: site.now(), by: 'account:1' },
      };
      site.change({ kind: 'settlement', op: 'put', id: item.id, item });
      terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
      await ended(id);
      const kept = how === 'not-possible';
      expect(stored(id)).toMatchObject({ state: kept ? 'settled' : 'reversed', needsPerson: kept });
      expect(payments.store.underWay()).toEqual([]);
    },
  );
});

describe('a payment of unknown outcome', () => {
  async function unknown(): Promise<{ id: string; visitId: string }> {
    site.price(500);
    const visitId = await inside();
    const id = await begin(visitId);
    terminal.last = { kind: 'unavailable', problem: 'no line' };
    terminal.connection = 'DISCONNECTED';
    terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await ended(id);
    return { id, visitId };
  }

  it('is never paid again, and settled by asking', async () => {
    const { id, visitId } = await unknown();
    expect(stored(id)?.state).toBe('unknown');
    expect(payments.dues.of(visitId, site.now())).toMatchObject({ standing: 'checking', paymentId: id });
    expect(await order(visitId)).toEqual({ ok: false, reason: 'payment-under-way' });
    terminal.last = { kind: 'transaction', transaction: testTransaction(500), reversed: false };
    await expect.poll(() => stored(id)?.state).toBe('settled');
    expect(site.visits()).toMatchObject([{ unitsMet: 1 }]);
  });

  it('is for a person where asking settles nothing, and keeps nobody in', async () => {
    const { id, visitId } = await unknown();
    await site.read('out-1', 'ABX12');
    expect(site.gates['out-1'].pulses).toBe(0);
    terminal.last = { kind: 'transaction', transaction: testTransaction(999), reversed: false };
    await expect.poll(() => stored(id)?.needsPerson).toBe(true);
    await expect.poll(() => site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ flags: ['payment-unknown'], status: 'need-payment' }]);
    expect(payments.signs().payments.state).toBe('failing');
    expect(await order(visitId)).toMatchObject({ ok: false });
    // Others pay.
    terminal.connection = 'CONNECTED';
    const other = await begin(await inside('KLM34'));
    await approve(other);

    expect(payments.forPerson()).toMatchObject([{ id, state: 'unknown' }]);
    expect(await payments.byPerson(id, 'booked', 'technician')).toBe(true);
    expect(stored(id)).toMatchObject({ state: 'settled', needsPerson: false });
    expect(payments.signs().payments.state).toBe('ok');
  });

  it('lets its car out before long', async () => {
    const { visitId } = await unknown();
    site.wait(61_000);
    await expect
      .poll(() => site.core.stays.visits.get(visitId)?.flags, { timeout: 5000 })
      .toContain('payment-unknown');
    await site.read('out-1', 'ABX12');
    expect(site.gates['out-1'].pulses).toBe(1);
  });
});

describe('a terminal that comes to no end', () => {
  it('keeps in nobody who does not want to pay there any more', async () => {
    site.price(500);
    const id = await begin(await inside());
    await payments.desk.cancel(id);
    site.wait(61_000);
    await expect.poll(() => site.visits()).toMatchObject([{ flags: ['payment-unknown'] }]);
    await site.read('out-1', 'ABX12');
    expect(site.gates['out-1'].pulses).toBe(1);
    expect([stored(id)?.state, terminal.isPaying()]).toEqual(['sent', true]);
    expect(site.visits()).toMatchObject([{ status: 'need-payment', unitsMet: 0 }]);
    terminal.paying().end({ kind: 'cancelled', code: null });
    await ended(id);
    expect(stored(id)).toMatchObject({ state: 'cancelled', reason: 'driver-gone' });
  });

  it('is no way out for somebody who only waits', async () => {
    site.price(500);
    const id = await begin(await inside());
    site.wait(600_000);
    await site.read('out-1', 'ABX12');
    expect(site.reasons().at(-1)).toBe('need-payment');
    await approve(id);
  });
});

describe('days in advance', () => {
  it('cost by the day, and must meet what is due', async () => {
    site.price(500);
    const visitId = await inside('ABX12', 30);
    expect(await order(visitId, { quantity: 1 })).toEqual({ ok: false, reason: 'bad-input' });
    const id = await begin(visitId, { quantity: 3, amountMinor: 1500 });
    await approve(id, 1500);
    expect(stored(id)).toMatchObject({ state: 'settled', units: 3 });
    site.wait(40 * HOUR);
    expect(payments.dues.of(visitId, site.now())?.standing).toBe('paid');
    site.wait(3 * HOUR);
    expect(payments.dues.of(visitId, site.now())?.demand?.price.amountMinor).toBe(500);
  });
});

describe('the terminal’s day', () => {
  async function paid(): Promise<void> {
    site.price(500);
    await begin(await inside()).then(approve);
  }
  const total = (count: number, amountMinor: number, type: 'visa' | 'mastercard' = 'visa') => ({
    totals: { cards: [{ type, count, amountMinor }], currency: 'ISK', receipt: [] },
    problem: null,
  });
  const closed = () =>
    site.events().flatMap(({ body }) => (body.type === 'terminal.day-closed' ? [body] : []));

  it('is closed at night, once, and agrees', async () => {
    await paid();
    terminal.totals = total(1, 500);
    await payments.day.look();
    expect(closed()).toEqual([]);
    site.wait(24 * HOUR);
    await payments.day.look();
    await payments.day.look();
    expect(closed()).toMatchObject([
      { agrees: true, booked: [{ type: 'visa', count: 1, amountMinor: 500 }] },
    ]);
    expect(payments.signs().day.state).toBe('ok');
  });

  it('agrees where the terminal counts a brand as another, and the whole is the same', async () => {
    await paid();
    terminal.totals = total(1, 500, 'mastercard');
    expect(await payments.day.close()).toBe(true);
    expect(closed()).toMatchObject([{ agrees: true }]);
  });

  it('says where it differs from the journal', async () => {
    await paid();
    terminal.totals = total(2, 1000);
    expect(await payments.day.close()).toBe(true);
    expect(closed()).toMatchObject([{ agrees: false }]);
    expect(payments.signs().day).toMatchObject({ state: 'differing' });
  });

  it('has in it what a person finds out about later, and no other day has', async () => {
    site.price(500);
    const id = await begin(await inside());
    terminal.last = { kind: 'transaction', transaction: testTransaction(999), reversed: false };
    terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await expect.poll(() => stored(id)?.needsPerson).toBe(true);
    terminal.totals = total(1, 500);
    expect(await payments.day.close()).toBe(true);
    await payments.byPerson(id, 'booked', 'technician');
    terminal.totals = { totals: { cards: [], currency: 'ISK', receipt: [] }, problem: null };
    expect(await payments.day.close()).toBe(true);
    expect(closed()).toMatchObject([{ agrees: false }, { agrees: true, booked: [] }]);
  });

  it('waits for whoever pays, and is tried again where the terminal would not', async () => {
    site.price(500);
    const id = await begin(await inside());
    expect(await payments.day.close()).toBe(false);
    await approve(id);
    terminal.totals = { totals: null, problem: 'busy' };
    expect(await payments.day.close()).toBe(false);
    site.wait(72 * HOUR);
    expect(payments.signs().day).toMatchObject({ state: 'failing' });
  });
});
