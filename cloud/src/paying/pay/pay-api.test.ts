import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { LANGUAGES } from '@hlid/protocol/base/language';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Json } from '../../../test/api.ts';
import { createOnlineRig, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { readableIn } from '../../../test/readable-in.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { addAttempts, forgetAttempts } from '../../people/auth/attempt-limit.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { payOrderTable } from '../../records/pay/pay-order-table.ts';
import { PayLinks } from './link/pay-links.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const typed = (script: Script = 'approve') => ({ number: scriptedCard(script), ccv: '123', expire: '12/35' });
const call = (path: string, body: object) => rig.api.call('POST', path, { token: null, body });
const browser = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
const charges = () => rig.book().charges().size;

async function found(plate = 'ab-x12'): Promise<Json[]> {
  const answer = await call(PAY_PATHS.find, { siteCode: rig.api.site.id, plate });
  return answer.body['stays'] as Json[];
}
async function stayKey(plate?: string): Promise<string> {
  return String((await found(plate))[0]?.['key']);
}
async function order(stay: string, script: Script = 'approve', more: object = {}) {
  const payment = crypto.randomUUID();
  const body = { payment, stay, amountMinor: 500, language: 'is', browser, card: typed(script), ...more };
  return { payment, body, answer: await call(PAY_PATHS.order, body) };
}
const finish = (payment: string, script: Script = 'approve') =>
  call(PAY_PATHS.finish, { payment, card: typed(script) });

it('shows a site, and the sites that take cards', async () => {
  const { code } = rig.api.site;
  const site = await rig.api.call('GET', `/pay/api/sites/${code}`, { token: null });
  expect(site.body).toMatchObject({
    code,
    gateway: { kind: 'testing2', cardInput: 'card', cardField: null, isTest: true, storesCards: true },
  });
  const sites = await rig.api.call('GET', PAY_PATHS.sites, { token: null });
  expect(sites.body['sites']).toMatchObject([{ code }]);
  expect((await rig.api.call('GET', '/pay/api/sites/none', { token: null })).body).toMatchObject({
    code: 'not-found',
  });
});

it('shows a price before a plate is typed, as it is sold now', async () => {
  const prices = async () =>
    (await rig.api.call('GET', `/pay/api/sites/${rig.api.site.id}`, { token: null })).body['prices'];
  const nbsp = '\u00a0';
  expect(await prices()).toMatchObject({ en: [expect.any(String), `ISK${nbsp}500 per started day`] });
  await rig.api.call('PUT', `/products/${rig.product}`, { body: { price: 900 } });
  expect(await prices()).toMatchObject({
    is: [expect.any(String), expect.stringContaining(`900${nbsp}kr.`)],
  });
});

it('says until when to pay and what is added then, before anything is', async () => {
  await rig.api.call('PUT', `/sites/${rig.api.site.id}`, { body: { settings: { chargesLateFees: true } } });
  const tariff = {
    bands: [{ steps: [{ kind: 'flat', priceMinor: 500 }] }],
    lateFee: { afterMinutes: 7 * 24 * 60, amountMinor: 1490 },
  };
  const config = { startTime: '00:00', endTime: '23:59', tariff };
  await rig.api.call('PUT', `/products/${rig.product}`, { body: { config } });
  const endedAt = utcTime(millis(rig.api.now()) - HOUR_MS);
  const { id } = await rig.api.visit({
    plate: 'ABX12',
    status: 'need-payment',
    endedAt,
    price: {
      amountMinor: 500,
      currency: 'ISK',
      pricedAt: endedAt,
      lines: [{ rule: 'flat-rate', units: 1, amountMinor: 500 }],
      product: { id: rig.product, version: 2, vatRate: 24 },
    },
  });
  const stay = await stayKey();
  const english = async () => {
    const { afterwards, amountMinor } = (await call(PAY_PATHS.due, { stay })).body;
    return [amountMinor, (afterwards as Record<string, string>)['en']?.replaceAll('\u00a0', ' ')];
  };
  expect(await english()).toEqual([
    500,
    'You can pay here until 5 Dec 2026, 11:00. If you do not, we send a notice, and ISK 1,490 is added if it is not paid within 7 days of it.',
  ]);
  await rig.api.call('POST', `/visit/${id}/notice`, { body: { deliveredOn: rig.api.now() } });
  expect(await english()).toEqual([500, 'Pay by 28 Nov 2026, 12:00. After that, ISK 1,490 is added.']);
});

it('finds a site by its code as a person types it, and by the id that older signs have', async () => {
  const { id, code } = rig.api.site;
  expect(code).toMatch(/^[34679CDFGHJKMNPRTVWXY]{4}$/);
  await rig.api.visit({ plate: 'ABX12' });
  for (const siteCode of [code, code.toLowerCase(), `${code.slice(0, 2)}-${code.slice(2)}`, id]) {
    const answer = await rig.api.call('GET', `/pay/api/sites/${siteCode}`, { token: null });
    expect(answer.body, siteCode).toMatchObject({ code });
    const page = await rig.api.app.request(`/pay/${siteCode}`);
    expect(page.headers.get('content-security-policy'), siteCode).toContain("default-src 'none'");
    const { body } = await call(PAY_PATHS.find, { siteCode, plate: 'ABX12' });
    expect(body['stays'], siteCode).toHaveLength(1);
  }
});

it('shows a stranger who knows a plate no time and no picture, and the driver both', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const [stay] = await found();
  expect(stay).toMatchObject({
    plate: 'ABX12',
    match: 'equal',
    proved: false,
    startedAt: null,
    hasPicture: false,
  });
  expect(await found('ZZZ99')).toEqual([]);
  const key = stay?.['key'];
  expect((await call(PAY_PATHS.picture, { stay: key })).body).toMatchObject({ code: 'proof-needed' });
  const off = (minutes: number) => utcTime(millis(visit.startedAt) + minutes * MINUTE_MS);
  const wrong = await call(PAY_PATHS.proof, { stay: key, enteredAt: off(11) });
  expect(wrong.body).toMatchObject({ code: 'wrong-proof' });
  const right = await call(PAY_PATHS.proof, { stay: key, enteredAt: off(-9) });
  expect(right.body).toMatchObject({ proved: true, startedAt: visit.startedAt });
});

