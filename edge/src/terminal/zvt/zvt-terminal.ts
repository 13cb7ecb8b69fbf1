import { setTimeout as pause } from 'node:timers/promises';
import { utcTime } from '@hlid/protocol/utc-time';
import { LOG_EVENTS } from '../../events.ts';
import { currencyNumber } from '../currency-number.ts';
import type { PayOutcome, Terminal, TerminalStatus } from '../terminal.ts';
import type { TerminalParts } from '../terminal-kinds.ts';
import type { ApduLink } from './apdu-line.ts';
import type { DialogueTiming } from './dialogue.ts';
import { endDay } from './end-day.ts';
import { isDone, problemOfErrand, runErrand } from './errand.ts';
import { askNewestBooking } from './newest-booking.ts';
import { reverseSale } from './reverse-sale.ts';
import { createSerialLink } from './serial-link.ts';
import { takePayment } from './take-payment.ts';
import { createTcpLink } from './tcp-link.ts';
import { diagnosis } from './zvt-commands.ts';
import { CONNECTION_TIMING, type ConnectionTiming, createZvtConnection } from './zvt-connection.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** How long an approval may take to be written down before the terminal is told to ask again; it repeats after 2 s. */
const VERDICT_MS = 2500;
/** How long a payment that is under way may take to end when the daemon stops. */
const STOP_PATIENCE_MS = 5000;

interface Replaced {
  link?: ApduLink;
  dialogue?: Partial<DialogueTiming>;
  connection?: Partial<ConnectionTiming>;
  stopPatienceMs?: number;
}

/** @param replaced what tests make shorter, or put in place of the line */
export function createZvtTerminal(
  options: ZvtOptions,
  { currency, clock, log }: Omit<TerminalParts, 'dataDir'>,
  replaced: Replaced = {},
): Terminal {
  const listeners = new Set<(status: TerminalStatus) => void>();
  let shown = { connection: '', code: '', problem: '' } as Record<string, string | null>;
  let since = utcTime(clock.now());
  let paying: { cancelled: boolean; done: Promise<unknown> } | null = null;
  let stopping = false;

  const connection = createZvtConnection({
    link: replaced.link ?? linkOf(options),
    options: { ...options, currency },
    dialogueTiming: {
      replyMs: options.replyTimeoutMs,
      completionMs: options.completionTimeoutMs,
      verdictMs: VERDICT_MS,
      ...replaced.dialogue,
    },
    timing: { ...CONNECTION_TIMING, ...replaced.connection },
    onChange: tell,
  });

  function tell(): void {
    const state = connection.state();
    if (
      state.connection === shown['connection'] &&
      state.code === shown['code'] &&
      state.problem === shown['problem']
    ) {
      return;
    }
    shown = { ...state };
    since = utcTime(clock.now());
    log.info({ event: LOG_EVENTS.terminalState, terminal: options.id, ...state });
    for (const listener of listeners) listener({ ...state, since });
  }

  return {
    start: connection.start,
    async stop() {
      stopping = true;
      if (paying) {
        paying.cancelled = true;
        connection.inUse()?.abort();
        const patience = new AbortController();
        const { stopPatienceMs = STOP_PATIENCE_MS } = replaced;
        await Promise.race([
          paying.done,
          pause(stopPatienceMs, undefined, { signal: patience.signal }).catch(() => {}),
        ]);
        patience.abort();
        if (paying) connection.renew('stopped in the middle of a payment');
      }
      await connection.stop();
    },
    status: () => ({ ...connection.state(), since }),
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async pay(order, events): Promise<PayOutcome> {
      if (stopping || paying) {
        return { kind: 'not-sent', problem: stopping ? 'stopping' : 'another payment is under way' };
      }
      const number = currencyNumber(order.currency);
      if (number === null || order.currency !== currency) {
        return { kind: 'declined', reason: 'currency', code: 'not-asked', receipt: [] };
      }
      const own = { cancelled: false, done: Promise.resolve() as Promise<unknown> };
      const work = connection.use(async (session) => {
        if (own.cancelled) return { kind: 'cancelled', code: null } satisfies PayOutcome;
        const known = { terminalId: session.terminalId, currencyNumber: number };
        return takePayment(session.dialogues, order, events, known, options);
      }, 'ready');
      own.done = work;
      paying = own;
      const outcome = await work.finally(() => {
        paying = null;
      });
      return outcome ?? { kind: 'not-sent', problem: problemOfState() };
    },

    async cancel() {
      if (!paying) return;
      paying.cancelled = true;
      connection.inUse()?.abort();
    },

    async reverse(transaction) {
      const outcome = await connection.use(
        (session) => reverseSale(session.dialogues, transaction, session, options),
        'registered',
      );
      return outcome ?? 'unknown';
    },

    async lastResult() {
      const result = await connection.use(
        (session) => askNewestBooking(session.dialogues, session, options),
        'registered',
      );
      return result ?? { kind: 'unavailable', problem: problemOfState() };
    },

    async endOfDay() {
      const day = await connection.use(
        (session) => endDay(session.dialogues, currency, options),
        'registered',
      );
      return day ?? { totals: null, problem: problemOfState() };
    },

    async diagnose() {
      const errand = await connection.use(
        (session) => runErrand(session.dialogues, diagnosis(), options),
        'registered',
      );
      if (!errand) return { problem: problemOfState(), lines: [] };
      return { problem: isDone(errand) ? null : problemOfErrand(errand), lines: errand.receipt };
    },
  };

  function problemOfState(): string {
    const state = connection.state();
    return state.problem ?? `the terminal is ${state.connection}`;
  }
}

function linkOf({ serial, tcp }: ZvtOptions): ApduLink {
  if (serial) return createSerialLink(serial);
  if (tcp) return createTcpLink(tcp);
  throw new RangeError('a terminal has serial or tcp');
}
