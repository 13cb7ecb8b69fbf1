import { vatParts } from '@hlid/protocol/base/vat';
import { taxedAmounts } from '@hlid/protocol/records/payment';
import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPayments, HOUR, type TestPayments } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';

let rig: TestPayments;

beforeEach(() => {
  rig = createTestPayments();
});
afterEach(() => rig.close());

describe('a payment', () => {
  it('settles its visit, is reported after the visit, and opens the exit for the waiting car', async () => {
    rig.site.price(500);
    const visitId = await rig.inside();
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.gates['out-1'].pulses).toBe(0);
    const id = await rig.begin(visitId);
    expect(await rig.approve(id)).toBe(true);
    expect(rig.states()).toEqual(['created', 'sent', 'approved', 'approved', 'settled']);
    expect(rig.stored(id)).toMatchObject({
      state: 'settled',
      amountMinor: 500,
      units: 1,
      receipt: ['KVITTUN'],
      transaction: { card: { type: 'visa', lastFour: '1111' } },
    });
    const types = rig.site.events().map(({ body }) => body.type);
    expect(types.lastIndexOf('payment.changed')).toBeGreaterThan(types.indexOf('visit.updated'));
    await expect.poll(() => rig.site.gates['out-1'].pulses).toBe(1);
    expect(rig.site.visits()).toMatchObject([{ status: 'completed', paymentStatus: 'kiosk', unitsMet: 1 }]);
  });

  it('has amount, currency and VAT of the version that priced it', async () => {
    rig.site.price(500, 'light', { vatRate: 24 });
    const visitId = await rig.inside();
    rig.site.price(600, 'light', { version: 2, vatRate: 11 });
    const id = await rig.begin(visitId);
    expect(rig.records.store.get(id)).toMatchObject({
      payment: { amountMinor: 500, product: { id: 'day-light', version: 1, vatRate: 24 } },
      bill: { vatRate: 24 },
    });
    await rig.approve(id);
  });

  it('has the service fee that its site charges on top, which is no part of the price', async () => {
    const tariff = TariffSchema.parse({
      bands: [{ steps: [{ kind: 'each', priceMinor: 200, everyMinutes: 60 }] }],
      serviceFees: { kiosk: 50 },
    });
    rig.site.price(500, 'light', { config: { startTime: '00:00', endTime: '23:59', tariff } });
    const visitId = await rig.inside();
    expect(await rig.order(visitId, { amountMinor: 450 })).toMatchObject({ reason: 'amount-changed' });
    const site = rig.site.core.site();
    const settings = { ...site.settings, chargesServiceFees: true };
    rig.site.change({ kind: 'site', op: 'put', id: 'site', item: { ...site, settings } });
    const id = await rig.begin(visitId, { amountMinor: 450 });
    expect(rig.stored(id)).toMatchObject({
      amountMinor: 450,
      feesMinor: 50,
      lines: [
        { rule: 'step', amountMinor: 400 },
        { rule: 'service-fee', amountMinor: 50 },
      ],
    });
    expect(await rig.approve(id, 450)).toBe(true);
    // The fee pays for no time.
    expect(rig.site.visits()).toMatchObject([{ paidMinor: 400, price: { amountMinor: 0 } }]);
  });

  it('says the VAT of the price and of the fee, each its own', async () => {
    const tariff = TariffSchema.parse({
      bands: [{ steps: [{ kind: 'each', priceMinor: 200, everyMinutes: 60 }] }],
      serviceFees: { kiosk: 124 },
    });
    const config = { startTime: '00:00', endTime: '23:59', tariff };
    rig.site.price(500, 'light', { vatRate: 0, config });
    const site = rig.site.core.site();
    const exempt = { category: 'E' as const, rate: 0, reason: 'parking-rental' };
    const vat = [{ from: '2020-01-01', prices: exempt, fees: { category: 'S' as const, rate: 24 } }];
    const settings = { ...site.settings, chargesServiceFees: true, vat };
    rig.site.change({ kind: 'site', op: 'put', id: 'site', item: { ...site, settings } });
    const visitId = await rig.inside();
    const id = await rig.begin(visitId, { amountMinor: 524 });
    const stored = rig.stored(id);
    expect(stored).toMatchObject({
      product: { vatRate: 0, vatCategory: 'E', vatReason: 'parking-rental' },
      feesVat: { vatRate: 24 },
    });
    expect(stored && vatParts(taxedAmounts(stored))).toEqual([
      { category: 'S', rate: 24, reasons: [], netMinor: 100, vatMinor: 24 },
      { category: 'E', rate: 0, reasons: ['parking-rental'], netMinor: 400, vatMinor: 0 },
    ]);
    await rig.approve(id, 524);
  });

  it('is never of a price in another currency than the site’s', async () => {
    rig.site.price(500);
    const visitId = await rig.inside();
    rig.site.price(4, 'light', { version: 2, currency: 'EUR' });
    const id = await rig.begin(visitId);
    expect(rig.stored(id)).toMatchObject({ amountMinor: 500, currency: 'ISK' });
    await rig.approve(id);
    await rig.site.read('in-1', 'KZD82');
    rig.site.wait(HOUR);
    const other = rig.site.core.stays.visits.openByPlate('KZD82')?.id ?? '';
    expect(await rig.order(other)).toEqual({ ok: false, reason: 'nothing-due' });
  });

  it('is on the disk before anything goes out, with what the terminal had booked last', async () => {
    rig.site.price(500);
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(700, '0009'), reversed: false };
    const id = await rig.begin(await rig.inside());
    expect(rig.records.store.get(id)).toMatchObject({
      payment: { state: 'sent' },
      baseline: { kind: 'transaction', transaction: { reference: '0009' } },
    });
    await rig.approve(id);
  });

  it('is one, however often it is ordered', async () => {
    rig.site.price(500);
    const visitId = await rig.inside();
    const first = await rig.order(visitId, {}, 'the-same-key');
    const [again, other] = [await rig.order(visitId, {}, 'the-same-key'), await rig.order(visitId)];
    expect(first.ok && again.ok && again.payment.id === first.payment.id).toBe(true);
    expect(first.ok && other.ok && other.payment.id === first.payment.id).toBe(true);
    const another = [{ amountMinor: 400 }, { quantity: 1 }];
    for (const more of another) {
      expect(await rig.order(visitId, more, 'the-same-key')).toEqual({ ok: false, reason: 'key-reused' });
    }
    expect(await rig.order(crypto.randomUUID(), {}, 'the-same-key')).toMatchObject({ reason: 'key-reused' });
    await expect.poll(() => rig.terminal.isPaying()).toBe(true);
    if (first.ok) await rig.approve(first.payment.id);
    expect(await rig.order(visitId, {}, 'the-same-key')).toMatchObject({
      ok: true,
      payment: { state: 'settled' },
    });
    expect(await rig.order(visitId)).toEqual({ ok: false, reason: 'nothing-due' });
  });

  it.each([
    ['not-found', async () => rig.order(crypto.randomUUID())],
    ['amount-changed', async () => rig.order(await rig.inside(), { amountMinor: 400 })],
    ['nothing-due', async () => rig.order(await rig.inside('ABX12', 0.1))],
    [
      'terminal-away',
      async () => {
        rig.terminal.connection = 'DISCONNECTED';
        return rig.order(await rig.inside());
      },
    ],
    [
      'terminal-busy',
      async () => {
        await rig.begin(await rig.inside());
        return rig.order(await rig.inside('KLM34'));
      },
    ],
    [
      'visit-ended',
      async () => {
        const visitId = await rig.inside();
        await rig.site.read('out-1', 'ABX12');
        await rig.begin(visitId).then(rig.approve);
        return rig.order(visitId);
      },
    ],
  ])('is refused: %s', async (reason, ask) => {
    rig.site.price(500);
    expect(await ask()).toEqual({ ok: false, reason });
  });

  it('that is declined leaves the visit to be paid', async () => {
    rig.site.price(500);
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    rig.terminal.paying().end({ kind: 'declined', reason: 'refused', code: '05', receipt: [] });
    await rig.ended(id);
    expect(rig.stored(id)).toMatchObject({ state: 'declined', reason: 'refused' });
    const again = await rig.begin(visitId);
    expect(await rig.approve(again)).toBe(true);
  });

  it('is not taken after its driver has gone', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    await rig.payments.cancel(id);
    expect(rig.terminal.cancels).toBe(1);
    expect(await rig.approve(id)).toBe(false);
    expect(rig.stored(id)).toMatchObject({ state: 'cancelled', reason: 'driver-gone' });
  });

  it('that is booked all the same is taken back', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    await rig.payments.cancel(id);
    const transaction = testTransaction(500);
    expect(await rig.terminal.paying().events.onApproval(transaction)).toBe(false);
    rig.terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
    await rig.ended(id);
    expect(rig.stored(id)).toMatchObject({ state: 'reversed', reason: 'driver-gone' });
    expect(rig.terminal.reversed).toHaveLength(1);
  });

  it.each([
    ['EUR', 500],
    ['ISK', 50],
  ])('of %s %i is not what was ordered', async (currency, amountMinor) => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    const { events, end } = rig.terminal.paying();
    expect(await events.onApproval({ ...testTransaction(amountMinor), currency })).toBe(false);
    end({ kind: 'cancelled', code: null });
    await rig.ended(id);
    expect(rig.stored(id)).toMatchObject({ state: 'cancelled', reason: 'mismatch' });
  });

  describe('with a tip', () => {
    function takesTips(): void {
      const site = rig.site.core.site();
      const settings = { ...site.settings, takesTips: true };
      rig.site.change({ kind: 'site', op: 'put', id: 'site', item: { ...site, settings } });
    }

    it('pays what is due where the site takes tips, which are kept apart', async () => {
      takesTips();
      rig.site.price(500);
      const id = await rig.begin(await rig.inside());
      const { events, end } = rig.terminal.paying();
      expect(await events.onApproval(testTransaction(575))).toBe(true);
      end({ kind: 'approved', transaction: testTransaction(575), receipt: [] });
      await rig.ended(id);
      expect(rig.stored(id)).toMatchObject({
        state: 'settled',
        amountMinor: 500,
        transaction: { tipMinor: 75 },
      });
      expect(rig.site.visits()).toMatchObject([{ unitsMet: 1, paymentStatus: 'kiosk' }]);
      expect(rig.terminal.reversed).toEqual([]);
    });

    it.each([
      ['less than is due', 450],
      ['more than twice the amount', 1001],
    ])('is refused where it is %s', async (_what, amountMinor) => {
      takesTips();
      rig.site.price(500);
      const id = await rig.begin(await rig.inside());
      const { events, end } = rig.terminal.paying();
      expect(await events.onApproval(testTransaction(amountMinor))).toBe(false);
      end({ kind: 'cancelled', code: null });
      await rig.ended(id);
      expect(rig.stored(id)).toMatchObject({ state: 'cancelled', reason: 'mismatch' });
    });
  });

  it('is taken back if another amount is booked without a word, also where that takes two tries', async () => {
    rig.site.price(500);
    rig.terminal.reverses = 'unknown';
    const id = await rig.begin(await rig.inside());
    const transaction = testTransaction(5000);
    rig.terminal.last = { kind: 'transaction', transaction, reversed: false };
    rig.terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
    await expect.poll(() => rig.terminal.reversed.length).toBeGreaterThan(1);
    expect(rig.stored(id)).toMatchObject({ reason: 'mismatch' });
    rig.terminal.reverses = 'reversed';
    await expect.poll(() => rig.stored(id)?.state).toBe('reversed');
    expect(rig.site.visits()).toMatchObject([{ unitsMet: 0, flags: [] }]);
  });

  it('that the cloud asks for while another of its visit is under way is not that other one', async () => {
    rig.site.price(500);
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    const paymentId = crypto.randomUUID();
    expect(await rig.order(visitId, { paymentId })).toEqual({ ok: false, reason: 'payment-under-way' });
    await rig.approve(id);
  });

  it.each(['reversed', 'already-reversed', 'not-possible'] as const)(
    'whose visit was paid elsewhere meanwhile: %s',
    async (how) => {
      rig.site.price(500);
      rig.terminal.reverses = how;
      const visitId = await rig.inside();
      const id = await rig.begin(visitId);
      const transaction = testTransaction(500);
      expect(await rig.terminal.paying().events.onApproval(transaction)).toBe(true);
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
      rig.terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
      await rig.ended(id);
      const kept = how === 'not-possible';
      expect(rig.stored(id)).toMatchObject({ state: kept ? 'settled' : 'reversed', needsPerson: kept });
      expect(rig.records.store.underWay()).toEqual([]);
    },
  );
});

