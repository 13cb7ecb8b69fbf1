import { nowUtc } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import {
  type CardField,
  type PayAuthenticate,
  type PayBrowser,
  type PayCard,
  type PayFault,
  type PayFinish,
  type PayMail,
  type PayNext,
  type PayOrder,
  type PayPayment,
  PayReasonSchema,
} from '@hlid/protocol/pages/pay-api';
import { NO_LEAVING_TIMES } from '@hlid/protocol/rules/leave-by';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import type { PaymentSubject } from '../../money/payments/record-payment.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { Card } from '../../platform/card-gateways/card.ts';
import type { Browser, CardSource } from '../../platform/card-gateways/gateway.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { payableVisit } from '../../stays/visits/price/decide-now.ts';
import type { OnlinePayments } from '../online-payments/online-payments.ts';
import type { OfferRefusal } from '../online-payments/order-payment.ts';
import type { Payer } from '../online-payments/payer.ts';
import type { NextStep, PaymentView, Stepped } from '../online-payments/payment-steps.ts';
import { queueVisitReceipt } from '../receipts/mail-receipt.ts';
import { siteKnowledge } from './exit-codes.ts';
import { findPayOrder, insertPayOrder, type PayOrderRow, updatePayOrder } from './pay-order-store.ts';
import type { PayStays } from './pay-stays.ts';

export type PayPaid =
  | { ok: true; payment: PayPayment }
  | { ok: false; fault: PayFault; fields?: readonly CardField[] };

/** The request's own data about the browser. */
export type BrowserHeaders = Pick<Browser, 'ip' | 'userAgent' | 'acceptHeader'>;

/**
 * Payments of the page. The page makes a key for each, so that it can request a lost answer again; the
 * reference of the payment stays here.
 */
export class PayPayments {
  readonly #context: CloudContext;
  readonly #payments: OnlinePayments;
  readonly #stays: PayStays;

  constructor(context: CloudContext, payments: OnlinePayments, stays: PayStays) {
    this.#context = context;
    this.#payments = payments;
    this.#stays = stays;
  }

