/**
 * Attacks on payments, what they meet, and the test that fails without it. Tests without a file are below.
 *
 * | attack | guard | test |
 * | --- | --- | --- |
 * | the answer to a charge is lost after it was booked | an outcome that is not known is `unknown`; `findOut`, never a second charge | gateway-contract: `has an unknown outcome after …`; online-payment-books |
 * | HTTP 500, a system that is busy, a slow answer | the same correlation id for each try; `unknown` after the last | valitor-gateway: `repeats a charge that met …`, `leaves the outcome unknown with HTTP …` |
 * | the provider calls the charge a duplicate (T3) | `unknown`, and it is looked up | valitor-gateway: `looks a duplicate up, and never charges again` |
 * | a forged reference, or one for another purpose | HMAC over purpose, payment, amount, currency, nonce and expiry | online-payment-routes: `an answer with a forged signature …`; `a reference is for its purpose only` |
 * | another payment's or invoice's reference | the same, and the payer's name | online-payment-routes: `another payer’s reference …` |
 * | an amount that was changed, in the browser or on the way | our own price; the signature; the amount that the page showed | online-payment-routes: `an answer with a changed amount …`, `believes no … price`; pay-api: `refuses another amount` |
 * | an expired reference | `isExpired` before each step | online-payment-routes: `an answer with an expired reference …` |
 * | a form of another order, no cavv, mdStatus 0, 7 or 8 | `readBankReturn`; MD and the proof are of this order | bank-return: `declines by …`; borgun-gateway, verifone-gateway-authentication |
 * | the bank’s form once more, or after the end | it is read at the step `form` only; each step is one conditional write | online-payment-routes: `takes the bank’s answer once …`; `the bank’s form changes nothing …`; `of two forms …` |
 * | a finished reference once more | only a payment that is `created` is charged or cancelled | `a finished payment is …` |
 * | many finalize at once, in several processes | `created → sent` is one conditional write | online-payments: `50 finalize …`; `in two processes …` |
 * | cancel and finalize at once | `endUnsent` ends nothing that was sent | online-payments: `one gives up and finalizes`; `in two processes …` |
 * | two tabs, two payers | one open payment a visit | online-payments: `two pay one visit`; `in two processes …` |
 * | another card than the bank was asked about | brand and last four of the step; each provider's proof | online-payments: `charges only the card that was authenticated` |
 * | an Idempotency-Key with another body, or another's | HMAC of the body; keys belong to a caller | `an Idempotency-Key …` |
 * | the key of another's payment on the page | random keys; a key is of one visit and amount | `a key of the page …` |
 * | a login by electronic identity: timeout, cancel, poll flood | the state machine of the session; `wait` | electronic-id-routes: `may end as …`, `polls that come too fast …` |
 * | a stolen poll token, a replayed success | the token is of its session, beside an API key; success is answered once | electronic-id-routes: `a stolen poll token …`, `success is returned once …` |
 */

import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { API_KEY } from '../../../test/api.ts';
import {
  BROWSER,
  card,
  createOnlineRig,
  DRIVER,
  type OnlineRig,
  type Script,
} from '../../../test/online-payments.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import type { Stepped } from './payment-steps.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const ANOTHER = { kind: 'driver', id: 'another' } as const;
const charges = () => rig.book().charges().size;
const pays = (script: Script = 'approve') => ({ source: card(script), threedsToken: null });
let visits = 0;
const visitOf = (plate = `BNK${10 + visits++}`) => rig.api.visit({ plate });

function begun(step: Stepped) {
  if (!step.ok) throw new Error(JSON.stringify(step));
  return step;
}

/** A payment with its driver at the bank, and the bank's form. */
async function atBank() {
  const visit = await visitOf();
  const step = begun(await rig.payments.begin(DRIVER, rig.order(visit, 'form-challenge')));
  if (step.next.kind !== 'challenge' || step.next.challenge.kind !== 'form') throw new Error('no form');
  const { url, fields } = step.next.challenge.form;
  const form = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return { visit, reference: step.payment.reference, returned: url.split('/').at(-1) ?? '', form };
}
type AtBank = Awaited<ReturnType<typeof atBank>>;

