import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { API_KEY, type Json } from '../../../test/api.ts';
import { createOnlineRig, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { onlinePaymentTable } from '../../records/online-payments/online-payment-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const typed = (script: Script = 'approve') => ({ number: scriptedCard(script), ccv: '123', expire: '12/35' });
const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  rig.api.call('POST', path, { token: null, headers: { 'x-api-key': API_KEY, ...headers }, body });
const init = (script: Script, more: object = {}) =>
  call('/payments/init', { vehicle: 'AB-X12', provider: 'testing2', card: typed(script), ...more });
const finalize = (reference: unknown, script: Script = 'approve', more: object = {}) =>
  call('/payments/process/finalize', { context: { reference, card: typed(script) }, ...more });
const postForm = async (url: string, fields: Json) =>
  await rig.api.app.request(new URL(url).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    ),
  });

interface Form {
  url: string;
  fields: { name: string; value: string }[];
}
/** The bank's answer, as the browser would post it. */
async function challenged(script: Script = 'form-challenge') {
  const begun = (await init(script)).body;
  const form = begun['form'] as Form;
  const fields = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
  return { reference: begun['reference'], url: form.url, fields };
}
const charges = () => rig.book().charges().size;

it('begins and charges, for a customer of whom only the mail is known', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const begun = await init('approve', {
    product: { id: rig.product, quantity: 2 },
    customer: { name: 'Jón', email: 'jon@example.is', language: 'en' },
  });
  expect([begun.status, begun.body]).toMatchObject([
    200,
    { state: 'created', status: 'draft', price: { amount: 1000, currency: 'ISK' }, payment: null },
  ]);
  const paid = await finalize(begun.body['reference']);
  expect(paid.body).toMatchObject({
    invoiceId: begun.body['invoiceId'],
    state: 'settled',
    status: 'paid',
    payment: { amount: 1000, currency: 'ISK', transactionId: expect.any(String) },
    receipt: { type: 'visa', last_four: '1111' },
  });
  expect(await allInvoices(rig.api)).toMatchObject([
    { payerName: 'Jón', email: 'jon@example.is', language: 'en' },
  ]);
  const receipt = await rig.api.app.request(new URL(String(paid.body['receiptUrl'])).pathname);
  expect([receipt.status, await receipt.text()]).toEqual([200, expect.stringContaining('1111')]);
});

it('pays in one step, and answers a challenge like init', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const body = { vehicle: { plate: 'ABX12' }, provider: 'testing2', card: typed('form-challenge') };
  const challengedBy = await call('/purchase-product', body);
  expect(challengedBy.body).toMatchObject({ state: 'created', status: 'incomplete', form: { html: null } });
  const paid = await call('/purchase-product', { ...body, provider: 'testing', card: typed() });
  expect(paid.body).toMatchObject({ state: 'settled' });
});

it('by a card that the browser encrypts: tokens, 3-D Secure, charge', async () => {
  const encrypted = await createOnlineRig({ cardInput: 'encrypted' });
  try {
    await encrypted.api.visit({ plate: 'ABX12' });
    const headers = { 'x-api-key': API_KEY };
    const post = (path: string, body: object) =>
      encrypted.api.call('POST', path, { token: null, headers, body });
    const begun = await post('/payments/init', { vehicle: 'ABX12', provider: 'testing2' });
    expect(begun.body).toMatchObject({ state: 'created', tokens: { publicKeyAlias: 'testing2' } });
    const encryptedCard = Buffer.from(JSON.stringify(typed('script-challenge'))).toString('base64');
    const context = { reference: begun.body['reference'], encryptedCard, publicKeyAlias: 'testing2' };
    expect((await post('/payments/process/finalize', { context })).status).toBe(409);
    const step = await post('/payments/process/3dSecure', { context: { ...context, sessionId: 's1' } });
    const { payload } = step.body['challenge'] as { payload: string };
    const paid = await post('/payments/process/finalize', { context, threedsToken: payload });
    expect(paid.body).toMatchObject({ state: 'settled', status: 'paid' });
  } finally {
    await encrypted.close();
  }
});

