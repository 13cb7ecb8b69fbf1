import { randomBytes, randomUUID } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/fault';
import type { InvoiceStatus } from '@hlid/protocol/invoice';
import type { Language } from '@hlid/protocol/language';
import type { PaymentState, ReceiptCard } from '@hlid/protocol/payment';
import { MISMATCH, NOT_DUE, type PaymentInput } from '@hlid/protocol/payment-transitions';
import { DAY_MS, MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { audit, cloudActor } from '../audit/audit.ts';
import type { CardGateways } from '../card-gateways/card-gateways.ts';
import type {
  Authentication,
  Beginning,
  Browser,
  CardGateway,
  CardSource,
  Challenge,
  ChargeOutcome,
  GatewayTransaction,
  PageSources,
  StoredToken,
} from '../card-gateways/gateway.ts';
import type { Db, Tx } from '../db/db.ts';
import { EVENTS } from '../events.ts';
import { callerName, type RequestCaller, seesEverything } from '../http/caller.ts';
import { ServerSecret } from '../http/server-secret.ts';
import { invoiceOfCause } from '../invoices/find-invoice.ts';
import { draftPayment, invoiceIncomplete } from '../invoices/invoice-payment.ts';
import type { PaymentRow } from '../payments/payment-store.ts';
import { paymentUnderWay, recordOnlinePayment } from '../payments/record-payment.ts';
import { invoicedPayment, invoicedVisit, OnlineJournal, PART } from './online-journal.ts';
import {
  findOnlinePayment,
  insertOnlinePayment,
  type OnlinePayment,
  orderOf,
  takeStep,
  updateOnlinePayment,
} from './online-payment-store.ts';
import type { AuthenticationStep } from './online-payment-table.ts';
import {
  isPaymentDue,
  type OfferRefusal,
  offerPayment,
  type PaymentOffer,
  type PaymentWish,
} from './order-payment.ts';
import {
  isExpired,
  isSigned,
  type ReferencedPayment,
  type ReferencePurpose,
  referencedId,
  signReference,
} from './payment-reference.ts';
import { PaymentResolver } from './payment-resolver.ts';

/** How long a driver has from the beginning of a payment to its charge. */
export const REFERENCE_MS = 15 * MINUTE_MS;
/** Another payer may begin after this time, where the one before has not finished. */
const REPLACED_AFTER_MS = 3 * MINUTE_MS;
/** A charge is over by then, or the process that made it. Longer than the timeout of every gateway. */
const CHARGE_LEASE_MS = 2 * MINUTE_MS;

/** Who pays: a caller of the API, or a driver on the payment page, by an opaque id that the page can prove. */
export type Payer = { kind: 'caller'; caller: RequestCaller } | { kind: 'driver'; id: string };

export interface OnlineContext {
  db: Db;
  clock: Clock;
  log: Logger;
  cardGateways: CardGateways;
  /** Where people reach the cloud, without a slash at the end. */
  publicUrl: () => string;
}

/** What somebody wants to pay, and how. */
export interface PaymentOrder extends PaymentWish {
  /** A gateway by its id or kind; absent: the site's. */
  provider?: string | undefined;
  /** Null: the provider's script encrypts the card later (`authenticate`). */
  source: CardSource | null;
  browser: Browser;
  language: Language;
  customerId?: string | null;
  payerName?: string | null;
  email?: string | null;
  /** The driver wants the provider to store the card. */
  storeCard?: boolean;
  /** If it comes to more by now, it is refused; absent: it may. */
  maxMinor?: number;
  /** The path of our own page to go back to after a challenge. */
  backPath?: string | null;
}

/** What the browser or the caller has to do next. */
export type NextStep =
  /** Encrypt the card with these, then `authenticate`. */
  | { kind: 'tokens'; tokens: Readonly<Record<string, string>> }
  /** Carry it out, then `finalize`. */
  | { kind: 'challenge'; challenge: Challenge }
  /** `finalize`. */
  | { kind: 'finalize' }
  /** Nothing: the payment says how it ended. */
  | { kind: 'none' };

/** What payers see of a payment. */
export interface PaymentView {
  /** Of the payment and its invoice. */
  id: string;
  /** For `authenticate`, `finalize` and `state`. */
  reference: string;
  visitId: string;
  state: PaymentState;
  invoiceStatus: InvoiceStatus;
  /** How far 3-D Secure is. */
  step: AuthenticationStep;
  /** Its outcome could not be found out. */
  needsPerson: boolean;
  /** A code: why it was declined, cancelled or reversed. */
  reason: string | null;
  amountMinor: number;
  currency: string;
  transaction: { transactionId: string; authorizationId: string | null } | null;
  card: ReceiptCard | null;
  /** Whoever has it may read `/receipt/{key}` once it is settled. */
  receiptKey: string | null;
  expiresAt: UtcTime;
}

export type Stepped =
  | { ok: true; payment: PaymentView; next: NextStep }
  | { ok: false; reason: 'offer'; refusal: OfferRefusal }
  | { ok: false; reason: 'no-gateway' | 'no-card' | 'no-reference' }
  /** A payment of that visit is under way. `id`: of it, and of its invoice. */
  | { ok: false; reason: 'under-way'; id: string }
  /** The provider cannot be reached; nothing was charged, and another payment may be tried. */
  | { ok: false; reason: 'unavailable'; id: string }
  /** Not at this step: such as a challenge that is not passed yet. */
  | { ok: false; reason: 'wrong-step'; step: AuthenticationStep };

/** The bank's form: what the page that answers it shows. */
export type Returned =
  | { ok: true; id: string; state: PaymentState; backPath: string | null }
  | { ok: false; reason: 'no-reference' | 'unavailable' };

/**
 * Payments by card over the internet: from what is due until the money is here, or certainly not. The amount is always
 * ours; each step is stored before the next one is taken; a charge is made once, and is never repeated.
 */
export class OnlinePayments {
  readonly #context: OnlineContext;
  readonly #journal: OnlineJournal;
  readonly #resolver: PaymentResolver;
  readonly #secret: ServerSecret;
  /** Charges of this process, so that all who finalize at once get the same answer. */
  readonly #charging = new Map<string, Promise<OnlinePayment>>();

  constructor(context: OnlineContext) {
    this.#context = context;
    this.#journal = new OnlineJournal(context);
    this.#resolver = new PaymentResolver(context, this.#journal);
    this.#secret = new ServerSecret(context, 'payment-references');
  }

  /** What a payment of a driver would be now; nothing is stored. */
  async quote(wish: PaymentWish): Promise<
    | (PaymentOffer & {
        gateway: Pick<CardGateway, 'kind' | 'cardInput'> | null;
        pageSources: PageSources | null;
      })
    | { ok: false; reason: 'offer'; refusal: OfferRefusal }
  > {
    const offer = await this.#context.db.read((q) => offerPayment(q, wish, this.#now(), 'driver'));
    if (!offer.ok) return { ok: false, reason: 'offer', refusal: offer.refusal };
    const chosen = this.#context.cardGateways.choose(offer.site.settings.cardGateway, undefined);
    const { kind, cardInput, pageSources = null } = chosen?.gateway ?? {};
    const gateway = kind === undefined || cardInput === undefined ? null : { kind, cardInput };
    return { ...offer, gateway, pageSources };
  }

  /** Begins a payment: its intent and its invoice are stored before the provider hears of it. No money moves. */
  async begin(payer: Payer, order: PaymentOrder): Promise<Stepped> {
    const intended = await this.#intend(payer, order);
    if (!intended.ok) return intended;
    const { payment, gateway } = intended;
    const { source, browser, storeCard = false } = order;
    const returnUrl = `${this.#context.publicUrl()}/payments/return/${await this.#reference('return', payment)}`;
    const result = await this.#attempt(payment, () =>
      gateway.begin(orderOf(payment), { source, returnUrl, browser, storeCard }),
    );
    const card = source?.kind === 'card' ? source.card.receiptCard() : null;
    return await this.#step(payment, result, card);
  }

  /** 3-D Secure by tokens: the browser has encrypted the card. */
  async authenticate(
    payer: Payer,
    reference: string,
    step: { source: CardSource; sessionId: string | null; browser: Browser },
  ): Promise<Stepped> {
    const payment = await this.#own(payer, reference);
    if (payment === null) return NO_REFERENCE;
    if (payment.payment.state !== 'created') return await this.#ended(payment);
    if (payment.online.step !== 'tokens') return wrongStep(payment);
    const gateway = this.#gatewayOf(payment);
    if (gateway?.authenticate === undefined) return wrongStep(payment);
    const authenticate = gateway.authenticate.bind(gateway);
    const { gatewayState: state } = payment.online;
    const result = await this.#attempt(payment, () => authenticate(orderOf(payment), { state, ...step }));
    return await this.#step(payment, result, null);
  }

  /** The form that the bank has the browser post to us. Whatever comes twice, too early or too late changes nothing. */
  async readReturn(reference: string, fields: Readonly<Record<string, string>>): Promise<Returned> {
    const payment = await this.#signed('return', reference);
    if (payment === null) return NO_REFERENCE;
    const { id, state } = payment.payment;
    const { step, backPath, gatewayState } = payment.online;
    const gateway = this.#gatewayOf(payment);
    if (isExpired(payment.online, this.#now()) && state === 'created') {
      this.#refuse('expired', id);
      return NO_REFERENCE;
    }
    if (state !== 'created' || step !== 'form' || gateway?.readReturn === undefined) {
      return { ok: true, id, state, backPath };
    }
    const readReturn = gateway.readReturn.bind(gateway);
    const result = await this.#attempt(payment, () =>
      readReturn(orderOf(payment), { state: gatewayState, fields }),
    );
    if (result.kind === 'unavailable') return { ok: false, reason: 'unavailable' };
    const stepped = await this.#step(payment, result, null);
    return { ok: true, id, state: stepped.ok ? stepped.payment.state : state, backPath };
  }

  /**
   * Charges the card, once, however often and by however many it is called at once: all get the same answer.
   *
   * @param pays.source the card once more, since it is stored nowhere
   * @param pays.threedsToken of the provider's script, after a challenge
   */
  async finalize(
    payer: Payer,
    reference: string,
    pays: { source: CardSource | null; threedsToken: string | null },
  ): Promise<Stepped> {
    const payment = await this.#own(payer, reference);
    if (payment === null) return NO_REFERENCE;
    const { id, state } = payment.payment;
    const charging = this.#charging.get(id);
    if (charging !== undefined) return await this.#ended(await charging);
    if (state !== 'created') return await this.#ended(payment);
    const mistake = mistakeIn(payment, pays);
    if (mistake !== null) return mistake;
    const { source } = pays;
    if (source === null) return { ok: false, reason: 'no-card' };
    const charge = this.#verifyAndCharge(payment, source, pays.threedsToken).finally(() =>
      this.#charging.delete(id),
    );
    this.#charging.set(id, charge);
    return await this.#ended(await charge);
  }

  /** In one step, as far as the bank allows: a challenge is answered as by `begin`, and `finalize` ends it. */
  async purchase(payer: Payer, order: PaymentOrder): Promise<Stepped> {
    const begun = await this.begin(payer, order);
    if (!begun.ok || begun.next.kind !== 'finalize') return begun;
    const { source } = order;
    return await this.finalize(payer, begun.payment.reference, { source, threedsToken: null });
  }

  /**
   * Charges a card that the provider stores, without the driver, who has agreed to it. Every step of a payment with a
   * driver holds for it too.
   */
  async chargeStored(
    payer: Payer,
    order: Omit<PaymentOrder, 'source' | 'browser' | 'storeCard' | 'provider'> & {
      gatewayId: string;
      token: string;
    },
  ): Promise<Stepped> {
    const { gatewayId, token, ...wish } = order;
    const source: CardSource = { kind: 'token', token };
    const intended = await this.#intend(payer, { ...wish, provider: gatewayId, source, browser: NO_BROWSER });
    if (!intended.ok) return intended;
    await this.#context.db.write(({ q }) => takeStep(q, intended.payment.online, { step: 'authenticated' }));
    const now = await this.#load(intended.payment.payment.id);
    return await this.#ended(await this.#charge(now, source, 'merchant'));
  }

  /** A payment as its payer sees it; null: the reference is not good, or another payer's. */
  async state(payer: Payer, reference: string): Promise<PaymentView | null> {
    const payment = await this.#own(payer, reference);
    return payment && (await this.#view(payment));
  }

  /** The payer gives up: nothing was charged, unless the charge has begun. */
  async cancel(payer: Payer, reference: string): Promise<PaymentView | null> {
    const payment = await this.#own(payer, reference);
    if (payment === null) return null;
    if (payment.payment.state !== 'created') return await this.#view(payment);
    const input = { kind: 'not-booked', state: 'cancelled', reason: 'by-driver' } as const;
    return await this.#view(await this.#journal.endUnsent(payment.payment.id, input));
  }

  /** Where the page of that payment may load from and post to. */
  pageSources({ gatewayId }: { gatewayId: string }): PageSources | null {
    return this.#context.cardGateways.get(gatewayId)?.pageSources ?? null;
  }

  /** Takes the card that the provider has stored with a payment, for the account of its driver; once. */
  async takeStoredToken(
    { q }: Tx,
    paymentId: string,
  ): Promise<{ gatewayId: string; stored: StoredToken } | null> {
    const payment = await findOnlinePayment(q, paymentId);
    const stored = payment?.online.storedToken;
    if (payment?.payment.state !== 'settled' || !stored) return null;
    await updateOnlinePayment(q, paymentId, { storedToken: null });
    return { gatewayId: payment.online.gatewayId, stored };
  }

  /** Stores what is to be paid, before anything is sent. */
  async #intend(
    payer: Payer,
    order: PaymentOrder,
  ): Promise<Exclude<Stepped, { ok: true }> | { ok: true; payment: OnlinePayment; gateway: CardGateway }> {
    const at = this.#now();
    const by = payerName(payer);
    return await this.#context.db.write(async (tx) => {
      const offer = await offerPayment(tx.q, order, at, isOffice(payer) ? 'office' : 'driver');
      if (!offer.ok) return { ok: false, reason: 'offer', refusal: offer.refusal };
      if (order.maxMinor !== undefined && offer.totalMinor > order.maxMinor) {
        return { ok: false, reason: 'offer', refusal: 'amount-changed' };
      }
      const { cardGateway } = offer.site.settings;
      const chosen = this.#context.cardGateways.choose(cardGateway, order.provider);
      if (chosen === null) return { ok: false, reason: 'no-gateway' };
      if (order.source === null && chosen.gateway.cardInput === 'card')
        return { ok: false, reason: 'no-card' };
      const other = await paymentUnderWay(tx.q, offer.visit.id, utcTime(millis(at) - DAY_MS));
      if (other !== null) {
        if (!(await this.#mayReplace(tx.q, other, by, at)))
          return { ok: false, reason: 'under-way', id: other.id };
        const input = { kind: 'not-booked', state: 'cancelled', reason: 'replaced' } as const;
        await this.#journal.applyIn(tx, other.id, input, at);
      }
      const payment = newPayment(offer, { ...order, by, gatewayId: chosen.id }, at);
      await recordOnlinePayment(tx.q, payment.payment);
      await insertOnlinePayment(tx.q, payment.online);
      await draftPayment(tx, await invoicedVisit(tx, payment), invoicedPayment(payment, at), 'draft');
      const { id, visitId, amountMinor, currency } = payment.payment;
      await audit(tx, cloudActor(PART, at), {
        ...{ subject: 'payment', subjectId: id, action: 'payment.online-begin', before: null },
        after: { by, visitId, amountMinor, currency, gateway: chosen.id },
      });
      return { ok: true, payment, gateway: chosen.gateway };
    });
  }

  /** Whoever begins again starts anew; another payer only where the one before has had time to finish. */
  async #mayReplace(
    q: Parameters<typeof findOnlinePayment>[0],
    { id, state, createdAt }: PaymentRow,
    by: string,
    at: UtcTime,
  ): Promise<boolean> {
    const other = state === 'created' ? await findOnlinePayment(q, id) : null;
    if (other === null) return false;
    return other.online.by === by || millis(at) - millis(createdAt) >= REPLACED_AFTER_MS;
  }

  /** Stores the result of a step of 3-D Secure. */
  async #step(
    payment: OnlinePayment,
    result: Beginning | Authentication,
    card: ReceiptCard | null,
  ): Promise<Stepped> {
    const { id } = payment.payment;
    const at = this.#now();
    const isEnd = result.kind === 'declined' || result.kind === 'unavailable';
    const fields = isEnd ? {} : { step: stepOf(result), gatewayState: result.state, ...(card && { card }) };
    const taken = await this.#context.db.write(async (tx) => {
      const now = await findOnlinePayment(tx.q, id);
      if (now?.payment.state !== 'created' || !(await takeStep(tx.q, payment.online, fields))) return false;
      if (isEnd) await this.#journal.applyIn(tx, id, notBooked(result), at);
      if (result.kind === 'challenge') await invoiceIncomplete(tx, id, at);
      return true;
    });
    const now = await this.#load(id);
    if (!taken) return now.payment.state === 'created' ? wrongStep(now) : await this.#ended(now);
    if (result.kind === 'unavailable') return { ok: false, reason: 'unavailable', id };
    if (isEnd) return await this.#ended(now);
    return { ok: true, payment: await this.#view(now), next: nextOf(result) };
  }

  async #verifyAndCharge(
    payment: OnlinePayment,
    source: CardSource,
    threedsToken: string | null,
  ): Promise<OnlinePayment> {
    if (payment.online.step !== 'script' || threedsToken === null) {
      return await this.#charge(payment, source, 'driver');
    }
    const gateway = this.#gatewayOf(payment);
    const verify = gateway?.verify?.bind(gateway);
    if (verify === undefined) return payment;
    const { gatewayState: state } = payment.online;
    const result = await this.#attempt(payment, () => verify(orderOf(payment), { state, threedsToken }));
    await this.#step(payment, result, null);
    const now = await this.#load(payment.payment.id);
    return now.online.step === 'authenticated' ? await this.#charge(now, source, 'driver') : now;
  }

  /** The charge: stored as sent, then asked for, then its result stored. */
  async #charge(
    payment: OnlinePayment,
    source: CardSource,
    initiator: 'driver' | 'merchant',
  ): Promise<OnlinePayment> {
    const { id } = payment.payment;
    const gateway = this.#gatewayOf(payment);
    const sent = await this.#send(id);
    if (gateway === null || !sent.isSent) return await this.#load(id);
    const { gatewayState: state, storeCard } = sent.payment.online;
    let outcome: ChargeOutcome;
    try {
      outcome = await gateway.charge(orderOf(sent.payment), { state, source, storeCard, initiator });
    } catch (error) {
      this.#failed(id, error);
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

  /** @returns whether it is ours to charge: only one request is told so */
  async #send(id: string): Promise<{ isSent: boolean; payment: OnlinePayment }> {
    const at = this.#now();
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

  /** A step that moves no money: a fault of the adapter is a provider that cannot be reached. */
  async #attempt<Result>(
    { payment: { id } }: OnlinePayment,
    step: () => Promise<Result>,
  ): Promise<Result | { kind: 'unavailable'; problem: string }> {
    try {
      return await step();
    } catch (error) {
      this.#failed(id, error);
      return { kind: 'unavailable', problem: 'fault' };
    }
  }

  #failed(id: string, error: unknown): void {
    this.#context.log.error({ event: EVENTS.onlinePaymentFailed, id, problem: messageOf(error) });
  }

  /** A payment by the reference of its payer. */
  async #own(payer: Payer, reference: string): Promise<OnlinePayment | null> {
    const payment = await this.#signed('pay', reference);
    if (payment === null) return null;
    if (payment.online.by !== payerName(payer)) {
      this.#refuse('another-payer', payment.payment.id);
      return null;
    }
    const { state, id } = payment.payment;
    if (state !== 'created' || !isExpired(payment.online, this.#now())) return payment;
    const input = { kind: 'not-booked', state: 'cancelled', reason: 'expired' } as const;
    return await this.#journal.endUnsent(id, input);
  }

  async #signed(purpose: ReferencePurpose, reference: string): Promise<OnlinePayment | null> {
    const id = referencedId(reference, purpose);
    const payment = id && (await this.#context.db.read((q) => findOnlinePayment(q, id)));
    if (!payment) {
      this.#refuse('malformed', null);
      return null;
    }
    if (isSigned(await this.#secret.get(), purpose, reference, referencedOf(payment))) return payment;
    this.#refuse('forged', payment.payment.id);
    return null;
  }

  #refuse(reason: string, id: string | null): void {
    this.#context.log.warn({ event: EVENTS.paymentReferenceRefused, reason, id });
  }

  async #reference(purpose: ReferencePurpose, payment: OnlinePayment): Promise<string> {
    return signReference(await this.#secret.get(), purpose, referencedOf(payment));
  }

  async #ended(payment: OnlinePayment): Promise<Stepped> {
    return { ok: true, payment: await this.#view(payment), next: { kind: 'none' } };
  }

  async #view(given: OnlinePayment): Promise<PaymentView> {
    const { payment, online } = given;
    const invoice = await this.#context.db.read((q) => invoiceOfCause(q, payment.id));
    const { id, visitId, state, reason, amountMinor, currency, transaction, receiptKey } = payment;
    return {
      ...{ id, visitId, state, amountMinor, currency, receiptKey },
      reference: await this.#reference('pay', given),
      invoiceStatus: invoice?.status ?? 'draft',
      step: online.step,
      needsPerson: payment.needsPerson,
      // Drivers are never told of suspicions.
      reason: reason === 'security' || reason === MISMATCH ? 'refused' : reason,
      transaction: transaction && {
        transactionId: transaction.reference,
        authorizationId: transaction.authorisation,
      },
      card: transaction?.card ?? online.card,
      expiresAt: online.expiresAt,
    };
  }

  async #load(id: string): Promise<OnlinePayment> {
    const payment = await this.#context.db.read((q) => findOnlinePayment(q, id));
    if (payment === null) throw new Error(`There is no online payment ${id}.`);
    return payment;
  }

  #gatewayOf({ online }: OnlinePayment): CardGateway | null {
    return this.#context.cardGateways.get(online.gatewayId);
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

