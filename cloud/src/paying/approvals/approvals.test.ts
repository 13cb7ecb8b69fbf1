import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallOptions, Json } from '../../../test/api.ts';
import { createOnlineRig, DRIVER, type OnlineRig } from '../../../test/online-payments.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { terminalAnswers } from '../../../test/terminal.ts';
import { eq } from '../../platform/db/sql.ts';
import { approvalTable } from '../../records/approvals/approval-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { approvalEndRun } from './expire-approvals.ts';

const REASON = 'The gate did not open';

let rig: OnlineRig;
/** The asker calls by a token, the manager by a session. */
let asker: CallOptions;
let manager: CallOptions;

beforeEach(async () => {
  rig = await createOnlineRig();
  asker = { token: await rig.api.account('operator', { id: 'the-asker' }) };
  await rig.api.account('operator', { id: 'the-manager' });
  manager = { token: null, headers: await rig.api.session('the-manager') };
  await limit({ refund: 400, waiver: 400, credit: 400 });
});
afterEach(() => rig.close());

async function limit(limits: { refund: number | null; waiver: number | null; credit: number | null }) {
  await rig.api.db.write(({ q }) => q.update(siteTable).set({ approvalLimits: { ...limits, close: null } }));
}

const call = (method: string, path: string, options: CallOptions, body?: Json) =>
  rig.api.call(method, path, { ...options, ...(body !== undefined && { body }) });
const approve = (path: string, amount: number | null, by = manager) =>
  call('POST', `${path}/approve`, by, { amount });
const refund = (id: string, amount?: number, by = asker) =>
  call('POST', `/invoice/${id}/refund`, by, { reason: REASON, ...(amount !== undefined && { amount }) });
const voidVisit = (id: string, by = asker) =>
  call('PUT', `/visit/${id}`, by, { paymentStatus: 'void', reason: REASON });
const readApproval = async (path: string) => (await call('GET', path, manager)).body;

/** The address of the request that an answer named. */
function waits({ status, location }: { status: number; location: string | null }): string {
  expect(status).toBe(202);
  return z.string().startsWith('/approval/').parse(location);
}

/** A payment online of 1000 kr. for two units. */
async function paid(plate = 'ABX12') {
  const visit = await rig.api.visit({ plate });
  const stepped = await rig.payments.purchase(DRIVER, {
    ...rig.order(visit),
    product: { id: rig.product, quantity: 2 },
  });
  if (!stepped.ok) throw new Error(stepped.reason);
  return { visitId: visit.id, id: stepped.payment.id };
}

