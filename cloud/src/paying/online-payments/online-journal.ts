import { type Clock, nowUtc } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { mayBecome, type PaymentState, type ReceiptCard } from '@hlid/protocol/records/payment';
import {
  type PaymentEffect,
  type PaymentInput,
  type PaymentUpdate,
  paymentTransition,
} from '@hlid/protocol/rules/payment-transitions';
import { refundId, reversalItem } from '@hlid/protocol/rules/visit-settlement';
import type { Logger } from 'pino';
import {
  endedInFailure,
  type InvoicedPayment,
  invoiceIncomplete,
  invoicePaid,
  invoiceReversed,
} from '../../money/invoices/invoice-payment.ts';
import type { InvoicedVisit } from '../../money/invoices/invoice-settlement.ts';
import {
  invoiceOpenAgain,
  invoicePaidByCard,
  invoiceUnderWay,
  paidInvoiceReversed,
} from '../../money/invoices/pay-invoice.ts';
import { recordOnlinePayment } from '../../money/payments/record-payment.ts';
import { refundsOf } from '../../money/payments/refunds.ts';
import { clearSettledTwice, ONLINE_WORK } from '../../money/payments/settled-twice.ts';
import { usedUnpaidOf } from '../../money/quotas/bought-quota.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { GatewayTransaction } from '../../platform/card-gateways/gateway.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { WorkLease } from '../../platform/jobs/work-lease.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { notePaymentFailed } from '../../records/visits/failed-payment.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { clearFlag, flagVisit } from '../../records/visits/flag-visit.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { settleRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import { balanceBooks } from './balance-books.ts';
import {
  findOnlinePayment,
  insertRefund,
  leftOf,
  type OnlinePayment,
  updateOnlinePayment,
} from './online-payment-store.ts';
import { isPaymentDue, priceOfVisit } from './order-payment.ts';

export const PART = 'online-payments';
const FLAG = 'payment-unknown';
/** Some of the prepaid days that were given back are used. */
const QUOTA_USED = 'quota-used';

type Input = PaymentInput<GatewayTransaction>;
type Effect = PaymentEffect<GatewayTransaction>;

/** The states in which an input of each kind can be new; in any other state it is a repetition. */
const ACCEPTED_IN: Record<Input['kind'], readonly PaymentState[]> = {
  booked: ['sent', 'unknown', 'declined', 'cancelled'],
  'not-booked': ['created', 'sent', 'unknown'],
  reversed: ['sent', 'unknown', 'approved'],
  unknown: ['sent'],
  'needs-person': ['sent', 'unknown'],
  'reversal-order': ['settled'],
  'reverse-answer': ['approved', 'settled', 'declined', 'cancelled'],
  'refund-known': ['settled'],
  'refund-failed': ['settled', 'reversed'],
  finding: ['unknown', 'settled', 'declined', 'cancelled', 'reversed'],
};

/**
 * Carries out the transitions of online payments: the journal, the visit, its site's feed and the invoice change in one
 * transaction. What must go back to the card is an order in the same transaction.
 */
export class OnlineJournal {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Applies an input; a repeated one changes nothing.
   *
   * @returns the payment as it is then
   */
  async apply(id: string, input: Input): Promise<OnlinePayment> {
    const at = nowUtc(this.#clock);
    return await this.#db.write(async (tx) => await this.applyIn(tx, id, input, at));
  }

  /** Ends a payment that was never sent. Once it is sent, only the provider's report of the charge counts. */
  async endUnsent(id: string, input: Input & { kind: 'not-booked' }): Promise<OnlinePayment> {
    const at = nowUtc(this.#clock);
    return await this.#db.write(async (tx) => {
      const now = await findOnlinePayment(tx.q, id);
      if (now !== null && now.payment.state !== 'created') return now;
      return await this.applyIn(tx, id, input, at);
    });
  }

  /** `apply` in a transaction of the caller. */
  async applyIn(tx: Tx, id: string, input: Input, at: UtcTime): Promise<OnlinePayment> {
    const before = await findOnlinePayment(tx.q, id);
    if (before === null) throw new Error(`There is no online payment ${id}.`);
    if (!ACCEPTED_IN[input.kind].includes(before.payment.state)) return before;
    const visit = await visitOf(tx.q, before);
    const isDue = await isPaymentDue(tx.q, before, at);
    const effects = paymentTransition<GatewayTransaction>(before.payment, input, {
      isFlagged: visit?.flags.includes(FLAG) ?? false,
      isDue: () => isDue,
    });
    let after = before;
    for (const effect of effects) after = await this.#carryOut(tx, after, effect, at);
    return after;
  }