const NO_REFERENCE = { ok: false, reason: 'no-reference' } as const;
/** The driver of a stored card is not there. */
const NO_BROWSER: Browser = { ip: '', userAgent: '', acceptHeader: '', language: '' };

function isOffice(payer: Payer): boolean {
  return payer.kind === 'caller' && seesEverything(payer.caller);
}

/** As the payment names who pays. */
export function payerName(payer: Payer): string {
  return payer.kind === 'driver' ? `driver:${payer.id}` : callerName(payer.caller);
}

function newPayment(
  { visit, bill, fees, totalMinor }: PaymentOffer,
  order: PaymentOrder & { by: string; gatewayId: string },
  at: UtcTime,
): OnlinePayment {
  const id = randomUUID();
  const {
    customerId = null,
    payerName: name = null,
    email = null,
    storeCard = false,
    backPath = null,
  } = order;
  const { amountMinor, currency, units, lines, product, inAdvance } = bill;
  const expiresAt = utcTime(millis(at) + REFERENCE_MS);
  return {
    payment: {
      ...{ id, siteId: visit.siteId, visitId: visit.id, terminalId: null, state: 'created' },
      ...{ amountMinor: totalMinor, feesMinor: totalMinor - amountMinor, currency, units, lines, product },
      ...{ transaction: null, reason: null, needsPerson: false, receipt: [], language: order.language },
      receiptKey: randomBytes(16).toString('base64url'),
      ...{
        chargeback: null,
        chargedBack: false,
        settledTwice: false,
        mailedAt: null,
        createdAt: at,
        changedAt: at,
      },
    },
    online: {
      ...{
        id,
        gatewayId: order.gatewayId,
        by: order.by,
        customerId,
        payerName: name,
        email,
        inAdvance,
        fees,
      },
      ...{ unitsMet: visit.unitsMet, paidMinor: visit.paidMinor, backPath, storeCard, expiresAt },
      nonce: randomBytes(16).toString('base64url'),
      ...{ step: 'begun', card: null, gatewayState: {}, booking: null, storedToken: null },
      ...{ refundedMinor: 0, revision: 0, tries: 0, nextTryAt: expiresAt },
    },
  };
}