it.each<[string, (given: AtBank) => Promise<unknown>]>([
  ['the driver gave up', ({ reference }) => rig.payments.cancel(DRIVER, reference)],
  [
    'it ran out',
    async ({ reference }) => {
      rig.api.wait(16 * MINUTE_MS);
      await rig.payments.state(DRIVER, reference);
    },
  ],
  [
    'somebody else began',
    async ({ visit }) => {
      rig.api.wait(4 * MINUTE_MS);
      begun(await rig.payments.begin(ANOTHER, rig.order(visit)));
    },
  ],
])('the bank’s form changes nothing after %s', async (_what, end) => {
  const given = await atBank();
  await end(given);
  rig.restart();
  for (let time = 0; time < 3; time += 1) await rig.payments.readReturn(given.returned, given.form);
  const finalized = await rig.payments.finalize(DRIVER, given.reference, pays('form-challenge'));
  expect(finalized).toMatchObject({ ok: true, payment: { state: 'cancelled', step: 'form' } });
  expect(charges()).toBe(0);
});

it('the bank’s form changes nothing once its answer is known: no refusal undoes it, and no proof repairs a refusal', async () => {
  const accepted = await atBank();
  await rig.payments.readReturn(accepted.returned, accepted.form);
  await rig.payments.readReturn(accepted.returned, { ...accepted.form, result: 'no' });
  const stands = { state: 'created', step: 'authenticated' };
  expect(await rig.payments.state(DRIVER, accepted.reference)).toMatchObject(stands);
  await rig.payments.cancel(DRIVER, accepted.reference);
  const refused = await atBank();
  await rig.payments.readReturn(refused.returned, { ...refused.form, result: 'no' });
  await rig.payments.readReturn(refused.returned, refused.form);
  await rig.payments.finalize(DRIVER, refused.reference, pays('form-challenge'));
  expect(await rig.payments.state(DRIVER, refused.reference)).toMatchObject({ state: 'declined' });
  expect(charges()).toBe(0);
});

it('of two forms of the bank at once, one that accepts and one that refuses, one counts', async () => {
  const { reference, returned, form } = await atBank();
  const refusal = { ...form, result: 'no' };
  const other = rig.another().payments;
  await Promise.all([
    rig.payments.readReturn(returned, form),
    other.readReturn(returned, refusal),
    other.readReturn(returned, form),
    rig.payments.readReturn(returned, refusal),
  ]);
  const { state, step } = (await rig.payments.state(DRIVER, reference)) ?? {};
  expect(['created authenticated', 'declined form']).toContain(`${state} ${step}`);
});

it('a reference is for its purpose only', async () => {
  const { reference, returned, form } = await atBank();
  const asReturn = `r${reference.slice(1)}`;
  const asPay = `p${returned.slice(1)}`;
  expect(await rig.payments.readReturn(reference, form)).toEqual({ ok: false, reason: 'no-reference' });
  expect(await rig.payments.readReturn(asReturn, form)).toEqual({ ok: false, reason: 'no-reference' });
  for (const stolen of [returned, asPay]) {
    expect(await rig.payments.state(DRIVER, stolen)).toBeNull();
    expect(await rig.payments.cancel(DRIVER, stolen)).toBeNull();
    expect(await rig.payments.finalize(DRIVER, stolen, pays())).toMatchObject({ reason: 'no-reference' });
  }
  expect(await rig.payments.state(DRIVER, reference)).toMatchObject({ state: 'created', step: 'form' });
});

it('a finished payment is neither charged nor cancelled by its reference once more', async () => {
  const visit = await visitOf();
  const paid = begun(await rig.payments.purchase(DRIVER, rig.order(visit)));
  const { reference, id } = paid.payment;
  const again = () =>
    Promise.all([
      rig.payments.finalize(DRIVER, reference, pays()),
      rig.payments.finalize(DRIVER, reference, pays('insufficient-funds')),
      rig.payments.cancel(DRIVER, reference),
      rig.payments.authenticate(DRIVER, reference, { source: card(), sessionId: null, browser: BROWSER }),
    ]);
  await again();
  expect(await rig.payments.state(DRIVER, reference)).toMatchObject({ state: 'settled' });
  await rig.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'A complaint' } });
  rig.restart();
  await again();
  expect(await rig.payments.state(DRIVER, reference)).toMatchObject({ state: 'reversed' });
  expect([charges(), rig.book().totalMinor()]).toEqual([1, 0]);
});

