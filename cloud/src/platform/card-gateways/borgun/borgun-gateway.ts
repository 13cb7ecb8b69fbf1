import { Fault } from '@hlid/protocol/base/fault';
import { z } from 'zod';
import type { Card } from '../card.ts';
import type {
  Authentication,
  Beginning,
  Browser,
  CardGateway,
  CardSource,
  ChargeOutcome,
  Finding,
  GatewayDiagnosis,
  GatewayOrder,
  GatewayState,
  GatewayTransaction,
  RefundOutcome,
  StoredToken,
  StoreState,
} from '../gateway.ts';
import type { Failure, Reply } from '../gateway-http.ts';
import { gatewayTimeout } from '../gateway-timeout.ts';
import { orderIdOf, toPaymentAmount } from './borgun-amount.ts';
import type { TransactionAnswer } from './borgun-answers.ts';
import { BorgunAuthentication, declined, notDone } from './borgun-authentication.ts';
import { type BorgunCalls, openBorgun, type PaymentMethod } from './borgun-calls.ts';
import {
  ANOTHER_ORDER,
  capturedOf,
  outcomeOf,
  paymentOf,
  type ThreeDSecure,
  transactionOf,
} from './borgun-payment.ts';
import { APPROVED, declineReasonOf, standingOf } from './borgun-results.ts';

/** Clients of Borgun's own wait for this long. */
const TIMEOUT_MS = 70_000;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** The private key would be readable on the way. */
function isProtected(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
}

export const BorgunSchema = z.strictObject({
  kind: z.literal('borgun'),
  /** Tests: `https://test.borgun.is/rpg`. */
  address: z
    .url()
    .refine(isProtected, 'https, except on this machine')
    .default('https://ecommerce.borgun.is/rpg'),
  /** The private access token of the merchant. */
  privateKey: z.string().min(1),
  payIfNotParticipating: z.boolean().default(true),
  payIfUnavailable: z.boolean().default(false),
  timeoutMs: gatewayTimeout(TIMEOUT_MS),
});
export type BorgunOptions = z.infer<typeof BorgunSchema>;

/**
 * Borgun (later SaltPay, Teya) by its Restful Payment Gateway: documents "RPG Payments", "RPG Single Use Card
 * Tokens", "RPG Multi Use Card Tokens", "3DSecure", "Action Codes Reference" and "Getting started".
 *
 * What the documents leave open, and what this adapter does:
 *
 * - No call finds a payment by its `OrderId`, and no header makes a payment idempotent, so a payment is never
 *   repeated. Each is made in two steps: `PreAuthorization` reserves the amount and takes nothing; its
 *   transaction id is stored with the payment; `capture` takes the amount. If the first answer is lost,
 *   nothing is taken, and the bank drops the reservation by itself after some days. If the second is lost,
 *   the id finds it.
 * - A typed card is reserved with its security code. A single-use token would find a sale whose answer is
 *   lost, but a payment by token has no security code.
 * - "RPG Payments" describes refunds of the whole. `PartialAmount` is known from the plug-in that Borgun
 *   publishes for shops; another client in production sends `Amount` and `Currency`. What Borgun holds is
 *   read after each part, so that a whole that went back in place of a part is known. The amount of a part
 *   cannot be read, so the refund is marked as sent before the request. After a lost answer no cloud sends a
 *   part again: a person must check it (`unclear`).
 * - The method step of 3-D Secure (MdStatus 50) is a form like a challenge: the browser posts it, the bank's
 *   page posts back. Without a form in the answer, it is skipped (`TDS2ThreeDSCompInd` N), as 3-D Secure
 *   allows.
 * - Borgun's script can make single-use tokens in the browser with the public key. The specification's calls
 *   send a card, so that is not used: PCI DSS SAQ D applies.
 */
export class BorgunGateway implements CardGateway {
  readonly kind = 'borgun';
  readonly cardInput = 'card';
  readonly storesCards = true;
  /** Banks have their own addresses. */
  readonly pageSources = { script: [], connect: [], frame: ['https:'], form: ['https:'] };
  readonly #options: BorgunOptions;
  readonly #calls: BorgunCalls;
  readonly #authentication: BorgunAuthentication;

  constructor(options: BorgunOptions) {
    this.#options = options;
    this.#calls = openBorgun(options);
    this.#authentication = new BorgunAuthentication(this.#calls, options);
  }

  async begin(
    order: GatewayOrder,
    start: { source: CardSource | null; returnUrl: string; browser: Browser; storeCard: boolean },
  ): Promise<Beginning> {
    const { source, returnUrl } = start;
    if (source === null || source.kind === 'encrypted') return declined('card-data', 'no-card');
    if (source.kind === 'token') {
      const card = { PaymentType: 'TokenMulti', Token: source.token } as const;
      return this.#authentication.enroll(order, card, { returnUrl, kept: NOT_SENT });
    }
    return this.#authentication.enroll(order, wholeCard(source.card), { returnUrl, kept: NOT_SENT });
  }

