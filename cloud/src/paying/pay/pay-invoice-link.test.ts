import { DAY_MS } from '@hlid/protocol/base/durations';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { mailTable } from '../../records/mail/mail-table.ts';

const SELLER = { name: 'Höfn ehf.', ssn: '500101-2880', bankAccount: '0133-26-001234' };

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
  await rig.api.call('PUT', `/sites/${rig.api.site.id}`, { body: { settings: { seller: SELLER } } });
});
afterEach(() => rig.close());

const typed = (script: Script = 'approve') => ({ number: scriptedCard(script), ccv: '123', expire: '12/35' });
const call = (path: string, body: object) => rig.api.call('POST', path, { token: null, body });
const browser = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };

/** An invoice that went to its customer by mail. @returns its id, and the link in the mail */
async function mailed(more: { cardGateway?: string } = {}) {
  const customerId = await addCustomer(
    rig.api,
    { billingMethod: 'daily', sendInvoicesToEmail: true },
    { email: 'books@example.is' },
  );
  if (more.cardGateway !== undefined) {
    const settings = { cardGateway: more.cardGateway };
    await rig.api.call('PUT', `/sites/${rig.api.site.id}`, { body: { settings } });
  }
  await settle(rig.api, { customerId, paymentStatus: 'company-invoice', amountMinor: 1500 });
  rig.api.wait(2 * DAY_MS);
  await rig.api.call('POST', '/billing/runs', { body: {} });
  const [invoice] = await allInvoices(rig.api);
  const [mail] = await rig.api.db.read(async (q) => await q.select().from(mailTable));
  const text = (mail?.text ?? '').replaceAll('\u00a0', ' ');
  return { id: invoice?.id ?? '', customerId, text, url: /https?:\S+#\S+/.exec(text)?.[0] ?? null };
}

async function opened(url: string | null): Promise<string> {
  const { body } = await call(PAY_PATHS.open, { link: url?.split('#')[1] ?? 'none' });
  return String((body['stay'] as { key?: string } | undefined)?.key);
}

async function order(stay: string, script: Script = 'approve', payment: string = crypto.randomUUID()) {
  const body = { payment, stay, amountMinor: 1500, language: 'is', browser, card: typed(script) };
  return { payment, answer: await call(PAY_PATHS.order, body) };
}
const finish = (payment: string, script: Script = 'approve') =>
  call(PAY_PATHS.finish, { payment, card: typed(script) });
const invoiceOf = async (id: string) => (await rig.api.call('GET', `/invoice/${id}`)).body;

it('the mail says until when, to which account, under which reference and where by card', async () => {
  const { text, url } = await mailed();
  expect(text).toContain('Svona er greitt:\nGreiðist í síðasta lagi: 7. desember 2026');
  expect(text).toContain('Bankareikningur: 0133-26-001234');
  expect(text).toContain('Tilvísun með greiðslu: Reikningur nr. 1');
  expect(text).toContain(`Með korti: ${url}`);
  expect(url).toContain('/pay?lang=is#');
});

it('is paid by the link in the mail, once however often it is pressed', async () => {
  const { id, url } = await mailed();
  const stay = await opened(url);
  expect((await call(PAY_PATHS.due, { stay })).body).toMatchObject({
    standing: 'due',
    amountMinor: 1500,
    currency: 'ISK',
    invoice: { number: 1, payer: 'Bílaleigan ehf.', dueOn: '2026-12-07' },
  });
  const { payment, answer } = await order(stay);
  expect(answer.body).toMatchObject({ state: 'created', amountMinor: 1500, invoice: { number: 1 } });
  // The order after a lost answer, under the same key, is the same payment.
  expect((await order(stay, 'approve', payment)).answer.body).toMatchObject({
    key: payment,
    state: 'created',
  });
  const answers = await Promise.all([finish(payment), finish(payment), finish(payment)]);
  for (const { body } of answers) expect(body).toMatchObject({ state: 'settled', siteKnows: true });
  expect((await call(PAY_PATHS.due, { stay })).body).toMatchObject({ standing: 'paid', amountMinor: 0 });
  expect((await order(stay)).answer.body).toMatchObject({ code: 'nothing-due' });
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid', settlement: { way: 'online' } });
  expect(rig.book().totalMinor()).toBe(1500);
});

it('an answer that was lost is being checked, also on another page, and is found again', async () => {
  const { id, url } = await mailed();
  const { payment } = await order(await opened(url), 'timeout-after-booking');
  expect((await finish(payment, 'timeout-after-booking')).body).toMatchObject({ state: 'unknown' });
  const other = await opened(url);
  expect((await call(PAY_PATHS.due, { stay: other })).body).toMatchObject({ standing: 'checking' });
  expect((await order(other)).answer.body).toMatchObject({ code: 'payment-under-way' });
  rig.restart();
  rig.api.wait(60_000);
  await rig.resolver.run();
  expect((await call(PAY_PATHS.payment, { payment })).body).toMatchObject({ state: 'settled' });
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid' });
  expect(rig.book().totalMinor()).toBe(1500);
});

it('its document and its customer have the link; what is paid has none, nor does a site without cards', async () => {
  const { id, customerId } = await mailed();
  const token = await rig.api.account('customer', { customerId });
  const link = await rig.api.call('POST', `/invoice/${id}/pay-link`, { token, body: {} });
  expect([link.status, link.body['qr']]).toEqual([200, expect.stringContaining('<svg')]);
  const document = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return await (await rig.api.app.request(`/invoice/${id}/document`, { headers })).text();
  };
  const open = await document();
  expect(open).toContain('Svona er greitt');
  expect(open).toContain('0133-26-001234');
  expect(open).toMatch(/href="[^"]*\/pay\?lang=is#[\w-]+"/);
  expect(open).toContain('<svg');
  const { payment } = await order(await opened(String(link.body['url'])));
  await finish(payment);
  const paid = await document();
  expect(paid).not.toContain('Svona er greitt');
  expect(paid).toContain('Kort á netinu');
  expect((await rig.api.call('POST', `/invoice/${id}/pay-link`, { token, body: {} })).status).toBe(409);
});

it('a link of a stay does not pay an invoice, nor the other way round', async () => {
  const { id, url } = await mailed();
  const stay = await opened(url);
  expect((await call(PAY_PATHS.picture, { stay })).body).toMatchObject({ code: 'expired' });
  const proof = { stay, enteredAt: rig.api.now() };
  expect((await call(PAY_PATHS.proof, proof)).body).toMatchObject({ code: 'expired' });
  // The last digit stays, because some of its bits mean nothing.
  const forged = `${url?.slice(0, -2)}${url?.at(-2) === 'A' ? 'B' : 'A'}${url?.slice(-1)}`;
  expect(await opened(forged)).toBe('undefined');
  expect(url).not.toContain(id);
});
