import { nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/fault';
import { NOT_DUE, type PaymentInput } from '@hlid/protocol/payment-transitions';
import { MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import type { CardSource, ChargeOutcome, GatewayTransaction } from '../card-gateways/gateway.ts';
import { EVENTS } from '../events.ts';
import { notBooked } from './authenticate-card.ts';
import type { OnlineJournal } from './online-journal.ts';
import {
  findOnlinePayment,
  type OnlinePayment,
  orderOf,
  updateOnlinePayment,
} from './online-payment-store.ts';
import { isPaymentDue } from './order-payment.ts';
import { isExpired } from './payment-reference.ts';
import type { PaymentResolver } from './payment-resolver.ts';
import type { OnlineContext } from './payment-steps.ts';

/** A charge is over by then, or the process that made it. Longer than the timeout of every gateway. */
const CHARGE_LEASE_MS = 2 * MINUTE_MS;

type ChargeContext = Pick<OnlineContext, 'db' | 'clock' | 'log' | 'cardGateways'>;

/** Charges cards: each payment once, whoever asks for it. */
export class CardCharge {
  readonly #context: ChargeContext;
  readonly #journal: OnlineJournal;
  readonly #resolver: PaymentResolver;

  constructor(context: ChargeContext, journal: OnlineJournal, resolver: PaymentResolver) {
    this.#context = context;
    this.#journal = journal;
    this.#resolver = resolver;
  }

  /** The charge is stored as sent, then made, then its result is stored. @returns the payment after it */
  async charge(
    payment: OnlinePayment,
    source: CardSource,
    initiator: 'driver' | 'merchant',
  ): Promise<OnlinePayment> {
    const { id } = payment.payment;
    const gateway = this.#context.cardGateways.get(payment.online.gatewayId);
    if (gateway === null) {
      const input = { kind: 'not-booked', state: 'cancelled', reason: 'unavailable' } as const;
      return await this.#journal.endUnsent(id, input);
    }
    const sent = await this.#send(id);
    if (!sent.isSent) return sent.payment;
    const { gatewayState: state, storeCard } = sent.payment.online;
    let outcome: ChargeOutcome;
    try {
      outcome = await gateway.charge(orderOf(sent.payment), { state, source, storeCard, initiator });
    } catch (error) {
      this.#context.log.error({ event: EVENTS.onlinePaymentFailed, id, problem: messageOf(error) });
      outcome = { kind: 'unknown', problem: 'fault' };
    }
    if (outcome.kind === 'approved' && outcome.token !== undefined) {
      const { token: storedToken } = outcome;
      await this.#context.db.write(({ q }) => updateOnlinePayment(q, id, { storedToken }));
    }
    const after = await this.#journal.apply(id, inputOf(outcome));
    // It was not due any more, or another amount was booked: the money goes back.
    return after.payment.state === 'approved' ? await this.#resolver.refundWhole(id) : after;
  }

  /** @returns whether it is ours to charge: true for one request only */
  async #send(id: string): Promise<{ isSent: boolean; payment: OnlinePayment }> {
    const at = nowUtc(this.#context.clock);
    return await this.#context.db.write(async (tx) => {
      const now = await findOnlinePayment(tx.q, id);
      if (now === null) throw new Error(`There is no online payment ${id}.`);
      if (now.payment.state !== 'created' || now.online.step !== 'authenticated') {
        return { isSent: false, payment: now };
      }
      const reason = isExpired(now.online, at)
        ? 'expired'
        : (await isPaymentDue(tx.q, now, at))
          ? null
          : NOT_DUE;
      if (reason !== null) {
        const input = { kind: 'not-booked', state: 'cancelled', reason } as const;
        return { isSent: false, payment: await this.#journal.applyIn(tx, id, input, at) };
      }
      const until = utcTime(millis(at) + CHARGE_LEASE_MS);
      return { isSent: true, payment: await this.#journal.send(tx, now, until, at) };
    });
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
