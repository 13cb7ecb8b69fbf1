import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { card, createOnlineRig, DRIVER, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import type { Payer } from './payer.ts';
import type { Stepped } from './payment-steps.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const OTHER: Payer = { kind: 'driver', id: 'link-2' };
const ok = (step: Stepped) => {
  if (!step.ok) throw new Error(JSON.stringify(step));
  return step;
};
const income = async () =>
  (await allInvoices(rig.api)).reduce((sum, one) => sum + (one.status === 'paid' ? one.amountMinor : 0), 0);

/** Everything agrees: the provider, the invoices and the visit. */
async function expectBooks(visitId: string, minor: number): Promise<void> {
  expect(rig.book().totalMinor()).toBe(minor);
  expect(await income()).toBe(minor);
  expect(await rig.visitRow(visitId)).toMatchObject({ unitsMet: minor / 500 });
}

describe('a payment', () => {
  it('settles the visit, publishes that to its site, and makes a paid invoice with its id', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment, next } = ok(await rig.payments.begin(DRIVER, rig.order(visit)));
    expect(payment).toMatchObject({
      state: 'created',
      invoiceStatus: 'draft',
      amountMinor: 500,
      currency: 'ISK',
    });
    expect(next).toEqual({ kind: 'finalize' });
    const paid = ok(
      await rig.payments.finalize(DRIVER, payment.reference, { source: card(), threedsToken: null }),
    );
    expect(paid.payment).toMatchObject({
      id: payment.id,
      state: 'settled',
      invoiceStatus: 'paid',
      card: { type: 'visa', lastFour: '1111' },
    });
    expect(await rig.api.lastChange()).toMatchObject({
      kind: 'settlement',
      item: { id: payment.id, visitId: visit.id, paymentStatus: 'kiosk', units: 1, amountMinor: 500 },
    });
    expect(await allInvoices(rig.api)).toMatchObject([
      { id: payment.id, status: 'paid', paymentType: 'online', receiptLastFour: '1111', amountMinor: 500 },
    ]);
    await expectBooks(visit.id, 500);
    const types = (await rig.api.call('GET', '/webhooks/events')).body['data'];
    expect(JSON.stringify(types)).toContain('payment.settled');
  });

  it.each<[Script, string, string, string | null]>([
    ['insufficient-funds', 'declined', 'failed', 'insufficient-funds'],
    ['security', 'declined', 'failed', 'refused'],
    ['authenticate-again', 'declined', 'failed', 'not-authenticated'],
    ['unavailable-at-charge', 'cancelled', 'failed', 'unavailable'],
    ['wrong-amount', 'reversed', 'failed', 'refused'],
  ])('by a card of %s is %s, and its invoice %s', async (script, state, invoiceStatus, reason) => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment } = ok(await rig.payments.purchase(DRIVER, rig.order(visit, script)));
    expect(payment).toMatchObject({ state, invoiceStatus, reason });
    await expectBooks(visit.id, 0);
    // The way is open for another card.
    expect(ok(await rig.payments.purchase(DRIVER, rig.order(visit))).payment.state).toBe('settled');
    await expectBooks(visit.id, 500);
  });

  it.each<[Script, string]>([
    ['timeout-after-booking', 'settled'],
    ['duplicate', 'settled'],
    ['timeout-before-booking', 'cancelled'],
    ['timeout-then-reversed', 'reversed'],
    ['timeout-then-away', 'settled'],
  ])('by a card of %s is unknown and never declined, and then %s', async (script, state) => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const begun = ok(await rig.payments.purchase(DRIVER, rig.order(visit, script)));
    expect(begun.payment).toMatchObject({ state: 'unknown', invoiceStatus: 'incomplete' });
    const again = await rig.payments.purchase(DRIVER, rig.order(visit));
    expect(again).toEqual({ ok: false, reason: 'under-way', id: begun.payment.id });
    for (let tries = 0; tries < 4; tries += 1) {
      await rig.resolver.run();
      rig.api.wait(MINUTE_MS);
    }
    const found = await rig.payments.state(DRIVER, begun.payment.reference);
    expect(found?.state).toBe(state);
    await expectBooks(visit.id, state === 'settled' ? 500 : 0);
  });

  it('that cannot be found out is for a person, and is not forgotten', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    ok(await rig.payments.purchase(DRIVER, rig.order(visit, 'timeout-for-person')));
    await rig.resolver.run();
    const { body } = await rig.api.call('GET', '/payments');
    expect(body['data']).toMatchObject([{ state: 'unknown', problem: 'provider', terminalId: null }]);
    expect(await rig.visitRow(visit.id)).toMatchObject({ flags: ['payment-unknown'] });
  });

  it('of a gateway that is configured no more is not sent, and the way is open for another', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const order = rig.order(visit, 'approve', { provider: 'testing' });
    const { payment } = ok(await rig.payments.begin(DRIVER, order));
    rig.restart(['testing2']);
    const pays = { source: card(), threedsToken: null };
    expect(await rig.payments.finalize(DRIVER, payment.reference, pays)).toMatchObject({
      payment: { state: 'cancelled', reason: 'unavailable' },
    });
    expect(ok(await rig.payments.purchase(DRIVER, rig.order(visit))).payment.state).toBe('settled');
    await expectBooks(visit.id, 500);
  });

  it('that is not due any more is not charged', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment } = ok(await rig.payments.begin(DRIVER, rig.order(visit)));
    const settled = { paymentStatus: 'void', status: 'completed', reason: 'An ambulance' };
    await rig.api.call('PUT', `/visit/${visit.id}`, { body: settled });
    const end = ok(
      await rig.payments.finalize(DRIVER, payment.reference, { source: card(), threedsToken: null }),
    );
    expect(end.payment).toMatchObject({ state: 'cancelled', reason: 'not-due-any-more' });
    expect(rig.book().charges().size).toBe(0);
  });

  it('that was booked after the visit was paid elsewhere goes back, and its invoice says so', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    ok(await rig.payments.purchase(DRIVER, rig.order(visit, 'timeout-after-booking')));
    const token = await rig.api.roleToken('kiosk');
    const body = { plate: 'ABX12', quantity: 1, product: rig.product, language: 'is' };
    expect((await rig.api.call('POST', '/kiosk/register-payment', { body, token })).status).toBe(200);
    await rig.resolver.run();
    expect(rig.book().totalMinor()).toBe(0);
    const invoices = await allInvoices(rig.api);
    expect(invoices.map(({ paymentType, status }) => `${paymentType} ${status}`).sort()).toEqual([
      'kiosk paid',
      'online refunded',
      // Its credit note.
      'online refunded',
    ]);
    expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 1 });
  });

  it('pays a visit that has ended unpaid, found by its plate', async () => {
    const visit = await rig.api.visit({
      plate: 'ABX12',
      status: 'need-payment',
      endedAt: '2026-11-21T11:00:00.000Z',
      price: {
        amountMinor: 1000,
        currency: 'ISK',
        pricedAt: '2026-11-21T11:00:00.000Z',
        lines: [{ rule: 'unit', units: 2, unitMinor: 500, amountMinor: 1000 }],
        product: { id: rig.product, version: 1, vatRate: 24 },
      },
    });
    const subject = { ...rig.order(visit), vehicle: { plate: 'ab x12' } };
    const { payment } = ok(await rig.payments.purchase(DRIVER, subject));
    expect(payment).toMatchObject({ state: 'settled', amountMinor: 1000 });
    expect(await rig.visitRow(visit.id)).toMatchObject({ status: 'completed', paymentStatus: 'kiosk' });
    const again = await rig.payments.begin(DRIVER, subject);
    expect(again).toEqual({ ok: false, reason: 'offer', refusal: 'no-visit' });
  });

  it('is refused where nothing is due, for strangers, and for products that are not sold so', async () => {
    const refusal = async (more: object) => {
      const begun = await rig.payments.begin(DRIVER, { ...rig.order({ id: 'none' }), ...more });
      return begun.ok || (begun.reason === 'offer' ? begun.refusal : begun.reason);
    };
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const vehicle = { visitId: visit.id };
    expect(await refusal({ vehicle: { plate: 'ZZZ99' } })).toBe('no-visit');
    expect(await refusal({ vehicle, product: { id: 'none' } })).toBe('no-product');
    expect(await refusal({ vehicle, provider: 'borgun' })).toBe('no-gateway');
    ok(await rig.payments.purchase(DRIVER, rig.order(visit)));
    expect(await refusal({ vehicle })).toBe('nothing-due');
  });
});