  async order(order: PayOrder, headers: BrowserHeaders): Promise<PayPaid> {
    const found = await this.#stays.subjectOf(order.stay);
    if (!found.ok) return found;
    if ('invoiceId' in found.value) return await this.#orderInvoice(order, found.value.invoiceId, headers);
    const { visit, proved } = found.value;
    // The site has gone away since the page was loaded: it shows the new expectation first.
    if (order.siteAway === false && (await this.#isAway(visit))) return refused('site-offline');
    const source = readSource(order.card, undefined);
    if (source !== null && 'fields' in source) return { ok: false, fault: 'card', fields: source.fields };
    const isAtExit = await this.#context.db.read((q) => this.#stays.isAtExit(q, visit));
    const row = newOrder(order, { visitId: visit.id, invoiceId: null }, isAtExit, this.#now());
    const known = await this.#context.db.write(({ q }) => insertPayOrder(q, row));
    if (known !== null) return await this.#orderedBefore(row, known);
    const product = await this.#daysOf(visit, order.quantity);
    if (product === null) return refused('not-for-sale');
    const subject = { vehicle: { visitId: visit.id }, product };
    const quote = await this.#payments.quote(subject);
    if (quote.ok && quote.totalMinor !== order.amountMinor) {
      return await this.#give(order.payment, 'amount-changed');
    }
    const browser = browserOf(order.browser, headers);
    const { language, email = null, storeCard = false } = order;
    const { code } = await this.#context.db.read((q) => siteOfVisit(q, visit));
    const backPath = `/pay/${code}`;
    const payer = payerOf(order.payment);
    const claim = proved ? ('proved' as const) : ('typed' as const);
    const about = { browser, language, email, storeCard, backPath, claim };
    const begun = await this.#payments.begin(payer, { ...subject, source, ...about });
    if (!begun.ok) return await this.#give(order.payment, faultOf(begun));
    return await this.#begun(row, begun.payment, begun.next);
  }

  /** The same steps for an invoice. Whoever has its link may pay it, and no site is informed. */
  async #orderInvoice(order: PayOrder, invoiceId: string, headers: BrowserHeaders): Promise<PayPaid> {
    const source = readSource(order.card, undefined);
    if (source !== null && 'fields' in source) return { ok: false, fault: 'card', fields: source.fields };
    const row = newOrder(order, { visitId: null, invoiceId }, false, this.#now());
    const known = await this.#context.db.write(({ q }) => insertPayOrder(q, row));
    if (known !== null) return await this.#orderedBefore(row, known);
    const quote = await this.#payments.quoteInvoice({ invoiceId });
    if (!quote.ok) return await this.#give(order.payment, faultOfOffer(quote.refusal));
    if (quote.totalMinor !== order.amountMinor) return await this.#give(order.payment, 'amount-changed');
    const browser = browserOf(order.browser, headers);
    const { language, email = null } = order;
    const terms = { browser, language, email, backPath: `/pay/${quote.site.code}`, claim: 'proved' as const };
    const begun = await this.#payments.begin(payerOf(order.payment), { invoiceId, source, ...terms });
    if (!begun.ok) return await this.#give(order.payment, faultOf(begun));
    return await this.#begun(row, begun.payment, begun.next);
  }

  async state(key: string): Promise<PayPaid> {
    const row = await this.#row(key);
    if (row === null) return refused('not-found');
    return await this.#stateOf(row);
  }

  /** A payment that is settled, by its key, and the stay that it paid; null: there is none such. */
  async settled(key: string): Promise<{ id: string; visit: VisitRow } | null> {
    const reference = (await this.#row(key))?.reference ?? null;
    const view = reference === null ? null : await this.#payments.state(payerOf(key), reference);
    if (view?.state !== 'settled' || view.visitId === null) return null;
    const { visitId } = view;
    const visit = await this.#context.db.read((q) => findVisitRow(q, visitId, ALL_ROWS));
    return visit && { id: view.id, visit };
  }

  async authenticate(step: PayAuthenticate, headers: BrowserHeaders): Promise<PayPaid> {
    const { payment: key, encryptedCard, publicKeyAlias, sessionId } = step;
    return await this.#step(key, (payer, reference) =>
      this.#payments.authenticate(payer, reference, {
        source: { kind: 'encrypted', encryptedCard, publicKeyAlias },
        sessionId,
        browser: browserOf(step.browser, headers),
      }),
    );
  }

  async finish({ payment: key, card, encrypted, threedsToken, siteAway }: PayFinish): Promise<PayPaid> {
    const source = readSource(card, encrypted);
    if (source !== null && 'fields' in source) return { ok: false, fault: 'card', fields: source.fields };
    return await this.#step(key, (payer, reference) =>
      this.#payments.finalize(payer, reference, {
        source,
        threedsToken: threedsToken ?? null,
        needsSite: siteAway === false,
      }),
    );
  }

  /** A key without an order is cancelled as well: an order that arrives late finds it. */
  async cancel(key: string): Promise<PayPaid> {
    const row = await this.#context.db.write(async ({ q }) => {
      const given = { ...NO_ORDER, key, createdAt: this.#now() };
      const known = await insertPayOrder(q, given);
      if (known?.reference === null) await updatePayOrder(q, key, { cancelled: true });
      return known;
    });
    const reference = row?.reference ?? null;
    if (row === null || reference === null) return refused('cancelled');
    const view = await this.#payments.cancel(payerOf(key), reference);
    return view === null ? refused('not-found') : await this.#paid(row, view, { kind: 'none' });
  }

  async mail({ payment: key, email, language }: PayMail): Promise<PayFault | null> {
    const row = await this.#row(key);
    const view = row?.reference ? await this.#payments.state(payerOf(key), row.reference) : null;
    // A stranger can order for a car by its plate, and a receipt has its times.
    if (view?.state !== 'settled' || view.visitId === null) return 'not-found';
    const { visitId } = view;
    const mailed = await this.#context.db.write(async (tx) => {
      const visit = await findVisitRow(tx.q, visitId, ALL_ROWS);
      if (visit === null) return null;
      return await queueVisitReceipt(tx, cloudActor('pay-page', this.#now()), visit, { email, language });
    });
    if (mailed === null) return 'not-found';
    if (mailed.ok) return null;
    return mailed.reason === 'too-many' ? 'too-many-requests' : 'not-found';
  }

  /** The same order once more, or another one under its key. */
  async #orderedBefore(row: PayOrderRow, known: PayOrderRow): Promise<PayPaid> {
    if (known.cancelled) return refused('cancelled');
    const isSame =
      known.visitId === row.visitId &&
      known.invoiceId === row.invoiceId &&
      known.amountMinor === row.amountMinor &&
      known.quantity === row.quantity;
    return isSame ? await this.#stateOf(known) : refused('key-reused');
  }

  async #begun(row: PayOrderRow, view: PaymentView, next: NextStep): Promise<PayPaid> {
    const { key } = row;
    const isCancelled = await this.#context.db.write(async ({ q }) => {
      const now = await findPayOrder(q, key);
      await updatePayOrder(q, key, { reference: view.reference });
      return now?.cancelled ?? false;
    });
    // The page gave up meanwhile, or the price changed between the two looks at it.
    if (isCancelled || (view.state === 'created' && view.amountMinor !== row.amountMinor)) {
      await this.#payments.cancel(payerOf(key), view.reference);
      return refused(isCancelled ? 'cancelled' : 'amount-changed');
    }
    return await this.#paid(row, view, next);
  }

  /** Cancels the order before it begins: another one with the same key would be refused too. */
  async #give(key: string, fault: PayFault): Promise<PayPaid> {
    await this.#context.db.write(({ q }) => updatePayOrder(q, key, { cancelled: true }));
    return refused(fault);
  }

  async #step(key: string, take: (payer: Payer, reference: string) => Promise<Stepped>): Promise<PayPaid> {
    const row = await this.#row(key);
    if (row === null || row.reference === null) return refused('not-found');
    const stepped = await take(payerOf(key), row.reference);
    return stepped.ok ? await this.#paid(row, stepped.payment, stepped.next) : refused(faultOf(stepped));
  }

  async #stateOf(row: PayOrderRow): Promise<PayPaid> {
    // The order has no answer yet: it is being made, or was broken off before a card was charged.
    if (row.reference === null) return refused(row.cancelled ? 'cancelled' : 'not-found');
    const view = await this.#payments.state(payerOf(row.key), row.reference);
    return view === null ? refused('not-found') : await this.#paid(row, view, null);
  }

  /** @param next what the step answered; null: only the state is asked for */
  async #paid(row: PayOrderRow, view: PaymentView, next: NextStep | null): Promise<PayPaid> {
    const { key, quantity, atExit } = row;
    const { state, amountMinor, currency, receiptKey } = view;
    const isSettled = state === 'settled';
    const paidVisit = isSettled ? view.visitId : null;
    const { visit, times, known } = paidVisit === null ? NOT_PAID : await this.#afterPaying(paidVisit);
    const invoice = row.invoiceId === null ? null : await this.#invoiceOf(row.invoiceId);
    const paidUntil = isSettled && visit?.endedAt === null ? visit.paidUntil : null;
    const { stayPaidUntil, leaveBy } = times;
    return {
      ok: true,
      payment: {
        key,
        state,
        amountMinor,
        currency,
        quantity,
        next: state === 'created' ? nextOf(view, next) : null,
        reason: reasonOf(view),
        needsPerson: view.needsPerson,
        paidUntil,
        daysUntil: stayPaidUntil !== null && stayPaidUntil > (paidUntil ?? '') ? stayPaidUntil : null,
        leaveBy,
        exitOpens: isSettled && atExit && known.codes.length === 0,
        receipt: isSettled && receiptKey !== null ? `/receipt/${receiptKey}` : null,
        ...known,
        ...(invoice !== null && { invoice: { number: invoice.number } }),
      },
    };
  }

  async #invoiceOf(invoiceId: string) {
    return await this.#context.db.read((q) => invoiceById(q, invoiceId));
  }

  /** The rights of the driver of a paid visit, and the site's knowledge of the payment. */
  async #afterPaying(visitId: string) {
    const { db } = this.#context;
    const now = this.#now();
    const row = await db.read((q) => findVisitRow(q, visitId, ALL_ROWS));
    if (row === null) return NOT_PAID;
    const isAway = await this.#isAway(row);
    return await db.read(async (q) => ({
      visit: row,
      times: (await payableVisit(q, row, await siteOfVisit(q, row), now)).times(),
      known: await siteKnowledge(q, row, { isAway, at: now }),
    }));
  }

  /**
   * Whether the site is away while the car is still there; a car that has left no longer concerns its site.
   */
  async #isAway({ siteId, endedAt }: VisitRow): Promise<boolean> {
    return endedAt === null && (await this.#payments.isSiteAway(siteId));
  }

  /** The product by which days are sold for a visit; undefined: none are asked for, null: none are sold. */
  async #daysOf(visit: VisitRow, quantity: number | undefined) {
    if (quantity === undefined) return undefined;
    const due = await this.#context.db.read(async (q) =>
      payableVisit(q, visit, await siteOfVisit(q, visit), this.#now()),
    );
    return due.product && { id: due.product.id, quantity };
  }

  async #row(key: string): Promise<PayOrderRow | null> {
    return await this.#context.db.read((q) => findPayOrder(q, key));
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

