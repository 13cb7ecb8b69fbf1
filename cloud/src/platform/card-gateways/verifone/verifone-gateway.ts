import { createHmac } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';
import { millis } from '@hlid/protocol/base/utc-time';
import type { z } from 'zod';
import type {
  Authentication,
  Beginning,
  CardGateway,
  CardSource,
  ChargeOutcome,
  Declined,
  DeclineReason,
  Finding,
  GatewayDiagnosis,
  GatewayOrder,
  GatewayState,
  GatewayTransaction,
  PageSources,
  RefundOutcome,
  StoreState,
} from '../gateway.ts';
import type { Failure } from '../gateway-http.ts';
import { readStoredCard } from './stored-card.ts';
import {
  JwtCreatedSchema,
  LookupSchema,
  NothingSchema,
  PaymentResultSchema,
  TransactionListSchema,
  ValidatedSchema,
} from './verifone-answers.ts';
import {
  decideAuthentication,
  isProved,
  readState,
  type ThreedsResult,
  type VerifoneState,
} from './verifone-authentication.ts';
import { openVerifone, type Refused, type Reply, type VerifoneCalls } from './verifone-calls.ts';
import { VerifoneLedger } from './verifone-ledger.ts';
import { readPayment } from './verifone-payment.ts';
import { lookupRequest, paymentRequest, type SendableCard, sendableCard } from './verifone-requests.ts';
import { hostsOf, type VerifoneHosts, type VerifoneSettings } from './verifone-settings.ts';

/** "Secure Card Capture Key": an encrypted card is valid for this long. */
const ENCRYPTED_CARD_MS = 15 * MINUTE_MS;
/** The time for which a request with a lost answer may still be on its way. */
const LATE_MS = 30_000;

/**
 * Verifone eCommerce with 3-D Secure by Cardinal, by Verifone's documents "Server-to-Server Payments with 3D
 * Secure", "Reversals via API", "Stored Credentials", "Secure Card Capture Key", and its OpenAPI descriptions
 * "eCommerce" (2.38) and "3D Secure" (3.43).
 *
 * The browser encrypts the card with `verifone.js`, so neither this program nor its errors ever have a card
 * number. What the documents leave open, and what is decided here:
 *
 * - `begin` only creates the JWT of Cardinal's script. It is valid once, so each payment gets its own.
 * - The encrypted card that is charged must be the one that was authenticated. A state is bound to its order,
 *   amount and currency, too.
 * - A challenge's result comes from `jwt/validate`, whatever the browser reports.
 * - An approval names an amount and no currency, so the order's currency is reported.
 * - An unknown outcome: see `VerifoneLedger`.
 */
export class VerifoneGateway implements CardGateway {
  readonly kind = 'verifone';
  readonly cardInput = 'encrypted';
  readonly storesCards: boolean;
  readonly pageSources: PageSources;
  readonly #settings: VerifoneSettings;
  readonly #hosts: VerifoneHosts;
  readonly #clock: Clock;
  readonly #calls: VerifoneCalls;
  readonly #lateMs: number;

  /** @param timing what tests make shorter */
  constructor(
    settings: VerifoneSettings,
    parts: { clock: Clock },
    timing: { lateMs: number } = { lateMs: LATE_MS },
  ) {
    this.#settings = settings;
    this.storesCards = settings.tokenScope !== undefined;
    this.#hosts = hostsOf(settings);
    this.#clock = parts.clock;
    this.#calls = openVerifone(this.#hosts.api, settings);
    this.#lateMs = timing.lateMs;
    const { encryptionScript, authenticationScript, authenticationService } = this.#hosts;
    const scripts = [encryptionScript, authenticationScript].map((address) => new URL(address).origin);
    // Each bank has its own address, and Cardinal's script posts forms to them. A simulator has no TLS.
    const banks = ['https:', ...authenticationService.filter((address) => address.startsWith('http:'))];
    this.pageSources = {
      script: [...new Set(scripts)],
      connect: authenticationService,
      frame: banks,
      form: banks,
    };
  }

  async begin(order: GatewayOrder): Promise<Beginning> {
    const reply = await this.#createJwt();
    if (reply.kind !== 'ok') return failedStep(reply);
    const { publicKey, publicKeyAlias } = this.#settings;
    const { encryptionScript, authenticationScript } = this.#hosts;
    const tokens = {
      jwt: reply.answer.jwt,
      publicKey,
      publicKeyAlias,
      encryptionScript,
      authenticationScript,
    };
    return { kind: 'tokens', tokens, state: { step: 'begun', ...boundTo(order) } };
  }