  readReturn(
    order: GatewayOrder,
    { state, fields }: { state: GatewayState; fields: Readonly<Record<string, string>> },
  ): Promise<Authentication> {
    return this.#authentication.readReturn(order, state, fields);
  }

  async charge(
    order: GatewayOrder,
    step: {
      state: GatewayState;
      storeState: StoreState;
      source: CardSource;
      storeCard: boolean;
      initiator: 'driver' | 'merchant';
      signal?: AbortSignal;
    },
  ): Promise<ChargeOutcome> {
    const { state, source, initiator } = step;
    const calls = this.#calls.within(step.signal);
    const isAuthenticated = state['stage'] === 'authenticated' && typeof state['mpiToken'] === 'string';
    if (initiator === 'driver' && !isAuthenticated) return { kind: 'authenticate-again', code: 'no-3ds' };
    const secure =
      initiator === 'driver' && typeof state['mpiToken'] === 'string'
        ? { DataType: 'Token' as const, MpiToken: state['mpiToken'] }
        : null;
    const card = methodOf(source);
    if (card === null) return { kind: 'authenticate-again', code: 'no-card' };
    const isBare = source.kind === 'card' && source.card.securityCode === null;
    // Without a security code or a proof no field shows that the holder is there.
    if (isBare && state['proven'] !== true) return declined('card-data', 'no-security-code');
    const store = (reservation: string | null) => step.storeState({ ...state, reservation });
    const outcome = await this.#reserveAndCapture(calls, order, { card, secure, store });
    if (outcome.kind !== 'approved' || !step.storeCard || source.kind !== 'card') return outcome;
    const stored = await this.#store(calls, source.card, outcome.transaction);
    return { ...outcome, ...(stored !== null && { token: stored }) };
  }

  async findOut(order: GatewayOrder, step: { state: GatewayState; signal?: AbortSignal }): Promise<Finding> {
    const { reservation } = step.state;
    // No money was taken without the id of a reservation. The provider is still asked: one that is away has
    // confirmed nothing.
    if (reservation === NOT_SENT.reservation || reservation === null) {
      const reached = await this.#calls.within(step.signal).find(UNKNOWN_TRANSACTION);
      const isAway = reached.kind === 'not-sent' || reached.kind === 'lost';
      return isAway ? { kind: 'unavailable', problem: reached.problem } : { kind: 'not-booked' };
    }
    return await this.#findReservation(this.#calls.within(step.signal), order, reservation);
  }

