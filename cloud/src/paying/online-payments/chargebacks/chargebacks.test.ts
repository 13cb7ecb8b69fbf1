import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { runProgram } from '@hlid/protocol/command-line/program';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnlineRig, EVENT_SECRET, type OnlineRig } from '../../../../test/online-payments.ts';
import { chargebacksOf } from '../../../money/payments/chargebacks.ts';
import { StripeGateway } from '../../../platform/card-gateways/stripe/stripe-gateway.ts';
import { StripeSettingsSchema } from '../../../platform/card-gateways/stripe/stripe-settings.ts';
import { signatureOf } from '../../../platform/http/webhook-signature.ts';
import { createApp } from '../../../program/app.ts';
import { CLOUD_PROGRAM } from '../../../program/command-line/cloud-program.ts';
import { incomeTable } from '../../../records/invoices/income-table.ts';
import { providerEventTable } from '../../../records/online-payments/provider-event-table.ts';
import { importChargebacks } from './import-chargebacks.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

async function income(): Promise<number> {
  const rows = await rig.api.db.read(async (q) => await q.select().from(incomeTable));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
const chargebackOf = async (id: string) =>
  (await rig.api.db.read((q) => chargebacksOf(q, [id]))).at(-1) ?? null;
const audits = async () =>
  (await rig.api.audited()).filter(({ action }) => action === 'payment.chargeback').length;

describe('a file', () => {
  const HEADER =
    'TransactionID,payment,reference,amount,currency,reasonCode,state,deadline,evidence,merchant';
  const send = (lines: string[], more = '', token?: string) =>
    rig.api.call('POST', `/payments/chargebacks?gateway=testing2${more}`, {
      body: [HEADER, ...lines].join('\n'),
      headers: { 'content-type': 'text/csv' },
      ...(token !== undefined && { token }),
    });

  it('is tried first, then recorded line by line, and once more changes nothing', async () => {
    const [one, two] = [await rig.paid('AAA11'), await rig.paid('BBB22')];
    const file = [
      `${one.transactionId},,CB-1,500,ISK,10.4,open,2026-12-05,,Car park`,
      `,${two.id},CB-2,200,ISK,13.1,open,,,Car park`,
      `,${two.id},CB-2,200,ISK,13.1,lost,,,Car park`,
      'stranger,,CB-3,500,ISK,10.4,open,,,Car park',
      `${one.transactionId},,CB-1,5.00,EUR,10.4,open,,,Car park`,
      `,${two.id},CB-4,500,ISK,10.4,perhaps,,,Car park`,
      ',,CB-5,500,ISK,10.4,open,,,Car park',
      `${one.transactionId},,CB-6,500,ISK,10.4,open,,,Car park`,
    ];
    const outcomes = [
      { line: 2, outcome: 'opened', reference: 'CB-1', paymentId: one.id },
      { line: 3, outcome: 'opened', reference: 'CB-2', paymentId: two.id },
      { line: 4, outcome: 'changed', reference: 'CB-2', paymentId: two.id },
      { line: 5, outcome: 'refused', paymentId: null, message: expect.stringMatching(/^payment: /) },
      { line: 6, outcome: 'refused', message: 'currency: the payment was in ISK' },
      { line: 7, outcome: 'refused', reference: null, message: 'state: cannot be read' },
      { line: 8, outcome: 'refused', message: 'payment: is missing, and so is transactionId' },
      { line: 9, outcome: 'opened', reference: 'CB-6', paymentId: one.id },
    ];
    expect((await send(file, '&dryRun=true')).body).toMatchObject({ dryRun: true, lines: outcomes });
    expect([await income(), await audits(), await chargebackOf(one.id)]).toEqual([1000, 0, null]);
    expect((await send(file)).body).toMatchObject({ dryRun: false, lines: outcomes });
    expect([await income(), await audits()]).toEqual([300, 4]);
    expect(await chargebackOf(one.id)).toMatchObject({ reference: 'CB-6', state: 'open' });
    expect(await chargebackOf(two.id)).toMatchObject({ state: 'lost', amountMinor: 200 });
    const again = (await send(file)).body['lines'];
    expect(again).toMatchObject([
      { outcome: 'unchanged' },
      { outcome: 'unchanged' },
      { outcome: 'unchanged' },
      ...outcomes.slice(3, -1),
      { outcome: 'unchanged' },
    ]);
    expect([await income(), await audits()]).toEqual([300, 4]);
  });

  it('leaves the evidence that an operator wrote', async () => {
    const { id, transactionId } = await rig.paid('AAA11');
    const line = `${transactionId},,CB-1,500,ISK,10.4,open,2026-12-05,,`;
    await send([line]);
    const body = { reference: 'CB-1', amount: 500, reasonCode: '10.4', evidence: 'Picture of the exit' };
    await rig.api.call('POST', `/payments/${id}/chargeback`, { body: { ...body, deadline: '2026-12-05' } });
    expect((await send([line])).body['lines']).toMatchObject([{ outcome: 'unchanged' }]);
    await send([line.replace('open', 'won')]);
    expect(await chargebackOf(id)).toMatchObject({ evidence: 'Picture of the exit', state: 'won' });
    expect(await income()).toBe(500);
  });

  it('is refused as a whole where it is none, and to who is no operator', async () => {
    const customer = await rig.api.account('customer', { customerId: 'c1' });
    expect((await send([], '', customer)).status).toBe(403);
    expect((await send([])).body['messages']).toEqual(['The file has no lines.']);
    const strange = await rig.api.call('POST', '/payments/chargebacks?gateway=nobody', {
      body: HEADER,
      headers: { 'content-type': 'text/csv' },
    });
    expect(strange.body['messages']).toEqual([expect.stringMatching(/^gateway: /)]);
    const actor = { caller: { kind: 'cloud', part: 'x' }, at: rig.api.now(), requestId: 'x' } as const;
    const options = { gatewayId: 'testing2', dryRun: false };
    expect(await importChargebacks(rig.api.db, actor, 'a,b\n1,2', options)).toMatchObject({
      ok: false,
      mistakes: expect.arrayContaining([mistake('no-column', [], { name: 'reference' })]),
    });
  });

  it('is read by a command beside the cloud', async () => {
    const path = join(rig.dataDir, 'disputes.csv');
    const config = join(rig.dataDir, 'cloud.yaml');
    writeFileSync(path, `${HEADER}\nstranger,,CB-3,500,ISK,10.4,open,,,Car park\n`);
    writeFileSync(config, 'cardGateways: [{ kind: testing2 }]\ntestGateways: true\n');
    const printed: string[] = [];
    const code = await runProgram(CLOUD_PROGRAM, ['chargebacks', 'import', path, '--dry-run'], {
      print: (text) => void printed.push(text),
      complain: (text) => void printed.push(text),
      environment: { HLID_DATA_DIR: rig.dataDir, HLID_CLOUD_CONFIG: config },
      isTerminal: false,
    });
    expect([code, JSON.parse(printed.join())]).toMatchObject([
      1,
      { ok: false, dryRun: true, lines: [{ line: 2, outcome: 'refused', reference: 'CB-3' }] },
    ]);
  });
});

describe('a notification', () => {
  const CASE = { reference: 'CB-1', amount: 500, currency: 'ISK', reasonCode: '10.4', state: 'open' };
  const seconds = () => Math.floor(rig.api.clock.now().getTime() / 1000);
  async function notify(
    chargeback: object,
    { id = 'evt-1', at = seconds(), secret = EVENT_SECRET, gateway = 'testing2', signed = '' } = {},
  ) {
    const body = JSON.stringify({ type: 'chargeback', chargeback });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,AAAA ${signatureOf(secret, id, at, signed || body)}`,
    };
    const path = `/payments/events/${gateway}`;
    const answer = await rig.api.app.request(path, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.json() };
  }

  it('counts once, and an older one that comes later changes nothing', async () => {
    const { id, transactionId } = await rig.paid('AAA11');
    const lost = { ...CASE, transactionId, state: 'lost' };
    expect(await notify(lost, { id: 'evt-2' })).toEqual({ status: 200, body: { outcome: 'opened' } });
    expect((await notify({ ...CASE, transactionId }, { id: 'evt-1' })).body).toEqual({
      outcome: 'unchanged',
    });
    expect((await notify(lost, { id: 'evt-2' })).body).toEqual({ outcome: 'unchanged' });
    expect([await income(), await audits()]).toEqual([0, 1]);
    expect(await chargebackOf(id)).toMatchObject({ state: 'lost', reasonCode: '10.4' });
  });

  it('is stored with its effect or not at all, so that what is refused can come again', async () => {
    const { id, transactionId } = await rig.paid('AAA11');
    expect((await notify({ ...CASE, payment: crypto.randomUUID() })).status).toBe(404);
    expect((await notify({ ...CASE, payment: id, currency: 'EUR' })).status).toBe(400);
    expect((await notify(CASE)).status).toBe(400);
    expect((await notify({ ...CASE, payment: id })).body).toEqual({ outcome: 'opened' });
    expect(await income()).toBe(0);
    rig.api.wait(31 * DAY_MS);
    await notify({ ...CASE, transactionId, state: 'won' }, { id: 'evt-9' });
    const events = await rig.api.db.read(async (q) => await q.select().from(providerEventTable));
    expect(events.map((event) => event.id)).toEqual(['evt-9']);
  });

  it('of Stripe is read in its own form', async () => {
    const { id, transactionId } = await rig.paid('AAA11');
    const secret = 'whsec_8f3a';
    const context = rig.contextOfRun();
    const gateway = context.cardGateways.get('testing2');
    const stripe = new StripeGateway(
      StripeSettingsSchema.parse({
        kind: 'stripe',
        secretKey: 'sk_test_1',
        publishableKey: 'pk_test_1',
        webhookSecret: secret,
      }),
      context,
    );
    Object.assign(gateway ?? {}, { readEvent: stripe.readEvent.bind(stripe) });
    const app = createApp(context);
    const post = async (type: string, status: string, key = secret) => {
      const dispute = {
        id: 'dp_1',
        object: 'dispute',
        amount: 50_000,
        currency: 'isk',
        payment_intent: transactionId,
        reason: 'fraudulent',
        status,
        evidence_details: null,
      };
      const body = JSON.stringify({ id: `evt_${status}`, object: 'event', type, data: { object: dispute } });
      const signed = createHmac('sha256', key).update(`${seconds()}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'stripe-signature': `t=${seconds()},v1=${signed}`,
      };
      const answer = await app.request('/payments/events/testing2', { method: 'POST', headers, body });
      return [answer.status, await answer.json()];
    };
    expect((await post('charge.dispute.created', 'needs_response', 'whsec_other'))[0]).toBe(400);
    expect(await post('charge.dispute.closed', 'won')).toEqual([200, { outcome: 'opened' }]);
    expect(await post('charge.dispute.created', 'needs_response')).toEqual([200, { outcome: 'unchanged' }]);
    expect(await post('charge.refunded', 'x')).toEqual([200, { outcome: 'unchanged' }]);
    expect(await chargebackOf(id)).toMatchObject({ reference: 'dp_1', state: 'won' });
    expect(await income()).toBe(500);
  });

  it('many at once of one event change it once', async () => {
    const { id } = await rig.paid('AAA11');
    const answers = await Promise.all(Array.from({ length: 8 }, () => notify({ ...CASE, payment: id })));
    const outcomes = answers.map(({ body }) => JSON.stringify(body)).sort();
    expect(outcomes).toEqual(['{"outcome":"opened"}', ...Array(7).fill('{"outcome":"unchanged"}')]);
    expect([await income(), await audits()]).toEqual([0, 1]);
  });

  type Wrong = { secret?: string; signed?: string; ago?: number; id?: string; gateway?: string };
  it.each<[string, Wrong]>([
    ['by another secret', { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }],
    ['of another body', { signed: '{}' }],
    ['more than five minutes old', { ago: 301 }],
    ['from the future', { ago: -301 }],
    ['without an id', { id: '' }],
    ['for a gateway without a secret', { gateway: 'testing' }],
    ['for no gateway', { gateway: 'nobody' }],
  ])('that is signed %s is refused', async (_what, { ago = 0, ...wrong }) => {
    const { id } = await rig.paid('AAA11');
    expect((await notify({ ...CASE, payment: id }, { at: seconds() - ago, ...wrong })).body).toMatchObject({
      messages: [expect.stringMatching(/^signature: /)],
    });
    expect([await income(), await chargebackOf(id)]).toEqual([500, null]);
    expect((await notify({ ...CASE, payment: id }, { at: seconds() - 299 })).status).toBe(200);
  });
});
