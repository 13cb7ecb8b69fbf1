import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createOnlineRig, DRIVER } from '../../../../test/online-payments.ts';
import { allInvoices } from '../../../../test/settlements.ts';
import { chargebacksOf } from '../../../money/payments/chargebacks.ts';
import { refundsOf } from '../../../money/payments/refunds.ts';
import type { RefundOutcome } from '../../../platform/card-gateways/gateway.ts';
import { StripeGateway } from '../../../platform/card-gateways/stripe/stripe-gateway.ts';
import { StripeSettingsSchema } from '../../../platform/card-gateways/stripe/stripe-settings.ts';
import { createApp } from '../../../program/app.ts';
import { incomeTable } from '../../../records/invoices/income-table.ts';
import { findOnlinePayment } from '../online-payment-store.ts';

const SECRET = 'whsec_8f3a';
const RUNS = Number(process.env['HLID_DISPUTE_RUNS'] ?? 25);
const PAID = 1500;

interface ProviderRefund {
  id: string;
  ours: string | null;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
}
interface ProviderDispute {
  id: string;
  amount: number;
  status: 'needs_response' | 'won' | 'lost' | 'prevented';
}
interface ProviderEvent {
  id: string;
  type: string;
  object: object;
}

/** One payment at a provider that reports what becomes of it as Stripe does, and how much of it the provider holds for us. */
class ProviderLedger {
  readonly refunds: ProviderRefund[] = [];
  readonly disputes: ProviderDispute[] = [];
  readonly events: ProviderEvent[] = [];
  readonly #intent: string;

  constructor(intent: string) {
    this.#intent = intent;
  }

  refund(amount: number, { ours = null, isPending = false }: { ours?: string | null; isPending?: boolean }) {
    const known = this.refunds.find((one) => ours !== null && one.ours === ours);
    if (known !== undefined) return known;
    if (amount <= 0 || amount > PAID - this.refundedMinor()) return null;
    const status = isPending ? ('pending' as const) : ('succeeded' as const);
    const made: ProviderRefund = { id: `re_${this.refunds.length}`, ours, amount, status };
    this.refunds.push(made);
    this.#sendRefundEvent('refund.created', made);
    this.#tell('charge.refunded', { amount_refunded: this.refundedMinor() * 100 });
    return made;
  }

  end(refund: ProviderRefund, status: 'succeeded' | 'failed') {
    if (refund.status === 'failed' || refund.status === status) return;
    refund.status = status;
    this.#sendRefundEvent(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  dispute(amount: number, status: 'needs_response' | 'prevented') {
    const opened: ProviderDispute = { id: `dp_${this.disputes.length}`, amount, status };
    this.disputes.push(opened);
    this.#sendDisputeEvent('charge.dispute.created', opened);
  }

  decide(dispute: ProviderDispute, status: 'won' | 'lost') {
    const isAppeal = dispute.status === 'lost' && status === 'won';
    if (dispute.status !== 'needs_response' && !isAppeal) return;
    dispute.status = status;
    this.#sendDisputeEvent('charge.dispute.closed', dispute);
  }

  /** All that went back or is about to, as `amount_refunded` has it. */
  refundedMinor(): number {
    return sum(this.refunds.filter(({ status }) => status !== 'failed'));
  }

  disputedMinor(...states: ProviderDispute['status'][]): number {
    return sum(this.disputes.filter(({ status }) => states.includes(status)));
  }

  givenMinor(): number {
    return sum(this.refunds.filter(({ status }) => status === 'succeeded'));
  }

  heldMinor(): number {
    return PAID - this.givenMinor() - this.disputedMinor('needs_response', 'lost');
  }

  #sendRefundEvent(type: string, { id, ours, amount, status }: ProviderRefund) {
    const metadata = ours === null ? {} : { hlid_refund: ours };
    this.#tell(type, { id, amount: amount * 100, status, metadata });
  }

  #sendDisputeEvent(type: string, { id, amount, status }: ProviderDispute) {
    this.#tell(type, { id, amount: amount * 100, status, reason: 'fraudulent', evidence_details: null });
  }

  #tell(type: string, more: object) {
    const object = { payment_intent: this.#intent, currency: 'isk', ...more };
    this.events.push({ id: `evt_${this.#intent}_${this.events.length}`, type, object });
  }
}

