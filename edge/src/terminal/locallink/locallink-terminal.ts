import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@hlid/protocol/fault';
import { utcTime } from '@hlid/protocol/utc-time';
import { LOG_EVENTS } from '../../events.ts';
import type { LastResult, PayOutcome, ReverseOutcome, Terminal, TerminalStatus } from '../terminal.ts';
import { createTerminalAmount } from '../terminal-amount.ts';
import type { TerminalParts } from '../terminal-kinds.ts';
import { FOLLOW_TIMING, type FollowTiming } from './follow-transaction.ts';
import { createLocallinkCalls, problemOf } from './locallink-calls.ts';
import {
  CONNECTION_TIMING,
  type ConnectionTiming,
  createLocallinkConnection,
} from './locallink-connection.ts';
import type { LocallinkOptions } from './locallink-options.ts';
import { reverseSale } from './reverse-sale.ts';
import { takeSale } from './take-sale.ts';
import { openTerminalMemory } from './terminal-memory.ts';
import { whatBecame } from './what-became.ts';

/** How long a payment that is under way may take to end when the daemon stops. */
const STOP_PATIENCE_MS = 5000;
/** A call whose answer was lost may still be on its way for so long. */
const LATE_MS = 15_000;

interface Replaced {
  connection?: Partial<ConnectionTiming>;
  follow?: Partial<FollowTiming>;
  stopPatienceMs?: number;
  lateMs?: number;
}

