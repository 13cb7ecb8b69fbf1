import type { Clock } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import { millis } from '@hlid/protocol/base/utc-time';
import type {
  Finding,
  GatewayOrder,
  GatewayState,
  GatewayTransaction,
  RefundOutcome,
  StoreState,
} from '../gateway.ts';
import {
  ModificationSchema,
  ReversedSchema,
  type Transaction,
  TransactionListSchema,
  type TransactionRow,
  TransactionSchema,
} from './verifone-answers.ts';
import type { Reply, VerifoneCalls } from './verifone-calls.ts';
import { meaningOfPayment, meaningOfTransaction } from './verifone-outcome.ts';

/** The list covers a month at most. */
const MAX_LIST_MS = 27 * DAY_MS;
/**
 * The key in the state of the time at which Verifone first did not know the payment, in milliseconds since
 * 1970.
 */
const DENIED_AT = 'deniedAt';

/**
 * Finds the outcome of payments and gives money back, by what Verifone has booked.
 *
 * "Reversals via API" answers an unknown outcome with a reversal by the idempotency key of the payment. The
 * list of transactions can be searched by that key as well, so it comes first: what is booked stands, and the
 * driver has paid. Only a payment that is not found, or in no final state, is reversed. The documents leave
 * two things open:
 *
 * - The answer to a reversal is not trusted by itself: one page describes its `status` as the original's,
 *   another as the reversal's. The list is read again.
 * - A payment that the list and the reversal both do not know may still be on its way. It counts as not
 *   booked after they have denied it a second time, some time later. The first time is stored with the
 *   payment, so that a restart begins no second wait.
 */
export class VerifoneLedger {
  readonly #calls: VerifoneCalls;
  readonly #clock: Clock;
  readonly #lateMs: number;

  constructor(calls: VerifoneCalls, clock: Clock, lateMs: number) {
    this.#calls = calls;
    this.#clock = clock;
    this.#lateMs = lateMs;
  }

