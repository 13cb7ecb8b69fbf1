import type { Clock } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import type { TerminalTransaction } from '../terminal.ts';
import type { TerminalAmount } from '../terminal-amount.ts';
import { bookedTransaction } from './booked-transaction.ts';
import { type LocallinkCalls, problemOf, type Reply } from './locallink-calls.ts';
import type { OpenSale } from './terminal-memory.ts';

export type SaleOutcome =
  | { kind: 'booked'; transaction: TerminalTransaction; reversed: boolean }
  | { kind: 'not-booked' }
  | { kind: 'unavailable'; problem: string };

interface Parts {
  calls: LocallinkCalls;
  amounts: TerminalAmount;
  clock: Clock;
  /** The time for which a call without an answer may still be on its way. */
  lateMs: number;
}

/** A day that has taken nothing looks like one that was closed after it had taken something: at night by itself, too. */
const CLOSED_MEANWHILE_MS = 5 * MINUTE_MS;

/**
 * Finds the outcome of a sale without a known end. It uses the sale's name; if the terminal gave none or has
 * forgotten it, it searches the terminal's sales of today. The driver has left the terminal by then, so a
 * sale that still runs is cancelled.
 */
export async function findSaleOutcome(open: OpenSale, parts: Parts): Promise<SaleOutcome> {
  const { calls, amounts } = parts;
  if (open.uti === null) return byDayTotals(open, parts);
  const reply = await calls.getTransaction(open.uti);
  if (reply.kind === 'refused') return byDayTotals(open, parts);
  if (reply.kind !== 'ok') return unavailable(reply);
  if (reply.value.kind === 'progress') {
    await calls.cancel();
    return { kind: 'unavailable', problem: 'the terminal is still at work on it' };
  }
  const { result } = reply.value;
  if (!result.transApproved) return { kind: 'not-booked' };
  const transaction = bookedTransaction(result, amounts);
  if (!transaction) return { kind: 'unavailable', problem: 'the terminal has booked what was never ordered' };
  return { kind: 'booked', transaction, reversed: result.voided };
}

async function byDayTotals(open: OpenSale, { calls, clock, lateMs }: Parts): Promise<SaleOutcome> {
  if (open.takenBefore === null)
    return { kind: 'unavailable', problem: 'the terminal has lost its record of it' };
  const standing = await calls.status();
  if (standing.kind !== 'ok') return unavailable(standing);
  if (standing.value.status === 'TERMINAL_BUSY') {
    await calls.cancel();
    return { kind: 'unavailable', problem: 'the terminal is busy' };
  }
  const ageMs = clock.now().getTime() - millis(open.at);
  if (ageMs < lateMs) return { kind: 'unavailable', problem: 'it may still arrive at the terminal' };
  const totals = await calls.dayTotals();
  if (totals.kind !== 'ok') return unavailable(totals);
  const taken = totals.value.totalSales - totals.value.totalRefunds;
  const mayBeClosed = taken === 0 && ageMs > CLOSED_MEANWHILE_MS;
  if (taken === open.takenBefore && !mayBeClosed) return { kind: 'not-booked' };
  return {
    kind: 'unavailable',
    problem: `the terminal has taken ${taken} and not ${open.takenBefore}, and does not know by which sale`,
  };
}

function unavailable(reply: Exclude<Reply<unknown>, { kind: 'ok' }>): SaleOutcome {
  return { kind: 'unavailable', problem: problemOf(reply) };
}
