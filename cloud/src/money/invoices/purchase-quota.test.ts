import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnlineRig, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { sampleQuotaProduct } from '../../../test/sample-quota.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { quotaPurchaseTable } from '../../records/quotas/quota-table.ts';
import { followQuota } from '../quotas/follow-quota.ts';

let rig: OnlineRig;
let customerId: string;
let token: string;
let product: string;
beforeEach(async () => {
  rig = await createOnlineRig();
  customerId = await addCustomer(rig.api);
  token = await rig.api.account('customer', { customerId });
  product = await sampleQuotaProduct(rig.api);
});
afterEach(() => rig.close());

const typed = (script: Script = 'approve') => ({ number: scriptedCard(script), ccv: '123', expire: '12/35' });
const call = (path: string, body: object) => rig.api.call('POST', path, { token, body });
const buy = (more: object = {}) => call('/quotas/purchase', { product, quantity: 10, ...more });
const idOf = ({ location }: { location: string | null }) => location?.split('/').at(-1) ?? '';
async function pay(invoice: string, script: Script = 'approve') {
  const begun = await call('/payments/init', { invoice, card: typed(script) });
  if (begun.status !== 200) return begun.body;
  const context = { reference: begun.body['reference'], card: typed(script) };
  return (await call('/payments/process/finalize', { context })).body;
}
const quotas = async () => (await rig.api.call('GET', '/quotas', { token })).body['data'];
const refund = (id: string, amount?: number) =>
  rig.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'Bought by mistake', amount } });
const income = async () =>
  (await rig.api.db.read(async (q) => await q.select().from(incomeTable))).reduce(
    (sum, { amountMinor }) => sum + amountMinor,
    0,
  );
/** A visit takes this number of units. */
async function use(units: number): Promise<void> {
  const [quota] = (await quotas()) as { id: string }[];
  const { id } = await rig.api.visit({ plate: 'USE11' });
  const visit = { id, quota: { id: quota?.id ?? '', units }, endedAt: null };
  await rig.api.db.write((tx) => followQuota(tx, visit, rig.api.now()));
}