  /** The order goes to the provider next. @param given.until when the charge is over, and another process may ask about it */
  async send(
    tx: Tx,
    now: OnlinePayment,
    given: Pick<WorkLease, 'until' | 'heldBy'>,
    at: UtcTime,
  ): Promise<OnlinePayment> {
    const sent = await this.#move(tx, now, 'sent', {}, at);
    const { until, heldBy } = given;
    const lease = { dueAt: until, chargeEndsAt: until, heldBy };
    await updateOnlinePayment(tx.q, now.payment.id, lease);
    return { ...sent, online: { ...sent.online, ...lease } };
  }

  async #carryOut(tx: Tx, now: OnlinePayment, effect: Effect, at: UtcTime): Promise<OnlinePayment> {
    switch (effect.kind) {
      case 'move':
        return await this.#move(tx, now, effect.to, effect.update, at);
      case 'amend':
        return await this.#write(tx, now, effect.update, at);
      case 'flag':
        await flag(tx, now, effect.raised, at);
        return now;
      case 'settle':
        await settle(tx, now, at);
        return now;
      case 'refund':
        await takeBack(tx, now, at);
        return now;
      case 'decide-again':
        // The settlement in its feed makes the site decide again.
        return now;
      case 'reverse':
        await orderWholeRefund(tx, now, { reason: effect.reason, by: `cloud:${PART}` }, at);
        return now;
      default:
        return effect satisfies never;
    }
  }

  /** Throws if the payment may not go there: that is a defect, and nothing of it is written. */
  async #move(
    tx: Tx,
    now: OnlinePayment,
    to: PaymentState,
    update: PaymentUpdate<GatewayTransaction>,
    at: UtcTime,
  ): Promise<OnlinePayment> {
    const { id, state: from, siteId } = now.payment;
    if (!mayBecome(from, to)) throw new Error(`A payment that is ${from} cannot become ${to}.`);
    const after = await this.#write(tx, now, { reason: null, ...update }, at, to);
    await followInBooks(tx, after, at);
    await listAtSite(tx, after, from, at);
    const { invoiceId } = after.payment;
    if (to === 'reversed' && invoiceId !== null && (await usedUnpaidOf(tx.q, invoiceId)) > 0) {
      // Units that a visit has used are not taken back automatically.
      return await this.#write(tx, after, { needsPerson: true, reason: QUOTA_USED }, at);
    }
    const type = EVENT_OF[to];
    if (type !== undefined)
      await recordEvent(tx, { type, subjectId: after.payment.invoiceId ?? id, siteId, at });
    return after;
  }

  async #write(
    tx: Tx,
    { payment, online }: OnlinePayment,
    update: PaymentUpdate<GatewayTransaction>,
    at: UtcTime,
    state: PaymentState = payment.state,
  ): Promise<OnlinePayment> {
    const { reason, needsPerson, booking } = update;
    const row = {
      ...payment,
      state,
      changedAt: at,
      ...(reason !== undefined && { reason }),
      ...(needsPerson !== undefined && { needsPerson }),
      ...(booking && { transaction: shownOf(booking, online.card) }),
    };
    await recordOnlinePayment(tx.q, row);
    const isWaiting = (state === 'unknown' || state === 'sent') && !row.needsPerson;
    // An unknown outcome is resolved at once.
    const dueAt = state === payment.state ? (online.dueAt ?? at) : at;
    const fields = { ...(booking && { booking }), dueAt: isWaiting ? dueAt : null };
    await updateOnlinePayment(tx.q, payment.id, fields);
    if (isWaiting && state === 'unknown') tx.announce(ONLINE_WORK);
    if (row.needsPerson && !payment.needsPerson) {
      const subjectId = row.invoiceId ?? row.id;
      await recordEvent(tx, { type: 'payment.review', subjectId, siteId: row.siteId, at });
    }
    const { id, visitId, invoiceId, amountMinor } = row;
    tx.afterCommit(() =>
      this.#log[row.needsPerson ? 'error' : 'info']({
        event: EVENTS.onlinePaymentChanged,
        id,
        visitId,
        invoiceId,
        state,
        reason: row.reason,
        amountMinor,
      }),
    );
    return { payment: row, online: { ...online, ...fields } };
  }
}

