import type { Clock } from '@hlid/node/clock';
import { pause } from '@hlid/node/pause';
import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import { VERSION } from '@hlid/protocol/base/version';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import type { z } from 'zod';
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
  PageSources,
  RefundOutcome,
  StoredToken,
} from '../gateway.ts';
import type { Failure, GatewayHttp } from '../gateway-http.ts';
import { readBankReturn, verificationData } from './bank-return.ts';
import { transactionOf } from './payment-data.ts';
import {
  declined,
  partRefundRequest,
  saleRequest,
  tokenRequest,
  type ValitorPayRequest,
  verificationRequest,
  wholeRefundRequest,
} from './payment-requests.ts';
import { type CodeMeaning, meaningOf } from './response-codes.ts';
import {
  openValitorPay,
  type PaymentAnswer,
  PaymentAnswerSchema,
  type VerificationAnswer,
  VerificationAnswerSchema,
  VirtualCardAnswerSchema,
  VirtualCardDataAnswerSchema,
} from './valitor-pay-calls.ts';
import type { ValitorPayOptions } from './valitor-pay-options.ts';

/** The name must have a blank before the version ("systemCalling"). */
const SYSTEM_CALLING = `Hlid ${VERSION}`;
/** The origin of Valitor's 3-D Secure server, by the documents' samples. */
const MPI_ORIGIN = 'https://mpi.valitor.com';
/**
 * The key in the state of a payment: by Valitor's answer, the law requires no strong authentication of that
 * card.
 */
const OUT_OF_SCOPE = 'outOfScaScope';
/** A driver does not wait longer for the card to be stored: the payment is approved already. */
const STORE_CARD_TIMEOUT_MS = 10_000;
/** The most by which the clocks of ValitorPay and the cloud differ. */
const CLOCKS_DIFFER_MS = 10 * MINUTE_MS;
/** "Original transaction not found". */
const NO_ORIGINAL = 'T0';
const RETRY_PAUSES_MS: readonly number[] = [500, 1500];

/** The answer to a payment or a refund, and what it means. */
type PaymentReply = Failure | { kind: 'ok'; answer: PaymentAnswer; meaning: CodeMeaning };

export interface ValitorPayParts {
  clock: Clock;
  /** The pauses before each further try of a charge that met a busy system. */
  retryPausesMs?: readonly number[];
}

/**
 * ValitorPay, API version 2.0 (Valitor's documents "Card verification", "Payment" and "Response codes"; today
 * Rapyd). The card's number passes through us, so the site is in the scope of PCI DSS SAQ D.
 *
 * What the documents leave open, and how it is done here:
 *
 * - **Correlation ids.** The charge's is the order's id, in every try; a refund's is the refund's id. A
 *   verification and a token get new ones: the check for duplicates may span all calls. An id counts as used
 *   once a request with it is booked, which is why a try that met a busy system may be repeated with the same
 *   one.
 * - **Challenges.** Every verification ends in a form for the browser, even if the bank asks the driver
 *   nothing.
 * - **Unknown outcomes.** No call reads a payment. `RefundWithCorrelationId` takes it back, or finds no
 *   original. It needs the day of the payment: that of the order, or the next, since a driver may be at the
 *   bank at midnight. "No original" counts only once the request can no longer arrive (`lateMs`).
 * - **Refunds.** The whole goes by correlation id, a part by the acquirer's reference number, which needs the
 *   masked number or the token. The masked number is stored for that: six and four digits, as PCI DSS 3.4.1
 *   allows.
 * - **Tokens.** They are made after the payment, without its 3-D Secure data (a cryptogram serves one
 *   authorisation), and for merchant-initiated payments only. A driver who is there pays with the card. No
 *   documented call deletes a token, so there is no `forget`.
 */
export class ValitorPayGateway implements CardGateway {
  readonly kind = 'valitor-pay';
  readonly cardInput = 'card';
  readonly storesCards = true;
  readonly pageSources: PageSources;
  readonly #options: ValitorPayOptions;
  readonly #parts: ValitorPayParts;
  readonly #http: GatewayHttp;

  constructor(options: ValitorPayOptions, parts: ValitorPayParts) {
    this.#options = options;
    this.#parts = parts;
    this.#http = openValitorPay(options);
    const { origin, protocol } = new URL(options.url);
    // The bank's page may be anywhere; a simulator has no certificate.
    const banks = protocol === 'http:' ? ['https:', origin] : ['https:'];
    this.pageSources = { script: [origin, MPI_ORIGIN], connect: [], frame: banks, form: banks };
  }