it('shows a stranger no id from which the time of entry can be read', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const answer = await call(PAY_PATHS.find, { siteCode: rig.api.site.id, plate: 'ABX12' });
  expect(answer.body['stays']).toHaveLength(1);
  expect(readableIn(JSON.stringify(answer.body), visit)).toEqual([]);
  const { body, payment } = await order(await stayKey());
  const states = [body.stay, await call(PAY_PATHS.payment, { payment }), await finish(payment)];
  for (const state of states) expect(readableIn(JSON.stringify(state), visit)).toEqual([]);
});

it('refuses keys that are forged, of another purpose, or too old', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const { url } = await new PayLinks(rig.api.context).sent(visit.id);
  const link = url.split('#')[1] ?? '';
  expect((await call(PAY_PATHS.open, { link })).body).toMatchObject({
    site: { code: rig.api.site.code },
    stay: { proved: true, startedAt: visit.startedAt },
  });
  const key = await stayKey();
  const changed = Buffer.from(key, 'base64url');
  changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
  for (const stay of [link, changed.toString('base64url'), 'x', '.']) {
    expect((await call(PAY_PATHS.due, { stay })).body).toMatchObject({ code: 'expired' });
  }
  expect((await call(PAY_PATHS.open, { link: key })).body).toMatchObject({ code: 'expired' });
  rig.api.wait(4 * HOUR_MS);
  expect((await call(PAY_PATHS.due, { stay: key })).body).toMatchObject({ code: 'expired' });
});

it('limits how many times of entry are tried', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const enteredAt = utcTime(millis(visit.startedAt) + HOUR_MS);
  const proofs: unknown[] = [];
  for (let n = 0; n < 7; n++) proofs.push((await call(PAY_PATHS.proof, { stay, enteredAt })).body['code']);
  expect(proofs).toEqual([...Array(6).fill('wrong-proof'), 'too-many-requests']);
});

it('counts guesses of an address, and drivers who find their cars only against a wide limit', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const find = async (plate: string) =>
    (await call(PAY_PATHS.find, { siteCode: rig.api.site.id, plate })).status;
  // More drivers behind the address of one mobile network than it may guess.
  for (let n = 0; n < 130; n++) expect(await find('ABX12')).toBe(200);
  const guesses: number[] = [];
  for (let n = 0; n < 130; n++) guesses.push(await find(`QQ${n}`));
  expect(guesses.indexOf(429)).toBe(120);
});

