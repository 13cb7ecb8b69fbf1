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
import { orderIdOf, toPaymentAmount } from './borgun-amount.ts';
import { BorgunAuthentication, declined, isOk, notDone } from './borgun-authentication.ts';
import { BorgunCalls, type PaymentMethod, type Reply } from './borgun-calls.ts';
import { ANOTHER_ORDER, outcomeOf, paymentOf, type ThreeDSecure, transactionOf } from './borgun-payment.ts';
import { APPROVED, declineReasonOf, standingOf } from './borgun-results.ts';

/** Clients of Borgun's own wait for so long. */
const TIMEOUT_MS = 70_000;
/** Longer than a driver takes for 3-D Secure. */
const TOKEN_LIFETIME_S = 3600;
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
  timeoutMs: z.int().min(100).max(600_000).default(TIMEOUT_MS),
});
export type BorgunOptions = z.infer<typeof BorgunSchema>;

/**
 * Borgun (later SaltPay, Teya) by its Restful Payment Gateway: documents "RPG Payments", "RPG Single Use Card Tokens",
 * "RPG Multi Use Card Tokens", "3DSecure", "Action Codes Reference" and "Getting started".
 *
 * What the documents leave open, and what this adapter does:
 *
 * - No call finds a payment by its `OrderId`, and no header makes a payment idempotent, so a payment is never repeated.
 *   A typed card is turned into a single-use token before 3-D Secure, and the payment is made by that token: the token
 *   names the payment that has used it. After a lost answer, the token is disabled first and looked at again at the next
 *   call: one that is disabled and unused pays nothing any more. The security code goes to the bank with the
 *   enrollment, since payments by token have none.
 * - A stored card has no single-use token. It is charged in two steps: `PreAuthorization` reserves and takes nothing;
 *   its transaction id is stored with the payment; `capture` takes the amount. If the first answer is lost, nothing is
 *   taken, and the bank drops the reservation by itself after some days. If the second is lost, the id finds it.
 * - "RPG Payments" describes refunds of the whole. `PartialAmount` is known from the plug-in that Borgun publishes for
 *   shops. Whether a part was refunded cannot be looked up, so that it is sent is stored with the refund before. No cloud
 *   sends a part again whose answer was lost: a person has to look (`part-unclear`).
 * - The method step of 3-D Secure (MdStatus 50) is a form like a challenge: the browser posts it, the bank's page posts
 *   back. Without a form in the answer, it is skipped (`TDS2ThreeDSCompInd` N), as 3-D Secure allows.
 * - Borgun's script can make single-use tokens in the browser with the public key. The specification's calls send a
 *   card, so that is not used: PCI DSS SAQ D applies.
 */
export class BorgunGateway implements CardGateway {
  readonly kind = 'borgun';
  readonly cardInput = 'card';
  readonly storesCards = true;
  /** Banks have addresses of their own. */
  readonly pageSources = { script: [], connect: [], frame: ['https:'], form: ['https:'] };
  readonly #options: BorgunOptions;
  readonly #calls: BorgunCalls;
  readonly #authentication: BorgunAuthentication;

