import { newId } from '@hlid/node/new-id';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import type { PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { refundId, reversalItem } from '@hlid/protocol/rules/visit-settlement';
import type { SettlementItem } from '@hlid/protocol/site-link/site-change';
import { LOG_EVENTS } from '../base/events.ts';
import type { LaneOutcome } from '../lane/lane-outcome.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { SiteStays } from '../site/site-stays.ts';
import type { Terminal, TerminalTransaction } from '../terminal/terminal.ts';
import type { PaymentRecords } from './payment-records.ts';
import {
  type TerminalPaymentEffect,
  type TerminalPaymentInput,
  terminalPaymentTransition,
} from './terminal-payment-transitions.ts';

const FLAG: ReviewFlag = 'payment-unknown';

/** Carries out the transitions of payments: first on the disk, with the visit and its events, then at the gates. */
export class PaymentSettlement {
  readonly #context: EdgeContext;
  readonly #records: PaymentRecords;
  readonly #stays: SiteStays;
  readonly #terminal: Pick<Terminal, 'reverse'> | null;
  readonly #onChanged: (paymentId: string) => void;

  /** @param parts.terminal null: there is none that could take a booking back */
  constructor(
    context: EdgeContext,
    parts: {
      records: PaymentRecords;
      stays: SiteStays;
      terminal: Pick<Terminal, 'reverse'> | null;
      onChanged?: (paymentId: string) => void;
    },
  ) {
    this.#context = context;
    this.#records = parts.records;
    this.#stays = parts.stays;
    this.#terminal = parts.terminal;
    this.#onChanged = parts.onChanged ?? (() => undefined);
  }

  /** Whether the site takes a tip beside the amount that is due. */
  takesTips(): boolean {
    return this.#stays.takesTips();
  }

  /** Resolves once everything that the input leads to is on the disk, and the terminal has reversed what it has to. */
  async apply(id: string, input: TerminalPaymentInput): Promise<readonly TerminalPaymentEffect[]> {
    const effects = await this.#record(id, input);
    await this.#reverse(id, effects);
    return effects;
  }

  /**
   * Orders the reversal of a settled payment. Resolves once the order is on the disk.
   *
   * @returns what resolves when the terminal has answered and that is on the disk too; null: the payment is not settled
   */
  async orderReversal(
    id: string,
    transaction: TerminalTransaction,
    by: string,
  ): Promise<{ end: Promise<void> } | null> {
    const effects = await this.#record(id, { kind: 'reversal-order', transaction, by });
    return effects.length === 0 ? null : { end: this.#reverse(id, effects) };
  }

  async #record(id: string, input: TerminalPaymentInput): Promise<readonly TerminalPaymentEffect[]> {
    const { effects, outcomes } = await this.#context.commit.run(() => this.#write(id, input));
    if (effects.every(({ kind }) => kind === 'refuse')) return effects;
    this.#stays.act(outcomes);
    this.#report(id);
    return effects;
  }

  async #reverse(id: string, effects: readonly TerminalPaymentEffect[]): Promise<void> {
    const reverse = effects.find((effect) => effect.kind === 'reverse');
    if (!reverse) return;
    const outcome = (await this.#terminal?.reverse(reverse.transaction)) ?? 'not-begun';
    await this.apply(id, { kind: 'reverse-answer', outcome, reason: reverse.reason });
  }

  /**
   * Records a person's finding about a payment; false: it does not need a person, or the finding cannot be
   * true of it.
   */
  async recordFinding(id: string, finding: PersonFinding, by: string): Promise<boolean> {
    if (!this.#records.store.get(id)) return false;
    return (await this.apply(id, { kind: 'finding', finding, by })).length > 0;
  }

  #write(
    id: string,
    input: TerminalPaymentInput,
  ): { effects: TerminalPaymentEffect[]; outcomes: LaneOutcome[] } {
    const at = utcTime(this.#context.clock.now());
    const { payment, bill } = this.#records.journal.entry(id);
    const { visitId } = payment;
    const effects = terminalPaymentTransition(payment, input, {
      isFlagged: this.#stays.visits.get(visitId)?.flags.includes(FLAG) ?? false,
      takesTips: this.takesTips(),
      isDue: () => this.#records.dues.isWanted(visitId, priceOf(payment), bill, at),
    });
    return { effects, outcomes: effects.flatMap((effect) => this.#carryOut(payment, effect, at)) };
  }

  #carryOut(payment: Payment, effect: TerminalPaymentEffect, at: UtcTime): LaneOutcome[] {
    switch (effect.kind) {
      case 'move':
        this.#records.journal.move(payment.id, effect.to, effect.update, at);
        return [];
      case 'amend':
        this.#records.journal.amend(payment.id, effect.update, at);
        return [];
      case 'flag':
        this.#flag(payment.visitId, effect.raised, at);
        return [];
      case 'settle':
        this.#stays.book.settle(settlementOf(payment, at), at);
        return [];
      case 'refund':
        this.#stays.book.settle(refundOf(payment, at), at);
        return [];
      case 'decide-again':
        return this.#stays.reconsider(at);
      case 'refuse':
      case 'reverse':
        return [];
      default:
        return effect satisfies never;
    }
  }

  #flag(visitId: string, raised: boolean, at: UtcTime): void {
    const visit = this.#stays.visits.get(visitId);
    if (!visit) return;
    const reason = raised ? 'payment unknown' : 'payment known';
    this.#stays.book.flag(visit, FLAG, raised, { at, by: 'kiosk', reason });
  }

  #report(id: string): void {
    const payment = this.#records.store.get(id)?.payment;
    if (!payment) return;
    const { state, reason, needsPerson, visitId, amountMinor } = payment;
    this.#context.log[needsPerson ? 'error' : 'info']({
      event: LOG_EVENTS.paymentChanged,
      id,
      visitId,
      state,
      reason,
      amountMinor,
      needsPerson,
    });
    this.#onChanged(id);
  }
}

/** The part of a payment that pays for the stay: a fee does not. */
function priceOf({ amountMinor, feesMinor = 0 }: Payment): number {
  return amountMinor - feesMinor;
}

function settlementOf(payment: Payment, at: UtcTime): SettlementItem {
  const { id, visitId, terminalId, currency, units } = payment;
  return {
    id,
    visitId,
    paymentStatus: 'kiosk',
    amountMinor: priceOf(payment),
    currency,
    units,
    settledAt: at,
    by: `terminal:${terminalId}`,
  };
}

/** The money went back: a car that is inside does not leave on it any more. */
function refundOf(payment: Payment, at: UtcTime): SettlementItem {
  const paid = settlementOf(payment, at);
  return { ...paid, ...reversalItem(paid), id: refundId(payment.id) ?? newId() };
}
