import type { Terminal, TerminalTransaction } from './terminal.ts';
import type { TerminalAmount } from './terminal-amount.ts';

/**
 * A terminal that counts with other decimal places than the currency has, seen in ours. What it says that is no whole
 * amount of ours is never rounded: it is refused, or somebody asks again.
 */
export function createScaledTerminal(terminal: Terminal, amount: TerminalAmount): Terminal {
  function ours(transaction: TerminalTransaction): TerminalTransaction | null {
    const amountMinor = amount.fromTerminal(transaction.amountMinor);
    return amountMinor === null ? null : { ...transaction, amountMinor };
  }

  return {
    ...terminal,
    async pay(order, events) {
      const amountMinor = amount.toTerminal(order.amountMinor);
      if (amountMinor === null) return { kind: 'not-sent', problem: NOT_WHOLE };
      const outcome = await terminal.pay(
        { ...order, amountMinor },
        {
          onPrompt: events.onPrompt,
          async onApproval(transaction) {
            const approved = ours(transaction);
            return approved !== null && (await events.onApproval(approved));
          },
        },
      );
      if (outcome.kind !== 'approved') return outcome;
      const transaction = ours(outcome.transaction);
      return transaction ? { ...outcome, transaction } : { kind: 'unknown', problem: NOT_WHOLE };
    },
    async reverse(transaction) {
      const amountMinor = amount.toTerminal(transaction.amountMinor);
      return amountMinor === null ? 'not-possible' : await terminal.reverse({ ...transaction, amountMinor });
    },
    async lastResult() {
      const last = await terminal.lastResult();
      if (last.kind !== 'transaction') return last;
      const transaction = ours(last.transaction);
      return transaction ? { ...last, transaction } : { kind: 'unavailable', problem: NOT_WHOLE };
    },
    async endOfDay() {
      const { totals, problem } = await terminal.endOfDay();
      if (!totals) return { totals, problem };
      const cards = totals.cards.flatMap((card) => {
        const amountMinor = amount.fromTerminal(card.amountMinor);
        return amountMinor === null ? [] : [{ ...card, amountMinor }];
      });
      if (cards.length < totals.cards.length) return { totals: null, problem: NOT_WHOLE };
      return { totals: { ...totals, cards }, problem };
    },
  };
}

const NOT_WHOLE = 'an amount with more decimal places than the currency has: look at amountDigits';