/** States in which money may be moving: until another one is reached, the site takes no payment for the visit. */
const OPEN: readonly PaymentState[] = ['sent', 'unknown'];

/**
 * Puts a payment on the site's list of those with money that may be moving. A settlement comes in the same
 * transaction as the end.
 */
async function listAtSite(
  tx: Tx,
  { payment: { id, visitId, siteId, state } }: OnlinePayment,
  from: PaymentState,
  at: UtcTime,
): Promise<void> {
  const [wasOpen, isOpen] = [OPEN.includes(from), OPEN.includes(state)];
  // An invoice is paid nowhere else.
  if (wasOpen === isOpen || visitId === null) return;
  const change = { kind: 'online-payment', id } as const;
  if (isOpen) await publishChange(tx, siteId, { ...change, op: 'put', item: { id, visitId, since: at } });
  else await publishChange(tx, siteId, { ...change, op: 'remove' });
}

const EVENT_OF: Partial<Record<PaymentState, 'payment.settled' | 'payment.unknown' | 'payment.reversed'>> = {
  settled: 'payment.settled',
  unknown: 'payment.unknown',
  reversed: 'payment.reversed',
};

/** Orders that all that is left of a booking goes back to the card. It is done once, however often it is ordered. */
export async function orderWholeRefund(
  tx: Tx,
  { payment: { id }, online }: OnlinePayment,
  { reason, by }: { reason: string; by: string },
  at: UtcTime,
): Promise<string> {
  const amountMinor = leftOf(online.booking, await refundsOf(tx.q, id));
  const refund = { id: wholeRefundId(id), paymentId: id, amountMinor };
  await insertRefund(tx.q, {
    ...refund,
    isWhole: true,
    state: 'ordered',
    reason,
    by,
    attempts: 0,
    reference: null,
    gatewayState: {},
    dueAt: at,
    heldBy: null,
    createdAt: at,
    doneAt: null,
    failedAt: null,
  });
  await balanceBooks(tx, id, at);
  tx.announce(ONLINE_WORK);
  return refund.id;
}

/** The id of the refund of a whole payment: the same each time. */
export function wholeRefundId(paymentId: string): string {
  return refundId(paymentId) ?? paymentId;
}

/** @param used the card that was typed, or that is stored with the provider, where the provider does not name it */
function shownOf({ transactionId, authorizationId, card }: GatewayTransaction, used: ReceiptCard | null) {
  const named = card.lastFour === null && used !== null ? used : card;
  return { reference: transactionId, authorisation: authorizationId, card: named };
}

/** The visit that it pays; null: it pays an invoice, or the visit is gone. */
async function visitOf(q: Queries, { payment: { visitId } }: OnlinePayment): Promise<VisitRow | null> {
  return visitId === null ? null : await findVisitRow(q, visitId, ALL_ROWS);
}

/** Settles the visit as a kiosk settles it, and informs its site at once. */
async function settle(tx: Tx, { payment, online }: OnlinePayment, at: UtcTime): Promise<void> {
  const { id, amountMinor, feesMinor, currency, units } = payment;
  const before = await visitOf(tx.q, { payment, online });
  if (before === null) return;
  const actor = cloudActor(PART, at);
  const site = await siteOfVisit(tx.q, before);
  const { price } = await priceOfVisit(tx.q, before, site, at);
  const met = { id, paymentStatus: 'kiosk' as const, amountMinor: amountMinor - feesMinor, currency, units };
  const { row } = await settleRow(tx, actor, before, site, met, price);
  const action = { action: 'payment.online', historyText: 'settled-online', reason: `paid by ${online.by}` };
  await recordChange(tx, actor, { before, after: row }, action);
}

