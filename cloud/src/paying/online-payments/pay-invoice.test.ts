import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnlineRig, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';

let rig: OnlineRig;
let customerId: string;
let token: string;
beforeEach(async () => {
  rig = await createOnlineRig();
  customerId = await addCustomer(rig.api);
  token = await rig.api.account('customer', { customerId });
});
afterEach(() => rig.close());

/** An invoice of two visits of the customer, 1500 kr. @returns its id */
async function issued(amounts: readonly number[] = [1000, 500]): Promise<string> {
  for (const [n, amountMinor] of amounts.entries()) {
    const plate = `ABX1${n}`;
    await settle(rig.api, { plate, customerId, paymentStatus: 'company-invoice', amountMinor });
  }
  rig.api.wait(2 * DAY_MS);
  expect((await rig.api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
  const [invoice] = await allInvoices(rig.api);
  return invoice?.id ?? '';
}

const typed = (script: Script = 'approve') => ({ number: scriptedCard(script), ccv: '123', expire: '12/35' });
const init = (invoice: string, script: Script = 'approve', more: object = {}) =>
  rig.api.call('POST', '/payments/init', { token, body: { invoice, card: typed(script), ...more } });
const finalize = (reference: unknown, script: Script = 'approve') =>
  rig.api.call('POST', '/payments/process/finalize', {
    token,
    body: { context: { reference, card: typed(script) } },
  });
const invoiceOf = async (id: string) => (await rig.api.call('GET', `/invoice/${id}`, { token })).body;
const refund = (id: string, amount?: number) =>
  rig.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'It was not theirs', amount } });
