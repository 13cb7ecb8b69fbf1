import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import { refundId } from '@hlid/protocol/rules/visit-settlement';
import type { Logger } from 'pino';
import { chargebacksOf, chargedBackMinor, isStanding } from '../../money/payments/chargebacks.ts';
import { refuseRefund } from '../../money/payments/payment-actions.ts';
import type { ReverseOnline } from '../../money/payments/payment-routes.ts';
import { settledPaymentOf } from '../../money/payments/record-payment.ts';
import { isOpenRefund, refundedOrOrdered, refundsOf } from '../../money/payments/refunds.ts';
import {
  type ActToApprove,
  type AwaitsApproval,
  secondPerson,
} from '../../people/approvals/second-person.ts';
import { audit } from '../../people/audit/audit.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { balanceBooks } from './balance-books.ts';
import { OnlineJournal } from './online-journal.ts';
import { findOnlinePayment, findRefund, insertRefund, type OnlinePayment } from './online-payment-store.ts';
import { PaymentResolver } from './payment-resolver.ts';

export type Refunded =
  /**
   * `pending`: the provider has not answered yet; it is tried on. `unclear`: it may have been given, and a person has to
   * find that out.
   */
  | { ok: true; payment: OnlinePayment; outcome: 'refunded' | 'pending' | 'unclear' }
  | Refused
  | AwaitsApproval
  | { ok: false; reason: 'not-possible' };

/** An operator's order of a refund. */
export interface RefundOrder {
  /**
   * Null: all that is left. All that is left is the whole, also where it is named by its amount: it makes the visit due
   * again. A part changes nothing of the visit.
   */
  amountMinor: number | null;
  reason: string;
  /** The call that orders it. */
  by: 'refund' | 'reversal';
}

/** Gives money of online payments back at their provider, as an operator orders it. */
export class OnlineRefunds {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #journal: OnlineJournal;
  readonly #resolver: PaymentResolver;

  constructor(context: { db: Db; clock: Clock; log: Logger; cardGateways: CardGateways }) {
    this.#db = context.db;
    this.#clock = context.clock;
    this.#journal = new OnlineJournal(context);
    this.#resolver = new PaymentResolver(context, this.#journal);
  }

  /** Reverses an online payment as a terminal's payment is reversed. @returns null: it was not paid online */
  async reverse(actor: Actor, id: string, reason: string): ReturnType<ReverseOnline> {
    if ((await this.#db.read((q) => findOnlinePayment(q, id))) === null) return null;
    const refunded = await this.refund(actor, id, { amountMinor: null, reason, by: 'reversal' });
    if (refunded.ok) return { ok: true, payment: refunded.payment.payment };
    switch (refunded.reason) {
      case 'input':
      case 'approval':
        return refunded;
      case 'not-possible':
        return { ok: false, reason: 'not-begun', fault: 'no-refund' };
      case 'already-there':
        return refusedInput(refunded.mistake);
      case 'not-found':
        return null;
      default:
        return refunded satisfies never;
    }
  }

  /** The online payment that has made an invoice, or paid it; null: none did. */
  async paymentOf(q: Queries, invoiceId: string): Promise<string | null> {
    if ((await findOnlinePayment(q, invoiceId)) !== null) return invoiceId;
    return (await settledPaymentOf(q, invoiceId))?.id ?? null;
  }

  async refund(actor: Actor, id: string, refund: RefundOrder): Promise<Refunded> {
    const ordered = await this.#db.write((tx) => this.order(tx, actor, id, refund));
    return typeof ordered === 'string' ? await this.send(id, ordered) : ordered;
  }

  /** Sends a refund that is ordered. @param id its payment */
  async send(id: string, ordered: string): Promise<Exclude<Refunded, Refused | AwaitsApproval>> {
    await this.#resolver.refund(ordered);
    const [payment, sent] = await this.#db.read(async (q) => [
      await findOnlinePayment(q, id),
      await findRefund(q, ordered),
    ]);
    if (payment === null || sent?.state === 'not-possible') return { ok: false, reason: 'not-possible' };
    const state = sent?.state;
    return { ok: true, payment, outcome: state === 'refunded' || state === 'unclear' ? state : 'pending' };
  }

  /** Orders a refund. @param act what a second person approves, where more is done @returns its id; it is on the disk once the transaction is, and has to be sent then */
  async order(
    tx: Tx,
    actor: Actor,
    id: string,
    refund: RefundOrder,
    act?: ActToApprove,
  ): Promise<string | Refused | AwaitsApproval> {
    const { amountMinor, reason } = refund;
    const payment = await findOnlinePayment(tx.q, id);
    if (payment === null) return NOT_FOUND;
    const { state, currency } = payment.payment;
    const chargebacks = await chargebacksOf(tx.q, [id]);
    const refunds = await refundsOf(tx.q, id);
    const { booking } = payment.online;
    const bookedMinor = booking?.amountMinor ?? null;
    const why = refuseRefund({ state, bookedMinor, chargebacks, refunds });
    if (why !== null && refunds.some(isOpenRefund))
      return { ok: false, reason: 'already-there', id, mistake: why };
    if (why !== null || booking === null) return refusedInput(why ?? mistake('not-booked-by-provider'));
    const leftMinor = booking.amountMinor - refundedOrOrdered(refunds) - chargedBackMinor(chargebacks);
    const isChargedBack = chargebacks.some(isStanding);
    const wantedMinor = amountMinor ?? leftMinor;
    if (wantedMinor > leftMinor) {
      return refusedInput(
        mistake('refund-too-big', 'amount', {
          left: formatMoney({ amountMinor: leftMinor, currency }, 'en'),
        }),
      );
    }
    const waits = await secondPerson(tx, actor, act ?? actOf(payment, refund), {
      limit: 'refund',
      amountMinor: wantedMinor,
      currency,
      beforeMinor: refundedOrOrdered(refunds),
    });
    if (waits !== null) return waits;
    const by = callerName(actor.caller);
    await audit(tx, actor, {
      subject: 'payment',
      subjectId: id,
      action: 'payment.refund',
      reason,
      before: { state },
      after: { refundMinor: wantedMinor },
    });
    // Beside what the bank has kept, what is left is a part.
    if (wantedMinor === leftMinor && !isChargedBack) {
      const input = { kind: 'reversal-order', transaction: booking, by } as const;
      await this.#journal.applyIn(tx, id, input, nowUtc(this.#clock));
      return refundId(id) ?? id;
    }
    const refundedId = newId();
    await insertRefund(tx.q, {
      id: refundedId,
      paymentId: id,
      amountMinor: wantedMinor,
      isWhole: false,
      state: 'ordered',
      reason,
      by,
      reference: null,
      gatewayState: {},
      attempts: 0,
      dueAt: actor.at,
      heldBy: null,
      createdAt: actor.at,
      doneAt: null,
      failedAt: null,
    });
    await balanceBooks(tx, id, actor.at);
    return refundedId;
  }
}

/** The act that a second person approves: the call as it was made. */
function actOf({ payment }: OnlinePayment, { amountMinor, reason, by }: RefundOrder): ActToApprove {
  const { id: paymentId, siteId, visitId } = payment;
  // The payment of a visit has made the invoice with its id.
  const invoiceId = payment.invoiceId ?? paymentId;
  const about = { paymentId, invoiceId, visitId };
  const same = { reason, siteIds: [siteId], about };
  if (by === 'reversal') return { ...same, kind: 'reversal', subjectId: paymentId, args: { reason } };
  const args = { reason, ...(amountMinor !== null && { amount: amountMinor }) };
  return { ...same, kind: 'refund', subjectId: invoiceId, args };
}