it.each([
  { of: 'pay-found unknown', limit: 1200, path: PAY_PATHS.find },
  { of: 'pay unknown', limit: 60_000, path: PAY_PATHS.due },
])('looks through no list, and bears no flood: $of', async ({ of, limit, path }) => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const body = path === PAY_PATHS.find ? { siteCode: rig.api.site.id, plate: 'ABX12' } : { stay };
  await rig.api.db.write(({ q }) => forgetAttempts(q, [of]));
  await rig.api.db.write(({ q }) => addAttempts(q, { key: of }, limit - 1, rig.api.now()));
  const statuses = [(await call(path, body)).status, (await call(path, body)).status];
  expect(statuses).toEqual([200, 429]);
  rig.api.wait(15 * MINUTE_MS + 1);
  expect((await call(path, body)).status).toBe(200);
});

it('limits the orders of a stay, and the times of entry that are tried on a day', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const codes: unknown[] = [];
  for (let n = 0; n < 21; n++)
    codes.push((await order(stay, 'approve', { amountMinor: 1 })).answer.body['code']);
  expect(codes).toEqual([...Array(20).fill('amount-changed'), 'too-many-requests']);
  const enteredAt = utcTime(millis(visit.startedAt) + HOUR_MS);
  const proofs: unknown[] = [];
  for (let n = 0; n < 24; n++) {
    if (n % 6 === 0) rig.api.wait(15 * MINUTE_MS + 1);
    proofs.push((await call(PAY_PATHS.proof, { stay, enteredAt })).body['code']);
  }
  expect(proofs).toEqual([...Array(18).fill('wrong-proof'), ...Array(6).fill('too-many-requests')]);
});

it('pays what is due, once, however often it is sent', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const due = await call(PAY_PATHS.due, { stay });
  expect(due.body).toMatchObject({
    standing: 'due',
    amountMinor: 500,
    currency: 'ISK',
    dayPriceMinor: 500,
    atExit: false,
    stay: { key: stay, startedAt: null },
  });
  const { payment, body, answer } = await order(stay);
  expect(answer.body).toMatchObject({ key: payment, state: 'created', next: { kind: 'finish' } });
  expect((await call(PAY_PATHS.order, body)).body).toMatchObject({ key: payment, next: { kind: 'finish' } });
  expect((await call(PAY_PATHS.order, { ...body, quantity: 2 })).body).toMatchObject({ code: 'key-reused' });
  expect(charges()).toBe(0);
  await Promise.all([finish(payment), finish(payment), finish(payment)]);
  const paid = await call(PAY_PATHS.payment, { payment });
  expect(paid.body).toMatchObject({ state: 'settled', next: null, exitOpens: false });
  expect(charges()).toBe(1);
  const receipt = await rig.api.app.request(String(paid.body['receipt']));
  expect([receipt.status, await receipt.text()]).toEqual([200, expect.stringContaining('1111')]);
  const mail = { payment, email: 'jon@example.is', language: 'is' };
  expect((await call(PAY_PATHS.mail, mail)).status).toBe(200);
  expect((await call(PAY_PATHS.due, { stay })).body).toMatchObject({ standing: 'paid', amountMinor: 0 });
  expect((await order(stay)).answer.body).toMatchObject({ code: 'nothing-due' });
});

it('sells days, and refuses another amount than it asks for', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const changed = await order(stay, 'approve', { amountMinor: 1 });
  expect(changed.answer.body).toMatchObject({ code: 'amount-changed' });
  expect((await call(PAY_PATHS.order, changed.body)).body).toMatchObject({ code: 'cancelled' });
  const { payment } = await order(stay, 'approve', { amountMinor: 1500, quantity: 3 });
  const paid = await finish(payment);
  expect(paid.body).toMatchObject({ state: 'settled', quantity: 3, amountMinor: 1500 });
  expect(millis(String(paid.body['daysUntil']))).toBeGreaterThan(rig.api.clock.now().getTime() + 2 * DAY_MS);
});