  async begin(
    order: GatewayOrder,
    start: { source: CardSource | null; returnUrl: string; browser: Browser; storeCard: boolean },
  ): Promise<Beginning> {
    const { source, returnUrl, browser } = start;
    if (source?.kind !== 'card') return declined('card-unsupported');
    const request = verificationRequest(order, { card: source.card, returnUrl, browser });
    if ('kind' in request) return request;
    const reply = await this.#call(request, VerificationAnswerSchema);
    if (reply.kind !== 'ok') return unavailable(reply.problem);
    return this.#challengeOf(reply.answer);
  }

  #challengeOf(answer: VerificationAnswer): Authentication {
    const { isSuccess, responseCode, postUrl, scriptPath } = answer;
    if (!isSuccess) {
      const meaning = meaningOf(responseCode);
      if (meaning.kind === 'declined') return declined(meaning.reason, responseCode);
      if (meaning.kind === 'authenticate-again') return declined('not-authenticated', responseCode);
      return unavailable(`it verifies no card now (${responseCode})`);
    }
    if (postUrl == null || !this.#mayPostTo(postUrl)) return unavailable('its form has no safe address');
    const fields = (answer.verificationFields ?? []).map(({ name, value }) => ({ name, value: value ?? '' }));
    const isAllowed = (script: string) => this.pageSources.script.includes(originOf(script) ?? '');
    return {
      kind: 'challenge',
      challenge: {
        kind: 'form',
        form: {
          html: answer.cardVerificationRawResponse ?? null,
          url: postUrl,
          fields,
          // The page posts the form by itself, so it does without a script from elsewhere.
          scripts: scriptPath != null && isAllowed(scriptPath) ? [scriptPath] : [],
        },
      },
      state: { [OUT_OF_SCOPE]: answer.cardInformation?.outOfScaScope === true },
    };
  }

  #mayPostTo(url: string): boolean {
    return url.startsWith('https://') || originOf(url) === new URL(this.#options.url).origin;
  }

  async readReturn(
    order: GatewayOrder,
    { state, fields }: { state: GatewayState; fields: Readonly<Record<string, string>> },
  ): Promise<Authentication> {
    const read = readBankReturn(order.id, fields, this.#mayBeUnenrolled(state));
    return read.kind === 'authenticated' ? { ...read, state: { ...state, ...read.state } } : read;
  }

  /** The browser's answer is not enough: Valitor's own answer must exempt the card. */
  #mayBeUnenrolled(state: GatewayState): boolean {
    return this.#options.acceptNotEnrolled && state[OUT_OF_SCOPE] === true;
  }