/** The money went back: a car that is inside does not leave on it any more, and what was settled twice is not so. */
async function takeBack(tx: Tx, now: OnlinePayment, at: UtcTime): Promise<void> {
  const { id, amountMinor, feesMinor, currency, units, reason } = now.payment;
  const before = await visitOf(tx.q, now);
  if (before === null) return;
  await clearSettledTwice(tx.q, before.id);
  const flags = before.flags.filter((one) => one !== 'settled-twice');
  let after: VisitRow = { ...before, flags };
  const actor = cloudActor(PART, at);
  if (before.endedAt === null) {
    const paid = { paymentStatus: 'kiosk' as const, amountMinor: amountMinor - feesMinor, currency, units };
    const met = { ...reversalItem(paid), id: wholeRefundId(id) };
    after = (await settleRow(tx, actor, after, await siteOfVisit(tx.q, before), met, null)).row;
  }
  const action = { action: 'visit.refund', historyText: 'refunded-online', reason: reason ?? undefined };
  await recordChange(tx, actor, { before, after }, action);
}

async function flag(tx: Tx, now: OnlinePayment, raised: boolean, at: UtcTime): Promise<void> {
  const visit = await visitOf(tx.q, now);
  if (visit === null) return;
  if (raised) await flagVisit(tx, visit, FLAG, at);
  else await clearFlag(tx, visit, FLAG, at);
}

/** The invoice of a payment gets the status that follows from the payment's state. */
async function followInBooks(tx: Tx, now: OnlinePayment, at: UtcTime): Promise<void> {
  const { id, visitId, invoiceId, state } = now.payment;
  if (invoiceId !== null) return await followInvoice(tx, now.payment, invoiceId, at);
  switch (state) {
    case 'settled':
      return await invoicePaid(tx, await invoicedVisit(tx, now), invoicedPayment(now, at));
    case 'sent':
    case 'unknown':
    case 'approved':
      return await invoiceIncomplete(tx, id, at);
    case 'declined':
    case 'cancelled':
      if (state === 'declined' && visitId !== null) await notePaymentFailed(tx, visitId, at);
      return await endedInFailure(tx, id, at);
    case 'reversed': {
      // A booked payment was paid, if only for a moment.
      const isOurs = now.online.booking?.amountMinor === now.payment.amountMinor;
      if (isOurs) await invoicePaid(tx, await invoicedVisit(tx, now), invoicedPayment(now, at));
      return await invoiceReversed(tx, id, at);
    }
    case 'created':
      return;
    default:
      state satisfies never;
  }
}

/** An invoice that was issued before it is paid: it is due until the money is here. */
async function followInvoice(
  tx: Tx,
  { id: paymentId, state, transaction }: OnlinePayment['payment'],
  invoiceId: string,
  at: UtcTime,
): Promise<void> {
  switch (state) {
    case 'created':
      return;
    case 'sent':
    case 'unknown':
    case 'approved':
      return await invoiceUnderWay(tx, invoiceId, at);
    case 'settled': {
      const paid = { paymentId, card: transaction?.card ?? null };
      await invoicePaidByCard(tx, invoiceId, paid, at);
      return;
    }
    case 'declined':
    case 'cancelled':
      return await invoiceOpenAgain(tx, invoiceId, at);
    case 'reversed':
      return await paidInvoiceReversed(tx, invoiceId, paymentId, at);
    default:
      state satisfies never;
  }
}

export async function invoicedVisit(tx: Tx, { payment, online }: OnlinePayment): Promise<InvoicedVisit> {
  const { visitId, siteId, product } = payment;
  if (visitId === null) throw new Error(`Payment ${payment.id} pays no visit.`);
  const known = await findVisitRow(tx.q, visitId, ALL_ROWS);
  const nothing = { id: visitId, siteId, plate: null, customerId: null, vehicleCategory: null };
  const visit = known ?? nothing;
  const customerId = online.customerId ?? visit.customerId;
  return { ...visit, customerId, price: product === null ? null : { product } };
}

export function invoicedPayment({ payment, online }: OnlinePayment, at: UtcTime): InvoicedPayment {
  const { id, amountMinor, feesMinor, currency, units, language, transaction } = payment;
  const { fees, payerName: name, email } = online;
  return {
    cause: id,
    paymentStatus: 'kiosk',
    amountMinor: amountMinor - feesMinor,
    currency,
    units,
    at,
    ...(fees.length > 0 && { fees }),
    payment: { id, card: transaction?.card ?? null, language, online: { name, email } },
  };
}
