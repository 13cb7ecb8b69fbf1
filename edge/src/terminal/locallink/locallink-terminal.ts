import { withTimeout } from '@hlid/node/with-timeout';
import { messageOf } from '@hlid/protocol/base/fault';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';
import { LOG_EVENTS } from '../../base/events.ts';
import type {
  LastResult,
  PayEvents,
  PayOrder,
  PayOutcome,
  Terminal,
  TerminalStatus,
  TerminalTransaction,
} from '../terminal.ts';
import { TerminalAmount } from '../terminal-amount.ts';
import type { TerminalParts } from '../terminal-parts.ts';
import { FOLLOW_TIMING, type FollowTiming } from './follow-transaction.ts';
import { createLocallinkCalls, type LocallinkCalls, problemOf } from './locallink-calls.ts';
import { CONNECTION_TIMING, type ConnectionTiming, LocallinkConnection } from './locallink-connection.ts';
import type { LocallinkOptions } from './locallink-options.ts';
import { reverseSale, wasReversed } from './reverse-sale.ts';
import { findSaleOutcome } from './sale-outcome.ts';
import { takeSale } from './take-sale.ts';
import { TerminalMemory } from './terminal-memory.ts';

/** How long a payment that is under way has to end when the daemon stops. */
const STOP_TIMEOUT_MS = 5000;
/** The time for which a call without an answer may still be on its way. */
const LATE_MS = 15_000;

interface Replaced {
  connection?: Partial<ConnectionTiming>;
  follow?: Partial<FollowTiming>;
  stopTimeoutMs?: number;
  lateMs?: number;
}

/** A PAX terminal with Rapyd's LocalLink. */
export class LocallinkTerminal implements Terminal {
  readonly #options: LocallinkOptions;
  readonly #parts: TerminalParts;
  readonly #timing: FollowTiming;
  readonly #stopTimeoutMs: number;
  readonly #lateMs: number;
  readonly #ending = new AbortController();
  readonly #memory: TerminalMemory;
  readonly #amounts: TerminalAmount;
  readonly #calls: LocallinkCalls;
  readonly #connection: LocallinkConnection;
  readonly #listeners = new Set<(status: TerminalStatus) => void>();
  #isInUse = false;
  /** It does something that a driver would see; to be asked is no work. */
  #isAtWork = false;
  #paying: { isCancelled: boolean; done: Promise<unknown> } | null = null;
  #stopping = false;
  #status: TerminalStatus;