  async findOut(
    order: GatewayOrder,
    known: { state: GatewayState; storeState: StoreState },
  ): Promise<Finding> {
    const before = await this.#look(order);
    if (before.kind !== 'missing' && before.kind !== 'broken') return before;
    const reply = await this.#calls.send(
      { method: 'POST', path: '/api/v2/transactions/reverse', idempotencyKey: order.id },
      ReversedSchema,
    );
    if (reply.kind !== 'ok' && !isUnknownThere(reply)) return unavailable(reply.problem);
    const after = await this.#look(order);
    switch (after.kind) {
      case 'missing':
        return await this.#deny(known, reply.kind === 'ok' ? 'reversed' : 'not-booked');
      case 'broken':
        return reply.kind === 'ok'
          ? unavailable(`reversed, and still ${after.status}`)
          : { kind: 'needs-person', problem: `the payment is ${after.status}, and cannot be reversed` };
      default:
        return after;
    }
  }

  /**
   * Refunds with the refund's id as the idempotency key and as the `reason`, which comes back as the
   * `description` of the transaction. The documents leave open how long a key is kept, and what a second
   * request with it answers.
   */
  async refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number },
  ): Promise<RefundOutcome> {
    const { transactionId } = transaction;
    const made = await this.#findRefund(order, transactionId, refund.id);
    if (made.kind !== 'missing') return made;
    const path = `/api/v2/transactions/${encodeURIComponent(transactionId)}`;
    const reply = await this.#calls.send(
      {
        method: 'POST',
        path: `${path}/refund`,
        idempotencyKey: refund.id,
        body: { amount: refund.amountMinor, reason: refund.id },
      },
      ModificationSchema,
    );
    if (reply.kind === 'ok') return refundOutcome(reply.answer);
    if (reply.kind !== 'refused') return { kind: 'unknown', problem: reply.problem };
    const isWhole = refund.amountMinor === transaction.amountMinor;
    return isWhole && reply.status === 400
      ? this.#voidCapture(path, transactionId)
      : { kind: 'not-possible', code: String(reply.status) };
  }

  /** "Payment flow": what is not settled yet cannot be refunded, but its capture can be voided as a whole. */
  async #voidCapture(path: string, transactionId: string): Promise<RefundOutcome> {
    const reply = await this.#read(transactionId);
    if (reply.kind !== 'ok') return { kind: 'unknown', problem: reply.problem };
    const { transaction_status: status } = reply.answer;
    if (meaningOfTransaction(status) === 'reversed') return { kind: 'already-refunded' };
    if (status !== 'SETTLEMENT_REQUESTED') return { kind: 'not-possible', code: status ?? '400' };
    const voided = await this.#calls.send(
      { method: 'POST', path: `${path}/void_capture` },
      ModificationSchema,
    );
    if (voided.kind === 'ok') return refundOutcome(voided.answer);
    if (voided.kind === 'refused') return { kind: 'not-possible', code: String(voided.status) };
    return { kind: 'unknown', problem: voided.problem };
  }

  /** A payment by its idempotency key. */
  async #look(
    order: GatewayOrder,
  ): Promise<Finding | { kind: 'missing' } | { kind: 'broken'; status: string }> {
    const from = millis(order.createdAt) - HOUR_MS;
    const reply = await this.#list({ 'x-vfi-api-idempotencykey': order.id }, from);
    if (reply.kind !== 'ok') return unavailable(reply.problem);
    const [row, another] = reply.answer.filter((each) => isPaymentOf(order, each));
    if (!row) return { kind: 'missing' };
    if (another) return { kind: 'needs-person', problem: 'Verifone has several payments for this one' };
    const read = await this.#read(row.id);
    if (read.kind !== 'ok') return unavailable(read.problem);
    const status = read.answer.transaction_status;
    const meaning = meaningOfTransaction(status);
    switch (meaning) {
      case 'booked': {
        const transaction = bookedTransaction(read.answer);
        return transaction
          ? { kind: 'booked', transaction }
          : { kind: 'needs-person', problem: 'its amount is not one of its currency' };
      }
      case 'not-booked':
        return { kind: 'not-booked' };
      case 'reversed':
        return { kind: 'reversed' };
      case 'open':
        return unavailable(`the payment is ${status}`);
      case 'broken':
        return { kind: 'broken', status: status ?? '' };
      default:
        return meaning satisfies never;
    }
  }

  async #findRefund(
    { id }: GatewayOrder,
    transactionId: string,
    refundId: string,
  ): Promise<RefundOutcome | { kind: 'missing' }> {
    const from = this.#clock.now().getTime() + HOUR_MS - MAX_LIST_MS;
    const reply = await this.#list({ merchant_reference: id, transaction_type: 'REFUND' }, from);
    if (reply.kind === 'refused') return { kind: 'not-possible', code: String(reply.status) };
    if (reply.kind !== 'ok') return { kind: 'unknown', problem: reply.problem };
    const row = reply.answer.find(
      (each) => each.description === refundId && each.parent_id === transactionId,
    );
    if (!row) return { kind: 'missing' };
    const meaning = meaningOfTransaction(row.transaction_status);
    if (meaning === 'not-booked') return { kind: 'not-possible', code: row.transaction_status ?? '' };
    // REFUNDED is the usual status of a refund.
    const isDone = meaning === 'booked' || row.transaction_status === 'REFUNDED';
    return isDone
      ? { kind: 'already-refunded' }
      : { kind: 'unknown', problem: `the refund is ${row.transaction_status}` };
  }

  #list(query: Record<string, string>, from: number): Promise<Reply<TransactionRow[]>> {
    const until = Math.min(this.#clock.now().getTime() + HOUR_MS, from + MAX_LIST_MS);
    const range = { created_start: new Date(from).toISOString(), created_end: new Date(until).toISOString() };
    return this.#calls.send(
      { method: 'GET', path: '/api/v2/transactions', query: { ...query, ...range } },
      TransactionListSchema,
    );
  }

  #read(id: string): Promise<Reply<Transaction>> {
    const path = `/api/v2/transaction/${encodeURIComponent(id)}`;
    return this.#calls.send({ method: 'GET', path }, TransactionSchema);
  }

  /** The list does not know the payment. */
  async #deny(
    { state, storeState }: { state: GatewayState; storeState: StoreState },
    kind: 'reversed' | 'not-booked',
  ): Promise<Finding> {
    const now = this.#clock.now().getTime();
    const first = state[DENIED_AT];
    if (typeof first === 'number' && now - first >= this.#lateMs) return { kind };
    if (typeof first !== 'number') await storeState({ ...state, [DENIED_AT]: now });
    return unavailable('it may still arrive');
  }
}

/** Refunds and reversals of it have a parent. */
function isPaymentOf(order: GatewayOrder, row: TransactionRow): boolean {
  return row.merchant_reference === order.id && row.parent_id === null;
}

/** A reversal of a payment that was never booked. */
function isUnknownThere(reply: Reply<unknown>): boolean {
  return reply.kind === 'refused' && (reply.status === 404 || reply.status === 400);
}

/** Null: the amount has more decimals than its currency. */
function bookedTransaction(transaction: Transaction): GatewayTransaction | null {
  const { id, amount, currency_code: currency, authorization_code, card, arn, rrn } = transaction;
  const amountMinor = toMinor(amount, minorUnitDigits(currency));
  if (amountMinor === null) return null;
  return {
    transactionId: id,
    authorizationId: authorization_code,
    amountMinor,
    currency,
    card,
    state: { arn, rrn },
  };
}

/** The amount in minor units of that many digits, without rounding: `15.00` with two decimals is 1500. */
function toMinor(amount: string, digits: number): number | null {
  const [whole = '', decimals = ''] = amount.split('.');
  if (/[1-9]/.test(decimals.slice(digits))) return null;
  const minor = Number(whole + decimals.slice(0, digits).padEnd(digits, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}

function refundOutcome({
  status,
  reason_code,
}: {
  status: string;
  reason_code: string | null;
}): RefundOutcome {
  const meaning = meaningOfPayment(status);
  switch (meaning) {
    case 'booked':
    case 'reversed':
      return { kind: 'refunded' };
    case 'not-booked':
      return { kind: 'not-possible', code: reason_code ?? status };
    case 'open':
    case 'broken':
      return { kind: 'unknown', problem: `the refund is ${status}` };
    default:
      return meaning satisfies never;
  }
}

function unavailable(problem: string): { kind: 'unavailable'; problem: string } {
  return { kind: 'unavailable', problem };
}