const NOT_PAID = {
  visit: null,
  times: NO_LEAVING_TIMES,
  known: { siteKnows: true, codes: [] as string[] },
} as const;

const NO_ORDER = {
  visitId: null,
  invoiceId: null,
  amountMinor: 0,
  quantity: null,
  atExit: false,
  reference: null,
  cancelled: true,
} as const;

function newOrder(
  { payment: key, amountMinor, quantity }: PayOrder,
  { visitId, invoiceId }: PaymentSubject,
  atExit: boolean,
  createdAt: UtcTime,
): PayOrderRow {
  return {
    key,
    visitId,
    invoiceId,
    amountMinor,
    quantity: quantity ?? null,
    atExit,
    reference: null,
    cancelled: false,
    createdAt,
  };
}

function payerOf(key: string): Payer {
  return { kind: 'driver', id: key };
}

function refused(fault: PayFault): PayPaid {
  return { ok: false, fault };
}

/** A card, or what stands for it. It is gone when the request is over. */
function readSource(
  card: PayCard | undefined,
  encrypted: PayFinish['encrypted'],
): CardSource | { fields: CardField[] } | null {
  if (encrypted !== undefined) return { kind: 'encrypted', ...encrypted };
  if (card === undefined) return null;
  const read = Card.read(card);
  return read instanceof Card ? { kind: 'card', card: read } : { fields: read.mistakes };
}

