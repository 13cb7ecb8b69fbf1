import type { KioskPayment } from '@hlid/protocol/pages/kiosk-api';
import type { Payment } from '@hlid/protocol/records/payment';
import { DRIVER_GONE, MISMATCH } from '@hlid/protocol/rules/payment-transitions';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { PayOutcome, Terminal, TerminalPrompt, TerminalTransaction } from '../terminal/terminal.ts';
import type { PaymentSettlement } from './payment-settlement.ts';
import type { TerminalPaymentInput } from './terminal-payment-transitions.ts';

/** One payment at the terminal, from its intent to its outcome. */
export class TerminalSale {
  readonly #payment: Payment;
  readonly #terminal: Pick<Terminal, 'lastResult' | 'pay' | 'cancel'>;
  readonly #settlement: PaymentSettlement;
  readonly #onPrompt: () => void;
  readonly #log: Logger;
  #prompt: Pick<KioskPayment, 'prompt' | 'promptText'> = { prompt: 'wait', promptText: null };
  #driverGone = false;
  /** The terminal has the order, and no approval of it stands. */
  #isCancellable = false;
  /** Why its approval was refused; null: it was not. */
  #refused: string | null = null;

  constructor(
    payment: Payment,
    parts: {
      terminal: Pick<Terminal, 'lastResult' | 'pay' | 'cancel'>;
      settlement: PaymentSettlement;
      /** The driver sees something else on the terminal. */
      onPrompt: () => void;
      log: Logger;
    },
  ) {
    this.#payment = payment;
    this.#terminal = parts.terminal;
    this.#settlement = parts.settlement;
    this.#onPrompt = parts.onPrompt;
    this.#log = parts.log;
  }

  /** The terminal's present prompt for the driver. */
  get prompt(): Pick<KioskPayment, 'prompt' | 'promptText'> {
    return this.#prompt;
  }

  /** The driver has cancelled it, and the terminal has not ended it yet. */
  get isGivenUp(): boolean {
    return this.#driverGone;
  }

  /** Requests that the sale is cancelled. That does not end it: its outcome reports how it ended. */
  async cancel(): Promise<void> {
    this.#driverGone = true;
    if (this.#isCancellable) await this.#terminal.cancel();
  }

  /** Resolves once the outcome is on the disk, also if it is `unknown`. */
  async run(): Promise<void> {
    const { id } = this.#payment;
    // A booking that the terminal has before the first byte of this order is not this payment's.
    const baseline = await this.#terminal.lastResult();
    if (this.#driverGone) return await this.#abandon();
    await this.#settlement.apply(id, { kind: 'send', baseline });
    if (this.#driverGone) return await this.#abandon();
    this.#isCancellable = true;
    const outcome = await this.#pay();
    this.#isCancellable = false;
    await this.#settlement.apply(id, this.#inputOf(outcome));
  }

  /** Ends a sale of which nothing was sent. */
  async #abandon(): Promise<void> {
    await this.#settlement.apply(this.#payment.id, {
      kind: 'not-booked',
      state: 'cancelled',
      reason: DRIVER_GONE,
    });
  }

  async #pay(): Promise<PayOutcome> {
    const { id, amountMinor, currency, language } = this.#payment;
    return await this.#terminal.pay(
      { id, amountMinor, currency, language, takesTips: this.#settlement.takesTips() },
      {
        onPrompt: (prompt, text) => this.#show(prompt, text),
        onApproval: async (transaction) => {
          this.#refused = await this.#record(transaction).catch((err: unknown) => {
            this.#log.error({ event: LOG_EVENTS.paymentFailed, id, err });
            return 'not-written';
          });
          this.#isCancellable = this.#refused !== null;
          return this.#refused === null;
        },
      },
    );
  }

  #show(prompt: TerminalPrompt, promptText: string | null): void {
    if (this.#prompt.prompt === prompt && this.#prompt.promptText === promptText) return;
    this.#prompt = { prompt, promptText };
    this.#onPrompt();
  }

  /** Why an approval is refused; null: it stands, and is on the disk before the terminal learns that. */
  async #record(transaction: TerminalTransaction): Promise<string | null> {
    const { id, amountMinor } = this.#payment;
    const approval = { kind: 'approval', transaction, driverGone: this.#driverGone } as const;
    const effects = await this.#settlement.apply(id, approval);
    const reason = effects.find((effect) => effect.kind === 'refuse')?.reason ?? null;
    if (reason === MISMATCH) {
      const approvedMinor = transaction.amountMinor;
      this.#log.error({ event: LOG_EVENTS.paymentMismatch, id, amountMinor, approvedMinor });
    }
    return reason;
  }

  #inputOf(outcome: PayOutcome): TerminalPaymentInput {
    const unwanted = this.#driverGone ? DRIVER_GONE : this.#refused;
    switch (outcome.kind) {
      case 'approved': {
        const { transaction, receipt } = outcome;
        return { kind: 'booked', transaction, receipt, refused: this.#refused };
      }
      case 'declined': {
        const { reason, receipt } = outcome;
        return { kind: 'not-booked', state: 'declined', reason, receipt };
      }
      case 'cancelled':
        return { kind: 'not-booked', state: 'cancelled', reason: unwanted ?? 'at-terminal' };
      case 'not-sent':
        return { kind: 'not-booked', state: 'cancelled', reason: 'not-sent' };
      case 'unknown':
        return { kind: 'unknown', reason: unwanted ?? outcome.problem };
      default:
        return outcome satisfies never;
    }
  }
}