it('accepts the bank’s answer once, notifies our page, and charges only after it', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const { reference, url, fields } = await challenged();
  expect((await finalize(reference, 'form-challenge')).status).toBe(409);
  const answers = await Promise.all([postForm(url, fields), postForm(url, fields), postForm(url, fields)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const policy = answers[0]?.headers.get('content-security-policy');
  expect(policy).toContain("frame-ancestors 'self'");
  expect(await answers[0]?.text()).toContain('location.origin');
  expect(charges()).toBe(0);
  expect((await finalize(reference, 'form-challenge')).body).toMatchObject({ state: 'settled' });
  expect((await postForm(url, { ...fields, result: 'refused' })).status).toBe(200);
  expect((await finalize(reference, 'form-challenge')).body).toMatchObject({ state: 'settled' });
  expect(charges()).toBe(1);
});

it.each<[string, (good: { reference: string; url: string; fields: Json }) => Promise<unknown>]>([
  ['a forged signature', ({ url, fields }) => postForm(`${url.slice(0, -2)}AA`, fields)],
  [
    'the payer’s own reference',
    ({ reference, fields }) => postForm(`https://x/payments/return/${reference}`, fields),
  ],
  ['no result', ({ url }) => postForm(url, {})],
  ['a result that says no', ({ url, fields }) => postForm(url, { ...fields, result: 'no' })],
  ['another payment’s challenge', ({ url, fields }) => postForm(url, { ...fields, challenge: 'another' })],
  [
    'an expired reference',
    async ({ url, fields }) => {
      rig.api.wait(16 * MINUTE_MS);
      await postForm(url, fields);
    },
  ],
  [
    'a changed amount',
    async ({ url, fields }) => {
      await rig.api.db.write(async ({ q }) => void (await q.update(paymentTable).set({ amountMinor: 1 })));
      await postForm(url, fields);
    },
  ],
])('an answer with %s charges nothing', async (_what, attack) => {
  await rig.api.visit({ plate: 'ABX12' });
  const good = await challenged();
  await attack({ ...good, reference: String(good.reference) });
  expect((await finalize(good.reference, 'form-challenge')).body['state']).not.toBe('settled');
  expect(charges()).toBe(0);
});

it('another payer’s reference, another invoice’s, and an expired one charge nothing', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  await rig.api.visit({ plate: 'XYZ99' });
  const { reference, invoiceId } = (await init('approve')).body;
  const other = (await init('approve', { vehicle: 'XYZ99' })).body;
  const stranger = await rig.api.account('customer');
  const context = { reference, card: typed() };
  const path = '/payments/process/finalize';
  expect((await rig.api.call('POST', path, { token: stranger, body: { context } })).status).toBe(404);
  const [kind, , signature] = String(reference).split('.');
  const mixed = [kind, String(other['reference']).split('.')[1], signature].join('.');
  expect((await finalize(mixed)).status).toBe(404);
  rig.api.wait(16 * MINUTE_MS);
  expect((await finalize(reference)).body).toMatchObject({
    invoiceId,
    state: 'cancelled',
    reason: 'expired',
  });
  expect(charges()).toBe(0);
});

it('believes no result of 3-D Secure, and no price, that the caller sends', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const { reference } = await challenged();
  const secureData = { cavv: 'AAAB', mdStatus: '1', result: 'authenticated' };
  expect((await finalize(reference, 'form-challenge', { secureData })).status).toBe(409);
  expect((await init('approve', { price: 1 })).status).toBe(400);
  const rows = await rig.api.db.read(async (q) => await q.select().from(onlinePaymentTable));
  expect(rows).toMatchObject([{ step: 'form' }]);
  expect(charges()).toBe(0);
});

it('names what is wrong, and never what was typed', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const bad = await init('approve', { card: { number: '4111111111111112', ccv: '98765', expire: '13/30' } });
  expect([bad.status, bad.body['messages']]).toEqual([
    400,
    [
      'card.number: is not a card number',
      'card.expire: has passed, or is no month and year',
      'card.ccv: has another length',
    ],
  ]);
  const mailed = await init('approve', { customer: { email: '5555555555554444@example.is' } });
  expect([mailed.status, JSON.stringify(mailed.body)]).toEqual([400, expect.not.stringContaining('5555')]);
  expect((await init('approve', { vehicle: 'ZZZ99' })).status).toBe(404);
  expect((await init('approve', { provider: 'borgun' })).status).toBe(400);
  expect((await init('unavailable')).status).toBe(503);
  expect((await call('/payments/init', { vehicle: 'ABX12' })).status).toBe(400);
  const open = await init('timeout-after-booking');
  await finalize(open.body['reference'], 'timeout-after-booking');
  expect((await init('approve')).status).toBe(409);
});

it('names the field of what cannot be paid first, as every call does', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const sold = { type: 'quota', price: 100, currency: 'ISK', vehicleCategory: 'light', productCode: 'Q' };
  const quota = (await rig.api.made('/products', sold)).id;
  const messages = async (body: object) => (await init('approve', body)).body['messages'];
  expect(await messages({ product: quota })).toEqual(['product: is a quota, which is not sold by the visit']);
  expect(await messages({ product: 'none' })).toEqual(['product: there is no such product']);
  expect(
    (await call('/purchase-product', { vehicle: 'ABX12', provider: 'testing2', card: typed() })).status,
  ).toBe(200);
  expect(await messages({})).toEqual(['vehicle: There is nothing to pay.']);
});

it('is done once under one key, of which no card can be guessed', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const body = { vehicle: 'ABX12', provider: 'testing2', card: typed() };
  const headers = { 'idempotency-key': 'once' };
  const [first, second] = [
    await call('/purchase-product', body, headers),
    await call('/purchase-product', body, headers),
  ];
  expect(second.body).toEqual(first.body);
  expect(charges()).toBe(1);
});