  async authenticate(
    order: GatewayOrder,
    step: { state: GatewayState; source: CardSource; sessionId: string | null },
  ): Promise<Authentication> {
    if (readState(step.state, order)?.step !== 'begun') return notAuthenticated('state');
    const card = sendableCard(step.source);
    if (card === null) return declined('merchant', 'card-not-encrypted');
    // The bank knows nothing of the device without it. The documents require it.
    if (step.sessionId === null) return notAuthenticated('no-session');
    const body = lookupRequest(this.#settings, order, { card, sessionId: step.sessionId });
    const reply = await this.#calls.send(
      { method: 'POST', path: '/3ds-service/v2/lookup', body },
      LookupSchema,
    );
    // The JWT behind the session has expired, or was used.
    if (reply.kind === 'refused' && reply.fields.some((field) => field.endsWith('device_info_id')))
      return notAuthenticated('session-refused');
    if (reply.kind !== 'ok') return failedStep(reply);
    const { authentication_id: authenticationId, acs_url: acsUrl, payload, ...rest } = reply.answer;
    const { transaction_id: transactionId, ...result } = rest;
    const proven = {
      ...boundTo(order),
      cardMark: this.#markOf(card),
      cardSeenAt: nowUtc(this.#clock),
      authenticationId,
    };
    const decision = decideAuthentication(result, this.#settings.acceptUnauthenticated);
    switch (decision.kind) {
      case 'go-on':
        return { kind: 'authenticated', state: { step: 'authenticated', ...proven, ...result } };
      case 'stop':
        return notAuthenticated(decision.code);
      case 'challenge':
        if (acsUrl === null || payload === null || transactionId === null)
          return { kind: 'unavailable', problem: 'the lookup names no address for its challenge' };
        return {
          kind: 'challenge',
          challenge: { kind: 'script', acsUrl, payload, transactionId },
          state: { step: 'challenge', ...proven, ...result },
        };
      default:
        return decision satisfies never;
    }
  }

  async verify(
    order: GatewayOrder,
    { state, threedsToken }: { state: GatewayState; threedsToken: string },
  ): Promise<Authentication> {
    const challenged = readState(state, order);
    if (challenged?.step !== 'challenge') return notAuthenticated('state');
    const { authenticationId } = challenged;
    const body = {
      authentication_id: authenticationId,
      jwt: threedsToken,
      threeds_contract_id: this.#settings.threedsContract,
    };
    const reply = await this.#calls.send(
      { method: 'POST', path: '/3ds-service/v2/jwt/validate', body },
      ValidatedSchema,
    );
    // A token that is forged, used, or of another payment.
    if (reply.kind === 'refused' && (reply.status === 400 || reply.status === 404))
      return notAuthenticated('token-refused');
    if (reply.kind !== 'ok') return failedStep(reply);
    const { authentication_id, action_code: action, validation_result: validated } = reply.answer;
    if (authentication_id !== authenticationId) return notAuthenticated('authentication-id');
    if (action !== 'SUCCESS' && action !== 'NOACTION') return notAuthenticated(`action-${action}`);
    if (!validated) return notAuthenticated('no-result');
    const result = mergeResults(challenged, validated);
    const decision = decideAuthentication(result, this.#settings.acceptUnauthenticated);
    if (decision.kind === 'stop') return notAuthenticated(decision.code);
    if (decision.kind === 'challenge') return notAuthenticated('challenged-again');
    return { kind: 'authenticated', state: { ...challenged, ...result, step: 'authenticated' } };
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
    const card = sendableCard(step.source);
    if (card === null)
      return declined(step.source.kind === 'token' ? 'card-data' : 'merchant', 'card-not-sendable');
    let result: ThreedsResult | null = null;
    if (step.initiator === 'driver' || card.kind === 'encrypted') {
      const proven = readState(step.state, order);
      const problem = this.#problemOfProof(proven, card);
      if (problem !== null) return { kind: 'authenticate-again', code: problem };
      if (proven?.step === 'authenticated') result = proven;
    }
    const { storeCard, initiator, signal } = step;
    const reply = await this.#calls.within(signal).send(
      {
        method: 'POST',
        path: '/api/v2/transactions/card',
        idempotencyKey: order.id,
        body: paymentRequest(this.#settings, order, { card, result, storeCard, initiator }),
      },
      PaymentResultSchema,
    );
    if (reply.kind === 'ok') return readPayment(order, reply.answer, result !== null && isProved(result));
    if (reply.kind === 'lost') return { kind: 'unknown', problem: reply.problem };
    return failedStep(reply);
  }

  findOut(
    order: GatewayOrder,
    step: { state: GatewayState; storeState: StoreState; signal?: AbortSignal },
  ): Promise<Finding> {
    return this.#ledger(step.signal).findOut(order, step);
  }

  refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number; signal?: AbortSignal },
  ): Promise<RefundOutcome> {
    return this.#ledger(refund.signal).refund(order, transaction, refund);
  }