  async refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: {
      amountMinor: number;
      givenMinor?: number;
      state: GatewayState;
      storeState: StoreState;
      signal?: AbortSignal;
    },
  ): Promise<RefundOutcome> {
    const calls = this.#calls.within(refund.signal);
    const { transactionId, amountMinor, currency } = transaction;
    const isPart = refund.amountMinor !== amountMinor;
    const part = isPart ? refund.state['part'] : undefined;
    if (part === 'refunded') return { kind: 'already-refunded' };
    const { givenMinor, storeState } = refund;
    // The whole amount is refunded with the last part.
    const leavesRest = givenMinor !== undefined && givenMinor + refund.amountMinor < amountMinor;
    const ofPart = { leavesRest, storeState };
    if (part === 'given') return await this.#checkPart(calls, transactionId, ofPart);
    const amount = toPaymentAmount(refund.amountMinor, currency);
    if (amount === null || refund.amountMinor > amountMinor || refund.amountMinor <= 0) {
      return { kind: 'not-possible', code: 'amount' };
    }
    const found = await calls.find(transactionId);
    if (part === 'sent') return sentPart(found, leavesRest);
    if (found.kind === 'refused') return { kind: 'not-possible', code: String(found.status) };
    if (found.kind !== 'ok') return { kind: 'unknown', problem: found.problem };
    if (found.answer.OrderId !== orderIdOf(order.id)) return { kind: 'not-possible', code: 'other-order' };
    const standing = standingOf(found.answer.TransactionStatus);
    if (standing === 'refunded' && !isPart) return { kind: 'already-refunded' };
    if (standing !== 'booked') return { kind: 'not-possible', code: found.answer.TransactionStatus };
    return isPart
      ? this.#refundPart(calls, transactionId, amount, ofPart)
      : this.#refundWhole(calls, transactionId);
  }

  async forget(token: string): Promise<void> {
    const reply = await this.#calls.disableMultiToken(token);
    if (reply.kind === 'ok' || (reply.kind === 'refused' && reply.status === NOT_FOUND)) return;
    throw new Fault('link-lost', `Borgun did not disable a stored card: ${reply.problem}`);
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    const { address, timeoutMs, payIfNotParticipating, payIfUnavailable } = this.#options;
    const lines = [
      `${address}, timeout ${timeoutMs / 1000} s`,
      `cards that do not take part in 3-D Secure ${payIfNotParticipating ? 'pay' : 'are declined'}`,
      `cards whose bank cannot authenticate ${payIfUnavailable ? 'pay' : 'are declined'}`,
    ];
    const reply = await this.#calls.find(UNKNOWN_TRANSACTION);
    const diagnosis = (line: string, problem: string | null) => ({ problem, lines: [...lines, line] });
    if (reply.kind === 'not-sent' || reply.kind === 'lost') {
      return diagnosis(`a look-up fails: ${reply.problem}`, `Borgun cannot be reached: ${reply.problem}`);
    }
    if (reply.kind === 'refused' && (reply.status === 401 || reply.status === 403)) {
      return diagnosis(`a look-up is answered by ${reply.status}`, 'Borgun does not accept the private key');
    }
    return diagnosis('a look-up of a payment that does not exist is answered', null);
  }

  /** @param paid.store stores the transaction id of the reservation; null: Borgun has not answered yet */
  async #reserveAndCapture(
    calls: BorgunCalls,
    order: GatewayOrder,
    paid: {
      card: PaymentMethod;
      secure: ThreeDSecure | null;
      store(transactionId: string | null): Promise<boolean>;
    },
  ): Promise<ChargeOutcome> {
    const { card, secure, store } = paid;
    const request = paymentOf(order, 'PreAuthorization', card, secure);
    if (request === null) return declined('merchant', 'currency');
    if (!(await store(null))) return TIME_OVER;
    const reserved = await calls.pay(request);
    if (reserved.kind !== 'ok') return failed(reserved);
    if (standingOf(reserved.answer.TransactionStatus) !== 'reserved')
      return outcomeOf(order, reserved.answer);
    const transaction = transactionOf(order, reserved.answer);
    if (transaction === null) return ANOTHER_ORDER;
    const { transactionId } = transaction;
    // Another process has found that nothing was taken. The bank drops the reservation.
    if (!(await store(transactionId))) return TIME_OVER;
    const captured = await calls.capture(transactionId);
    if (captured.kind === 'ok' && captured.answer.ActionCode === APPROVED) {
      const taken = capturedOf(transaction, captured.answer);
      return taken === null ? ANOTHER_ORDER : { kind: 'approved', transaction: taken };
    }
    if (captured.kind === 'lost') return { kind: 'unknown', problem: captured.problem };
    // The capture failed: the driver gets the reserved amount back now rather than in some days.
    await calls.cancel(transactionId);
    if (captured.kind === 'ok')
      return declined(declineReasonOf(captured.answer.ActionCode), captured.answer.ActionCode);
    return failed(captured);
  }

  /** Null: Borgun has not stored it. The payment is approved all the same. */
  async #store(
    calls: BorgunCalls,
    card: Card,
    { card: shown }: GatewayTransaction,
  ): Promise<StoredToken | null> {
    const reply = await calls.createMultiToken(numberAndExpiry(card));
    if (reply.kind !== 'ok') return null;
    return { token: reply.answer.Token, card: shown, expires: card.expires };
  }

  /** @param reservation its transaction id; undefined: nothing is stored about it */
  async #findReservation(
    calls: BorgunCalls,
    order: GatewayOrder,
    reservation: GatewayState[string] | undefined,
  ): Promise<Finding> {
    if (typeof reservation !== 'string') return unclear('nothing is stored about it', order);
    return this.#findTransaction(calls, order, reservation);
  }

  async #findTransaction(calls: BorgunCalls, order: GatewayOrder, transactionId: string): Promise<Finding> {
    const found = await calls.find(transactionId);
    if (found.kind === 'refused')
      return unclear(`Borgun answers ${found.status} about ${transactionId}`, order);
    if (found.kind !== 'ok') return { kind: 'unavailable', problem: found.problem };
    const standing = standingOf(found.answer.TransactionStatus);
    switch (standing) {
      case 'booked': {
        const transaction = transactionOf(order, found.answer);
        return transaction === null
          ? unclear(`${transactionId} is another payment`, order)
          : { kind: 'booked', transaction };
      }
      case 'reserved': {
        const cancelled = await calls.cancel(transactionId);
        if (cancelled.kind === 'ok' && cancelled.answer.ActionCode === APPROVED)
          return { kind: 'not-booked' };
        return { kind: 'unavailable', problem: 'the reserved amount cannot be released' };
      }
      case 'not-booked':
        return { kind: 'not-booked' };
      case 'refunded':
        return { kind: 'reversed' };
      case 'open':
        return { kind: 'unavailable', problem: 'Borgun does not know its outcome yet' };
      case 'unclear':
        return unclear(`its status at Borgun is ${found.answer.TransactionStatus}`, order);
      default:
        return standing satisfies never;
    }
  }

  async #refundWhole(calls: BorgunCalls, transactionId: string): Promise<RefundOutcome> {
    const reply = await calls.refund(transactionId);
    if (reply.kind === 'ok') return refundOf(reply.answer.ActionCode);
    if (reply.kind !== 'refused') return { kind: 'unknown', problem: reply.problem };
    // The payment may have been refunded elsewhere meanwhile.
    const found = await calls.find(transactionId);
    const isRefunded = found.kind === 'ok' && standingOf(found.answer.TransactionStatus) === 'refunded';
    return isRefunded ? { kind: 'already-refunded' } : { kind: 'not-possible', code: String(reply.status) };
  }

  async #refundPart(
    calls: BorgunCalls,
    transactionId: string,
    amount: number,
    ofPart: { leavesRest: boolean; storeState: StoreState },
  ): Promise<RefundOutcome> {
    const { leavesRest, storeState } = ofPart;
    if (!(await storeState({ part: 'sent' }))) return { kind: 'unknown', problem: TIME_OVER.problem };
    const reply = await calls.refund(transactionId, amount);
    if (reply.kind === 'lost') return sentPart(await calls.find(transactionId), leavesRest);
    if (reply.kind === 'ok' && reply.answer.ActionCode === APPROVED) {
      await storeState({ part: 'given' });
      return await this.#checkPart(calls, transactionId, ofPart);
    }
    await storeState({});
    if (reply.kind === 'not-sent') return { kind: 'unknown', problem: reply.problem };
    return {
      kind: 'not-possible',
      code: reply.kind === 'ok' ? reply.answer.ActionCode : String(reply.status),
    };
  }

  /** Borgun has given a part. It may not know `PartialAmount`, and have given the whole. */
  async #checkPart(
    calls: BorgunCalls,
    transactionId: string,
    { leavesRest, storeState }: { leavesRest: boolean; storeState: StoreState },
  ): Promise<RefundOutcome> {
    const found = await calls.find(transactionId);
    if (found.kind !== 'ok')
      return { kind: 'unknown', problem: 'what Borgun holds after the part is not known yet' };
    const isWhole = standingOf(found.answer.TransactionStatus) === 'refunded';
    if (isWhole && leavesRest) return { kind: 'refunded', isAll: true };
    await storeState({ part: 'refunded' });
    return { kind: 'refunded' };
  }
}

