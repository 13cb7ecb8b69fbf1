import { nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import type { PaymentInput } from '@hlid/protocol/rules/payment-transitions';
import { invoiceIncomplete } from '../../money/invoices/invoice-payment.ts';
import type { Card } from '../../platform/card-gateways/card.ts';
import type {
  Authentication,
  Beginning,
  CardSource,
  ChargeOutcome,
  GatewayTransaction,
} from '../../platform/card-gateways/gateway.ts';
import { EVENTS } from '../../platform/events.ts';
import type { AuthenticationStep } from '../../records/online-payments/online-payment-table.ts';
import type { OnlineJournal } from './online-journal.ts';
import { findOnlinePayment, type OnlinePayment, takeStep } from './online-payment-store.ts';
import type { NextStep, OnlineContext } from './payment-steps.ts';

type Result = Beginning | Authentication;
/** The payment goes on after such a result. */
type GoesOn = Exclude<Result, { kind: 'declined' | 'unavailable' }>;

/** The steps of 3-D Secure before the charge: none of them moves money, and each counts once. */
export class CardAuthentication {
  readonly #context: Pick<OnlineContext, 'db' | 'clock' | 'log'>;
  readonly #journal: OnlineJournal;

  constructor(context: Pick<OnlineContext, 'db' | 'clock' | 'log'>, journal: OnlineJournal) {
    this.#context = context;
    this.#journal = journal;
  }

  /** Asks the gateway. A fault of its adapter is a provider that cannot be reached. */
  async ask<Answer extends Result>(
    { payment: { id } }: OnlinePayment,
    step: () => Promise<Answer>,
  ): Promise<Answer | { kind: 'unavailable'; problem: string }> {
    try {
      return await step();
    } catch (error) {
      this.#context.log.error({ event: EVENTS.onlinePaymentFailed, id, problem: messageOf(error) });
      return { kind: 'unavailable', problem: 'fault' };
    }
  }

  /**
   * Stores the result of a step.
   *
   * @param card the card that was authenticated, where the result is about one that we saw
   * @returns the payment as it is now. `isTaken`: no other request has taken a step meanwhile
   */
  async store(
    before: OnlinePayment,
    result: Result,
    card: Card | null,
  ): Promise<{ now: OnlinePayment; isTaken: boolean }> {
    const { id } = before.payment;
    const at = nowUtc(this.#context.clock);
    const isEnd = result.kind === 'declined' || result.kind === 'unavailable';
    const fields = isEnd ? {} : { step: stepOf(result), gatewayState: result.state, ...shownOf(card) };
    return await this.#context.db.write(async (tx) => {
      const known = await findOnlinePayment(tx.q, id);
      if (known === null) throw new Error(`There is no online payment ${id}.`);
      const isOpen = known.payment.state === 'created';
      if (!isOpen || !(await takeStep(tx.q, before.online, fields))) return { now: known, isTaken: false };
      if (isEnd) return { now: await this.#journal.applyIn(tx, id, notBooked(result), at), isTaken: true };
      if (result.kind === 'challenge') await invoiceIncomplete(tx, id, at);
      const revision = before.online.revision + 1;
      const now = { ...known, online: { ...known.online, ...fields, revision } };
      return { now, isTaken: true };
    });
  }
}

/** The stored details of a card. */
function shownOf(card: Card | null): Pick<OnlinePayment['online'], 'card' | 'cardExpires'> | null {
  return card && { card: card.receiptCard(), cardExpires: card.expires };
}

/** Whether the card is the one that its holder authenticated, as far as the stored details show (ADR 13). */
export function isAuthenticated({ online }: OnlinePayment, source: CardSource): boolean {
  if (source.kind !== 'card' || online.card === null) return true;
  const { type, lastFour } = source.card.receiptCard();
  const { card, cardExpires } = online;
  return card.type === type && card.lastFour === lastFour && cardExpires === source.card.expires;
}

function stepOf(result: GoesOn): AuthenticationStep {
  return result.kind === 'challenge' ? result.challenge.kind : result.kind;
}

/** The payer's step after this one. */
export function nextOf(result: GoesOn): NextStep {
  switch (result.kind) {
    case 'tokens':
      return { kind: 'tokens', tokens: result.tokens };
    case 'challenge':
      return { kind: 'challenge', challenge: result.challenge };
    case 'authenticated':
      return { kind: 'finalize' };
    default:
      return result satisfies never;
  }
}

type NotBooked = Extract<ChargeOutcome, { kind: 'declined' | 'unavailable' | 'authenticate-again' }>;

/** The input of the journal when nothing was booked, at a step or at the charge. */
export function notBooked(outcome: NotBooked): PaymentInput<GatewayTransaction> {
  switch (outcome.kind) {
    case 'declined':
      return { kind: 'not-booked', state: 'declined', reason: outcome.reason };
    case 'authenticate-again':
      return { kind: 'not-booked', state: 'declined', reason: 'not-authenticated' };
    case 'unavailable':
      return { kind: 'not-booked', state: 'cancelled', reason: 'unavailable' };
    default:
      return outcome satisfies never;
  }
}
