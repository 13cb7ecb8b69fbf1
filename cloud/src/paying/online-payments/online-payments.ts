import { nowUtc } from '@hlid/node/clock';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { MISMATCH } from '@hlid/protocol/rules/payment-transitions';
import { invoiceById, invoiceOfCause } from '../../money/invoices/find-invoice.ts';
import type { Card } from '../../platform/card-gateways/card.ts';
import type {
  Authentication,
  Beginning,
  Browser,
  CardGateway,
  CardSource,
  PageSources,
} from '../../platform/card-gateways/gateway.ts';
import type { Tx } from '../../platform/db/db.ts';
import { CardAuthentication, isAuthenticated, nextOf } from './authenticate-card.ts';
import { storeIntent } from './begin-payment.ts';
import { CardCharge } from './charge-card.ts';
import { SiteClaims } from './claim-visit.ts';
import { OnlineJournal } from './online-journal.ts';
import { findOnlinePayment, type OnlinePayment, orderOf, takeStep } from './online-payment-store.ts';
import {
  type InvoiceOffer,
  type InvoiceToPay,
  type OfferRefusal,
  offerInvoice,
  offerPayment,
  type PaymentOffer,
  type VisitToPay,
} from './order-payment.ts';
import { type Payer, payerName } from './payer.ts';
import { PaymentReferences } from './payment-reference.ts';
import { PaymentResolver } from './payment-resolver.ts';
import type {
  OnlineContext,
  PaymentOrder,
  PaymentTerms,
  PaymentView,
  Returned,
  Stepped,
} from './payment-steps.ts';
import { type StoredCard, takeStoredCards } from './stored-tokens.ts';

/**
 * Payments by card over the internet: from what is due until the money is here, or certainly not. The amount is
 * always the cloud's; each step is stored before the next one is taken; a charge is made once, and is never repeated.
 */
export class OnlinePayments {
  readonly #context: OnlineContext;
  readonly #journal: OnlineJournal;
  readonly #references: PaymentReferences;
  readonly #authentication: CardAuthentication;
  readonly #charge: CardCharge;
  readonly #claims: SiteClaims;
  /** Charges of this process, so that all who finalize at once get the same answer. */
  readonly #charging = new Map<string, Promise<OnlinePayment>>();

  constructor(context: OnlineContext) {
    this.#context = context;
    this.#journal = new OnlineJournal(context);
    this.#references = new PaymentReferences(context);
    this.#authentication = new CardAuthentication(context, this.#journal);
    this.#claims = new SiteClaims(context);
    const resolver = new PaymentResolver(context, this.#journal);
    this.#charge = new CardCharge(context, this.#journal, { resolver, claims: this.#claims });
  }

  /** The present terms of a driver's payment; nothing is stored. */
  async quote(subject: VisitToPay): Promise<
    | (PaymentOffer & {
        gateway: Pick<CardGateway, 'kind' | 'cardInput'> | null;
        pageSources: PageSources | null;
      })
    | { ok: false; reason: 'offer'; refusal: OfferRefusal }
  > {
    const { db, clock, cardGateways } = this.#context;
    const offer = await db.read((q) => offerPayment(q, subject, nowUtc(clock), 'driver'));
    if (!offer.ok) return { ok: false, reason: 'offer', refusal: offer.refusal };
    const chosen = cardGateways.choose(offer.site.settings.cardGateway, undefined);
    const { kind, cardInput, pageSources = null } = chosen?.gateway ?? {};
    const gateway = kind === undefined || cardInput === undefined ? null : { kind, cardInput };
    return { ...offer, gateway, pageSources };
  }

  /** The same of an invoice. */
  async quoteInvoice(subject: InvoiceToPay): Promise<InvoiceOffer | { ok: false; refusal: OfferRefusal }> {
    const { db, clock, cardGateways } = this.#context;
    return await db.read((q) => offerInvoice(q, subject, cardGateways, nowUtc(clock)));
  }

  /**
   * Begins a payment: its intent and its invoice are stored before the provider is called. No money moves.
   */
  async begin(payer: Payer, order: PaymentOrder): Promise<Stepped> {
    const intended = await storeIntent(this.#context, this.#journal, payer, order);
    if (!intended.ok) return intended;
    const { payment, gateway } = intended;
    const { source, browser, storeCard = false } = order;
    const reference = await this.#references.sign('return', payment);
    const returnUrl = `${this.#context.publicUrl()}/payments/return/${reference}`;
    const result = await this.#authentication.ask(payment, () =>
      gateway.begin(orderOf(payment), { source, returnUrl, browser, storeCard }),
    );
    return await this.#step(payment, result, source?.kind === 'card' ? source.card : null);
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
    const result = await this.#authentication.ask(payment, () =>
      authenticate(orderOf(payment), { state, ...step }),
    );
    return await this.#step(payment, result, null);
  }

