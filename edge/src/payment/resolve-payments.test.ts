import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestPayments, type TestPayments } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';

let rig: TestPayments;

beforeEach(() => {
  rig = createTestPayments();
});
afterEach(() => rig.close());

describe('a payment of unknown outcome', () => {
  async function unknown(): Promise<{ id: string; visitId: string }> {
    rig.site.price(500);
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    rig.terminal.last = { kind: 'unavailable', problem: 'no line' };
    rig.terminal.connection = 'DISCONNECTED';
    rig.terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await rig.ended(id);
    return { id, visitId };
  }

  it('is never paid again, and settled by asking', async () => {
    const { id, visitId } = await unknown();
    expect(rig.stored(id)?.state).toBe('unknown');
    expect(rig.records.dues.of(visitId, rig.site.now())).toMatchObject({
      standing: 'checking',
      paymentId: id,
    });
    expect(await rig.order(visitId)).toEqual({ ok: false, reason: 'payment-under-way' });
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(500), reversed: false };
    await expect.poll(() => rig.stored(id)?.state).toBe('settled');
    expect(rig.site.visits()).toMatchObject([{ unitsMet: 1 }]);
  });

  it('needs a person where asking settles nothing, and keeps no car in', async () => {
    const { id, visitId } = await unknown();
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.gates['out-1'].pulses).toBe(0);
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(999), reversed: false };
    await expect.poll(() => rig.stored(id)?.needsPerson).toBe(true);
    await expect.poll(() => rig.site.gates['out-1'].pulses).toBe(1);
    expect(rig.site.visits()).toMatchObject([{ flags: ['payment-unknown'], status: 'need-payment' }]);
    expect(rig.payments.signs().payments.state).toBe('failing');
    expect(await rig.order(visitId)).toMatchObject({ ok: false });
    // Others pay.
    rig.terminal.connection = 'CONNECTED';
    const other = await rig.begin(await rig.inside('KLM34'));
    await rig.approve(other);

    expect(rig.payments.forPerson()).toMatchObject([{ id, state: 'unknown' }]);
    expect(await rig.payments.recordFinding(id, 'booked', 'technician')).toBe(true);
    expect(rig.stored(id)).toMatchObject({ state: 'settled', needsPerson: false });
    expect(rig.payments.signs().payments.state).toBe('ok');
  });

  it('lets its car out before long', async () => {
    const { visitId } = await unknown();
    rig.site.wait(61_000);
    await expect.poll(() => rig.site.core.stays.visits.get(visitId)?.flags).toContain('payment-unknown');
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.gates['out-1'].pulses).toBe(1);
  });
});

describe('a terminal that comes to no end', () => {
  it('does not keep in a driver who has cancelled the payment', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    await rig.payments.cancel(id);
    rig.site.wait(61_000);
    await expect.poll(() => rig.site.visits()).toMatchObject([{ flags: ['payment-unknown'] }]);
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.gates['out-1'].pulses).toBe(1);
    expect([rig.stored(id)?.state, rig.terminal.isPaying()]).toEqual(['sent', true]);
    expect(rig.site.visits()).toMatchObject([{ status: 'need-payment', unitsMet: 0 }]);
    rig.terminal.paying().end({ kind: 'cancelled', code: null });
    await rig.ended(id);
    expect(rig.stored(id)).toMatchObject({ state: 'cancelled', reason: 'driver-gone' });
  });

  it('does not let out a driver who only waits', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    rig.site.wait(600_000);
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.reasons().at(-1)).toBe('need-payment');
    await rig.approve(id);
  });
});

describe('the terminal', () => {
  const PAUSES = [1000, 2000, 4000, 5000, 5000];
  let id: string;

  beforeEach(async () => {
    await rig.close();
    rig = createTestPayments({ timing: { firstPauseMs: 1000, maxPauseMs: 5000 } });
    rig.site.price(500);
    id = await rig.begin(await rig.inside());
    rig.terminal.last = { kind: 'unavailable', problem: 'no line' };
    rig.terminal.connection = 'DISCONNECTED';
    rig.terminal.asked = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    rig.terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await isAsked(1);
  });
  afterEach(() => void vi.useRealTimers());

  /** Waits for this number of requests in all, once everything that is under way has had its turn. */
  async function isAsked(times: number): Promise<void> {
    for (let commits = 0; commits < 10; commits++) await rig.site.core.commit.run(() => undefined);
    expect(rig.terminal.asked).toBe(times);
  }

  it('is asked again after pauses that grow up to the longest', async () => {
    for (const [pauses, ms] of PAUSES.entries()) {
      vi.advanceTimersByTime(ms - 1);
      await isAsked(1 + pauses);
      vi.advanceTimersByTime(1);
      await isAsked(2 + pauses);
    }
    // A terminal that is away cannot answer: no person is needed for that.
    expect(rig.stored(id)).toMatchObject({ state: 'unknown', needsPerson: false });
  });

  it('is asked at once when it is back, and then after the shortest pause again', async () => {
    vi.advanceTimersByTime(1000);
    await isAsked(2);
    vi.advanceTimersByTime(2000);
    await isAsked(3);
    rig.terminal.connection = 'UNKNOWN';
    await isAsked(3);
    rig.terminal.connection = 'CONNECTED';
    await isAsked(4);
    // It was there already.
    rig.terminal.connection = 'CONNECTED';
    await isAsked(4);
    vi.advanceTimersByTime(1000);
    await isAsked(5);
  });

  it('is asked again at once where it came back while it was asked', async () => {
    let answer: () => void = () => undefined;
    rig.terminal.answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    vi.advanceTimersByTime(1000);
    await isAsked(2);
    rig.terminal.connection = 'CONNECTED';
    await isAsked(2);
    answer();
    await isAsked(3);
  });

  it('is asked no more once its payment is known', async () => {
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(500), reversed: false };
    rig.terminal.connection = 'CONNECTED';
    await isAsked(2);
    expect(rig.stored(id)?.state).toBe('settled');
    vi.advanceTimersByTime(60_000);
    await isAsked(2);
  });

  it('is asked no more, and watched no more, once the program stops', async () => {
    await rig.payments.stop();
    expect(rig.terminal.isWatched).toBe(false);
    rig.terminal.connection = 'CONNECTED';
    vi.advanceTimersByTime(60_000);
    await isAsked(1);
  });
});