describe('3-D Secure', () => {
  it.each(['form', 'script'] as const)(
    'by %s: the invoice is incomplete until it is passed',
    async (kind) => {
      const visit = await rig.api.visit({ plate: 'ABX12' });
      const script = `${kind}-challenge` as const;
      const { payment, next } = ok(await rig.payments.begin(DRIVER, rig.order(visit, script)));
      expect(payment).toMatchObject({ state: 'created', invoiceStatus: 'incomplete' });
      if (next.kind !== 'challenge') throw new Error(next.kind);
      const pays = { source: card(script), threedsToken: null };
      expect(await rig.payments.finalize(DRIVER, payment.reference, pays)).toMatchObject({
        reason: 'wrong-step',
      });
      let threedsToken: string | null = null;
      if (next.challenge.kind === 'script') threedsToken = next.challenge.payload;
      else {
        const { url, fields } = next.challenge.form;
        const reference = url.split('/').at(-1) ?? '';
        const form = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
        const returned = { ok: true, id: payment.id, state: 'created' };
        expect(await rig.payments.readReturn(reference, form)).toMatchObject(returned);
        // The form again, with another result, changes nothing.
        const forged = { ...form, result: 'refused' };
        expect(await rig.payments.readReturn(reference, forged)).toMatchObject(returned);
      }
      const paid = ok(
        await rig.payments.finalize(DRIVER, payment.reference, { source: card(script), threedsToken }),
      );
      expect(paid.payment.state).toBe('settled');
      await expectBooks(visit.id, 500);
    },
  );

  it('that is not passed declines the payment, and nothing is charged', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment, next } = ok(await rig.payments.begin(DRIVER, rig.order(visit, 'script-challenge')));
    expect(next.kind).toBe('challenge');
    const end = ok(
      await rig.payments.finalize(DRIVER, payment.reference, {
        source: card('script-challenge'),
        threedsToken: 'guessed',
      }),
    );
    expect(end.payment).toMatchObject({ state: 'declined', reason: 'not-authenticated' });
    expect(rig.book().charges().size).toBe(0);
  });

  it('charges only the card that was authenticated', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment } = ok(await rig.payments.begin(DRIVER, rig.order(visit)));
    // Another number, and a card of the same brand and last four that is not the same.
    for (const source of [card('duplicate'), card('approve', '11/35')]) {
      const pays = { source, threedsToken: null };
      expect(await rig.payments.finalize(DRIVER, payment.reference, pays)).toEqual({
        ok: false,
        reason: 'no-card',
      });
    }
    expect(rig.book().charges().size).toBe(0);
  });
});