/** @param replaced what tests make shorter */
export function createLocallinkTerminal(
  options: LocallinkOptions,
  { currency, dataDir, clock, log }: TerminalParts,
  replaced: Replaced = {},
): Terminal {
  const { terminalId, completionTimeoutMs: withinMs } = options;
  const { stopPatienceMs = STOP_PATIENCE_MS, lateMs = LATE_MS } = replaced;
  const timing = { ...FOLLOW_TIMING, ...replaced.follow };
  const ending = new AbortController();
  const { signal } = ending;
  const memory = openTerminalMemory(dataDir, options.id);
  const amounts = createTerminalAmount(currency, options.amountDigits);
  const calls = createLocallinkCalls(options, () => memory.get().token, signal);
  const listeners = new Set<(status: TerminalStatus) => void>();
  let isInUse = false;
  /** It does something that a driver would see; to be asked is no work. */
  let isAtWork = false;
  let paying: { cancelled: boolean; done: Promise<unknown> } | null = null;
  let stopping = false;
  let shown: TerminalStatus = {
    ...{ connection: 'DISCONNECTED', code: null, problem: null },
    since: utcTime(clock.now()),
  };

  const connection = createLocallinkConnection({
    ...{ calls, memory, pairingCode: options.pairingCode, onChange: tell, isInUse: () => isInUse },
    timing: { ...CONNECTION_TIMING, ...replaced.connection },
  });

  function standingNow(): Omit<TerminalStatus, 'since'> {
    const standing = connection.standing();
    return isAtWork && standing.connection === 'CONNECTED' ? { ...standing, connection: 'ACTIVE' } : standing;
  }

  function tell(): void {
    const next = standingNow();
    const { connection: way, code, problem } = shown;
    if (next.connection === way && next.code === code && next.problem === problem) return;
    shown = { ...next, since: utcTime(clock.now()) };
    log.info({ event: LOG_EVENTS.terminalState, terminal: options.id, ...next });
    for (const listener of listeners) listener(shown);
  }

  /** Does something with the terminal, alone; null where somebody else does. */
  async function alone<T>(work: () => Promise<T>, isWork = true): Promise<T | null> {
    if (isInUse) return null;
    isInUse = true;
    isAtWork = isWork;
    tell();
    try {
      return await work();
    } finally {
      isInUse = false;
      isAtWork = false;
      tell();
    }
  }

  function busy(): string {
    return shown.problem ?? 'the terminal is in use';
  }

  async function sell(
    order: Parameters<Terminal['pay']>[0],
    events: Parameters<Terminal['pay']>[1],
    own: { cancelled: boolean },
  ): Promise<PayOutcome> {
    const { connection: way, problem } = await connection.look();
    if (way !== 'CONNECTED') return { kind: 'not-sent', problem: problem ?? `the terminal is ${way}` };
    try {
      return await takeSale(order, events, {
        ...{ calls, memory, amounts, terminalId, withinMs, signal, timing, clock },
        isUnwanted: () => own.cancelled,
      });
    } catch (error) {
      await calls.cancel();
      return { kind: 'unknown', problem: messageOf(error) };
    }
  }

  /** The newest sale that we know it has booked, as it stands now. */
  async function newest(): Promise<LastResult> {
    const { last, isPartial } = memory.get();
    if (!last)
      return isPartial ? { kind: 'unavailable', problem: 'what we knew of it is lost' } : { kind: 'none' };
    const reply = await calls.look(last.reference);
    // It forgets what belongs to a day that is closed.
    if (reply.kind === 'refused') return { kind: 'transaction', transaction: last, reversed: false };
    if (reply.kind !== 'ok') return { kind: 'unavailable', problem: problemOf(reply) };
    if (reply.value.kind === 'progress')
      return { kind: 'unavailable', problem: 'the terminal is at work on it' };
    return { kind: 'transaction', transaction: last, reversed: reply.value.result.voided };
  }

  async function resolveOpen(): Promise<LastResult> {
    const { open, token } = memory.get();
    if (token === null) return { kind: 'unavailable', problem: 'it is not paired' };
    if (open) {
      const became = await whatBecame(open, { calls, amounts, clock, lateMs });
      if (became.kind === 'unavailable') return became;
      if (became.kind === 'not-booked') memory.change({ open: null });
      else {
        const { transaction, reversed } = became;
        memory.change({ open: null, last: transaction, isPartial: false });
        return { kind: 'transaction', transaction, reversed };
      }
    }
    return newest();
  }

  return {
    start: connection.start,
    async stop() {
      stopping = true;
      if (paying) {
        paying.cancelled = true;
        const patience = new AbortController();
        await Promise.race([
          paying.done,
          pause(stopPatienceMs, undefined, { signal: patience.signal }).catch(() => {}),
        ]);
        patience.abort();
      }
      ending.abort();
      await paying?.done;
      await connection.stop();
    },
    status: () => shown,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async pay(order, events) {
      if (stopping) return { kind: 'not-sent', problem: 'stopping' };
      if (order.currency !== currency) {
        return { kind: 'declined', reason: 'currency', code: 'not-asked', receipt: [] };
      }
      const own = { cancelled: false, done: Promise.resolve() as Promise<unknown> };
      const outcome = await alone(() => {
        const work = sell(order, events, own);
        own.done = work;
        paying = own;
        return work;
      });
      if (outcome === null) return { kind: 'not-sent', problem: busy() };
      paying = null;
      if (outcome.kind === 'unknown') {
        const uti = memory.get().open?.uti ?? null;
        const { problem } = outcome;
        log.warn({ event: LOG_EVENTS.terminalSaleOpen, terminal: options.id, order: order.id, uti, problem });
        if (!stopping) void connection.look();
      }
      return outcome;
    },

    async cancel() {
      if (paying) paying.cancelled = true;
    },

    async reverse(transaction): Promise<ReverseOutcome> {
      if (transaction.terminalId !== terminalId) return 'not-possible';
      const patience = { withinMs, signal, timing };
      return (await alone(() => reverseSale(calls, transaction.reference, patience))) ?? 'unknown';
    },

    async lastResult() {
      try {
        return (await alone(resolveOpen, false)) ?? { kind: 'unavailable', problem: busy() };
      } catch (error) {
        return { kind: 'unavailable', problem: messageOf(error) };
      }
    },

    async endOfDay() {
      const day = await alone(async () => {
        // The closing itself answers with a text for people.
        const sums = await calls.dayTotals();
        if (sums.kind !== 'ok') return { totals: null, problem: problemOf(sums) };
        const closed = await calls.closeDay();
        if (closed.kind !== 'ok') return { totals: null, problem: problemOf(closed) };
        const { open } = memory.get();
        if (open) memory.change({ open: { ...open, takenBefore: null } });
        const taken = Math.max(sums.value.totalSales - sums.value.totalRefunds, 0);
        const amountMinor = amounts.fromTerminal(taken);
        if (amountMinor === null) return { totals: null, problem: 'its sums are no whole amounts' };
        const receipt = closed.value.result?.split('\n') ?? [];
        return {
          totals: { cards: [{ type: 'all' as const, count: null, amountMinor }], currency, receipt },
          problem: null,
        };
      });
      return day ?? { totals: null, problem: busy() };
    },
  };
}
