import { nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { NOT_DUE, type PaymentInput } from '@hlid/protocol/rules/payment-transitions';
import { paymentUnderWay } from '../../money/payments/record-payment.ts';
import type {
  CardGateway,
  CardSource,
  ChargeOutcome,
  GatewayTransaction,
  StoreState,
} from '../../platform/card-gateways/gateway.ts';
import { GATEWAY_LEASE_MS } from '../../platform/card-gateways/gateway-timeout.ts';
import type { Queries } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import { WorkLease } from '../../platform/jobs/work-lease.ts';
import { notBooked } from './authenticate-card.ts';
import type { SiteClaims, VisitClaim } from './claim-visit.ts';
import type { OnlineJournal } from './online-journal.ts';
import {
  findOnlinePayment,
  type OnlinePayment,
  orderOf,
  updateLeasedPayment,
  updateOnlinePayment,
} from './online-payment-store.ts';
import { isPaymentDue } from './order-payment.ts';
import { isExpired } from './payment-reference.ts';
import type { PaymentResolver } from './payment-resolver.ts';
import type { OnlineContext } from './payment-steps.ts';

/** The charge was not made: the site cannot be informed of it, and the driver did not know that. */
const SITE_OFFLINE = 'site-offline';

type ChargeContext = Pick<OnlineContext, 'db' | 'clock' | 'log' | 'cardGateways' | 'leaseMs' | 'instance'>;

/**
 * Charges cards: each payment once, for any number of callers. The state `sent` and the end of the charge are stored before the
 * first request, and no request is sent or waited for after that end (`WorkLease`). So a process that finds a payment in
 * `sent` or `unknown` after it knows that no charge is under way in any process.
 */
export class CardCharge {
  readonly #context: ChargeContext;
  readonly #journal: OnlineJournal;
  readonly #resolver: PaymentResolver;
  readonly #claims: SiteClaims;

  constructor(
    context: ChargeContext,
    journal: OnlineJournal,
    { resolver, claims }: { resolver: PaymentResolver; claims: SiteClaims },
  ) {
    this.#context = context;
    this.#claims = claims;
    this.#journal = journal;
    this.#resolver = resolver;
  }

  /**
   * Stores the charge as sent, makes it, and stores its result.
   *
   * @param needsSite nothing is charged while the site cannot be informed of it, because its driver does not
   *   know that yet
   * @returns the payment after it
   */
  async charge(
    payment: OnlinePayment,
    source: CardSource,
    initiator: 'driver' | 'merchant',
    needsSite = false,
  ): Promise<OnlinePayment> {
    const { id } = payment.payment;
    const gateway = this.#context.cardGateways.get(payment.online.gatewayId);
    if (gateway === null) {
      const input = { kind: 'not-booked', state: 'cancelled', reason: 'unavailable' } as const;
      return await this.#journal.endUnsent(id, input);
    }
    const claim = await this.#claims.claim(payment);
    if (claim.kind === 'refused') {
      const reason = claim.reason === 'amount-changed' ? NOT_DUE : claim.reason;
      return await this.#journal.endUnsent(id, { kind: 'not-booked', state: 'cancelled', reason });
    }
    if (claim.kind === 'away' && needsSite && (await this.#claims.isAway(payment.payment.siteId))) {
      return await this.#journal.endUnsent(id, {
        kind: 'not-booked',
        state: 'cancelled',
        reason: SITE_OFFLINE,
      });
    }
    const { clock, instance, leaseMs = GATEWAY_LEASE_MS } = this.#context;
    const lease = new WorkLease(clock, { leaseMs, instance });
    const sent = await this.#send(id, lease, claim);
    if (!sent.isSent) return sent.payment;
    const storeState: StoreState = (gatewayState) =>
      this.#context.db.write(({ q }) => updateLeasedPayment(q, id, lease, { gatewayState }));
    const step = { source, initiator, storeState, signal: lease.signal() };
    const outcome = await this.#ask(gateway, sent.payment, step);
    if (outcome.kind === 'approved' && outcome.token !== undefined) {
      const { token: storedToken } = outcome;
      await this.#context.db.write(({ q }) => updateOnlinePayment(q, id, { storedToken }));
    }
    const at = nowUtc(this.#context.clock);
    const after = await this.#context.db.write(async (tx) => {
      // The adapter has returned, so it sends nothing any more. A late one must not extend what was promised.
      const ended = { heldBy: null, ...(at < lease.until && { chargeEndsAt: at }) };
      await updateOnlinePayment(tx.q, id, ended);
      return await this.#journal.applyIn(tx, id, inputOf(outcome), at);
    });
    // It was not due any more, or another amount was booked: the money goes back.
    return after.payment.state === 'approved' ? await this.#resolver.refundWhole(id) : after;
  }

  /** @param step.signal null: the process stood still, and its time is over before anything was sent */
  async #ask(
    gateway: CardGateway,
    payment: OnlinePayment,
    step: {
      source: CardSource;
      initiator: 'driver' | 'merchant';
      storeState: StoreState;
      signal: AbortSignal | null;
    },
  ): Promise<ChargeOutcome> {
    const { signal } = step;
    if (signal === null) return { kind: 'unavailable', problem: 'no-time' };
    const { gatewayState: state, storeCard } = payment.online;
    try {
      return await gateway.charge(orderOf(payment), { ...step, state, storeCard, signal });
    } catch (error) {
      const { id } = payment.payment;
      this.#context.log.error({ event: EVENTS.onlinePaymentFailed, id, problem: messageOf(error) });
      return { kind: 'unknown', problem: 'fault' };
    }
  }

  /** @returns whether this request charges it: true for one request only */
  async #send(
    id: string,
    lease: WorkLease,
    claim: Exclude<VisitClaim, { kind: 'refused' }>,
  ): Promise<{ isSent: boolean; payment: OnlinePayment }> {
    const at = nowUtc(this.#context.clock);
    return await this.#context.db.write(async (tx) => {
      const now = await findOnlinePayment(tx.q, id);
      if (now === null) throw new Error(`There is no online payment ${id}.`);
      if (now.payment.state !== 'created' || now.online.step !== 'authenticated') {
        return { isSent: false, payment: now };
      }
      const reason = await this.#whyNotSent(tx.q, now, claim, at);
      if (reason !== null) {
        const input = { kind: 'not-booked', state: 'cancelled', reason } as const;
        return { isSent: false, payment: await this.#journal.applyIn(tx, id, input, at) };
      }
      return { isSent: true, payment: await this.#journal.send(tx, now, lease, at) };
    });
  }

  /** Why a payment is not sent to its provider any more; null: it is. */
  async #whyNotSent(
    q: Queries,
    now: OnlinePayment,
    claim: Exclude<VisitClaim, { kind: 'refused' }>,
    at: UtcTime,
  ): Promise<string | null> {
    if (isExpired(now.online, at)) return 'expired';
    // This process stood still, and its site takes payments again.
    if (claim.kind === 'claimed' && at > claim.until) return 'unavailable';
    // It has begun at the terminal of the site meanwhile, which cannot be asked to wait.
    const other = await paymentUnderWay(q, now.payment, at, now.payment.id);
    if (other !== null) return 'payment-under-way';
    return (await isPaymentDue(q, now, at)) ? null : NOT_DUE;
  }
}

function inputOf(outcome: ChargeOutcome): PaymentInput<GatewayTransaction> {
  switch (outcome.kind) {
    case 'approved':
      return { kind: 'booked', transaction: outcome.transaction };
    case 'unknown':
      return { kind: 'unknown', reason: 'no-answer' };
    default:
      return notBooked(outcome);
  }
}