  async charge(
    order: GatewayOrder,
    step: {
      state: GatewayState;
      source: CardSource;
      storeCard: boolean;
      initiator: 'driver' | 'merchant';
      signal?: AbortSignal;
    },
  ): Promise<ChargeOutcome> {
    const verification = verificationData(step.state, this.#mayBeUnenrolled(step.state));
    const sale = saleRequest(order, { ...step, verification });
    if ('kind' in sale) return sale;
    const sentAt = utcTime(this.#parts.clock.now());
    const reply = await this.#sell(order, sale, step.signal);
    const outcome = this.#outcomeOf(order, step.source, sentAt, reply);
    if (outcome.kind !== 'approved' || !step.storeCard || step.source.kind !== 'card') return outcome;
    const token = await this.#storeCard(order, step.source.card, outcome.transaction.card, step.signal);
    return token === null ? outcome : { ...outcome, token };
  }

  /**
   * Repeats a charge that met a busy system: with the same correlation id, and only while the card is in
   * memory.
   */
  async #sell(
    order: GatewayOrder,
    sale: ValitorPayRequest,
    signal: AbortSignal | undefined,
  ): Promise<PaymentReply> {
    const pauses = this.#parts.retryPausesMs ?? RETRY_PAUSES_MS;
    let doubt: PaymentReply | null = null;
    for (let tries = 0; ; tries++) {
      const reply = await this.#pay(sale, order.id, signal);
      const meaning = reply.kind === 'ok' ? reply.meaning : null;
      const isBusy = meaning?.kind === 'transient';
      if (isBusy && !meaning.certain) doubt = reply;
      const ms = pauses[tries];
      const isOver = signal?.aborted ?? false;
      if (isBusy && ms !== undefined && !isOver) await pause(ms, { signal });
      // An earlier try may have been booked, and this one has not settled it.
      else return isBusy || reply.kind === 'not-sent' ? (doubt ?? reply) : reply;
    }
  }

  #outcomeOf(order: GatewayOrder, source: CardSource, sentAt: UtcTime, reply: PaymentReply): ChargeOutcome {
    if (reply.kind === 'not-sent') return unavailable(reply.problem);
    if (reply.kind === 'refused') return declined('merchant', reply.problem);
    if (reply.kind === 'lost') return { kind: 'unknown', problem: reply.problem };
    const { answer, meaning } = reply;
    const code = answer.responseCode;
    if (answer.isSuccess && meaning.kind !== 'approved')
      return { kind: 'unknown', problem: `its answer contradicts itself (${code})` };
    switch (meaning.kind) {
      case 'approved': {
        const transaction = transactionOf(order, source, sentAt, answer);
        if (transaction !== null) return { kind: 'approved', transaction };
        return { kind: 'unknown', problem: 'it approves something else than this payment' };
      }
      case 'declined':
        return declined(meaning.reason, code);
      case 'no-original':
        return declined('other', code);
      case 'authenticate-again':
        return { kind: 'authenticate-again', code };
      case 'transient':
        if (meaning.certain) return unavailable(`it is busy (${code})`);
        return { kind: 'unknown', problem: `it got no answer from the card’s bank (${code})` };
      case 'duplicate':
        return { kind: 'unknown', problem: `it has booked this payment before (${code})` };
      case 'reversed':
      case 'uncertain':
        return { kind: 'unknown', problem: `it may have booked this payment (${code})` };
      default:
        return meaning satisfies never;
    }
  }

