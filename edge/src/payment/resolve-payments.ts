import { backoffMs } from '@hlid/protocol/base/backoff';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import { DRIVER_GONE, mayBeRefunded, REVERSE_UNKNOWN } from '@hlid/protocol/rules/payment-transitions';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Terminal, TerminalConnection } from '../terminal/terminal.ts';
import { type BookingVerdict, judgeBooking } from './judge-booking.ts';
import type { PaymentSettlement } from './payment-settlement.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';
import { NO_SUCH_TERMINAL, type TerminalPaymentInput } from './terminal-payment-transitions.ts';
import type { TerminalSale } from './terminal-sale.ts';

export interface ResolverTiming {
  firstPauseMs: number;
  maxPauseMs: number;
  /**
   * The number of answers without a result from a connected terminal after which a payment needs a person.
   */
  triesWhileConnected: number;
  /** The longest time that a driver waits at the exit. */
  letOutAfterMs: number;
}

const TIMING: ResolverTiming = {
  firstPauseMs: 1000,
  maxPauseMs: MINUTE_MS,
  triesWhileConnected: 10,
  letOutAfterMs: 2 * MINUTE_MS,
};

/** A terminal that was out of the configuration for longer may have served another till. */
const OURS_ALONE_MS = HOUR_MS;

/**
 * Finds the outcome of payments that are under way without a running dialogue, and of reversals without an
 * answer: after a power cut, or a broken line. It asks the terminal, again after growing pauses, until no
 * such payment is left.
 */
export class PaymentResolver {
  readonly #context: EdgeContext;
  readonly #terminalId: string;
  readonly #terminal: Pick<Terminal, 'lastResult' | 'isReversed' | 'status' | 'onStatus'>;
  readonly #store: PaymentStore;
  readonly #settlement: PaymentSettlement;
  readonly #sales: ReadonlyMap<string, TerminalSale>;
  readonly #isReversing: (paymentId: string) => boolean;
  readonly #timing: ResolverTiming;
  readonly #tries = new Map<string, number>();
  /** Questions about reversals, since it last ran for a reason. */
  readonly #reversalTries = new Map<string, number>();
  /** Pauses since it last ran for a reason. */
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #runAgain = false;
  #stopped = false;
  #unsubscribe: () => void = () => undefined;

  constructor(
    context: EdgeContext,
    parts: {
      terminalId: string;
      terminal: Pick<Terminal, 'lastResult' | 'isReversed' | 'status' | 'onStatus'>;
      store: PaymentStore;
      settlement: PaymentSettlement;
      /** The payments at the terminal now, by their id. */
      sales: ReadonlyMap<string, TerminalSale>;
      /** Whether the terminal is at the reversal of a payment now. */
      isReversing: (paymentId: string) => boolean;
      timing?: Partial<ResolverTiming> | undefined;
    },
  ) {
    this.#context = context;
    this.#terminalId = parts.terminalId;
    this.#terminal = parts.terminal;
    this.#store = parts.store;
    this.#settlement = parts.settlement;
    this.#sales = parts.sales;
    this.#isReversing = parts.isReversing;
    this.#timing = { ...TIMING, ...parts.timing };
  }

