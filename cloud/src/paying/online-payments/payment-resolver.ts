import { type Clock, nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PaymentInput } from '@hlid/protocol/rules/payment-transitions';
import type { Logger } from 'pino';
import {
  ATTEMPTS_BEFORE_PERSON,
  isOpenRefund,
  type RefundRow,
  refundedOrOrdered,
  refundsOf,
} from '../../money/payments/refunds.ts';
import { ONLINE_WORK, onlineSettledTwice } from '../../money/payments/settled-twice.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type {
  Finding,
  GatewayTransaction,
  RefundOutcome,
  StoreState,
} from '../../platform/card-gateways/gateway.ts';
import { GATEWAY_LEASE_MS } from '../../platform/card-gateways/gateway-timeout.ts';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { Instance } from '../../platform/jobs/cloud-instance.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { WorkLease } from '../../platform/jobs/work-lease.ts';
import { dueAfter } from '../../platform/jobs/work-queue.ts';
import { paymentQueue, refundQueue } from '../../records/online-payments/online-payment-table.ts';
import { followRefund, refundNeedsPerson } from './follow-refund.ts';
import { OnlineJournal, PART, wholeRefundId } from './online-journal.ts';
import {
  findOnlinePayment,
  findRefund,
  leftOf,
  type OnlinePayment,
  orderOf,
  updateLeasedPayment,
  updateLeasedRefund,
  updateOnlinePayment,
  updateRefund,
} from './online-payment-store.ts';

const BACKOFF = { firstMs: 2000, maxMs: 5 * MINUTE_MS };
const AT_ONCE = 20;
const RUN_EVERY_MS = 2000;

interface ResolverContext {
  leaseMs?: number | undefined;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
  db: Db;
  clock: Clock;
  log: Logger;
  cardGateways: CardGateways;
}

/**
 * Finds out what is uncertain about a payment, and refunds what must go back: with growing pauses, each by
 * one process at a time, and never by charging again.
 */
export class PaymentResolver {
  readonly #context: ResolverContext;
  readonly #journal: OnlineJournal;

  constructor(context: ResolverContext, journal: OnlineJournal) {
    this.#context = context;
    this.#journal = journal;
  }

