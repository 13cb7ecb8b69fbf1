import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';
import type {
  LastResult,
  PayEvents,
  PayOrder,
  PayOutcome,
  SelfTest,
  Terminal,
  TerminalStatus,
  TerminalTransaction,
} from './terminal.ts';
import type { TerminalAmount } from './terminal-amount.ts';

const NOT_WHOLE = 'an amount with more decimal places than the currency has: look at amountDigits';

/**
 * A terminal that counts with other decimal places than the currency has, seen in the currency's own. An amount of it
 * that is not a whole minor unit is never rounded: it is refused, or the terminal is asked again.
 */
export class ScaledTerminal implements Terminal {
  readonly #terminal: Terminal;
  readonly #amount: TerminalAmount;
  readonly diagnose?: () => Promise<SelfTest>;

  constructor(terminal: Terminal, amount: TerminalAmount) {
    this.#terminal = terminal;
    this.#amount = amount;
    const { diagnose } = terminal;
    if (diagnose) this.diagnose = () => diagnose.call(terminal);
  }

  start(): void {
    this.#terminal.start();
  }

  stop(): Promise<void> {
    return this.#terminal.stop();
  }

  status(): TerminalStatus {
    return this.#terminal.status();
  }

  onStatus(listener: (status: TerminalStatus) => void): () => void {
    return this.#terminal.onStatus(listener);
  }

  check(): Promise<void> {
    return this.#terminal.check();
  }

  async pay(order: PayOrder, events: PayEvents): Promise<PayOutcome> {
    const amountMinor = this.#amount.toTerminal(order.amountMinor);
    if (amountMinor === null) return { kind: 'not-sent', problem: NOT_WHOLE };
    const outcome = await this.#terminal.pay(
      { ...order, amountMinor },
      {
        onPrompt: events.onPrompt,
        onApproval: async (transaction) => {
          const approved = this.#ours(transaction);
          return approved !== null && (await events.onApproval(approved));
        },
      },
    );
    if (outcome.kind !== 'approved') return outcome;
    const transaction = this.#ours(outcome.transaction);
    return transaction ? { ...outcome, transaction } : { kind: 'unknown', problem: NOT_WHOLE };
  }

  cancel(): Promise<void> {
    return this.#terminal.cancel();
  }

  async reverse(transaction: TerminalTransaction): Promise<ReverseOutcome> {
    const amountMinor = this.#amount.toTerminal(transaction.amountMinor);
    if (amountMinor === null) return 'not-possible';
    return await this.#terminal.reverse({ ...transaction, amountMinor });
  }

  async isReversed(transaction: TerminalTransaction): Promise<boolean | null> {
    const amountMinor = this.#amount.toTerminal(transaction.amountMinor);
    return amountMinor === null ? null : await this.#terminal.isReversed({ ...transaction, amountMinor });
  }

  async lastResult(): Promise<LastResult> {
    const last = await this.#terminal.lastResult();
    if (last.kind !== 'transaction') return last;
    const transaction = this.#ours(last.transaction);
    return transaction ? { ...last, transaction } : { kind: 'unavailable', problem: NOT_WHOLE };
  }

  async endOfDay(): ReturnType<Terminal['endOfDay']> {
    const { totals, problem } = await this.#terminal.endOfDay();
    if (!totals) return { totals, problem };
    const cards = totals.cards.flatMap((card) => {
      const amountMinor = this.#amount.fromTerminal(card.amountMinor);
      return amountMinor === null ? [] : [{ ...card, amountMinor }];
    });
    if (cards.length < totals.cards.length) return { totals: null, problem: NOT_WHOLE };
    return { totals: { ...totals, cards }, problem };
  }

  #ours(transaction: TerminalTransaction): TerminalTransaction | null {
    const amountMinor = this.#amount.fromTerminal(transaction.amountMinor);
    return amountMinor === null ? null : { ...transaction, amountMinor };
  }
}