function sum(rows: readonly { amount: number }[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}

async function startLedger() {
  const rig = await createOnlineRig();
  const context = rig.contextOfRun();
  const settings = {
    kind: 'stripe',
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecret: SECRET,
  };
  const stripe = new StripeGateway(StripeSettingsSchema.parse(settings), context);
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const order = { ...rig.order(visit), product: { id: rig.product, quantity: 3 } };
  const stepped = await rig.payments.purchase(DRIVER, order);
  if (!stepped.ok) throw new Error(stepped.reason);
  const { id } = stepped.payment;
  const { db } = rig.api;
  const found = await db.read((q) => findOnlinePayment(q, id));
  const provider = new ProviderLedger(found?.online.booking?.transactionId ?? '');
  const next = { isPending: false };
  const refund = async (
    _order: unknown,
    _transaction: unknown,
    { id: ours, amountMinor }: { id: string; amountMinor: number },
  ): Promise<RefundOutcome> => {
    const made = provider.refund(amountMinor, { ours, isPending: next.isPending });
    if (made === null || made.status === 'failed') return { kind: 'not-possible', code: 'refused' };
    return { kind: made.status === 'pending' ? 'pending' : 'refunded' };
  };
  const gateway = context.cardGateways.get('testing2');
  Object.assign(gateway ?? {}, { readEvent: stripe.readEvent.bind(stripe), refund });
  const app = createApp(context);
  const token = await rig.api.account('operator');
  async function deliver({ id: event, type, object }: ProviderEvent) {
    const body = JSON.stringify({ id: event, object: 'event', type, data: { object } });
    const seconds = Math.floor(rig.api.clock.now().getTime() / 1000);
    const v1 = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${v1}` };
    const answer = await app.request('/payments/events/testing2', { method: 'POST', headers, body });
    expect(answer.status, `${type} ${JSON.stringify(object)}`).toBe(200);
  }
  async function post(path: string, json: object): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(json) });
    return answer.status;
  }
  return { rig, id, provider, next, deliver, post };
}
type Ledger = Awaited<ReturnType<typeof startLedger>>;

/** The state of the books once every event has come. */
async function checkBooks({ rig, id, provider }: Ledger): Promise<void> {
  const { db } = rig.api;
  const [payment, refunds, chargebacks, income] = await db.read(async (q) => [
    (await findOnlinePayment(q, id))?.payment,
    await refundsOf(q, id),
    await chargebacksOf(q, [id]),
    await q.select().from(incomeTable),
  ]);
  const held = provider.heldMinor();
  const chargebackSum = (state: string) =>
    sum(chargebacks.filter((one) => one.state === state).map(({ amountMinor }) => ({ amount: amountMinor })));
  expect(chargebackSum('open'), 'held in dispute').toBe(provider.disputedMinor('needs_response'));
  expect(chargebackSum('lost'), 'lost').toBe(provider.disputedMinor('lost'));
  expect(payment?.chargedBack).toBe(provider.disputedMinor('needs_response') > 0);
  const given = refunds.filter(
    ({ state, isWhole }) => state === 'refunded' || (isWhole && state === 'failed'),
  );
  // Money that came back from the card of a reversed payment is still owed to its driver, and a person gives
  // it.
  const owed = payment?.state === 'reversed' ? PAID - provider.givenMinor() : 0;
  if (owed === 0) {
    const givenMinor = sum(given.map(({ amountMinor }) => ({ amount: amountMinor })));
    expect(PAID - givenMinor - chargebackSum('open') - chargebackSum('lost'), 'the journal').toBe(held);
  } else expect(payment?.needsPerson, 'a person gives what came back').toBe(true);
  const isReversed = payment?.state === 'reversed';
  const left = isReversed ? 0 : Math.max(0, held);
  const incomeMinor = income.reduce((total, { amountMinor }) => total + amountMinor, 0);
  expect(incomeMinor, 'income').toBe(left);
  const invoices = (await allInvoices(rig.api)).filter(({ number }) => number !== null);
  const amounts = invoices.map(({ amountMinor }) => ({ amount: amountMinor }));
  expect(sum(amounts), 'invoices less credit notes').toBe(left);
  const paid = invoices.filter(({ status }) => status === 'paid');
  expect(sum(paid.map(({ amountMinor }) => ({ amount: amountMinor }))), 'what counts as paid').toBe(left);
  expect(invoices.find((one) => one.id === id)?.status).toBe(left > 0 ? 'paid' : 'refunded');
  expect(
    income.reduce((total, one) => total + one.invoices, 0),
    'invoices that stand',
  ).toBe(left > 0 ? 1 : 0);
}

async function settlementReport({ rig, provider, id }: Ledger): Promise<unknown> {
  const transactionId = (await rig.api.db.read((q) => findOnlinePayment(q, id)))?.online.booking
    ?.transactionId;
  const day = rig.api.now().slice(0, 10);
  const line = (name: string, kind: string, amount: number) => `${name},${kind},${amount},ISK,${day}`;
  const taken = provider.disputes.filter(({ status }) => status !== 'prevented');
  const lines = [
    line(transactionId ?? '', 'sale', PAID),
    ...provider.refunds
      .filter(({ status }) => status === 'succeeded')
      .map((one) => line(one.id, 'refund', -one.amount)),
    ...taken.map((one) => line(one.id, 'chargeback', -one.amount)),
    ...taken.filter(({ status }) => status === 'won').map((one) => line(one.id, 'chargeback', one.amount)),
  ];
  const { body } = await rig.api.call('POST', '/payments/settlement-report?gateway=testing2', {
    body: ['transactionId,kind,amount,currency,date', ...lines].join('\n'),
    headers: { 'content-type': 'text/csv' },
  });
  return body['differences'];
}

const amount = fc.constantFrom(1, 200, 300, 500, 700, PAID);
const step = fc.oneof(
  fc.record({ do: fc.constant('dashboard-refund' as const), amount, isPending: fc.boolean() }),
  fc.record({ do: fc.constant('our-refund' as const), amount: fc.option(amount), isPending: fc.boolean() }),
  fc.record({
    do: fc.constant('end-refund' as const),
    n: fc.nat(4),
    status: fc.constantFrom('succeeded' as const, 'failed' as const),
  }),
  fc.record({
    do: fc.constant('dispute' as const),
    amount: fc.oneof(amount, fc.constant(PAID + 100)),
    status: fc.constantFrom('needs_response' as const, 'needs_response' as const, 'prevented' as const),
  }),
  fc.record({
    do: fc.constant('decide' as const),
    n: fc.nat(4),
    status: fc.constantFrom('won' as const, 'lost' as const),
  }),
  fc.record({ do: fc.constant('by-hand' as const), n: fc.nat(4) }),
  fc.record({ do: fc.constant('deliver' as const), picks: fc.array(fc.nat(30), { maxLength: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(ledger: Ledger, one: Step): Promise<void> {
  const { provider, next, post, deliver, id } = ledger;
  switch (one.do) {
    case 'dashboard-refund':
      provider.refund(one.amount, { isPending: one.isPending });
      return;
    case 'our-refund':
      next.isPending = one.isPending;
      await post(`/invoice/${id}/refund`, {
        reason: 'A complaint',
        ...(one.amount !== null && { amount: one.amount }),
      });
      return;
    case 'end-refund': {
      const refund = provider.refunds[one.n];
      if (refund !== undefined) provider.end(refund, one.status);
      return;
    }
    case 'dispute':
      return provider.dispute(one.amount, one.status);
    case 'decide': {
      const dispute = provider.disputes[one.n];
      if (dispute !== undefined) provider.decide(dispute, one.status);
      return;
    }
    case 'by-hand': {
      const dispute = provider.disputes[one.n];
      if (dispute === undefined) return;
      const state = dispute.status === 'needs_response' ? 'open' : dispute.status;
      const { id: reference, amount: disputed } = dispute;
      await post(`/payments/${id}/chargeback`, {
        reference,
        amount: disputed,
        reasonCode: 'fraudulent',
        state,
      });
      return;
    }
    case 'deliver':
      for (const pick of one.picks) {
        const event = provider.events[pick % Math.max(1, provider.events.length)];
        if (event !== undefined) await deliver(event);
      }
      return;
    default:
      one satisfies never;
  }
}

it('what disputes and refunds leave in the books is what the provider holds, in whatever order it is reported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.infiniteStream(fc.nat(1_000_000)),
      async (steps, order) => {
        const ledger = await startLedger();
        try {
          for (const one of steps) await take(ledger, one);
          // Refunds under way end, every event comes, and some come again.
          for (const refund of ledger.provider.refunds) {
            if (refund.status === 'pending') ledger.provider.end(refund, 'succeeded');
          }
          const rest = [...ledger.provider.events, ...ledger.provider.events.slice(0, 3)];
          while (rest.length > 0) {
            const [event] = rest.splice((order.next().value ?? 0) % rest.length, 1);
            if (event !== undefined) await ledger.deliver(event);
          }
          await checkBooks(ledger);
          expect(await settlementReport(ledger)).toEqual([]);
        } finally {
          await ledger.rig.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
});