function referencedOf({ payment, online }: OnlinePayment): ReferencedPayment {
  const { id, amountMinor, currency } = payment;
  return { id, amountMinor, currency, nonce: online.nonce, expiresAt: online.expiresAt };
}

function stepOf(result: Exclude<Beginning, { kind: 'declined' | 'unavailable' }>): AuthenticationStep {
  return result.kind === 'challenge' ? result.challenge.kind : result.kind;
}

function nextOf(result: Exclude<Beginning, { kind: 'declined' | 'unavailable' }>): NextStep {
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

/** What is wrong with a call to charge; null: nothing. */
function mistakeIn(
  payment: OnlinePayment,
  { source, threedsToken }: { source: CardSource | null; threedsToken: string | null },
): Stepped | null {
  const { step, card } = payment.online;
  const isReady = step === 'authenticated' || (step === 'script' && threedsToken !== null);
  if (!isReady) return wrongStep(payment);
  if (source === null) return { ok: false, reason: 'no-card' };
  // Only the card that its holder was asked about is charged.
  const other = source.kind === 'card' && card !== null && source.card.lastFour !== card.lastFour;
  return other ? { ok: false, reason: 'no-card' } : null;
}

function wrongStep({ online }: OnlinePayment): Stepped {
  return { ok: false, reason: 'wrong-step', step: online.step };
}

type NotCharged = Extract<ChargeOutcome, { kind: 'declined' | 'unavailable' | 'authenticate-again' }>;

function notBooked(outcome: NotCharged): PaymentInput<GatewayTransaction> {
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