const NOT_FOUND = 404;
/** The id of no transaction: for a look-up that only shows whether Borgun answers. */
const UNKNOWN_TRANSACTION = 'DIAGNOSE';
/** The state before the amount was reserved. */
const NOT_SENT = { reservation: false } as const;
const TIME_OVER = { kind: 'unavailable', problem: 'its time is over' } as const;

/** A part without a known answer. Borgun's look-up shows only whether the whole has gone back. */
function sentPart(found: Reply<TransactionAnswer>, leavesRest: boolean): RefundOutcome {
  if (found.kind === 'ok' && standingOf(found.answer.TransactionStatus) === 'refunded') {
    return leavesRest ? { kind: 'refunded', isAll: true } : { kind: 'refunded' };
  }
  return { kind: 'unclear', problem: 'the answer to a part was lost, and Borgun does not report parts' };
}

/** The outcome of a failed call that may move money. */
function failed(reply: Failure): ChargeOutcome {
  if (reply.kind === 'lost') return { kind: 'unknown', problem: reply.problem };
  return notDone(reply, 'merchant');
}

function refundOf(actionCode: string): RefundOutcome {
  return actionCode === APPROVED ? { kind: 'refunded' } : { kind: 'not-possible', code: actionCode };
}

function unclear(why: string, order: GatewayOrder): Finding {
  const problem = `${why}: look for order ${orderIdOf(order.id)} in Borgun's pages`;
  return { kind: 'needs-person', problem };
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

function numberAndExpiry({ number, expiryMonth, expiryYear }: Card) {
  return { PAN: number, ExpMonth: twoDigits(expiryMonth), ExpYear: String(expiryYear) };
}

/** Null: a card that was encrypted, which Borgun cannot read. */
function methodOf(source: CardSource): PaymentMethod | null {
  if (source.kind === 'token') return { PaymentType: 'TokenMulti', Token: source.token };
  return source.kind === 'card' ? wholeCard(source.card) : null;
}

function wholeCard(card: Card): PaymentMethod {
  const { securityCode } = card;
  return {
    PaymentType: 'Card',
    ...numberAndExpiry(card),
    ...(securityCode !== null && { CVC2: securityCode }),
  };
}