async function income(): Promise<number> {
  const rows = await rig.api.db.read(async (q) => await q.select().from(incomeTable));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
async function paid(invoice: string, script: Script = 'approve') {
  const begun = await init(invoice, script);
  return (await finalize(begun.body['reference'], script)).body;
}

describe('an invoice', () => {
  it('is paid by its customer as a whole, once in the income, and says how', async () => {
    const id = await issued();
    const begun = await init(id);
    expect([begun.status, begun.body]).toMatchObject([
      200,
      { invoiceId: id, state: 'created', status: 'draft', price: { amount: 1500, currency: 'ISK' } },
    ]);
    const done = await finalize(begun.body['reference']);
    expect(done.body).toMatchObject({ invoiceId: id, state: 'settled', status: 'paid' });
    const invoice = await invoiceOf(id);
    expect(invoice).toMatchObject({
      status: 'paid',
      paymentType: 'company-invoice',
      settlement: { way: 'online', on: rig.api.now(), paymentId: done.body['paymentId'] },
      receipt: { type: 'visa', last_four: '1111' },
    });
    expect([rig.book().totalMinor(), await income()]).toEqual([1500, 1500]);
    const receipt = await rig.api.app.request(new URL(String(done.body['receiptUrl'])).pathname);
    const text = await receipt.text();
    expect([receipt.status, text]).toEqual([200, expect.stringContaining('1111')]);
    expect(text).toContain(`${invoice['number']}`);
    // There is nothing left to pay.
    expect((await init(id)).status).toBe(400);
    expect(await allInvoices(rig.api)).toHaveLength(1);
  });

  it('is paid without what a credit note has taken back, which is settled with it', async () => {
    const id = await issued();
    const [visitId] = ((await invoiceOf(id))['lines'] as { visitId: string }[]).map((line) => line.visitId);
    const body = { visitIds: [visitId], outcome: 'nothing', reason: 'Another car' };
    expect((await rig.api.call('POST', `/invoice/${id}/credit`, { body })).status).toBe(303);
    const left = 1500 - (await creditedMinor());
    expect(await paid(id)).toMatchObject({ state: 'settled', price: { amount: left } });
    expect((await allInvoices(rig.api)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect(await income()).toBe(left);
  });

  const creditedMinor = async () =>
    (await allInvoices(rig.api)).reduce((sum, { amountMinor }) => sum - Math.min(0, amountMinor), 0);

  it('of another customer, a credit note and one that waits for its payer are not there to pay', async () => {
    const id = await issued();
    const stranger = await rig.api.account('customer', { customerId: await addCustomer(rig.api) });
    const body = { invoice: id, card: typed() };
    expect((await rig.api.call('POST', '/payments/init', { token: stranger, body })).status).toBe(404);
    await settle(rig.api, { paymentStatus: 'owner-invoice', plate: 'OWN99', amountMinor: 700 });
    const waiting = (await allInvoices(rig.api)).find(({ number }) => number === null);
    const init = (invoice: unknown) =>
      rig.api.call('POST', '/payments/init', { body: { invoice, card: typed() } });
    expect((await init(waiting?.id)).status).toBe(400);
    expect((await init(undefined)).status).toBe(400);
    const both = { invoice: id, vehicle: 'ABX12', card: typed() };
    expect((await rig.api.call('POST', '/payments/init', { body: both })).status).toBe(400);
    await paid(id);
    await refund(id);
    const note = (await allInvoices(rig.api)).find(({ creditOf }) => creditOf === id);
    expect((await init(note?.id)).status).toBe(400);
    expect(rig.book().charges().size).toBe(1);
  });

  it('that the bank declines is due as before, and another card pays it', async () => {
    const id = await issued();
    expect(await paid(id, 'insufficient-funds')).toMatchObject({ state: 'declined', status: 'draft' });
    expect(await invoiceOf(id)).toMatchObject({ status: 'draft', settlement: null, receipt: null });
    expect(await paid(id)).toMatchObject({ state: 'settled', status: 'paid' });
    expect([rig.book().totalMinor(), await income()]).toEqual([1500, 1500]);
  });

  it('is not charged where a person has paid it otherwise meanwhile', async () => {
    const id = await issued();
    const begun = await init(id);
    const edit = { status: 'paid', paidWith: 'transfer' };
    expect((await rig.api.call('PUT', `/invoice/${id}`, { body: edit })).status).toBe(303);
    expect((await finalize(begun.body['reference'])).body).toMatchObject({ state: 'cancelled' });
    expect(rig.book().charges().size).toBe(0);
    expect(await invoiceOf(id)).toMatchObject({ settlement: { way: 'transfer', paymentId: null } });
    expect((await rig.api.call('PUT', `/invoice/${id}`, { body: { paidWith: 'cash' } })).status).toBe(303);
  });
});

describe('twice at once, and lost answers', () => {
  it('two presses charge once, by one payment or by two', async () => {
    const id = await issued();
    const { reference } = (await init(id)).body;
    const same = await Promise.all([finalize(reference), finalize(reference), finalize(reference)]);
    expect(same.map(({ body }) => body['state'])).toEqual(['settled', 'settled', 'settled']);
    expect(rig.book().totalMinor()).toBe(1500);
    const second = await issued([700]);
    const begun = [await init(second), await init(second)];
    const answers = await Promise.all(begun.map(({ body }) => finalize(body['reference'])));
    expect(answers.map(({ body }) => body['state']).sort()).toEqual(['cancelled', 'settled']);
    expect([rig.book().totalMinor(), await income()]).toEqual([2200, 2200]);
  });

  it.each(['timeout-after-booking', 'timeout-then-away'] as const)(
    '%s: nobody pays it again, nor marks it as paid, until the answer is found',
    async (script) => {
      const id = await issued();
      expect(await paid(id, script)).toMatchObject({ state: 'unknown', status: 'incomplete' });
      expect((await init(id)).status).toBe(409);
      const mark = { body: { status: 'paid' } };
      expect((await rig.api.call('PUT', `/invoice/${id}`, mark)).status).toBe(400);
      for (let run = 0; run < 5; run++) {
        rig.api.wait(600_000);
        await rig.resolver.run();
      }
      expect(await invoiceOf(id)).toMatchObject({ status: 'paid', settlement: { way: 'online' } });
      expect([rig.book().totalMinor(), await income()]).toEqual([1500, 1500]);
      expect(rig.book().charges().size).toBe(1);
    },
  );

  it.each([
    ['timeout-before-booking', 0],
    ['timeout-then-reversed', 1],
    ['wrong-amount', 1],
  ] as const)('%s: it is due as before, without a credit note', async (script, booked) => {
    const id = await issued();
    await paid(id, script);
    rig.api.wait(600_000);
    await rig.resolver.run();
    expect(await invoiceOf(id)).toMatchObject({ status: 'draft', settlement: null });
    expect([rig.book().totalMinor(), rig.book().charges().size]).toEqual([0, booked]);
    expect(await allInvoices(rig.api)).toHaveLength(1);
    expect(await paid(id)).toMatchObject({ state: 'settled' });
    expect(await income()).toBe(1500);
  });

  it.each(['before charge', 'after charge'] as const)(
    'a process that dies %s leaves it to the next one, which charges nothing',
    async (death) => {
      const id = await issued();
      const { reference } = (await init(id)).body;
      rig.deaths.at = death;
      // No caller receives its answer.
      const died = new Promise<void>((resolve) => {
        const check = () => (rig.deaths.at === null ? resolve() : setImmediate(check));
        check();
      });
      await Promise.race([finalize(reference), died]);
      expect(rig.deaths.at).toBeNull();
      rig.restart();
      rig.api.wait(600_000);
      await rig.resolver.run();
      const isBooked = death === 'after charge';
      expect(await invoiceOf(id)).toMatchObject({ status: isBooked ? 'paid' : 'draft' });
      expect(rig.book().totalMinor()).toBe(isBooked ? 1500 : 0);
    },
  );
});

describe('a refund', () => {
  it.each([
    ['of the invoice', (id: string, _payment: string) => refund(id)],
    [
      'of the payment',
      (_id: string, payment: string) =>
        rig.api.call('POST', `/payments/${payment}/reverse`, { body: { reason: 'Twice' } }),
    ],
  ])('%s gives the money back to the card, and a credit note takes the invoice back', async (_what, how) => {
    const id = await issued();
    const payment = String((await paid(id))['paymentId']);
    expect([303, 202]).toContain((await how(id, payment)).status);
    expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
    expect(await invoiceOf(id)).toMatchObject({ status: 'refunded', creditNotes: [{ amount: -1500 }] });
    expect([400, 422]).toContain((await how(id, payment)).status);
    expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
  });

  it('of a part is shared by rates of VAT and sites, and names no visit; then the rest', async () => {
    const hill = { name: 'Hill', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
    const other = String((await rig.api.call('POST', '/sites', { body: hill })).body['id']);
    const due = { customerId, paymentStatus: 'company-invoice', amountMinor: 900 } as const;
    await settle(rig.api, { ...due, plate: 'HIL11', siteId: other, vatRate: 11, productId: rig.product });
    const id = await issued([600]);
    await paid(id);
    expect((await refund(id, 500)).status).toBe(303);
    const note = (await allInvoices(rig.api)).find(({ creditOf }) => creditOf === id);
    expect(note?.lines.map(({ visitId, vatRate, amountMinor }) => [visitId, vatRate, amountMinor])).toEqual([
      [null, 24, -200],
      [null, 11, -300],
    ]);
    expect(note?.incomeParts.map(({ siteId, amountMinor }) => [siteId, amountMinor]).sort()).toEqual(
      [
        [other, -300],
        [rig.api.site.id, -200],
      ].sort(),
    );
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid' });
    expect((await refund(id)).status).toBe(303);
    expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
    expect(await invoiceOf(id)).toMatchObject({ status: 'refunded' });
  });

  it('cannot be a correction by line: the card would keep the money', async () => {
    const id = await issued();
    const [visitId] = ((await invoiceOf(id))['lines'] as { visitId: string }[]).map((line) => line.visitId);
    await paid(id);
    const body = { visitIds: [visitId], outcome: 'nothing', reason: 'Another car' };
    expect((await rig.api.call('POST', `/invoice/${id}/credit`, { body })).status).toBe(400);
  });

  it('a chargeback takes the money out of the income until it is won', async () => {
    const id = await issued();
    const payment = String((await paid(id))['paymentId']);
    const charged = { reference: 'CB-1', amount: 1500, reasonCode: '10.4' };
    const report = (state: string) =>
      rig.api.call('POST', `/payments/${payment}/chargeback`, { body: { ...charged, state } });
    expect((await report('open')).status).toBe(200);
    expect(await income()).toBe(0);
    const listed = (await rig.api.call('GET', '/payments')).body['data'];
    expect(listed).toMatchObject([{ id: payment, visitId: null, invoiceId: id, problem: 'chargeback' }]);
    expect((await report('won')).status).toBe(200);
    expect(await income()).toBe(1500);
  });
});

it('is one payment of the journal, of no visit', async () => {
  const id = await issued();
  const { paymentId } = await paid(id);
  const rows = await rig.api.db.read(async (q) => await q.select().from(paymentTable));
  expect(rows).toMatchObject([
    { id: paymentId, invoiceId: id, visitId: null, siteId: rig.api.site.id, amountMinor: 1500 },
  ]);
});