  start(): void {
    let before: TerminalConnection = this.#terminal.status().connection;
    this.#unsubscribe = this.#terminal.onStatus(({ connection }) => {
      const isBack = connection === 'CONNECTED' && before !== 'CONNECTED';
      before = connection;
      if (isBack) void this.run();
    });
    void this.run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Runs at once; the pauses begin with the shortest again. */
  run(): Promise<void> {
    this.#pauses = 0;
    this.#reversalTries.clear();
    return this.#begin();
  }

  #begin(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#running) this.#runAgain = true;
    this.#running ??= this.#resolveAll().finally(() => {
      this.#running = null;
      this.#schedule();
    });
    return this.#running;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || (this.#open()?.length === 0 && this.#doubtful().length === 0)) return;
    const { firstPauseMs: firstMs, maxPauseMs: maxMs } = this.#timing;
    this.#timer = setTimeout(() => void this.#begin(), backoffMs(++this.#pauses, { firstMs, maxMs })).unref();
  }

  async #resolveAll(): Promise<void> {
    do {
      this.#runAgain = false;
      for (const entry of this.#open() ?? []) {
        if (this.#stopped) return;
        await this.#resolve(entry).catch((err: unknown) =>
          this.#context.log.error({ event: LOG_EVENTS.paymentFailed, id: entry.payment.id, err }),
        );
      }
      for (const id of this.#doubtful()) {
        if (this.#stopped) return;
        await this.#resolveReversal(id).catch((err: unknown) =>
          this.#context.log.error({ event: LOG_EVENTS.paymentFailed, id, err }),
        );
      }
    } while (this.#runAgain && !this.#stopped);
  }

  /** Null: the journal cannot be read now. */
  #open(): JournalEntry[] | null {
    try {
      return this.#store.underWay().filter(({ payment }) => this.#isOpen(payment));
    } catch (err) {
      this.#context.log.error({ event: LOG_EVENTS.paymentFailed, err });
      return null;
    }
  }

  #isOpen({ id, terminalId, needsPerson, reason }: Payment): boolean {
    if (terminalId !== this.#terminalId) return false;
    // The terminal is in the configuration again: its memory is read before another payment begins there.
    if (needsPerson) return reason === NO_SUCH_TERMINAL && !this.#store.atTerminal(terminalId);
    const sale = this.#sales.get(id);
    return sale === undefined || sale.isGivenUp;
  }

  /** Payments that the terminal may have reversed, and about which it is still asked. */
  #doubtful(): string[] {
    try {
      return this.#store
        .forPerson()
        .filter((payment) => payment.terminalId === this.#terminalId && mayBeRefunded(payment))
        .map(({ id }) => id)
        .filter(
          (id) => !this.#isReversing(id) && this.#reversalTriesOf(id) < this.#timing.triesWhileConnected,
        );
    } catch (err) {
      this.#context.log.error({ event: LOG_EVENTS.paymentFailed, err });
      return [];
    }
  }

  /** If the terminal cannot answer, a person must find out. No second order goes out before that. */
  async #resolveReversal(id: string): Promise<void> {
    const booking = this.#store.get(id)?.booking ?? null;
    const isReversed = booking === null ? null : await this.#terminal.isReversed(booking);
    const now = this.#store.get(id)?.payment;
    // A person or another order was faster.
    if (now === undefined || !mayBeRefunded(now) || this.#isReversing(id)) return;
    if (isReversed === null) {
      const isThere = this.#terminal.status().connection === 'CONNECTED';
      if (isThere) this.#reversalTries.set(id, this.#reversalTriesOf(id) + 1);
      if (now.reason === REVERSE_UNKNOWN) return;
    }
    const outcome = isReversed === null ? 'unknown' : isReversed ? 'already-reversed' : 'not-possible';
    this.#context.log.info({ event: LOG_EVENTS.paymentAsked, id, verdict: outcome });
    await this.#settlement.apply(id, { kind: 'reverse-answer', outcome, reason: 'reversal-found' });
  }

  #reversalTriesOf(id: string): number {
    return this.#reversalTries.get(id) ?? 0;
  }

  async #resolve(entry: JournalEntry): Promise<void> {
    const { id, state, needsPerson, createdAt } = entry.payment;
    const ageMs = this.#context.clock.now().getTime() - millis(createdAt);
    const isLong = ageMs > this.#timing.letOutAfterMs;
    const apply = (input: TerminalPaymentInput) => this.#settlement.apply(id, input);
    if (this.#sales.has(id)) {
      // The terminal may take its time. A driver who has cancelled the payment is not kept in for that.
      if (isLong) await apply({ kind: 'waited-too-long' });
      return;
    }
    if (state === 'created') {
      // An order is sent only after `sent` is on the disk.
      await apply({ kind: 'not-booked', state: 'cancelled', reason: 'not-sent' });
      return;
    }
    if (needsPerson) await apply({ kind: 'terminal-back' });
    if (state !== 'unknown') await apply({ kind: 'unknown', reason: reasonOf(entry) ?? 'restart' });
    if (isLong) await apply({ kind: 'waited-too-long' });
    const verdict = await this.#ask(entry);
    if (this.#sales.has(id) || this.#store.get(id)?.payment.state !== 'unknown') return;
    this.#context.log.info({ event: LOG_EVENTS.paymentAsked, id, verdict: verdict.kind });
    const input =
      verdict.kind === 'ask-again' ? this.#afterNoAnswer(id) : inputOf(verdict, entry, ageMs > OURS_ALONE_MS);
    if (input) await apply(input);
  }

  async #ask({ payment, baseline, booking }: JournalEntry): Promise<BookingVerdict> {
    const { id, amountMinor, currency } = payment;
    const last = await this.#terminal.lastResult();
    const others =
      last.kind === 'transaction' ? this.#store.bookedElsewhere(id, last.transaction.reference) : [];
    const takesTips = this.#settlement.takesTips();
    return judgeBooking({ amountMinor, currency, baseline, booking, last, takesTips, others });
  }

  /** Null: the terminal is asked again. */
  #afterNoAnswer(id: string): TerminalPaymentInput | null {
    if (this.#terminal.status().connection !== 'CONNECTED') return null;
    const tries = (this.#tries.get(id) ?? 0) + 1;
    this.#tries.set(id, tries);
    if (tries < this.#timing.triesWhileConnected) return null;
    return { kind: 'needs-person', reason: 'terminal-does-not-report' };
  }
}

/** The reason that the terminal was away does not hold any more. */
function reasonOf({ payment: { reason } }: JournalEntry): string | null {
  return reason === NO_SUCH_TERMINAL ? null : reason;
}

/** @param isLong whether another till may have used the terminal while it was out of the configuration */
function inputOf(
  verdict: Exclude<BookingVerdict, { kind: 'ask-again' }>,
  entry: JournalEntry,
  isLong: boolean,
): TerminalPaymentInput {
  const { payment, booking } = entry;
  const wasAway = payment.reason === NO_SUCH_TERMINAL;
  const reason = reasonOf(entry);
  switch (verdict.kind) {
    case 'booked':
      return booking === null && wasAway && isLong
        ? { kind: 'needs-person', reason: 'another-booking' }
        : { kind: 'booked', transaction: verdict.transaction };
    case 'reversed':
      return { kind: 'reversed', reason: reason ?? 'terminal' };
    case 'not-booked':
      if (booking) return { kind: 'reversed', reason: reason ?? 'terminal' };
      return {
        kind: 'not-booked',
        state: 'cancelled',
        reason: reason === DRIVER_GONE ? DRIVER_GONE : 'not-booked',
      };
    case 'person':
      return { kind: 'needs-person', reason: verdict.reason };
    default:
      return verdict satisfies never;
  }
}