  /** Everything that is due by now. */
  async run(): Promise<void> {
    const { db } = this.#context;
    const now = this.#now();
    const payments = await db.read((q) => paymentQueue.due(q, now, AT_ONCE));
    await Promise.all(payments.map((id) => this.#resolve(id)));
    for (const id of await db.read(onlineSettledTwice)) await this.#giveBack(id);
    const refunds = await db.read((q) => refundQueue.due(q, this.#now(), AT_ONCE));
    await Promise.all(refunds.map((id) => this.refund(id)));
  }

  /** The refund of a whole payment, which has been ordered. @returns the payment after it */
  async refundWhole(paymentId: string): Promise<OnlinePayment> {
    await this.refund(wholeRefundId(paymentId));
    return await this.#load(paymentId);
  }

  /** Sends an ordered refund to the provider, unless it is done or another process has it. */
  async refund(id: string): Promise<void> {
    const { db } = this.#context;
    const now = this.#now();
    const lease = this.#lease();
    if (!(await db.write(({ q }) => refundQueue.claim(q, id, now, lease)))) return;
    const refund = await db.read((q) => findRefund(q, id));
    if (refund === null) return;
    if (refund.isWhole && !(await this.#finishParts(refund.paymentId))) {
      const dueAt = dueAfter(now, 1, BACKOFF);
      await db.write(({ q }) => refundQueue.settle(q, id, lease, { dueAt }));
      return;
    }
    const payment = await this.#load(refund.paymentId);
    const refunds = await db.read((q) => refundsOf(q, refund.paymentId));
    // All that is left: parts may have gone back since it was ordered.
    const amountMinor = refund.isWhole ? leftOf(payment.online.booking, refunds, id) : refund.amountMinor;
    const sent = { ...refund, amountMinor };
    const givenMinor = refundedOrOrdered(refunds.filter((one) => one.id !== id));
    await this.#recordRefund(payment, sent, await this.#sendRefund(payment, sent, givenMinor, lease), lease);
  }

  /** Its site has taken the money for the same due. */
  async #giveBack(id: string): Promise<void> {
    const { booking: transaction } = (await this.#load(id)).online;
    if (transaction === null) return;
    await this.#journal.apply(id, { kind: 'reversal-order', transaction, by: `cloud:${PART}` });
  }

  /** Parts that are ordered go back before the whole does. @returns whether of each part it is known if it was given */
  async #finishParts(paymentId: string): Promise<boolean> {
    const open = async () => {
      const refunds = await this.#context.db.read((q) => refundsOf(q, paymentId));
      return refunds.filter((refund) => !refund.isWhole && isOpenRefund(refund));
    };
    for (const { id, state } of await open()) if (state === 'ordered') await this.refund(id);
    return (await open()).length === 0;
  }

  async #resolve(id: string): Promise<void> {
    const { db } = this.#context;
    const now = this.#now();
    const lease = this.#lease();
    if (!(await db.write(({ q }) => paymentQueue.claim(q, id, now, lease)))) return;
    const payment = await this.#load(id);
    switch (payment.payment.state) {
      case 'created':
        // No charge was sent, and its references are not valid any more.
        await this.#journal.endUnsent(id, { kind: 'not-booked', state: 'cancelled', reason: 'expired' });
        return;
      case 'sent':
        // Its process has died. It is due at once then, for whichever process leases it.
        await this.#journal.apply(id, { kind: 'unknown', reason: 'no-answer' });
        await this.#resolve(id);
        return;
      case 'unknown':
        await this.#findOut(payment, lease);
        return;
      default:
        await db.write(({ q }) => paymentQueue.settle(q, id, lease, { dueAt: null }));
    }
  }

  async #findOut(payment: OnlinePayment, lease: WorkLease): Promise<void> {
    const { id } = payment.payment;
    const finding = await this.#question(payment, lease);
    if (finding.kind === 'unavailable') {
      const attempts = payment.online.attempts + 1;
      const dueAt = dueAfter(this.#now(), attempts, BACKOFF);
      await this.#context.db.write(({ q }) => paymentQueue.settle(q, id, lease, { attempts, dueAt }));
      return;
    }
    if (finding.kind === 'booked' && finding.token !== undefined) {
      const { token: storedToken } = finding;
      await this.#context.db.write(({ q }) => updateOnlinePayment(q, id, { storedToken }));
    }
    const after = await this.#journal.apply(id, inputOf(finding));
    if (after.payment.state === 'approved') await this.refundWhole(id);
  }

  async #question(payment: OnlinePayment, lease: WorkLease): Promise<Finding> {
    const { id } = payment.payment;
    const { gatewayId, gatewayState: state, chargeEndsAt } = payment.online;
    const sentBefore = chargeEndsAt ?? payment.payment.changedAt;
    const gateway = this.#context.cardGateways.get(gatewayId);
    if (gateway === null) return { kind: 'unavailable', problem: this.#missing(payment) };
    const signal = lease.signal();
    if (signal === null) return { kind: 'unavailable', problem: 'no-time' };
    const storeState: StoreState = (gatewayState) =>
      this.#context.db.write(({ q }) => updateLeasedPayment(q, id, lease, { gatewayState }));
    try {
      const step = { state, storeState, refundId: wholeRefundId(id), sentBefore, signal };
      return await gateway.findOut(orderOf(payment), step);
    } catch (error) {
      this.#failed(id, error);
      return { kind: 'unavailable', problem: 'fault' };
    }
  }

  async #sendRefund(
    { payment, online }: OnlinePayment,
    refund: RefundRow,
    givenMinor: number,
    lease: WorkLease,
  ): Promise<RefundOutcome> {
    const gateway = this.#context.cardGateways.get(online.gatewayId);
    const { booking } = online;
    if (booking === null) return { kind: 'not-possible', code: 'not-booked' };
    if (gateway === null) return { kind: 'unknown', problem: this.#missing({ payment, online }) };
    const { id, amountMinor, gatewayState: state } = refund;
    if (amountMinor <= 0) return { kind: 'already-refunded' };
    const signal = lease.signal();
    if (signal === null) return { kind: 'unknown', problem: 'no-time' };
    const storeState: StoreState = (gatewayState) =>
      this.#context.db.write(({ q }) => updateLeasedRefund(q, id, lease, { gatewayState }));
    const sent = { id, amountMinor, givenMinor, state, storeState, signal };
    try {
      return await gateway.refund(orderOf({ payment, online }), booking, sent);
    } catch (error) {
      this.#failed(payment.id, error);
      return { kind: 'unknown', problem: 'fault' };
    }
  }

  /**
   * Records the result of a refund. After the end of the lease, when another process may have the refund,
   * only the result that the money went back changes anything.
   */
  async #recordRefund(
    payment: OnlinePayment,
    refund: RefundRow,
    outcome: RefundOutcome,
    lease: WorkLease,
  ): Promise<void> {
    const at = this.#now();
    switch (outcome.kind) {
      case 'pending': {
        const dueAt = utcTime(millis(at) + BACKOFF.maxMs);
        await this.#context.db.write(({ q }) => refundQueue.settle(q, refund.id, lease, { dueAt }));
        return;
      }
      case 'unknown':
        return await this.#tryRefundAgain(payment, refund, lease, at);
      case 'unclear': {
        const fields = {
          state: 'unclear',
          dueAt: null,
          heldBy: null,
          attempts: refund.attempts + 1,
        } as const;
        await this.#context.db.write(async (tx) => {
          if (await updateLeasedRefund(tx.q, refund.id, lease, fields))
            await refundNeedsPerson(tx, this.#journal, refund, at);
        });
        this.#failed(payment.payment.id, new Error(`refund ${refund.id} is unclear: ${outcome.problem}`));
        return;
      }
      default:
        return await this.#endRefund(refund, outcome, lease, at);
    }
  }

  async #tryRefundAgain(
    { payment }: OnlinePayment,
    refund: RefundRow,
    lease: WorkLease,
    at: UtcTime,
  ): Promise<void> {
    const attempts = refund.attempts + 1;
    const dueAt = dueAfter(at, attempts, BACKOFF);
    await this.#context.db.write(async (tx) => {
      const isOurs = await refundQueue.settle(tx.q, refund.id, lease, { attempts, dueAt });
      if (isOurs && attempts === ATTEMPTS_BEFORE_PERSON)
        await refundNeedsPerson(tx, this.#journal, refund, at);
    });
    if (attempts !== ATTEMPTS_BEFORE_PERSON) return;
    this.#failed(payment.id, new Error(`refund ${refund.id} has no answer after ${attempts} attempts`));
  }

  async #endRefund(
    refund: RefundRow,
    outcome: Extract<RefundOutcome, { kind: 'refunded' | 'already-refunded' | 'not-possible' }>,
    lease: WorkLease,
    at: UtcTime,
  ): Promise<void> {
    const isDone = outcome.kind !== 'not-possible';
    await this.#context.db.write(async (tx) => {
      const { id, amountMinor } = refund;
      const attempts = refund.attempts + 1;
      const state = isDone ? 'refunded' : 'not-possible';
      const fields = { state, amountMinor, attempts, dueAt: null, heldBy: null, doneAt: at } as const;
      if (!(await updateLeasedRefund(tx.q, id, lease, fields))) {
        if (!isDone || (await findRefund(tx.q, id))?.state === 'refunded') return;
        await updateRefund(tx.q, id, fields);
      }
      const isAll = outcome.kind === 'refunded' && outcome.isAll === true;
      await followRefund(tx, this.#journal, refund, { isDone, isAll }, at);
    });
  }

  /** It is tried on until the gateway is configured again. */
  #missing({ payment, online }: OnlinePayment): string {
    this.#failed(payment.id, new Error(`gateway ${online.gatewayId} is not configured`));
    return 'no-such-gateway';
  }

  async #load(id: string): Promise<OnlinePayment> {
    const payment = await this.#context.db.read((q) => findOnlinePayment(q, id));
    if (payment === null) throw new Error(`There is no online payment ${id}.`);
    return payment;
  }

  #lease(): WorkLease {
    const { clock, instance, leaseMs = GATEWAY_LEASE_MS } = this.#context;
    return new WorkLease(clock, { leaseMs, instance });
  }

  #failed(id: string, error: unknown): void {
    this.#context.log.error({ event: EVENTS.onlinePaymentFailed, id, problem: messageOf(error) });
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

/** Resolves payments of unknown outcome and orders of refunds, of a cloud that has died too. */
export function onlinePaymentRun(context: ResolverContext): ScheduledRun {
  const resolver = new PaymentResolver(context, new OnlineJournal(context));
  return {
    name: ONLINE_WORK,
    everyMs: RUN_EVERY_MS,
    wakesOn: ONLINE_WORK,
    isDue: async (now) =>
      await context.db.read(
        async (q) =>
          (await paymentQueue.isAnyDue(q, now)) ||
          (await refundQueue.isAnyDue(q, now)) ||
          (await onlineSettledTwice(q)).length > 0,
      ),
    work: async () => await resolver.run(),
  };
}

function inputOf(finding: Exclude<Finding, { kind: 'unavailable' }>): PaymentInput<GatewayTransaction> {
  switch (finding.kind) {
    case 'booked':
      return { kind: 'booked', transaction: finding.transaction };
    case 'not-booked':
      return { kind: 'not-booked', state: 'cancelled', reason: 'not-booked' };
    case 'reversed':
      return { kind: 'reversed', reason: 'by-provider' };
    case 'needs-person':
      return { kind: 'needs-person', reason: finding.problem };
    default:
      return finding satisfies never;
  }
}