describe('a refund above the limit', () => {
  it('moves no money before a second person has approved it, and then once', async () => {
    const { id, visitId } = await paid();
    expect((await call('GET', `/invoice/${id}`, asker)).body).toMatchObject({ needsApproval: ['refund'] });
    const path = waits(await refund(id));
    expect(rig.book().totalMinor()).toBe(1000);
    expect(await readApproval(path)).toMatchObject({
      kind: 'refund',
      state: 'waiting',
      invoiceId: id,
      visitId,
      plate: 'ABX12',
      price: { amount: 1000, currency: 'ISK' },
      reason: REASON,
      requestedBy: 'operator',
      isOwn: false,
      actions: ['approve', 'refuse'],
    });
    expect((await approve(path, 1000)).status).toBe(303);
    expect(rig.book().totalMinor()).toBe(0);
    expect(await readApproval(path)).toMatchObject({ state: 'done', decidedBy: 'operator', actions: [] });
    expect((await approve(path, 1000)).status).toBe(400);
    const audited = await rig.api.audited();
    for (const line of [
      { action: 'approval.request', by: 'account:the-asker', reason: REASON },
      { action: 'approval.approve', by: 'account:the-manager' },
      { action: 'payment.refund', by: 'account:the-manager', reason: REASON },
    ]) {
      expect(audited).toContainEqual(expect.objectContaining(line));
    }
  });

  it('is not approved by whoever asked, by a machine, or without the right to it', async () => {
    const { id } = await paid();
    const path = waits(await refund(id));
    const ofAsker = { token: null, headers: await rig.api.session('the-asker') };
    const own = await approve(path, 1000, ofAsker);
    expect([own.status, own.body['codes']]).toMatchObject([400, [{ code: 'approval-own' }]]);
    const elsewhere = await rig.api.addSite('Airport');
    const account = (accountId: string, rights: object) =>
      rig.api.account('operator', { id: accountId, ...rights });
    await account('for-visits', { permissions: ['visits'] });
    await account('elsewhere', { siteIds: [elsewhere.id] });
    await account('unproven', {});
    const statuses: Json = {};
    for (const name of ['for-visits', 'elsewhere', 'unproven']) {
      const fields = name === 'unproven' ? { steppedUpAt: null } : {};
      const by = { token: null, headers: await rig.api.session(name, fields) };
      statuses[name] = [(await approve(path, 1000, by)).status, (await call('GET', path, by)).status];
    }
    expect(statuses).toEqual({ 'for-visits': [404, 404], elsewhere: [404, 404], unproven: [403, 200] });
    // The operator's own token, as a script would have it.
    expect((await approve(path, 1000, {})).status).toBe(403);
    expect(rig.book().totalMinor()).toBe(1000);
    expect(await readApproval(path)).toMatchObject({ state: 'waiting' });
  });

  it('counts with the refunds before it: two halves are a whole', async () => {
    const { id } = await paid();
    expect((await refund(id, 300)).status).toBe(303);
    const path = waits(await refund(id, 300));
    expect(rig.book().totalMinor()).toBe(700);
    expect((await approve(path, 300)).status).toBe(303);
    expect(rig.book().totalMinor()).toBe(400);
  });

  it('is one request at a time', async () => {
    const { id } = await paid();
    const path = waits(await refund(id));
    const again = await refund(id);
    expect([again.status, again.body]).toMatchObject([422, { codes: [{ code: 'approval-waiting' }] }]);
    expect(path).toBe(`/approval/${z.string().parse(again.body['id'])}`);
  });

  it('is refused if it is worth another amount than was shown, and shows the new one', async () => {
    const { id } = await paid();
    const path = waits(await refund(id));
    expect((await refund(id, 300)).status).toBe(303);
    const stale = await approve(path, 1000);
    expect([stale.status, stale.body['codes']]).toMatchObject([409, [{ code: 'approval-amount-changed' }]]);
    expect(rig.book().totalMinor()).toBe(700);
    expect(await readApproval(path)).toMatchObject({ state: 'waiting', price: { amount: 700 } });
    expect((await approve(path, 700)).status).toBe(303);
    expect(rig.book().totalMinor()).toBe(0);
  });

  it('fails with words if it was given back meanwhile', async () => {
    const { id } = await paid();
    const path = waits(await refund(id));
    await limit({ refund: null, waiver: null, credit: null });
    expect((await refund(id)).status).toBe(303);
    const late = await approve(path, 1000);
    expect(late.status).toBe(409);
    expect(await readApproval(path)).toMatchObject({ state: 'failed', problems: late.body['codes'] });
    expect(rig.book().totalMinor()).toBe(0);
  });

  it('is given once by two people who approve at once', async () => {
    const { id } = await paid();
    const path = waits(await refund(id));
    await rig.api.account('operator', { id: 'another-manager' });
    const another = { token: null, headers: await rig.api.session('another-manager') };
    const both = await Promise.all([approve(path, 1000), approve(path, 1000, another)]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(rig.book().totalMinor()).toBe(0);
  });

  it('in the books only is kept too, and approved once', async () => {
    const visitId = await settle(rig.api, { amountMinor: 1240 });
    const invoice = (await allInvoices(rig.api)).find((one) => one.visitId === visitId);
    const path = waits(await refund(invoice?.id ?? ''));
    expect(await allInvoices(rig.api)).toHaveLength(1);
    expect((await approve(path, 1240)).status).toBe(303);
    expect(await allInvoices(rig.api)).toHaveLength(2);
  });

  it('at a terminal leaves when it is approved, and waits on while the site is away', async () => {
    const { id: visitId } = await rig.api.visit({ plate: 'TRM01' });
    const payment = samplePayment({ visitId });
    await reportPayment(rig.api, payment);
    const reverse = () => call('POST', `/payments/${payment.id}/reverse`, asker, { reason: REASON });
    expect((await call('GET', `/payments/${payment.id}`, asker)).body).toMatchObject({
      needsApproval: ['reverse'],
    });
    const path = waits(await reverse());
    const { price } = z.object({ price: z.object({ amount: z.int() }) }).parse(await readApproval(path));
    expect((await approve(path, price.amount)).status).toBe(409);
    expect(await readApproval(path)).toMatchObject({ state: 'waiting' });
    rig.api.bus.play(rig.api.site.id, terminalAnswers());
    expect((await approve(path, price.amount)).status).toBe(303);
    const sent = rig.api.bus.sent.filter(({ payload }) => payload.includes('reverse-payment'));
    expect(sent).toHaveLength(1);
    expect(await readApproval(path)).toMatchObject({ state: 'done' });
  });
});

describe('what a visit owes', () => {
  it('is waived above the limit when a second person has approved it', async () => {
    const { id } = await rig.api.visit({ plate: 'WAI01' });
    expect((await call('GET', `/visit/${id}`, asker)).body).toMatchObject({ needsApproval: ['void'] });
    const path = waits(await voidVisit(id));
    expect(await rig.visitRow(id)).toMatchObject({ paymentStatus: null });
    expect((await approve(path, 500)).status).toBe(303);
    expect(await rig.visitRow(id)).toMatchObject({ paymentStatus: 'void', status: 'completed' });
  });

  it('is waived at once below it, but not the parts of a stay, or the stays of a car, that are above it together', async () => {
    await limit({ refund: null, waiver: 900, credit: null });
    const startedAt = utcTime(Date.parse(rig.api.now()) - DAY_MS / 2);
    const first = await rig.api.visit({ plate: 'SPL01', startedAt });
    const at = utcTime(Date.parse(rig.api.now()) - DAY_MS / 4);
    const split = await rig.api.made(`/visit/${first.id}/split`, { at, plate: 'SPL99', reason: REASON });
    expect((await voidVisit(split.id)).status).toBe(303);
    waits(await voidVisit(first.id));
    const morning = await rig.api.visit({ plate: 'DAY01', startedAt });
    expect((await voidVisit(morning.id)).status).toBe(303);
    const again = await rig.api.visit({ plate: 'DAY01' });
    waits(await voidVisit(again.id));
  });

  it('is refused with words where the visit was settled meanwhile', async () => {
    const { id } = await rig.api.visit({ plate: 'WAI02' });
    const path = waits(await voidVisit(id));
    await limit({ refund: null, waiver: null, credit: null });
    expect((await voidVisit(id)).status).toBe(303);
    expect((await approve(path, 500)).status).toBe(409);
    expect(await readApproval(path)).toMatchObject({
      state: 'failed',
      problems: [{ code: 'approval-nothing-left' }],
    });
  });

  it('is waived with the answer to a dispute, both or neither', async () => {
    const { id } = await rig.api.visit({ plate: 'DIS01' });
    const dispute = await rig.api.made(`/visit/${id}/dispute`, { text: 'It was not there.' });
    const body = { outcome: 'upheld', answer: 'You are right.', void: true };
    const path = waits(await call('POST', `/dispute/${dispute.id}/answer`, asker, body));
    expect((await call('GET', `/dispute/${dispute.id}`, asker)).body).toMatchObject({ state: 'open' });
    expect((await approve(path, 500)).status).toBe(303);
    expect((await call('GET', `/dispute/${dispute.id}`, asker)).body).toMatchObject({ state: 'upheld' });
    expect(await rig.visitRow(id)).toMatchObject({ paymentStatus: 'void' });
  });
});

it('a credit of an invoice waits above the limit, and counts with the credits before it', async () => {
  const customerId = await addCustomer(rig.api);
  const at = '2026-11-20T12:00:00.000Z';
  const charge = { customerId, paymentStatus: 'company-invoice', amountMinor: 300, at } as const;
  const [first, second] = [await settle(rig.api, charge), await settle(rig.api, charge)];
  expect((await call('POST', '/billing/runs', asker, {})).status).toBe(303);
  const [invoice] = await allInvoices(rig.api);
  const credit = (visitId: string) =>
    call('POST', `/invoice/${invoice?.id}/credit`, asker, {
      visitIds: [visitId],
      outcome: 'nothing',
      reason: REASON,
    });
  expect((await credit(first)).status).toBe(303);
  const path = waits(await credit(second));
  expect(await allInvoices(rig.api)).toHaveLength(2);
  expect((await approve(path, 300)).status).toBe(303);
  expect(await allInvoices(rig.api)).toHaveLength(3);
});

it('a request is refused with a reason, is withdrawn by its author alone, or ends by itself', async () => {
  const [refused, withdrawn, over] = [await paid('END01'), await paid('END02'), await paid('END03')];
  const paths = [];
  for (const { id } of [refused, withdrawn, over]) paths.push(waits(await refund(id)));
  const [first = '', second = '', third = ''] = paths;
  expect((await call('POST', `${first}/refuse`, manager, {})).status).toBe(400);
  expect((await call('POST', `${first}/refuse`, manager, { reason: 'It did open' })).status).toBe(303);
  expect(await readApproval(first)).toMatchObject({ state: 'refused', answer: 'It did open' });
  expect((await call('POST', `${second}/withdraw`, manager)).status).toBe(400);
  expect((await call('POST', `${second}/withdraw`, asker)).status).toBe(303);
  const list = (await call('GET', '/approvals?state=waiting', manager)).body;
  expect(list).toMatchObject({ total: 1, data: [{ invoiceId: over.id }] });
  rig.api.wait(8 * DAY_MS);
  const now = rig.api.now();
  manager = { token: null, headers: await rig.api.session('the-manager') };
  expect((await approve(third, 1000)).status).toBe(400);
  await approvalEndRun(rig.api.db).work({ now, signal: new AbortController().signal });
  expect(await readApproval(third)).toMatchObject({ state: 'expired', actions: [] });
  expect(rig.book().totalMinor()).toBe(3000);
});

it('a process that dies after the approval gives the money back once', async () => {
  const { id } = await paid();
  const path = waits(await refund(id));
  rig.deaths.at = 'after refund';
  void approve(path, 1000);
  await expect
    .poll(async () => (await rig.api.db.read((q) => q.select().from(approvalTable)))[0]?.state)
    .toBe('done');
  await expect.poll(() => rig.deaths.at).toBe(null);
  rig.restart();
  rig.api.wait(DAY_MS);
  await rig.resolver.run();
  expect(rig.book().totalMinor()).toBe(0);
  manager = { token: null, headers: await rig.api.session('the-manager') };
  expect((await approve(path, 1000)).status).toBe(400);
});

describe('the limits of a site', () => {
  const setLimits = (limits: Json, by = asker) =>
    call('PUT', `/sites/${rig.api.site.id}/approval-limits`, by, limits);
  const stored = async () =>
    (await rig.api.db.read((q) => q.select().from(siteTable).where(eq(siteTable.id, rig.api.site.id))))[0]
      ?.approvalLimits;

  it('are lowered by one person, and raised by two', async () => {
    expect((await setLimits({ refund: 300, waiver: 400, credit: 400 })).status).toBe(303);
    const path = waits(await setLimits({ refund: 300, waiver: null, credit: 400 }));
    expect(await stored()).toEqual({ refund: 300, waiver: 400, credit: 400, close: null });
    expect((await approve(path, null)).status).toBe(303);
    expect(await stored()).toEqual({ refund: 300, waiver: null, credit: 400, close: null });
  });

  it('stay where a call does not name them, also while a request for another waits', async () => {
    const all = { refund: 300, waiver: 200, credit: 100, close: 600 };
    expect((await setLimits(all)).status).toBe(303);
    for (const name of Object.keys(all)) {
      const { [name]: _, ...others } = all as Record<string, number>;
      expect((await setLimits(others)).status).toBe(303);
      expect(await stored()).toEqual(all);
    }
    expect((await setLimits({})).status).toBe(303);
    expect(await stored()).toEqual(all);
    const path = waits(await setLimits({ close: null }));
    expect((await setLimits({ refund: 200 })).status).toBe(303);
    expect((await approve(path, null)).status).toBe(303);
    expect(await stored()).toEqual({ refund: 200, waiver: 200, credit: 100, close: null });
  });
});