it('leads through the bank’s challenge, whose form comes once', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const { payment, body, answer } = await order(stay, 'form-challenge');
  const { next } = answer.body as { next: { url: string; fields: { name: string; value: string }[] } };
  expect(next).toMatchObject({ kind: 'form' });
  expect((await call(PAY_PATHS.order, body)).body).toMatchObject({ next: { kind: 'wait' } });
  expect((await finish(payment, 'form-challenge')).body).toMatchObject({ code: 'wrong-step' });
  await rig.api.app.request(new URL(next.url).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(next.fields.map(({ name, value }): [string, string] => [name, value])),
  });
  expect((await call(PAY_PATHS.payment, { payment })).body).toMatchObject({ next: { kind: 'finish' } });
  expect((await finish(payment, 'form-challenge')).body).toMatchObject({ state: 'settled' });
});

it('keeps a key that was cancelled from ever paying, also where its order arrives later', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const late = crypto.randomUUID();
  expect((await call(PAY_PATHS.payment, { payment: late })).body).toMatchObject({ code: 'not-found' });
  expect((await call(PAY_PATHS.cancel, { payment: late })).body).toMatchObject({ code: 'cancelled' });
  const arrived = await order(stay, 'approve', { payment: late });
  expect(arrived.answer.body).toMatchObject({ code: 'cancelled' });
  const { payment } = await order(stay);
  expect((await call(PAY_PATHS.cancel, { payment })).body).toMatchObject({ state: 'cancelled' });
  expect((await finish(payment)).body).toMatchObject({ state: 'cancelled' });
  expect(charges()).toBe(0);
});

it('shows an unknown outcome as being checked, and takes no other payment meanwhile', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  const { payment } = await order(stay, 'timeout-after-booking');
  expect((await finish(payment, 'timeout-after-booking')).body).toMatchObject({
    state: 'unknown',
    next: null,
  });
  expect((await call(PAY_PATHS.cancel, { payment })).body).toMatchObject({ state: 'unknown' });
  expect((await call(PAY_PATHS.due, { stay })).body).toMatchObject({ standing: 'checking' });
  expect((await order(stay)).answer.body).toMatchObject({ code: 'payment-under-way' });
});

it('names the field of a card, and stores nothing of it', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const bad = await order(await stayKey(), 'approve', {
    card: { number: '4111111111111112', ccv: '98765', expire: '13/30' },
  });
  expect(bad.answer.body).toMatchObject({ code: 'card', fields: ['number', 'expire', 'ccv'] });
  const rows = await rig.api.db.read(async (q) => await q.select().from(payOrderTable));
  expect(JSON.stringify(rows)).not.toContain('4111');
});

it('takes no payment for a car that left too long ago, which the offices still do', async () => {
  await rig.api.call('PUT', `/sites/${rig.api.site.id}`, { body: { settings: { payAfterDays: 2 } } });
  const site = await rig.api.call('GET', `/pay/api/sites/${rig.api.site.id}`, { token: null });
  expect(site.body).toMatchObject({ payAfterDays: 2 });
  const endedAt = utcTime(millis(rig.api.now()) - 2 * DAY_MS + HOUR_MS);
  const visit = await rig.api.visit({
    plate: 'ABX12',
    status: 'need-payment',
    endedAt,
    price: {
      amountMinor: 500,
      currency: 'ISK',
      pricedAt: endedAt,
      lines: [{ rule: 'unit', units: 1, unitMinor: 500, amountMinor: 500 }],
      product: { id: rig.product, version: 1, vatRate: 24 },
    },
  });
  const stay = await stayKey();
  const due = (await call(PAY_PATHS.due, { stay })).body;
  expect(due).toMatchObject({ standing: 'due', amountMinor: 500 });
  expect(Object.keys(due['afterwards'] as object)).toEqual([...LANGUAGES]);
  expect(due['afterwards']).toMatchObject({
    en: 'You can pay here until 21 Nov 2026, 13:00, and nothing is added. After that, contact us.',
  });
  rig.api.wait(HOUR_MS);
  expect(await found()).toEqual([]);
  expect((await call(PAY_PATHS.due, { stay })).body).toMatchObject({ standing: 'too-late', amountMinor: 0 });
  expect((await order(stay)).answer.body).toMatchObject({ code: 'too-late' });
  const init = (token?: string) =>
    rig.api.call('POST', '/payments/init', {
      body: { vehicle: { visit: visit.id }, card: typed() },
      ...(token !== undefined && { token }),
    });
  const customer = await rig.api.account('customer', { customerId: 'c1' });
  expect((await init(customer)).body['messages']).toEqual([
    expect.stringContaining('vehicle: left too long ago'),
  ]);
  expect((await init()).status).toBe(200);
});

