import type { Clock } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import type { Finding, GatewayOrder, GatewayTransaction, RefundOutcome } from '../gateway.ts';
import type { Reply } from '../gateway-http.ts';
import { toStripeAmount } from './stripe-amount.ts';
import {
  EXPAND,
  type Intent,
  IntentListSchema,
  IntentSchema,
  isRefunded,
  RefundListSchema,
  RefundSchema,
  transactionOf,
} from './stripe-answers.ts';
import type { Refused, StripeCalls } from './stripe-calls.ts';
import { ORDER_KEY, REFUND_KEY, refundFields } from './stripe-requests.ts';
import { stateOfRefund } from './stripe-webhook.ts';

/** A payment intent is made within this time of its order, whatever the clocks. */
const MADE_WITHIN_MS = 60 * MINUTE_MS;
const PAGE = 100;
const MAX_PAGES = 50;
/** A payment can be charged for 15 minutes. What the bank holds for longer is held for nothing. */
const ABANDONED_MS = 30 * MINUTE_MS;
const RELEASE_EVERY_MS = 10 * MINUTE_MS;

/**
 * The bookings of Stripe. An unknown payment is looked up, and cancelled if it is not booked. After that no
 * request can book it any more, not even one that is still on its way. So the finding is certain, and takes
 * back no money.
 */
export class StripeLedger {
  readonly #calls: StripeCalls;
  readonly #clock: Clock;
  #releasedAt = 0;

  constructor(calls: StripeCalls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** @param intentId null: the answer that names it was lost */
  async findOut(order: GatewayOrder, intentId: string | null, signal?: AbortSignal): Promise<Finding> {
    const found =
      intentId === null ? await this.#search(order, signal) : { kind: 'found' as const, id: intentId };
    if (found.kind !== 'found') return found;
    const path = `/v1/payment_intents/${found.id}`;
    const reply = await this.#calls.send({ method: 'GET', path, fields: EXPAND, signal }, IntentSchema);
    if (reply.kind === 'refused' && reply.status === 404)
      return { kind: 'needs-person', problem: `Stripe does not know ${found.id}` };
    if (reply.kind !== 'ok') return { kind: 'unavailable', problem: reply.problem };
    const intent = reply.answer;
    if (intent.metadata[ORDER_KEY] !== order.id)
      return { kind: 'needs-person', problem: `${found.id} is of another payment` };
    return this.#findingOf(intent, signal);
  }

  async refund(
    transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number; signal?: AbortSignal },
  ): Promise<RefundOutcome> {
    const { transactionId, currency } = transaction;
    const { signal } = refund;
    const amount = toStripeAmount(refund.amountMinor, currency);
    if (amount === null) return { kind: 'not-possible', code: 'amount' };
    // Stripe forgets an idempotency key after a day, and a refund may be repeated later than that.
    const made = await this.#calls.send(
      { method: 'GET', path: '/v1/refunds', fields: { payment_intent: transactionId, limit: PAGE }, signal },
      RefundListSchema,
    );
    if (made.kind !== 'ok') return { kind: 'unknown', problem: made.problem };
    const before = made.answer.data.find(({ metadata }) => metadata?.[REFUND_KEY] === refund.id);
    if (before) return outcomeOf(before, 'already-refunded');
    const reply = await this.#calls.send(
      {
        method: 'POST',
        path: '/v1/refunds',
        idempotencyKey: refund.id,
        signal,
        fields: refundFields(transactionId, amount, refund.id),
      },
      RefundSchema,
    );
    if (reply.kind === 'ok') return outcomeOf(reply.answer, 'refunded');
    if (reply.kind !== 'refused') return { kind: 'unknown', problem: reply.problem };
    if (reply.code === 'charge_already_refunded') return { kind: 'already-refunded' };
    return { kind: 'not-possible', code: reply.code };
  }

  /**
   * Cancels what the bank holds for drivers who never came back, some minutes after it cannot be charged any more. Stripe
   * itself would do that after a week. It is tried again soon, so nothing depends on its result.
   */
  async releaseAbandoned(): Promise<void> {
    const now = this.#clock.now().getTime();
    if (now - this.#releasedAt < RELEASE_EVERY_MS) return;
    this.#releasedAt = now;
    const before = Math.floor((now - ABANDONED_MS) / 1000);
    const query = `status:"requires_capture" AND created<${before}`;
    const reply = await this.#calls.send(
      { method: 'GET', path: '/v1/payment_intents/search', fields: { query, limit: PAGE } },
      IntentListSchema,
    );
    if (reply.kind !== 'ok') return;
    for (const { id, metadata } of reply.answer.data) if (metadata[ORDER_KEY]) await this.#cancel(id);
  }

  async #findingOf(intent: Intent, signal: AbortSignal | undefined): Promise<Finding> {
    switch (intent.status) {
      case 'succeeded': {
        if (isRefunded(intent)) return { kind: 'reversed' };
        const transaction = transactionOf(intent);
        if (transaction !== null) return { kind: 'booked', transaction };
        return {
          kind: 'needs-person',
          problem: `${intent.id} has an amount that its currency does not have`,
        };
      }
      case 'canceled':
        return { kind: 'not-booked' };
      case 'processing':
        return { kind: 'unavailable', problem: 'the bank has not answered Stripe yet' };
      default: {
        const reply = await this.#cancel(intent.id, signal);
        if (reply.kind === 'ok' && reply.answer.status === 'canceled') return { kind: 'not-booked' };
        const problem = reply.kind === 'ok' ? `the intent is ${reply.answer.status}` : reply.problem;
        return { kind: 'unavailable', problem };
      }
    }
  }

  #cancel(id: string, signal?: AbortSignal): Promise<Reply<Intent, Refused>> {
    const path = `/v1/payment_intents/${id}/cancel`;
    return this.#calls.send({ method: 'POST', path, fields: EXPAND, signal }, IntentSchema);
  }

  /** The list of payment intents is always up to date, unlike Stripe's search. */
  async #search(
    order: GatewayOrder,
    signal: AbortSignal | undefined,
  ): Promise<Finding | { kind: 'found'; id: string }> {
    const at = millis(order.createdAt);
    const seconds = (ms: number) => Math.floor(ms / 1000);
    const created = { gte: seconds(at - MADE_WITHIN_MS), lte: seconds(at + MADE_WITHIN_MS) };
    let last: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const fields: object = { created, limit: PAGE, ...(last !== null && { starting_after: last }) };
      const reply = await this.#calls.send(
        { method: 'GET', path: '/v1/payment_intents', fields, signal },
        IntentListSchema,
      );
      if (reply.kind !== 'ok') return { kind: 'unavailable', problem: reply.problem };
      const { data, has_more: hasMore } = reply.answer;
      const intent = data.find(({ metadata }) => metadata[ORDER_KEY] === order.id);
      if (intent) return { kind: 'found', id: intent.id };
      last = data.at(-1)?.id ?? null;
      if (!hasMore || last === null) return { kind: 'not-booked' };
    }
    return { kind: 'needs-person', problem: 'there are too many payments to search' };
  }
}

/** A refund that is accepted and not done yet is asked about later. */
function outcomeOf(
  {
    status,
    failure_reason: reason,
  }: { status?: string | null | undefined; failure_reason?: string | null | undefined },
  made: 'refunded' | 'already-refunded',
): RefundOutcome {
  const state = stateOfRefund(status);
  if (state === 'failed') return { kind: 'not-possible', code: reason ?? status ?? state };
  return { kind: state === 'pending' ? 'pending' : made };
}
