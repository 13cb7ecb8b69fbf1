import type { Clock } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { PayEvents, PayOrder, PayOutcome, TerminalTransaction } from '../terminal.ts';
import type { TerminalAmount } from '../terminal-amount.ts';
import { bookedTransaction, differenceOf } from './booked-transaction.ts';
import { type FollowTiming, followTransaction } from './follow-transaction.ts';
import type { SaleResult } from './locallink-answers.ts';
import { type LocallinkCalls, problemOf } from './locallink-calls.ts';
import { reverseSale } from './reverse-sale.ts';
import type { OpenSale, TerminalMemory } from './terminal-memory.ts';
import { declineReason, promptOf } from './terminal-words.ts';

interface Parts {
  calls: LocallinkCalls;
  memory: TerminalMemory;
  amounts: TerminalAmount;
  terminalId: string;
  isCancelRequested: () => boolean;
  withinMs: number;
  signal: AbortSignal;
  timing: FollowTiming;
  clock: Clock;
}

/** One sale, from the terminal's takings before it to its end. */
export async function takeSale(order: PayOrder, events: PayEvents, parts: Parts): Promise<PayOutcome> {
  const { calls, memory, amounts, clock } = parts;
  const amount = amounts.toTerminal(order.amountMinor);
  if (amount === null) return { kind: 'declined', reason: 'amount', code: 'not-asked', receipt: [] };
  const before = await calls.dayTotals();
  if (before.kind !== 'ok' && before.kind !== 'refused')
    return { kind: 'not-sent', problem: problemOf(before) };
  if (parts.isCancelRequested()) return { kind: 'cancelled', code: null };
  const open: OpenSale = {
    orderId: order.id,
    amountMinor: order.amountMinor,
    currency: order.currency,
    uti: null,
    takenBefore: before.kind === 'ok' ? before.value.totalSales - before.value.totalRefunds : null,
    at: utcTime(clock.now()),
  };
  try {
    memory.change({ open });
  } catch (error) {
    return { kind: 'not-sent', problem: `it cannot be written down: ${messageOf(error)}` };
  }
  const begun = await calls.sell(amount, order.id);
  if (begun.kind === 'lost') {
    // The terminal may still wait for a card, so the outcome must be asked for.
    await calls.cancel();
    return { kind: 'unknown', problem: begun.problem };
  }
  if (begun.kind !== 'ok') {
    memory.change({ open: null });
    return { kind: 'not-sent', problem: problemOf(begun) };
  }
  const { uti } = begun.value;
  memory.change({ open: { ...open, uti } });
  const end = await followTransaction(
    calls,
    uti,
    {
      ...parts,
      onProgress: (sentence) => events.onPrompt(promptOf(sentence), sentence),
    },
    parts.timing,
  );
  if (end.kind === 'forgotten')
    return { kind: 'unknown', problem: 'the terminal does not know the sale any more' };
  if (end.kind === 'lost') return { kind: 'unknown', problem: end.problem };
  const outcome = await conclude(end.result, order, events, parts);
  if (outcome.kind === 'approved') memory.change({ open: null, last: outcome.transaction, isPartial: false });
  else if (outcome.kind !== 'unknown') memory.change({ open: null });
  return outcome;
}

/**
 * LocalLink does not ask the till before it books: an approval that was cancelled is reversed. (Its call
 * `result` is for cards that the till itself approves.)
 */
async function conclude(
  result: SaleResult,
  order: PayOrder,
  events: PayEvents,
  parts: Parts,
): Promise<PayOutcome> {
  const { responseCode, receipt } = result;
  if (!result.transApproved) {
    if (result.transCancelled) return { kind: 'cancelled', code: responseCode };
    const reason = result.isCustomCardData ? 'card-unsupported' : declineReason(responseCode);
    return { kind: 'declined', reason, code: responseCode ?? '', receipt };
  }
  if (result.voided) return { kind: 'cancelled', code: responseCode };
  const transaction = bookedTransaction(result, parts.amounts);
  const wrong = differenceOf(result, parts.amounts, { ...order, terminalId: parts.terminalId });
  const stands = transaction !== null && wrong === null && (await isApproved(transaction, events));
  if (stands) return { kind: 'approved', transaction, receipt };
  events.onPrompt('wait', null);
  const taken = await reverseSale(parts.calls, result.uti, parts);
  if (taken !== 'reversed' && taken !== 'already-reversed') {
    return {
      kind: 'unknown',
      problem: 'the terminal has booked what is not wanted, and does not take it back',
    };
  }
  const code = responseCode ?? '';
  return wrong === null
    ? { kind: 'cancelled', code }
    : { kind: 'declined', reason: wrong, code, receipt: [] };
}

async function isApproved(transaction: TerminalTransaction, events: PayEvents): Promise<boolean> {
  try {
    return await events.onApproval(transaction);
  } catch {
    return false;
  }
}