it('mails a receipt to a payer, and none to a driver who has only ordered', async () => {
  await rig.api.visit({ plate: 'ABX12' });
  const stay = await stayKey();
  await finish((await order(stay)).payment);
  const days = await order(stay, 'approve', { amountMinor: 1000, quantity: 2 });
  const body = { payment: days.payment, email: 'stranger@example.is', language: 'is' };
  expect(days.answer.body).toMatchObject({ state: 'created' });
  expect((await call(PAY_PATHS.mail, body)).body).toMatchObject({ code: 'not-found' });
});

it('the driver of a proved stay contests it, and reads the answer there', async () => {
  const startedAt = utcTime(millis(rig.api.now()) - HOUR_MS);
  const { id } = await rig.api.visit({ plate: 'ABX12', startedAt });
  const unproved = await stayKey();
  const written = (stay: string) =>
    call(PAY_PATHS.dispute, { stay, text: 'I left at once.', email: 'jon@example.is', language: 'pl' });
  expect((await written(unproved)).body).toMatchObject({ code: 'proof-needed' });
  const proved = await call(PAY_PATHS.proof, { stay: unproved, enteredAt: startedAt });
  const stay = String(proved.body['key']);
  expect((await call(PAY_PATHS.due, { stay })).body).not.toHaveProperty('dispute');
  const opened = await written(stay);
  expect(opened.status).toBe(200);
  const link = String(opened.body['link']);
  expect((await written(stay)).body).toMatchObject({ code: 'disputed' });
  expect((await call(PAY_PATHS.due, { stay })).body['dispute']).toMatchObject({
    state: 'open',
    answer: null,
  });
  expect((await call(PAY_PATHS.due, { stay: unproved })).body).not.toHaveProperty('dispute');
  const list = await rig.api.call('GET', `/disputes?visitId=${id}`);
  const [dispute] = list.body['data'] as Json[];
  expect(dispute).toMatchObject({ source: 'driver', openedBy: null, email: 'jon@example.is', state: 'open' });
  const answer = { outcome: 'rejected', answer: 'You stayed for an hour.' };
  await rig.api.call('POST', `/dispute/${dispute?.['id']}/answer`, { body: answer });
  expect((await call(PAY_PATHS.due, { stay })).body['dispute']).toMatchObject({
    state: 'rejected',
    answer: answer.answer,
  });
  expect((await call(PAY_PATHS.objection, { link })).body).toMatchObject({ answer: { text: answer.answer } });
});

it('the driver sees a dispute by its link and by no other, until the link ends', async () => {
  const startedAt = utcTime(millis(rig.api.now()) - HOUR_MS);
  await rig.api.visit({ plate: 'ABX12', startedAt });
  const proved = await call(PAY_PATHS.proof, { stay: await stayKey(), enteredAt: startedAt });
  const stay = String(proved.body['key']);
  const given = { text: 'I left at once.', email: 'jon@example.is', language: 'en' };
  const link = String((await call(PAY_PATHS.dispute, { stay, ...given })).body['link']);
  const [mail] = await rig.api.db.read(async (q) => await q.select().from(mailTable));
  expect(mail?.text).toContain(`/pay/objection?lang=en#`);
  expect((await call(PAY_PATHS.objection, { link })).body).toMatchObject({
    dispute: { state: 'open' },
    plate: 'ABX12',
    text: given.text,
    messages: [],
    answer: null,
  });
  for (const other of [`${link.slice(0, -2)}AA`, stay.slice(0, 500), 'x']) {
    expect((await call(PAY_PATHS.objection, { link: other })).body).toMatchObject({ code: 'expired' });
  }
  const text = 'I have a receipt.';
  expect((await call(PAY_PATHS.objectionMessage, { link, text })).body).toMatchObject({
    messages: [{ side: 'driver', text }],
  });
  expect((await call(PAY_PATHS.objectionWithdraw, { link })).body).toMatchObject({
    dispute: { state: 'withdrawn' },
  });
  expect((await call(PAY_PATHS.objectionMessage, { link, text })).body).toMatchObject({ code: 'disputed' });
  rig.api.wait(121 * DAY_MS);
  expect((await call(PAY_PATHS.objection, { link })).body).toMatchObject({ code: 'expired' });
});