function browserOf(given: PayBrowser, headers: BrowserHeaders): Browser {
  return { ...given, ...headers };
}

function nextOf(view: PaymentView, next: NextStep | null): PayNext {
  if (view.step === 'authenticated') return { kind: 'finish' };
  if (next?.kind === 'tokens') return { kind: 'encrypt', tokens: { ...next.tokens } };
  if (next?.kind !== 'challenge') return { kind: 'wait' };
  const { challenge } = next;
  if (challenge.kind === 'script') return challenge;
  const { url, fields, scripts } = challenge.form;
  return { kind: 'form', url, fields: [...fields], scripts: [...scripts] };
}

function reasonOf({ state, reason }: PaymentView): PayPayment['reason'] {
  if (reason === null || (state !== 'declined' && state !== 'cancelled')) return null;
  const known = PayReasonSchema.safeParse(reason).data;
  return known ?? (state === 'declined' ? 'other' : null);
}

function faultOf(stepped: Extract<Stepped, { ok: false }>): PayFault {
  switch (stepped.reason) {
    case 'offer':
      return faultOfOffer(stepped.refusal);
    case 'no-gateway':
    case 'unavailable':
      return 'unavailable';
    case 'no-card':
      return 'card';
    case 'no-reference':
      return 'not-found';
    case 'under-way':
      return 'payment-under-way';
    case 'wrong-step':
      return 'wrong-step';
    default:
      return stepped satisfies never;
  }
}

function faultOfOffer(refusal: OfferRefusal): PayFault {
  switch (refusal) {
    case 'visit-ended':
    case 'payment-under-way':
    case 'nothing-due':
    case 'too-late':
    case 'not-for-sale':
    case 'amount-changed':
      return refusal;
    case 'invoice-paid':
    case 'not-payable':
      return 'nothing-due';
    case 'no-invoice':
      return 'expired';
    case 'too-little':
      return 'amount-changed';
    case 'no-visit':
      return 'visit-ended';
    case 'no-product':
    case 'quota-product':
    case 'several-visits':
    case 'currency':
      return 'not-for-sale';
    default:
      return refusal satisfies never;
  }
}