  /** Null: the driver has paid all the same, and pays by hand the next time. */
  async #storeCard(
    order: GatewayOrder,
    card: Card,
    shown: ReceiptCard,
    signal: AbortSignal | undefined,
  ): Promise<StoredToken | null> {
    const timeoutMs = Math.min(STORE_CARD_TIMEOUT_MS, this.#options.timeoutMs);
    const request = tokenRequest(order, card);
    const reply = await this.#call(request, VirtualCardAnswerSchema, { timeoutMs, signal });
    if (reply.kind !== 'ok' || !reply.answer.isSuccess || reply.answer.virtualCard == null) return null;
    return { token: reply.answer.virtualCard, card: shown, expires: card.expires };
  }

  async findOut(
    order: GatewayOrder,
    step: { refundId: string; sentBefore: UtcTime; signal?: AbortSignal },
  ): Promise<Finding> {
    const { refundId, sentBefore, signal } = step;
    for (const at of this.#possibleDays(order.createdAt)) {
      const reply = await this.#pay(wholeRefundRequest(order.id, at, refundId), refundId, signal);
      if (reply.kind !== 'ok') return unavailable(reply.problem);
      const { meaning, answer } = reply;
      const code = answer.responseCode;
      switch (meaning.kind) {
        case 'approved':
        case 'duplicate':
        case 'reversed':
          return { kind: 'reversed' };
        case 'no-original':
          continue;
        case 'transient':
        case 'uncertain':
          return unavailable(`it is busy (${code})`);
        case 'declined':
        case 'authenticate-again':
          return { kind: 'needs-person', problem: `it does not take the payment back (${code})` };
        default:
          return meaning satisfies never;
      }
    }
    if (this.#parts.clock.now().getTime() - millis(sentBefore) < this.#options.lateMs)
      return unavailable('it knows no such payment, but it may still arrive');
    return { kind: 'not-booked' };
  }

  /**
   * The UTC days that a payment may have, which ValitorPay needs. One that was sent around midnight may be of either
   * day, and the clocks of the two may differ.
   */
  #possibleDays(sentAt: UtcTime): UtcTime[] {
    const startOfDay = new Date(sentAt).setUTCHours(0, 0, 0, 0);
    const nextDay = startOfDay + DAY_MS;
    const isNextDay = this.#parts.clock.now().getTime() >= nextDay - CLOCKS_DIFFER_MS;
    const isEarly = millis(sentAt) - startOfDay < CLOCKS_DIFFER_MS;
    return [sentAt, ...(isNextDay ? [utcTime(nextDay)] : []), ...(isEarly ? [utcTime(startOfDay - 1)] : [])];
  }

  async refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number; signal?: AbortSignal },
  ): Promise<RefundOutcome> {
    const { sentAt } = transaction.state;
    const at = typeof sentAt === 'string' ? UtcTimeSchema.parse(sentAt) : order.createdAt;
    if (refund.amountMinor !== transaction.amountMinor) {
      const request = partRefundRequest(transaction, refund);
      if (request === null) return { kind: 'not-possible', code: 'amount' };
      return await this.#refund(request, refund);
    }
    let outcome: RefundOutcome = { kind: 'not-possible', code: NO_ORIGINAL };
    for (const day of this.#possibleDays(at)) {
      outcome = await this.#refund(wholeRefundRequest(order.id, day, refund.id), refund);
      if (outcome.kind !== 'not-possible' || outcome.code !== NO_ORIGINAL) return outcome;
    }
    return outcome;
  }

  async #refund(
    request: ValitorPayRequest,
    { id, signal }: { id: string; signal?: AbortSignal },
  ): Promise<RefundOutcome> {
    const reply = await this.#pay(request, id, signal);
    if (reply.kind === 'refused') return { kind: 'not-possible', code: reply.problem };
    if (reply.kind !== 'ok') return { kind: 'unknown', problem: reply.problem };
    const { meaning, answer } = reply;
    const code = answer.responseCode;
    switch (meaning.kind) {
      case 'approved':
        return { kind: 'refunded' };
      case 'duplicate':
      case 'reversed':
        return { kind: 'already-refunded' };
      case 'no-original':
        return { kind: 'not-possible', code: NO_ORIGINAL };
      case 'declined':
      case 'authenticate-again':
        return { kind: 'not-possible', code };
      case 'transient':
      case 'uncertain':
        return { kind: 'unknown', problem: `it is busy (${code})` };
      default:
        return meaning satisfies never;
    }
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    const { url, agreementNumber, terminalId } = this.#options;
    const lines = [
      `ValitorPay at ${url}, API version 2.0`,
      agreementNumber === undefined
        ? 'a merchant’s own key, without agreement and terminal'
        : `agreement ${agreementNumber}, terminal ${terminalId}`,
    ];
    // The data of a token that does not exist: callers with a valid key receive the answer that there is
    // none.
    const request = { path: 'VirtualCard/GetVirtualCardData', body: { virtualCard: crypto.randomUUID() } };
    const reply = await this.#call(request, VirtualCardDataAnswerSchema);
    if (reply.kind !== 'ok') return { problem: reply.problem, lines };
    const { responseCode } = reply.answer;
    const meaning = meaningOf(responseCode);
    const isMerchant = meaning.kind === 'declined' && meaning.reason === 'merchant';
    const problem = isMerchant ? `it does not accept the merchant (${responseCode})` : null;
    return { problem, lines: [...lines, `it answers, and accepts the API key (${responseCode})`] };
  }

  async #pay(
    request: ValitorPayRequest,
    correlationId: string,
    signal: AbortSignal | undefined,
  ): Promise<PaymentReply> {
    const reply = await this.#call(request, PaymentAnswerSchema, { signal });
    if (reply.kind !== 'ok') return reply;
    const { answer } = reply;
    const meaning = meaningOf(answer.responseCode);
    const answered = answer.correlationId ?? answer.correlationID ?? correlationId;
    if (answered.toLowerCase() !== correlationId.toLowerCase())
      return { kind: 'lost', problem: 'its answer is about another payment' };
    if (meaning.kind === 'approved' && !answer.isSuccess)
      return { kind: 'lost', problem: `its answer contradicts itself (${answer.responseCode})` };
    return { kind: 'ok', answer, meaning };
  }

  #call<T extends z.ZodType>(
    { path, body }: ValitorPayRequest,
    schema: T,
    {
      timeoutMs = this.#options.timeoutMs,
      signal,
    }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
  ) {
    const { agreementNumber, terminalId } = this.#options;
    const facilitator = agreementNumber === undefined ? {} : { agreementNumber, terminalId };
    const json = { ...body, ...facilitator, systemCalling: SYSTEM_CALLING };
    return this.#http.send({ method: 'POST', path: `/${path}`, json, timeoutMs, signal }, schema);
  }
}

function unavailable(problem: string) {
  return { kind: 'unavailable', problem } as const;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
