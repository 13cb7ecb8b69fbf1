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
import { audit } from '../../people/audit/audit.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
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
  | { ok: false; reason: 'not-possible' };

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
    const refunded = await this.refund(actor, id, { amountMinor: null, reason });
    if (refunded.ok) return { ok: true, payment: refunded.payment.payment };
    switch (refunded.reason) {
      case 'input':
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
  async paymentOf(invoiceId: string): Promise<string | null> {
    return await this.#db.read(async (q) => {
      if ((await findOnlinePayment(q, invoiceId)) !== null) return invoiceId;
      return (await settledPaymentOf(q, invoiceId))?.id ?? null;
    });
  }

  /**
   * @param refund.amountMinor null: all that is left. All that is left is the whole, also where it is named by its amount:
   *   it makes the visit due again. A part changes nothing of the visit.
   */
  async refund(
    actor: Actor,
    id: string,
    refund: { amountMinor: number | null; reason: string },
  ): Promise<Refunded> {
    const ordered = await this.#db.write((tx) => this.#order(tx, actor, id, refund));
    if (typeof ordered !== 'string') return ordered;
    await this.#resolver.refund(ordered);
    const [payment, sent] = await this.#db.read(async (q) => [
      await findOnlinePayment(q, id),
      await findRefund(q, ordered),
    ]);
    if (payment === null || sent?.state === 'not-possible') return { ok: false, reason: 'not-possible' };
    const state = sent?.state;
    return { ok: true, payment, outcome: state === 'refunded' || state === 'unclear' ? state : 'pending' };
  }

  /** @returns the id of the refund, which is on the disk once the transaction is */
  async #order(
    tx: Tx,
    actor: Actor,
    id: string,
    { amountMinor, reason }: { amountMinor: number | null; reason: string },
  ): Promise<string | Refused> {
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
