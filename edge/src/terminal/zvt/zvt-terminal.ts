import { withTimeout } from '@hlid/node/with-timeout';
import { currencyNumber } from '@hlid/protocol/base/currency-number';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';
import { LOG_EVENTS } from '../../base/events.ts';
import { isSameBooking } from '../same-booking.ts';
import type {
  LastResult,
  PayEvents,
  PayOrder,
  PayOutcome,
  SelfTest,
  Terminal,
  TerminalStatus,
  TerminalTransaction,
} from '../terminal.ts';
import type { TerminalParts } from '../terminal-parts.ts';
import type { ApduLink } from './apdu-line.ts';
import type { DialogueTiming } from './dialogue.ts';
import { endDay } from './end-day.ts';
import { askNewestBooking } from './newest-booking.ts';
import { reverseSale } from './reverse-sale.ts';
import { isDone, problemOfCommand, runZvtCommand } from './run-zvt-command.ts';
import { createSerialLink } from './serial-link.ts';
import { takePayment } from './take-payment.ts';
import { createTcpLink } from './tcp-link.ts';
import { diagnosis } from './zvt-commands.ts';
import { CONNECTION_TIMING, type ConnectionTiming, ZvtConnection } from './zvt-connection.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** How long the reply to an approval may take before the terminal has to repeat the approval; it does so after 2 s. */
const APPROVAL_MS = 2500;
/** How long a payment that is under way has to end when the daemon stops. */
const STOP_TIMEOUT_MS = 5000;

/** Parts that tests replace or make shorter. */
interface Replaced {
  link?: ApduLink;
  dialogue?: Partial<DialogueTiming>;
  connection?: Partial<ConnectionTiming>;
  stopTimeoutMs?: number;
}

/** A terminal that speaks ZVT, over a serial line or TCP. */
export class ZvtTerminal implements Terminal {
  readonly #options: ZvtOptions;
  readonly #parts: Omit<TerminalParts, 'dataDir'>;
  readonly #connection: ZvtConnection;
  readonly #stopTimeoutMs: number;
  readonly #listeners = new Set<(status: TerminalStatus) => void>();
  #status: TerminalStatus;
  #paying: { isCancelled: boolean; done: Promise<unknown> } | null = null;
  #stopping = false;

  constructor(options: ZvtOptions, parts: Omit<TerminalParts, 'dataDir'>, replaced: Replaced = {}) {
    this.#options = options;
    this.#parts = parts;
    this.#stopTimeoutMs = replaced.stopTimeoutMs ?? STOP_TIMEOUT_MS;
    this.#connection = new ZvtConnection({
      link: replaced.link ?? linkOf(options),
      options: { ...options, currency: parts.currency },
      dialogueTiming: {
        replyMs: options.replyTimeoutMs,
        completionMs: options.completionTimeoutMs,
        approvalMs: APPROVAL_MS,
        ...replaced.dialogue,
      },
      timing: { ...CONNECTION_TIMING, ...replaced.connection },
      onChange: () => this.#report(),
    });
    this.#status = { ...this.#connection.state(), since: utcTime(parts.clock.now()) };
  }

  start(): void {
    this.#connection.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#paying) {
      await this.cancel();
      await withTimeout(this.#paying.done, this.#stopTimeoutMs, () => undefined);
      if (this.#paying) this.#connection.renew('stopped in the middle of a payment');
    }
    await this.#connection.stop();
  }

  status(): TerminalStatus {
    return { ...this.#connection.state(), since: this.#status.since };
  }

  onStatus(listener: (status: TerminalStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  check(): Promise<void> {
    return this.#connection.check();
  }

  async pay(order: PayOrder, events: PayEvents): Promise<PayOutcome> {
    if (this.#stopping) return { kind: 'not-sent', problem: 'stopping' };
    if (this.#paying) return { kind: 'not-sent', problem: 'another payment is under way' };
    const number = currencyNumber(order.currency);
    if (number === null || order.currency !== this.#parts.currency) {
      return { kind: 'declined', reason: 'currency', code: 'not-asked', receipt: [] };
    }
    const own = { isCancelled: false, done: Promise.resolve() as Promise<unknown> };
    const work = this.#connection.use(async ({ dialogues, terminalId }) => {
      if (own.isCancelled) return { kind: 'cancelled', code: null } satisfies PayOutcome;
      return takePayment(dialogues, order, events, { terminalId, currencyNumber: number }, this.#options);
    }, 'ready');
    own.done = work;
    this.#paying = own;
    const outcome = await work.finally(() => {
      this.#paying = null;
    });
    return outcome ?? { kind: 'not-sent', problem: this.#problem() };
  }

  async cancel(): Promise<void> {
    if (!this.#paying) return;
    this.#paying.isCancelled = true;
    this.#connection.abort();
  }

  async reverse(transaction: TerminalTransaction): Promise<ReverseOutcome> {
    const outcome = await this.#connection.use(
      (session) => reverseSale(session.dialogues, transaction, session, this.#options),
      'registered',
    );
    return outcome ?? 'not-begun';
  }

  async isReversed(transaction: TerminalTransaction): Promise<boolean | null> {
    const newest = await this.lastResult();
    if (newest.kind !== 'transaction') return null;
    // A reversal is a separate record, which names its sale.
    const { originalTrace } = newest.transaction.marks;
    if (originalTrace !== undefined) return originalTrace === transaction.marks['trace'] ? true : null;
    return isSameBooking(newest.transaction, transaction) ? false : null;
  }

  async lastResult(): Promise<LastResult> {
    const result = await this.#connection.use(
      (session) => askNewestBooking(session.dialogues, session, this.#options),
      'registered',
    );
    return result ?? { kind: 'unavailable', problem: this.#problem() };
  }

  async endOfDay(): ReturnType<Terminal['endOfDay']> {
    const day = await this.#connection.use(
      ({ dialogues }) => endDay(dialogues, this.#parts.currency, this.#options),
      'registered',
    );
    return day ?? { totals: null, problem: this.#problem() };
  }

  async diagnose(): Promise<SelfTest> {
    const result = await this.#connection.use(
      ({ dialogues }) => runZvtCommand(dialogues, diagnosis(), this.#options),
      'registered',
    );
    if (!result) return { problem: this.#problem(), lines: [] };
    return { problem: isDone(result) ? null : problemOfCommand(result), lines: result.receipt };
  }

  #report(): void {
    const state = this.#connection.state();
    const { connection, code, problem } = this.#status;
    if (state.connection === connection && state.code === code && state.problem === problem) return;
    const { clock, log } = this.#parts;
    this.#status = { ...state, since: utcTime(clock.now()) };
    log.info({ event: LOG_EVENTS.terminalState, terminal: this.#options.id, ...state });
    for (const listener of this.#listeners) listener(this.#status);
  }

  #problem(): string {
    const { problem, connection } = this.#connection.state();
    return problem ?? `the terminal is ${connection}`;
  }
}

function linkOf({ serial, tcp }: ZvtOptions): ApduLink {
  if (serial) return createSerialLink(serial);
  if (tcp) return createTcpLink(tcp);
  throw new RangeError('a terminal has serial or tcp');
}
