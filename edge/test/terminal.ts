import { utcTime } from '@hlid/protocol/base/utc-time';
import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';
import type {
  LastResult,
  PayEvents,
  PayOrder,
  PayOutcome,
  Terminal,
  TerminalConnection,
  TerminalStatus,
  TerminalTransaction,
} from '../src/terminal/terminal.ts';

/** A terminal controlled by the test, for rules alone; the behaviour of real ones is in their simulators. */
export class TestTerminal implements Terminal {
  last: LastResult = { kind: 'none' };
  /** How often it was asked for `last`. */
  asked = 0;
  /** It answers that once this resolves. */
  answers: Promise<unknown> = Promise.resolve();
  reverses: ReverseOutcome = 'reversed';
  /** The terminal's later report on a reversal. */
  knowsReversed: boolean | null = null;
  readonly reversed: TerminalTransaction[] = [];
  cancels = 0;
  checks = 0;
  totals: Awaited<ReturnType<Terminal['endOfDay']>> = {
    totals: { cards: [], currency: 'ISK', receipt: [] },
    problem: null,
  };
  readonly #listeners = new Set<(status: TerminalStatus) => void>();
  #connection: TerminalConnection = 'CONNECTED';
  #paying: { order: PayOrder; events: PayEvents; end: (outcome: PayOutcome) => void } | null = null;

  get connection(): TerminalConnection {
    return this.#connection;
  }

  /** Reports the status, also if it is the same as before. */
  set connection(connection: TerminalConnection) {
    this.#connection = connection;
    for (const listener of this.#listeners) listener(this.status());
  }

  /** Whether its status has a listener. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** The payment that it is at; throws if there is none. */
  paying(): { order: PayOrder; events: PayEvents; end: (outcome: PayOutcome) => void } {
    if (!this.#paying) throw new Error('nobody pays');
    return this.#paying;
  }

  isPaying(): boolean {
    return this.#paying !== null;
  }

  start(): void {}

  async check(): Promise<void> {
    this.checks++;
  }

  async stop(): Promise<void> {
    this.#paying?.end({ kind: 'unknown', problem: 'stopped' });
  }

  status(): TerminalStatus {
    const since = utcTime(new Date('2026-11-21T08:00:00.000Z'));
    return { connection: this.#connection, code: null, problem: null, since };
  }

  onStatus(listener: (status: TerminalStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  pay(order: PayOrder, events: PayEvents): Promise<PayOutcome> {
    return new Promise((resolve) => {
      const end = (outcome: PayOutcome) => {
        this.#paying = null;
        resolve(outcome);
      };
      this.#paying = { order, events, end };
    });
  }

  async cancel(): Promise<void> {
    this.cancels++;
  }

  async reverse(transaction: TerminalTransaction): Promise<ReverseOutcome> {
    this.reversed.push(transaction);
    return this.reverses;
  }

  async isReversed(): Promise<boolean | null> {
    return this.knowsReversed;
  }

  async lastResult(): Promise<LastResult> {
    this.asked++;
    await this.answers;
    return this.last;
  }

  async endOfDay(): ReturnType<Terminal['endOfDay']> {
    return this.totals;
  }
}

export function testTransaction(amountMinor: number, reference = '0001'): TerminalTransaction {
  return {
    reference,
    terminalId: '52500001',
    amountMinor,
    currency: 'ISK',
    authorisation: '123456',
    card: { type: 'visa', lastFour: '1111' },
    at: null,
    marks: {},
  };
}