  constructor(options: BorgunOptions) {
    this.#options = options;
    this.#calls = new BorgunCalls(options);
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
      return this.#authentication.enroll(order, card, { returnUrl, kept: { token: null } });
    }
    const made = await this.#calls.createSingleToken(numberAndExpiry(source.card), TOKEN_LIFETIME_S);
    if (!isOk(made)) return notDone(made, 'card-data');
    const kept = { token: made.value.Token };
    return this.#authentication.enroll(order, wholeCard(source.card), { returnUrl, kept });
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
    const { token } = state;
    if (typeof token === 'string') {
      const outcome = await this.#sell(calls, order, { PaymentType: 'TokenSingle', Token: token }, secure);
      if (outcome.kind !== 'approved' || !step.storeCard || source.kind !== 'card') return outcome;
      const stored = await this.#store(calls, source.card, outcome.transaction);
      return { ...outcome, ...(stored !== null && { token: stored }) };
    }
    if (source.kind !== 'token') return { kind: 'authenticate-again', code: 'no-token' };
    const store = (reservation: string | null) => step.storeState({ ...state, reservation });
    const card = { PaymentType: 'TokenMulti', Token: source.token } as const;
    return this.#reserveAndCapture(calls, order, { card, secure, store });
  }

  async findOut(order: GatewayOrder, step: { state: GatewayState; signal?: AbortSignal }): Promise<Finding> {
    const { token } = step.state;
    const calls = this.#calls.within(step.signal);
    if (typeof token !== 'string') return this.#findReservation(calls, order, step.state['reservation']);
    const found = await calls.findSingleToken(token);
    if (found.kind === 'refused') return unclear(`Borgun answers ${found.status} about its token`, order);
    if (!isOk(found)) return { kind: 'unavailable', problem: found.problem };
    const { TransactionId, Used, Enabled } = found.value;
    if (TransactionId !== null) return this.#findTransaction(calls, order, TransactionId);
    if (Used)
      return { kind: 'unavailable', problem: 'its token is used, and by which payment is not known yet' };
    if (!Enabled) return { kind: 'not-booked' };
    // The payment may be on its way: only the next look at the disabled token says that it was not used.
    const disabled = await calls.disableSingleToken(token);
    const problem = isOk(disabled) ? 'its token is disabled; look again' : 'its token cannot be disabled';
    return { kind: 'unavailable', problem };
  }

  async refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: { amountMinor: number; state: GatewayState; storeState: StoreState; signal?: AbortSignal },
  ): Promise<RefundOutcome> {
    const calls = this.#calls.within(refund.signal);
    const { transactionId, amountMinor, currency } = transaction;
    const isPart = refund.amountMinor !== amountMinor;
    const part = isPart ? refund.state['part'] : undefined;
    if (part === 'refunded') return { kind: 'already-refunded' };
    if (part !== undefined) return PART_UNCLEAR;
    const amount = toPaymentAmount(refund.amountMinor, currency);
    if (amount === null || refund.amountMinor > amountMinor || refund.amountMinor <= 0) {
      return { kind: 'not-possible', code: 'amount' };
    }
    const found = await calls.find(transactionId);
    if (found.kind === 'refused') return { kind: 'not-possible', code: String(found.status) };
    if (!isOk(found)) return { kind: 'unknown', problem: found.problem };
    if (found.value.OrderId !== orderIdOf(order.id)) return { kind: 'not-possible', code: 'other-order' };
    const standing = standingOf(found.value.TransactionStatus);
    if (standing === 'refunded' && !isPart) return { kind: 'already-refunded' };
    if (standing !== 'booked') return { kind: 'not-possible', code: found.value.TransactionStatus };
    return isPart
      ? this.#refundPart(calls, transactionId, amount, refund.storeState)
      : this.#refundWhole(calls, transactionId);
  }

  async forget(token: string): Promise<void> {
    await this.#calls.disableMultiToken(token);
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    const { address, timeoutMs, payIfNotParticipating, payIfUnavailable } = this.#options;
    const lines = [
      `${address}, timeout ${timeoutMs / 1000} s`,
      `cards that do not take part in 3-D Secure ${payIfNotParticipating ? 'pay' : 'are declined'}`,
      `cards whose bank cannot authenticate ${payIfUnavailable ? 'pay' : 'are declined'}`,
    ];
    const reply = await this.#calls.find('DIAGNOSE');
    const diagnosis = (line: string, problem: string | null) => ({ problem, lines: [...lines, line] });
    if (reply.kind === 'unreachable' || reply.kind === 'lost') {
      return diagnosis(`a look-up fails: ${reply.problem}`, `Borgun cannot be reached: ${reply.problem}`);
    }
    if (reply.kind === 'refused' && (reply.status === 401 || reply.status === 403)) {
      return diagnosis(`a look-up is answered by ${reply.status}`, 'Borgun does not accept the private key');
    }
    return diagnosis('a look-up of a payment that does not exist is answered', null);
  }

  async #sell(
    calls: BorgunCalls,
    order: GatewayOrder,
    card: PaymentMethod,
    secure: ThreeDSecure | null,
  ): Promise<ChargeOutcome> {
    const request = paymentOf(order, 'Sale', card, secure);
    if (request === null) return declined('merchant', 'currency');
    const reply = await calls.pay(request);
    return isOk(reply) ? outcomeOf(order, reply.value) : failed(reply);
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
    if (!isOk(reserved)) return failed(reserved);
    if (standingOf(reserved.value.TransactionStatus) !== 'reserved') return outcomeOf(order, reserved.value);
    const transaction = transactionOf(order, reserved.value);
    if (transaction === null) return ANOTHER_ORDER;
    const { transactionId } = transaction;
    // Another process has found that nothing was taken. The bank drops the reservation.
    if (!(await store(transactionId))) return TIME_OVER;
    const captured = await calls.capture(transactionId);
    if (isOk(captured) && captured.value.ActionCode === APPROVED) return { kind: 'approved', transaction };
    if (captured.kind === 'lost') return { kind: 'unknown', problem: captured.problem };
    // Nothing is taken: the driver gets the reserved amount back now rather than in some days.
    await calls.cancel(transactionId);
    if (isOk(captured))
      return declined(declineReasonOf(captured.value.ActionCode), captured.value.ActionCode);
    return failed(captured);
  }

  /** Null: Borgun has not stored it. The payment is approved all the same. */
  async #store(
    calls: BorgunCalls,
    card: Card,
    { card: shown }: GatewayTransaction,
  ): Promise<StoredToken | null> {
    const reply = await calls.createMultiToken(numberAndExpiry(card));
    if (!isOk(reply)) return null;
    return { token: reply.value.Token, card: shown, expires: card.expires };
  }

  /** @param reservation its transaction id; null: Borgun has not answered; undefined: nothing is stored about it */
  async #findReservation(
    calls: BorgunCalls,
    order: GatewayOrder,
    reservation: GatewayState[string] | undefined,
  ): Promise<Finding> {
    if (reservation === null) return { kind: 'not-booked' };
    if (typeof reservation !== 'string') return unclear('nothing is stored about it', order);
    return this.#findTransaction(calls, order, reservation);
  }

  async #findTransaction(calls: BorgunCalls, order: GatewayOrder, transactionId: string): Promise<Finding> {
    const found = await calls.find(transactionId);
    if (found.kind === 'refused')
      return unclear(`Borgun answers ${found.status} about ${transactionId}`, order);
    if (!isOk(found)) return { kind: 'unavailable', problem: found.problem };
    const standing = standingOf(found.value.TransactionStatus);
    switch (standing) {
      case 'booked': {
        const transaction = transactionOf(order, found.value);
        return transaction === null
          ? unclear(`${transactionId} is another payment`, order)
          : { kind: 'booked', transaction };
      }
      case 'reserved': {
        const cancelled = await calls.cancel(transactionId);
        if (isOk(cancelled) && cancelled.value.ActionCode === APPROVED) return { kind: 'not-booked' };
        return { kind: 'unavailable', problem: 'the reserved amount cannot be released' };
      }
      case 'not-booked':
        return { kind: 'not-booked' };
      case 'refunded':
        return { kind: 'reversed' };
      case 'open':
        return { kind: 'unavailable', problem: 'Borgun does not know its outcome yet' };
      case 'unclear':
        return unclear(`its status at Borgun is ${found.value.TransactionStatus}`, order);
      default:
        return standing satisfies never;
    }
  }

  async #refundWhole(calls: BorgunCalls, transactionId: string): Promise<RefundOutcome> {
    const reply = await calls.refund(transactionId);
    if (isOk(reply)) return refundOf(reply.value.ActionCode);
    if (reply.kind !== 'refused') return { kind: 'unknown', problem: reply.problem };
    // Perhaps somebody else has refunded it meanwhile.
    const found = await calls.find(transactionId);
    const isRefunded = isOk(found) && standingOf(found.value.TransactionStatus) === 'refunded';
    return isRefunded ? { kind: 'already-refunded' } : { kind: 'not-possible', code: String(reply.status) };
  }

  async #refundPart(
    calls: BorgunCalls,
    transactionId: string,
    amount: number,
    storeState: StoreState,
  ): Promise<RefundOutcome> {
    if (!(await storeState({ part: 'sent' }))) return { kind: 'unknown', problem: TIME_OVER.problem };
    const reply = await calls.refund(transactionId, amount);
    if (reply.kind === 'lost') return PART_UNCLEAR;
    const outcome: RefundOutcome = isOk(reply)
      ? refundOf(reply.value.ActionCode)
      : reply.kind === 'refused'
        ? { kind: 'not-possible', code: String(reply.status) }
        : { kind: 'unknown', problem: reply.problem };
    await storeState(outcome.kind === 'refunded' ? { part: 'refunded' } : {});
    return outcome;
  }
}

const TIME_OVER = { kind: 'unavailable', problem: 'its time is over' } as const;
const PART_UNCLEAR = { kind: 'not-possible', code: 'part-unclear' } as const;

/** Of a call that may move money. */
function failed(reply: Exclude<Reply<never>, { kind: 'ok' }>): ChargeOutcome {
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

function wholeCard(card: Card): PaymentMethod {
  const { securityCode } = card;
  return {
    ...{ PaymentType: 'Card', ...numberAndExpiry(card) },
    ...(securityCode !== null && { CVC2: securityCode }),
  };
}