describe('at the same time', () => {
  it('50 finalize one payment: one charge, and the same answer for all', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment } = ok(await rig.payments.begin(DRIVER, rig.order(visit)));
    const other = rig.another();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 10 === 0 ? other.payments : rig.payments).finalize(DRIVER, payment.reference, {
          source: card(),
          threedsToken: null,
        }),
      ),
    );
    const own = answers.filter((_, index) => index % 10 !== 0).map((answer) => ok(answer).payment);
    expect(new Set(own.map((view) => JSON.stringify(view))).size).toBe(1);
    await expectBooks(visit.id, 500);
  });

  it('one gives up and finalizes: what is charged is paid', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { reference } = ok(await rig.payments.begin(DRIVER, rig.order(visit))).payment;
    const pays = { source: card(), threedsToken: null };
    const [paid] = await Promise.all([
      rig.payments.finalize(DRIVER, reference, pays),
      rig.payments.cancel(DRIVER, reference),
      rig.another().payments.cancel(DRIVER, reference),
    ]);
    const { state } = ok(paid).payment;
    expect([state, rig.book().totalMinor()]).toEqual(
      state === 'settled' ? ['settled', 500] : ['cancelled', 0],
    );
    expect(rig.book().charges().size).toBe(state === 'settled' ? 1 : 0);
  });

  it.each([
    ['typed', 'typed'],
    ['typed', 'proved'],
    ['proved', 'proved'],
    ['typed', 'vehicle'],
    ['proved', 'vehicle'],
  ] as const)(
    'a payment without a charge, of a %s stay, gives way at once to a %s one',
    async (held, claim) => {
      const visit = await rig.api.visit({ plate: 'ABX12' });
      const { payment } = ok(await rig.payments.begin(DRIVER, rig.order(visit, 'approve', { claim: held })));
      const paid = ok(await rig.payments.purchase(OTHER, rig.order(visit, 'approve', { claim })));
      expect(paid.payment.state).toBe('settled');
      const late = ok(
        await rig.payments.finalize(DRIVER, payment.reference, { source: card(), threedsToken: null }),
      );
      expect(late.payment).toMatchObject({ state: 'cancelled', reason: 'replaced' });
      await expectBooks(visit.id, 500);
    },
  );

  it('a driver who has proved the stay is not put off by one who has only typed its plate, for a while', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const proved = rig.order(visit, 'approve', { claim: 'proved' });
    const { payment } = ok(await rig.payments.begin(DRIVER, proved));
    const second = await rig.payments.begin(OTHER, rig.order(visit));
    expect(second).toEqual({ ok: false, reason: 'under-way', id: payment.id });
    rig.api.wait(4 * MINUTE_MS);
    ok(await rig.payments.purchase(OTHER, rig.order(visit)));
    await expectBooks(visit.id, 500);
  });

  it('a payment at the site’s terminal keeps another one away', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const terminal = samplePayment({ visitId: visit.id, state: 'sent', changedAt: rig.api.now() });
    await reportPayment(rig.api, terminal);
    const begun = await rig.payments.begin(DRIVER, rig.order(visit));
    expect(begun).toEqual({ ok: false, reason: 'under-way', id: terminal.id });
  });

  it('a payment that has begun at the site’s terminal comes before one without a charge', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const { payment } = ok(await rig.payments.begin(DRIVER, rig.order(visit)));
    const terminal = samplePayment({ visitId: visit.id, state: 'sent', changedAt: rig.api.now() });
    await reportPayment(rig.api, terminal);
    const late = await rig.payments.finalize(DRIVER, payment.reference, {
      source: card(),
      threedsToken: null,
    });
    expect(ok(late).payment).toMatchObject({ state: 'cancelled', reason: 'payment-under-way' });
    expect(rig.book().charges().size).toBe(0);
  });
});