  /** The form that the bank has the browser post to us. Whatever comes twice, too early or too late changes nothing. */
  async readReturn(reference: string, fields: Readonly<Record<string, string>>): Promise<Returned> {
    const payment = await this.#references.find('return', reference);
    if (payment === null) return NO_REFERENCE;
    const { id, state } = payment.payment;
    const { step, backPath, gatewayState } = payment.online;
    const gateway = this.#gatewayOf(payment);
    if (this.#references.isExpired(payment) && state === 'created') {
      this.#references.refuse('expired', id);
      return NO_REFERENCE;
    }
    if (state !== 'created' || step !== 'form' || gateway?.readReturn === undefined) {
      return { ok: true, id, state, backPath };
    }
    const readReturn = gateway.readReturn.bind(gateway);
    const result = await this.#authentication.ask(payment, () =>
      readReturn(orderOf(payment), { state: gatewayState, fields }),
    );
    if (result.kind === 'unavailable') return { ok: false, reason: 'unavailable' };
    const { now } = await this.#authentication.store(payment, result, null);
    return { ok: true, id, state: now.payment.state, backPath };
  }

  /**
   * Charges the card once, for any number of calls at the same time; all get the same answer.
   *
   * @param pays.source the card once more, since it is stored nowhere
   * @param pays.threedsToken the token of the provider's script, after a challenge
   * @param pays.needsSite nothing is charged while the site cannot be informed of it
   */
  async finalize(
    payer: Payer,
    reference: string,
    pays: { source: CardSource | null; threedsToken: string | null; needsSite?: boolean },
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
    const charge = this.#verifyAndCharge(payment, source, pays).finally(() => this.#charging.delete(id));
    this.#charging.set(id, charge);
    return await this.#ended(await charge);
  }

  /**
   * Pays in one step, as far as the bank allows: a challenge is answered as by `begin`, and `finalize` ends
   * it.
   */
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
    order: VisitToPay &
      Omit<PaymentTerms, 'source' | 'browser' | 'storeCard' | 'provider'> & {
        gatewayId: string;
        token: string;
        /** The card of the token: providers do not report it with every charge. */
        card: ReceiptCard;
      },
  ): Promise<Stepped> {
    const { gatewayId, token, card, ...subject } = order;
    const source: CardSource = { kind: 'token', token };
    const claim = 'vehicle' as const;
    const whole = { ...subject, provider: gatewayId, source, claim, browser: NO_BROWSER };
    const intended = await storeIntent(this.#context, this.#journal, payer, whole);
    if (!intended.ok) return intended;
    const { payment } = intended;
    await this.#context.db.write(({ q }) => takeStep(q, payment.online, { step: 'authenticated', card }));
    return await this.#ended(await this.#charge.charge(payment, source, 'merchant'));
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
    return await this.#view(await this.#cancel(payment, 'by-driver'));
  }

  /** Whether a site cannot be informed of a payment now. */
  async isSiteAway(siteId: string): Promise<boolean> {
    return await this.#claims.isAway(siteId);
  }

  /** The origins that the page of that payment may load from and post to. */
  pageSources({ gatewayId }: { gatewayId: string }): PageSources | null {
    return this.#context.cardGateways.get(gatewayId)?.pageSources ?? null;
  }

  /** Takes the card that the provider has stored with a payment, for the account of its driver; once. */
  async takeStoredCard({ q }: Tx, paymentId: string): Promise<StoredCard | null> {
    const payment = await findOnlinePayment(q, paymentId);
    if (payment?.payment.state !== 'settled') return null;
    const [taken] = await takeStoredCards(q, [paymentId]);
    return taken ?? null;
  }

  async #step(
    payment: OnlinePayment,
    result: Beginning | Authentication,
    card: Card | null,
  ): Promise<Stepped> {
    const { now, isTaken } = await this.#authentication.store(payment, result, card);
    if (!isTaken) return now.payment.state === 'created' ? wrongStep(now) : await this.#ended(now);
    if (result.kind === 'unavailable') return { ok: false, reason: 'unavailable', id: now.payment.id };
    if (result.kind === 'declined') return await this.#ended(now);
    return { ok: true, payment: await this.#view(now), next: nextOf(result) };
  }

  async #verifyAndCharge(
    payment: OnlinePayment,
    source: CardSource,
    { threedsToken, needsSite = false }: { threedsToken: string | null; needsSite?: boolean },
  ): Promise<OnlinePayment> {
    if (payment.online.step !== 'script' || threedsToken === null) {
      return await this.#charge.charge(payment, source, 'driver', needsSite);
    }
    const gateway = this.#gatewayOf(payment);
    const verify = gateway?.verify?.bind(gateway);
    if (verify === undefined) return payment;
    const { gatewayState: state } = payment.online;
    const result = await this.#authentication.ask(payment, () =>
      verify(orderOf(payment), { state, threedsToken }),
    );
    const { now } = await this.#authentication.store(payment, result, null);
    return now.online.step === 'authenticated'
      ? await this.#charge.charge(now, source, 'driver', needsSite)
      : now;
  }

  /** A payment by the reference of its payer. One that has expired is cancelled, unless it was sent. */
  async #own(payer: Payer, reference: string): Promise<OnlinePayment | null> {
    const payment = await this.#references.find('pay', reference);
    if (payment === null) return null;
    if (payment.online.by !== payerName(payer)) {
      this.#references.refuse('another-payer', payment.payment.id);
      return null;
    }
    const isOpen = payment.payment.state === 'created';
    return isOpen && this.#references.isExpired(payment) ? await this.#cancel(payment, 'expired') : payment;
  }

  async #cancel({ payment: { id } }: OnlinePayment, reason: 'by-driver' | 'expired'): Promise<OnlinePayment> {
    return await this.#journal.endUnsent(id, { kind: 'not-booked', state: 'cancelled', reason });
  }

  async #ended(payment: OnlinePayment): Promise<Stepped> {
    return { ok: true, payment: await this.#view(payment), next: { kind: 'none' } };
  }

  async #view(given: OnlinePayment): Promise<PaymentView> {
    const { payment, online } = given;
    const { invoiceId } = payment;
    const invoice = await this.#context.db.read((q) =>
      invoiceId === null ? invoiceOfCause(q, payment.id) : invoiceById(q, invoiceId),
    );
    const { id, visitId, state, reason, amountMinor, currency, transaction, receiptKey } = payment;
    return {
      id,
      invoiceId: invoiceId ?? id,
      visitId,
      state,
      amountMinor,
      currency,
      receiptKey,
      reference: await this.#references.sign('pay', given),
      invoiceStatus: invoice?.status ?? 'draft',
      step: online.step,
      needsPerson: payment.needsPerson,
      // A driver never sees a suspicion.
      reason: reason === 'security' || reason === MISMATCH ? 'refused' : reason,
      transaction: transaction && {
        transactionId: transaction.reference,
        authorizationId: transaction.authorisation,
      },
      card: transaction?.card ?? online.card,
      expiresAt: online.expiresAt,
    };
  }

  #gatewayOf({ online }: OnlinePayment): CardGateway | null {
    return this.#context.cardGateways.get(online.gatewayId);
  }
}

const NO_REFERENCE = { ok: false, reason: 'no-reference' } as const;
/** The driver of a stored card is not there. */
const NO_BROWSER: Browser = { ip: '', userAgent: '', acceptHeader: '', language: '' };

/** The mistake of a call to charge; null: none. */
function mistakeIn(
  payment: OnlinePayment,
  { source, threedsToken }: { source: CardSource | null; threedsToken: string | null },
): Stepped | null {
  const { step } = payment.online;
  const isReady = step === 'authenticated' || (step === 'script' && threedsToken !== null);
  if (!isReady) return wrongStep(payment);
  if (source === null) return { ok: false, reason: 'no-card' };
  return isAuthenticated(payment, source) ? null : { ok: false, reason: 'no-card' };
}

function wrongStep({ online }: OnlinePayment): Stepped {
  return { ok: false, reason: 'wrong-step', step: online.step };
}