describe('a pause before a restart', () => {
  it('begins only while no driver pays, and no payment begins in it', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    expect(rig.payments.pause(1000)).toBe(false);
    await rig.approve(id);
    await rig.ended(id);
    expect(rig.payments.pause(1000)).toBe(true);
    expect(await rig.order(await rig.inside('KZD82'))).toEqual({ ok: false, reason: 'terminal-busy' });
    expect(rig.payments.pause(1000)).toBe(false);
  });
});

describe('days in advance', () => {
  it('cost by the day, and must meet what is due', async () => {
    rig.site.price(500);
    const visitId = await rig.inside('ABX12', 30);
    expect(await rig.order(visitId, { quantity: 1 })).toEqual({ ok: false, reason: 'too-little' });
    const id = await rig.begin(visitId, { quantity: 3, amountMinor: 1500 });
    await rig.approve(id, 1500);
    expect(rig.stored(id)).toMatchObject({ state: 'settled', units: 3 });
    rig.site.wait(40 * HOUR);
    expect(rig.records.dues.of(visitId, rig.site.now())?.standing).toBe('paid');
    rig.site.wait(3 * HOUR);
    expect(rig.records.dues.of(visitId, rig.site.now())?.demand?.price.amountMinor).toBe(500);
  });
});

describe('a settled payment that an operator has reversed', () => {
  /** The car is still inside: its driver has paid at the kiosk. */
  async function settled(): Promise<{ id: string; visitId: string }> {
    rig.site.price(500);
    const visitId = await rig.inside();
    const id = await rig.begin(visitId);
    await rig.approve(id);
    await rig.ended(id);
    return { id, visitId };
  }

  it('goes back to the card, pays for nothing any more, and no driver pays meanwhile', async () => {
    const { id, visitId } = await settled();
    let answer: (outcome: 'reversed') => void = () => undefined;
    rig.terminal.reverse = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const begun = {
      ok: true,
      payment: { id, state: 'settled', needsPerson: true, reason: 'reversal-ordered' },
    };
    expect(await rig.payments.reverse(id, 'account:1')).toMatchObject(begun);
    // The same order again.
    expect(await rig.payments.reverse(id, 'account:1')).toMatchObject(begun);
    expect(await rig.order(await rig.inside('KZD82'))).toEqual({ ok: false, reason: 'terminal-busy' });
    answer('reversed');
    await expect.poll(() => rig.stored(id)?.state).toBe('reversed');
    expect(rig.stored(id)).toMatchObject({ reason: 'person: account:1', needsPerson: false });
    expect(rig.site.core.stays.visits.get(visitId)).toMatchObject({ unitsMet: 0 });
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.reasons().at(-1)).toBe('need-payment');
    expect(await rig.payments.reverse(id, 'account:1')).toMatchObject({
      ok: true,
      payment: { state: 'reversed' },
    });
  });

  it.each(['not-possible', 'not-begun'] as const)(
    'stays settled and needs a person where the terminal says %s; it can be tried again',
    async (outcome) => {
      const { id } = await settled();
      rig.terminal.reverses = outcome;
      await rig.payments.reverse(id, 'account:1');
      const reason = 'reverse-not-possible';
      await expect.poll(() => rig.stored(id)).toMatchObject({ state: 'settled', needsPerson: true, reason });
      rig.terminal.reverses = 'already-reversed';
      await expect
        .poll(async () => (await rig.payments.reverse(id, 'account:1')).ok && rig.stored(id)?.state)
        .toBe('reversed');
    },
  );

  describe('whose answer is lost', () => {
    async function lost() {
      const { id, visitId } = await settled();
      rig.terminal.reverses = 'unknown';
      await rig.payments.reverse(id, 'account:1');
      const doubt = { state: 'settled', needsPerson: true, reason: 'reverse-unknown' };
      await expect.poll(() => rig.stored(id)).toMatchObject(doubt);
      return { id, visitId };
    }

    it('counts as given: no second order goes out before a person knows', async () => {
      const { id } = await lost();
      rig.terminal.reverses = 'reversed';
      await expect
        .poll(() => rig.payments.reverse(id, 'account:1'))
        .toEqual({ ok: false, reason: 'reversal-unknown' });
      expect(rig.terminal.reversed).toHaveLength(1);
      expect(await rig.payments.recordFinding(id, 'booked', 'technician')).toBe(true);
      expect((await rig.payments.reverse(id, 'account:1')).ok).toBe(true);
      await expect.poll(() => rig.stored(id)?.state).toBe('reversed');
    });

    it.each([
      [true, { state: 'reversed', needsPerson: false }],
      [false, { state: 'settled', needsPerson: true, reason: 'reverse-not-possible' }],
    ])('is found where the terminal says later: reversed %s', async (isReversed, after) => {
      const { id, visitId } = await lost();
      rig.terminal.knowsReversed = isReversed;
      rig.terminal.connection = 'DISCONNECTED';
      rig.terminal.connection = 'CONNECTED';
      await expect.poll(() => rig.stored(id)).toMatchObject(after);
      expect(rig.terminal.reversed).toHaveLength(1);
      expect(rig.site.core.stays.visits.get(visitId)?.unitsMet).toBe(isReversed ? 0 : 1);
    });
  });

  it('keeps what a person found out before the terminal answered', async () => {
    const { id } = await settled();
    let answer: (outcome: 'reversed') => void = () => undefined;
    rig.terminal.reverse = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await rig.payments.reverse(id, 'account:1');
    expect(await rig.payments.recordFinding(id, 'given-back', 'technician')).toBe(true);
    answer('reversed');
    await expect.poll(async () => (await rig.order(await rig.inside('KZD82'))).ok).toBe(true);
    expect(rig.stored(id)).toMatchObject({ state: 'reversed', reason: 'person: technician' });
  });

  it('is refused for what is not settled, not known, or while the terminal is away', async () => {
    const { id } = await settled();
    const other = await rig.begin(await rig.inside('KZD82'));
    expect(await rig.payments.reverse(id, 'account:1')).toEqual({ ok: false, reason: 'terminal-busy' });
    rig.terminal.paying().end({ kind: 'cancelled', code: null });
    await rig.ended(other);
    expect(await rig.payments.reverse(other, 'account:1')).toEqual({ ok: false, reason: 'not-reversible' });
    expect(await rig.payments.reverse(crypto.randomUUID(), 'x')).toEqual({ ok: false, reason: 'not-found' });
    rig.terminal.connection = 'DISCONNECTED';
    expect(await rig.payments.reverse(id, 'account:1')).toEqual({ ok: false, reason: 'terminal-away' });
  });
});