  constructor(options: LocallinkOptions, parts: TerminalParts, replaced: Replaced = {}) {
    this.#options = options;
    this.#parts = parts;
    this.#timing = { ...FOLLOW_TIMING, ...replaced.follow };
    this.#stopTimeoutMs = replaced.stopTimeoutMs ?? STOP_TIMEOUT_MS;
    this.#lateMs = replaced.lateMs ?? LATE_MS;
    this.#memory = new TerminalMemory(parts.dataDir, options.id);
    this.#amounts = new TerminalAmount(parts.currency, options.amountDigits);
    this.#calls = createLocallinkCalls(options, () => this.#memory.get().token, this.#ending.signal);
    this.#connection = new LocallinkConnection({
      calls: this.#calls,
      memory: this.#memory,
      pairingCode: options.pairingCode,
      isInUse: () => this.#isInUse,
      onChange: () => this.#report(),
      timing: { ...CONNECTION_TIMING, ...replaced.connection },
    });
    const since = utcTime(parts.clock.now());
    this.#status = { connection: 'DISCONNECTED', code: null, problem: null, since };
  }

  start(): void {
    this.#connection.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#paying) {
      this.#paying.isCancelled = true;
      await withTimeout(this.#paying.done, this.#stopTimeoutMs, () => undefined);
    }
    this.#ending.abort();
    await this.#paying?.done;
    await this.#connection.stop();
  }

  status(): TerminalStatus {
    return this.#status;
  }

  onStatus(listener: (status: TerminalStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async check(): Promise<void> {
    if (!this.#isInUse) await this.#connection.check();
  }

  async pay(order: PayOrder, events: PayEvents): Promise<PayOutcome> {
    if (this.#stopping) return { kind: 'not-sent', problem: 'stopping' };
    if (order.currency !== this.#parts.currency) {
      return { kind: 'declined', reason: 'currency', code: 'not-asked', receipt: [] };
    }
    const own = { isCancelled: false, done: Promise.resolve() as Promise<unknown> };
    const outcome = await this.#alone(() => {
      const work = this.#sell(order, events, own);
      own.done = work;
      this.#paying = own;
      return work;
    });
    if (outcome === null) return { kind: 'not-sent', problem: this.#problem() };
    this.#paying = null;
    if (outcome.kind === 'unknown') {
      this.#logOpenSale(order, outcome.problem);
      if (!this.#stopping) void this.#connection.check();
    }
    return outcome;
  }

  async cancel(): Promise<void> {
    if (this.#paying) this.#paying.isCancelled = true;
  }

  async reverse({ terminalId, reference }: TerminalTransaction): Promise<ReverseOutcome> {
    if (terminalId !== this.#options.terminalId) return 'not-possible';
    return (await this.#alone(() => reverseSale(this.#calls, reference, this.#patience()))) ?? 'not-begun';
  }

  async isReversed({ terminalId, reference }: TerminalTransaction): Promise<boolean | null> {
    if (terminalId !== this.#options.terminalId) return null;
    return await this.#alone(() => wasReversed(this.#calls, reference), false);
  }

  async lastResult(): Promise<LastResult> {
    try {
      const last = await this.#alone(() => this.#resolveOpen(), false);
      return last ?? { kind: 'unavailable', problem: this.#problem() };
    } catch (error) {
      return { kind: 'unavailable', problem: messageOf(error) };
    }
  }

  async endOfDay(): ReturnType<Terminal['endOfDay']> {
    const day = await this.#alone(() => this.#closeDay());
    return day ?? { totals: null, problem: this.#problem() };
  }

  #patience() {
    return {
      withinMs: this.#options.completionTimeoutMs,
      signal: this.#ending.signal,
      timing: this.#timing,
    };
  }

  #report(): void {
    const login = this.#connection.login();
    const isActive = this.#isAtWork && login.connection === 'CONNECTED';
    const next = isActive ? { ...login, connection: 'ACTIVE' as const } : login;
    const { connection, code, problem } = this.#status;
    if (next.connection === connection && next.code === code && next.problem === problem) return;
    const { clock, log } = this.#parts;
    this.#status = { ...next, since: utcTime(clock.now()) };
    log.info({ event: LOG_EVENTS.terminalState, terminal: this.#options.id, ...next });
    for (const listener of this.#listeners) listener(this.#status);
  }

  #problem(): string {
    return this.#status.problem ?? 'the terminal is in use';
  }

  /** Does something with the terminal, alone; null: it is in use. */
  async #alone<T>(work: () => Promise<T>, isWork = true): Promise<T | null> {
    if (this.#isInUse) return null;
    this.#isInUse = true;
    this.#isAtWork = isWork;
    this.#report();
    try {
      return await work();
    } finally {
      this.#isInUse = false;
      this.#isAtWork = false;
      this.#report();
    }
  }

  async #sell(order: PayOrder, events: PayEvents, own: { isCancelled: boolean }): Promise<PayOutcome> {
    const { connection, problem } = await this.#connection.check();
    if (connection !== 'CONNECTED') {
      return { kind: 'not-sent', problem: problem ?? `the terminal is ${connection}` };
    }
    try {
      return await takeSale(order, events, {
        calls: this.#calls,
        memory: this.#memory,
        amounts: this.#amounts,
        ...this.#patience(),
        terminalId: this.#options.terminalId,
        clock: this.#parts.clock,
        isCancelRequested: () => own.isCancelled,
      });
    } catch (error) {
      await this.#calls.cancel();
      return { kind: 'unknown', problem: messageOf(error) };
    }
  }

  #logOpenSale({ id: order }: PayOrder, problem: string): void {
    const uti = this.#memory.get().open?.uti ?? null;
    const terminal = this.#options.id;
    this.#parts.log.warn({ event: LOG_EVENTS.terminalSaleOpen, terminal, order, uti, problem });
  }

  async #resolveOpen(): Promise<LastResult> {
    const { open, token } = this.#memory.get();
    if (token === null) return { kind: 'unavailable', problem: 'it is not paired' };
    if (open) {
      const { clock } = this.#parts;
      const parts = { calls: this.#calls, amounts: this.#amounts, clock, lateMs: this.#lateMs };
      const outcome = await findSaleOutcome(open, parts);
      if (outcome.kind === 'unavailable') return outcome;
      if (outcome.kind === 'booked') {
        const { transaction, reversed } = outcome;
        this.#memory.change({ open: null, last: transaction, isPartial: false });
        return { kind: 'transaction', transaction, reversed };
      }
      this.#memory.change({ open: null });
    }
    return await this.#newest();
  }

  /** The newest sale that we know it has booked, as it stands now. */
  async #newest(): Promise<LastResult> {
    const { last, isPartial } = this.#memory.get();
    if (!last) {
      return isPartial ? { kind: 'unavailable', problem: 'what we knew of it is lost' } : { kind: 'none' };
    }
    const reply = await this.#calls.getTransaction(last.reference);
    // It forgets what belongs to a day that is closed.
    if (reply.kind === 'refused') return { kind: 'transaction', transaction: last, reversed: false };
    if (reply.kind !== 'ok') return { kind: 'unavailable', problem: problemOf(reply) };
    if (reply.value.kind === 'progress') {
      return { kind: 'unavailable', problem: 'the terminal is at work on it' };
    }
    return { kind: 'transaction', transaction: last, reversed: reply.value.result.voided };
  }

  async #closeDay(): ReturnType<Terminal['endOfDay']> {
    // The closing itself answers with a text for people.
    const sums = await this.#calls.dayTotals();
    if (sums.kind !== 'ok') return { totals: null, problem: problemOf(sums) };
    const closed = await this.#calls.closeDay();
    if (closed.kind !== 'ok') return { totals: null, problem: problemOf(closed) };
    const { open } = this.#memory.get();
    if (open) this.#memory.change({ open: { ...open, takenBefore: null } });
    const taken = Math.max(sums.value.totalSales - sums.value.totalRefunds, 0);
    const amountMinor = this.#amounts.fromTerminal(taken);
    if (amountMinor === null) return { totals: null, problem: 'its sums are no whole amounts' };
    const receipt = closed.value.result?.split('\n') ?? [];
    const { currency } = this.#parts;
    return {
      totals: { cards: [{ type: 'all', count: null, amountMinor }], currency, receipt },
      problem: null,
    };
  }
}