describe('prepaid days', () => {
  it('are an invoice without a number, which is issued when it is paid, and the days are given then', async () => {
    const made = await buy();
    expect(made.status).toBe(303);
    const id = idOf(made);
    expect((await rig.api.call('GET', `/invoice/${id}`, { token })).body).toMatchObject({
      number: null,
      status: 'draft',
      paymentType: 'online',
      price: { amount: 4000, currency: 'ISK' },
      customer: { id: customerId },
      lines: [{ rule: 'quota', units: 10, amount: 4000, name: 'Klippikort' }],
    });
    expect([await quotas(), await income()]).toEqual([[], 0]);
    expect(await pay(id)).toMatchObject({ invoiceId: id, state: 'settled', status: 'paid' });
    expect(await quotas()).toMatchObject([{ productId: product, name: 'Klippikort', total: 10, free: 10 }]);
    expect((await allInvoices(rig.api)).map(({ number, status }) => [number, status])).toEqual([[1, 'paid']]);
    expect(await income()).toBe(4000);
    expect(await rig.api.lastChange()).toMatchObject({ kind: 'quota', item: { total: 10, used: 0 } });
    const headers = { authorization: `Bearer ${token}` };
    const document = await rig.api.app.request(`/invoice/${id}/document`, { headers });
    expect(await document.text()).toContain('Klippikort: fyrirframgreiddir dagar, 10');
    // More of the same.
    await pay(idOf(await buy({ quantity: 5 })));
    expect(await quotas()).toMatchObject([{ total: 15, free: 15 }]);
  });

  it('are never given before, and given once when the answer came late', async () => {
    const id = idOf(await buy());
    expect(await pay(id, 'insufficient-funds')).toMatchObject({ state: 'declined' });
    expect(await quotas()).toEqual([]);
    expect(await pay(id, 'timeout-after-booking')).toMatchObject({ state: 'unknown' });
    expect(await quotas()).toEqual([]);
    expect((await call('/payments/init', { invoice: id, card: typed() })).status).toBe(409);
    rig.restart();
    for (let run = 0; run < 3; run++) {
      rig.api.wait(HOUR_MS);
      await rig.resolver.run();
    }
    expect(await quotas()).toMatchObject([{ total: 10 }]);
    expect([rig.book().totalMinor(), await income()]).toEqual([4000, 4000]);
    expect((await call('/payments/init', { invoice: id, card: typed() })).status).toBe(400);
  });

  it('are given once however often and by however many it is paid at once', async () => {
    const id = idOf(await buy());
    const begun = await call('/payments/init', { invoice: id, card: typed() });
    const context = { reference: begun.body['reference'], card: typed() };
    const finalize = () => call('/payments/process/finalize', { context });
    const answers = await Promise.all([finalize(), finalize(), pay(id)]);
    expect(answers).toHaveLength(3);
    expect(await quotas()).toMatchObject([{ total: 10 }]);
    expect(rig.book().totalMinor()).toBe(4000);
  });

  it('are there after a process has died between the charge and its answer', async () => {
    const id = idOf(await buy());
    rig.deaths.at = 'after charge';
    const died = new Promise<void>((resolve) => {
      const check = () => (rig.deaths.at === null ? resolve() : setImmediate(check));
      check();
    });
    await Promise.race([pay(id), died]);
    expect(await quotas()).toEqual([]);
    rig.restart();
    rig.api.wait(HOUR_MS);
    await rig.resolver.run();
    expect(await quotas()).toMatchObject([{ total: 10 }]);
    expect(rig.book().totalMinor()).toBe(4000);
  });

  it('are sold at the price of now for a day, to whom they are for, where the site is clear', async () => {
    const stranger = await addCustomer(rig.api);
    expect((await buy({ customer: stranger })).status).toBe(400);
    expect((await buy({ product: rig.product })).status).toBe(400);
    const old = idOf(await buy());
    rig.api.wait(DAY_MS + 1000);
    expect((await call('/payments/init', { invoice: old, card: typed() })).status).toBe(400);
    await buy();
    expect((await rig.api.call('GET', `/invoice/${old}`, { token })).body).toMatchObject({
      status: 'failed',
      paymentState: 'failed',
    });
    const byOffice = { product, quantity: 1, customer: customerId };
    expect((await rig.api.call('POST', '/quotas/purchase', { body: byOffice })).status).toBe(303);
    expect((await rig.api.call('POST', '/quotas/purchase', { body: { product, quantity: 1 } })).status).toBe(
      400,
    );
    const hill = { name: 'Hill', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
    await rig.api.call('POST', '/sites', { body: hill });
    expect((await buy()).status).toBe(400);
    expect((await buy({ siteId: rig.api.site.id })).status).toBe(303);
  });
});

describe('a refund', () => {
  it('takes the days back, and a part of the price so many of them', async () => {
    const id = idOf(await buy());
    await pay(id);
    expect((await refund(id, 1000)).status).toBe(303);
    // 400 kr. a day: two days and a half.
    expect(await quotas()).toMatchObject([{ total: 8, free: 8 }]);
    expect((await refund(id)).status).toBe(303);
    expect(await quotas()).toMatchObject([{ total: 0, free: 0 }]);
    expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
    expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
  });

  it('leaves used days to their visits, and a person hears of them', async () => {
    const id = idOf(await buy());
    const { paymentId } = await pay(id);
    await use(3);
    await refund(id);
    expect(await quotas()).toMatchObject([{ total: 3, used: 3, free: 0 }]);
    const waiting = (await rig.api.call('GET', '/payments')).body['data'];
    expect(waiting).toMatchObject([{ id: paymentId, reason: 'quota-used', state: 'reversed' }]);
    const [purchase] = await rig.api.db.read(async (q) => await q.select().from(quotaPurchaseTable));
    expect(purchase).toMatchObject({ units: 10, takenBack: 7, usedUnpaid: 3 });
    const body = { finding: 'given-back', reason: 'Billed by hand' };
    expect((await rig.api.call('POST', `/payments/${paymentId}/finding`, { body })).status).toBe(200);
    expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
  });

  it('by a chargeback takes them too, until it is won', async () => {
    const id = idOf(await buy());
    const { paymentId } = await pay(id);
    const charged = { reference: 'CB-1', amount: 4000, reasonCode: '10.4' };
    const report = (state: string) =>
      rig.api.call('POST', `/payments/${paymentId}/chargeback`, { body: { ...charged, state } });
    await report('open');
    expect(await quotas()).toMatchObject([{ total: 0 }]);
    await report('won');
    expect(await quotas()).toMatchObject([{ total: 10, free: 10 }]);
  });
});