it('in two processes at once: one charge, however many tabs, drivers and cancellations', async () => {
  const one = rig.another().payments;
  const other = rig.another().payments;
  for (const plate of ['ABX12', 'KLM45', 'RST78', 'VYZ33']) {
    const visit = await visitOf(plate);
    const before = charges();
    const first = begun(await one.begin(DRIVER, rig.order(visit)));
    const { reference } = first.payment;
    await Promise.all([
      ...[one, other].flatMap((tab) => [
        tab.finalize(DRIVER, reference, pays()),
        tab.cancel(DRIVER, reference),
        tab.purchase(ANOTHER, rig.order(visit)),
        tab.finalize(DRIVER, reference, pays()),
      ]),
    ]);
    const state = (await one.state(DRIVER, reference))?.state;
    const paid = (await allInvoices(rig.api)).filter(
      ({ visitId, status }) => visitId === visit.id && status === 'paid',
    );
    expect(charges() - before, plate).toBe(paid.length);
    expect(paid.length, plate).toBeLessThanOrEqual(1);
    if (state === 'settled') expect(paid.map(({ id }) => id)).toEqual([first.payment.id]);
  }
});

it('an Idempotency-Key of another card, or of another caller, pays nothing and shows nothing', async () => {
  await visitOf('ABX12');
  const headers = { 'x-api-key': API_KEY, 'idempotency-key': 'once' };
  const body = (script: Script) => ({
    vehicle: 'ABX12',
    provider: 'testing2',
    card: { number: scriptedCard(script), ccv: '123', expire: '12/35' },
  });
  const purchase = (script: Script, given: object) =>
    rig.api.call('POST', '/purchase-product', { token: null, headers, body: body(script), ...given });
  const first = await purchase('insufficient-funds', {});
  expect(first.body).toMatchObject({ state: 'declined' });
  expect((await purchase('approve', {})).status).toBe(400);
  const token = await rig.api.account('operator');
  const stranger = await purchase('insufficient-funds', { token, headers: { 'idempotency-key': 'once' } });
  expect(stranger.body['invoiceId']).not.toBe(first.body['invoiceId']);
  expect(charges()).toBe(0);
});

it('a key of the page is of one stay and one driver', async () => {
  await visitOf('ABX12');
  await visitOf('KLM45');
  const call = async (path: string, body: object) =>
    (await rig.api.call('POST', path, { token: null, body })).body;
  const stayOf = async (plate: string) => {
    const found = await call(PAY_PATHS.find, { siteCode: rig.api.site.id, plate });
    return (found['stays'] as { key: string }[])[0]?.key;
  };
  const payment = crypto.randomUUID();
  const browser = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
  const typed = { number: scriptedCard('approve'), ccv: '123', expire: '12/35' };
  const order = { payment, amountMinor: 500, language: 'is', browser, card: typed };
  await call(PAY_PATHS.order, { ...order, stay: await stayOf('ABX12') });
  const other = await call(PAY_PATHS.order, { ...order, stay: await stayOf('KLM45') });
  expect(other).toMatchObject({ code: 'key-reused' });
  const guessed = { payment: crypto.randomUUID(), card: typed };
  expect(await call(PAY_PATHS.finish, guessed)).toMatchObject({ code: 'not-found' });
  expect(charges()).toBe(0);
  expect(await call(PAY_PATHS.finish, { payment, card: typed })).toMatchObject({ state: 'settled' });
  const visits = await rig.api.db.read(async (q) => await q.select().from(visitTable));
  expect(visits.filter(({ unitsMet }) => unitsMet > 0).map(({ plate }) => plate)).toEqual(['ABX12']);
});