  #ledger(signal: AbortSignal | undefined): VerifoneLedger {
    return new VerifoneLedger(this.#calls.within(signal), this.#clock, this.#lateMs);
  }

  /** @throws Fault: Verifone may still have the card */
  async forget(token: string): Promise<void> {
    const stored = readStoredCard(token);
    if (!stored) return;
    const path = `/api/v2/card/${encodeURIComponent(stored.reuseToken)}`;
    const reply = await this.#calls.send({ method: 'DELETE', path }, NothingSchema);
    if (reply.kind === 'ok' || (reply.kind === 'refused' && reply.status === 404)) return;
    throw new Fault('link-lost', `Verifone did not delete a stored card: ${reply.problem}`);
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    const jwt = await this.#createJwt();
    const list = await this.#calls.send(
      { method: 'GET', path: '/api/v2/transactions', query: { _limit: '1' } },
      TransactionListSchema,
    );
    const lines = [`3-D Secure: ${wordsOf(jwt)}`, `transactions: ${wordsOf(list)}`];
    lines.push(
      this.#settings.tokenScope === undefined ? 'no tokenScope: cards are not stored' : 'cards are stored',
    );
    const broken = [jwt, list].find(({ kind }) => kind !== 'ok');
    return { problem: broken ? wordsOf(broken) : null, lines };
  }

  #createJwt(): Promise<Reply<z.infer<typeof JwtCreatedSchema>>> {
    const body = { threeds_contract_id: this.#settings.threedsContract };
    return this.#calls.send({ method: 'POST', path: '/3ds-service/v2/jwt/create', body }, JwtCreatedSchema);
  }

  /** A mark that shows only whether two cards are the same. */
  #markOf(card: SendableCard): string {
    const text = card.kind === 'encrypted' ? card.encryptedCard : card.stored.reuseToken;
    return createHmac('sha256', this.#settings.apiKey).update(text).digest('base64url').slice(0, 22);
  }

  /** Null: this card was authenticated for this payment, and may be charged. */
  #problemOfProof(proven: VerifoneState | null, card: SendableCard): string | null {
    if (proven?.step !== 'authenticated') return 'state';
    if (proven.cardMark !== this.#markOf(card)) return 'another-card';
    const ageMs = this.#clock.now().getTime() - millis(proven.cardSeenAt);
    return card.kind === 'encrypted' && ageMs >= ENCRYPTED_CARD_MS ? 'card-too-old' : null;
  }
}

function boundTo({ id, amountMinor, currency }: GatewayOrder) {
  return { orderId: id, amountMinor, currency };
}

/** The challenge's result replaces the lookup's, which alone names the scheme's version and transaction. */
function mergeResults(lookup: ThreedsResult, validated: ThreedsResult): ThreedsResult {
  return {
    enrolled: validated.enrolled ?? lookup.enrolled,
    pares_status: validated.pares_status,
    eci_flag: validated.eci_flag,
    cavv: validated.cavv,
    xid: validated.xid ?? lookup.xid,
    ds_transaction_id: validated.ds_transaction_id ?? lookup.ds_transaction_id,
    threeds_version: validated.threeds_version ?? lookup.threeds_version,
    signature_verification: validated.signature_verification,
  };
}

function declined(reason: DeclineReason, code: string): Declined {
  return { kind: 'declined', reason, code };
}

function notAuthenticated(code: string): Declined {
  return declined('not-authenticated', code);
}

/** The outcome of a failed call that has certainly booked nothing. */
function failedStep(reply: Failure<Refused>): Declined | { kind: 'unavailable'; problem: string } {
  if (reply.kind !== 'refused' || reply.reversal === 'COMPLETED')
    return { kind: 'unavailable', problem: reply.problem };
  const isOfCard = reply.fields.some((field) => /card|reuse_token|key_alias/.test(field));
  return declined(reply.status === 400 && isOfCard ? 'card-data' : 'merchant', String(reply.status));
}

function wordsOf(reply: Reply<unknown>): string {
  return reply.kind === 'ok' ? 'answers' : reply.problem;
}
