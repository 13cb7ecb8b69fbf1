import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPayments, type TestPayments } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';

let rig: TestPayments;
beforeEach(() => {
  rig = createTestPayments();
  rig.site.price(500);
});
afterEach(() => rig.close());

/** Settles the visit elsewhere while its payment is at the terminal. */
function settleElsewhere(visitId: string): void {
  const item = {
    id: crypto.randomUUID(),
    visitId,
    paymentStatus: 'kiosk' as const,
    amountMinor: 500,
    currency: 'ISK',
    units: 1,
    settledAt: rig.site.now(),
    by: 'account:1',
  };
  rig.site.change({ kind: 'settlement', op: 'put', id: item.id, item });
}

describe('an order', () => {
  it('asks its visit to pay, once, and days in advance do not', async () => {
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    expect(rig.site.visits()).toMatchObject([{ status: 'need-payment', price: { amountMinor: 500 } }]);
    const steps = () => rig.site.events().filter(({ body }) => body.type === 'visit.updated').length;
    const asked = steps();
    rig.terminal.paying().end({ kind: 'cancelled', code: null });
    await rig.ended(id);
    await rig.begin(visitId);
    expect(steps()).toBe(asked);
    await rig.approve(id);

    const other = await rig.inside('KLM34');
    const inAdvance = await rig.begin(other, { quantity: 2 });
    expect(rig.site.core.stays.visits.get(other)).toMatchObject({ status: 'new', price: null });
    await rig.approve(inAdvance, 1000);
  });

  it('is the same payment again, by whatever key', async () => {
    const visitId = await rig.inside();
    const paymentId = crypto.randomUUID();
    const id = await rig.begin(visitId, { paymentId });
    expect(id).toBe(paymentId);
    expect(await rig.order(visitId, { paymentId })).toMatchObject({ ok: true, payment: { id } });
    await rig.approve(id);
    expect(await rig.order(visitId, { paymentId })).toMatchObject({ payment: { id, state: 'settled' } });
  });

  it('waits for the payment that is under way if its amount is another one', async () => {
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    expect(await rig.order(visitId, { quantity: 2 })).toEqual({ ok: false, reason: 'payment-under-way' });
    await rig.approve(id);
  });

  it.each(['ACTIVE', 'DISCONNECTED'] as const)('is refused by a terminal that is %s', async (connection) => {
    rig.terminal.connection = connection;
    const reason = connection === 'ACTIVE' ? 'terminal-busy' : 'terminal-away';
    expect(await rig.order(await rig.inside())).toEqual({ ok: false, reason });
  });
});

describe('an approval', () => {
  it('does not stand if the visit was paid elsewhere meanwhile', async () => {
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    settleElsewhere(visitId);
    expect(await rig.approve(id)).toBe(false);
    expect(rig.stored(id)).toMatchObject({ state: 'cancelled', reason: 'not-due-any-more' });
    expect(rig.site.visits()).toMatchObject([{ unitsMet: 1 }]);
  });

  it('is on the disk, with its booking, before the approval is answered', async () => {
    const id = await rig.begin(await rig.inside());
    const transaction = testTransaction(500, '0042');
    await rig.terminal.paying().events.onApproval(transaction);
    expect(rig.records.store.get(id)).toMatchObject({
      payment: { state: 'approved' },
      booking: transaction,
    });
    await rig.approve(id);
  });
});

describe('a driver who is at the terminal', () => {
  it('sees the state of the terminal, and gets changes only', async () => {
    const id = await rig.begin(await rig.inside());
    const { events, order } = rig.terminal.paying();
    expect(order).toEqual({ id, amountMinor: 500, currency: 'ISK', language: 'is', takesTips: false });
    expect(rig.payments.prompt(id)).toEqual({ prompt: 'wait', promptText: null });
    events.onPrompt('insert-card', 'Kort');
    expect(rig.payments.prompt(id)).toEqual({ prompt: 'insert-card', promptText: 'Kort' });
    events.onPrompt('insert-card', 'Takk');
    expect(rig.payments.prompt(id)).toEqual({ prompt: 'insert-card', promptText: 'Takk' });
    events.onPrompt('wait', 'Takk');
    expect(rig.payments.prompt(id)).toEqual({ prompt: 'wait', promptText: 'Takk' });
    await rig.approve(id);
    expect(rig.payments.prompt(id)).toBeNull();
    expect(rig.payments.isGivenUp(id)).toBe(false);
  });

  it('gives up once', async () => {
    const id = await rig.begin(await rig.inside());
    await rig.payments.cancel(crypto.randomUUID());
    expect(rig.payments.isGivenUp(id)).toBe(false);
    await rig.payments.cancel(id);
    await rig.payments.cancel(id);
    expect(rig.terminal.cancels).toBe(1);
    expect(rig.payments.isGivenUp(id)).toBe(true);
    rig.terminal.paying().end({ kind: 'cancelled', code: null });
    await rig.ended(id);
  });

  it('gives up before the terminal was asked: it never is', async () => {
    const visitId = await rig.inside();
    const answer = await rig.order(visitId);
    if (!answer.ok) throw new Error(answer.reason);
    await rig.payments.cancel(answer.payment.id);
    await rig.ended(answer.payment.id);
    expect(rig.stored(answer.payment.id)).toMatchObject({ state: 'cancelled', reason: 'driver-gone' });
    expect(rig.terminal.isPaying()).toBe(false);
  });
});

describe('work at the terminal for which no driver may pay', () => {
  it('is done alone', async () => {
    const { payments } = rig;
    const inner: unknown[] = [];
    const visitId = await rig.inside();
    const done = await payments.runAlone(async () => {
      inner.push(await payments.runAlone(async () => undefined), await rig.order(visitId));
    });
    expect([done, inner]).toEqual([true, [false, { ok: false, reason: 'terminal-busy' }]]);
    const id = await rig.begin(visitId);
    expect(await payments.runAlone(async () => undefined)).toBe(false);
    await rig.approve(id);
  });

  it('lets others pay after it, when it has failed too', async () => {
    const failing = rig.payments.runAlone(() => Promise.reject(new Error('no line')));
    await expect(failing).rejects.toThrow('no line');
    await rig.approve(await rig.begin(await rig.inside()));
  });
});

describe('a payment of unknown outcome', () => {
  async function unknown(): Promise<string> {
    const id = await rig.begin(await rig.inside());
    rig.terminal.last = { kind: 'unavailable', problem: 'busy' };
    rig.terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await rig.ended(id);
    return id;
  }

  it('is for a person after the connected terminal failed to report it often enough', async () => {
    const id = await unknown();
    await expect
      .poll(() => rig.stored(id))
      .toMatchObject({ reason: 'terminal-does-not-report', needsPerson: true });
    expect(rig.site.visits()).toMatchObject([{ flags: ['payment-unknown'] }]);
  });

  it('is reversed where the terminal says that it took it back', async () => {
    const id = await rig.begin(await rig.inside());
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(500), reversed: true };
    rig.terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await expect.poll(() => rig.stored(id)?.state).toBe('reversed');
    expect(rig.site.visits()).toMatchObject([{ unitsMet: 0, flags: [] }]);
  });
});
