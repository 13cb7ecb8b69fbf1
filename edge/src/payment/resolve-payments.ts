import type { Payment } from '@hlid/protocol/payment';
import { HOUR_MS, millis } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { LOG_EVENTS } from '../events.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { judgeBooking } from './judge-booking.ts';
import { DRIVER_GONE, NO_SUCH_TERMINAL, type PaymentTill } from './payment-settlement.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';

/** Finds out what became of payments that are under way with nobody at it: after a power cut, or a line that broke. */
export interface PaymentResolver {
  /** Looks at once; the pauses begin anew. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

export interface ResolverTiming {
  firstPauseMs: number;
  maxPauseMs: number;
  /** So often a terminal that is there says nothing before a person has to look. */
  triesWhileConnected: number;
  /** So long a driver waits for the answer at the exit. */
  letOutAfterMs: number;
}

export const RESOLVER_TIMING: ResolverTiming = {
  firstPauseMs: 1000,
  maxPauseMs: 60_000,
  triesWhileConnected: 10,
  letOutAfterMs: 120_000,
};

/** A terminal that was not the site's for longer may have served another till. */
const OURS_ALONE_MS = HOUR_MS;

export function createPaymentResolver(parts: {
  terminalId: string;
  store: Pick<PaymentStore, 'underWay' | 'get' | 'atTerminal' | 'bookedElsewhere'>;
  till: PaymentTill;
  terminal: Pick<Terminal, 'lastResult' | 'status' | 'onStatus'>;
  /** Somebody is at it. */
  isActive: (id: string) => boolean;
  /** Its driver not, but the terminal. */
  isGivenUp: (id: string) => boolean;
  timing: ResolverTiming;
  clock: Clock;
  log: Logger;
}): PaymentResolver {
  const { store, till, terminal, timing, clock, log } = parts;
  const tries = new Map<string, number>();
  let pauseMs = timing.firstPauseMs;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  /** Null: the journal cannot be read now. */
  function open(): JournalEntry[] | null {
    try {
      return store.underWay().filter(({ payment }) => isToBeAsked(payment));
    } catch (err) {
      log.error({ event: LOG_EVENTS.paymentFailed, err });
      return null;
    }
  }

  function isToBeAsked({ id, terminalId, needsPerson, reason }: Payment): boolean {
    if (terminalId !== parts.terminalId) return false;
    // Back in the configuration, before anybody else pays there.
    if (needsPerson) return reason === NO_SUCH_TERMINAL && !store.atTerminal(terminalId);
    return !parts.isActive(id) || parts.isGivenUp(id);
  }

  async function resolve({ payment, baseline, booking }: JournalEntry): Promise<void> {
    const { id, state, amountMinor, currency } = payment;
    const wasAway = payment.reason === NO_SUCH_TERMINAL;
    const reason = wasAway ? null : payment.reason;
    const ageMs = clock.now().getTime() - millis(payment.createdAt);
    const isLong = ageMs > timing.letOutAfterMs;
    // The terminal may take its time, a driver who does not want it any more is not kept in for that.
    if (parts.isActive(id)) return isLong ? await till.letOut(id) : undefined;
    // Nothing goes out before `sent` is on the disk.
    if (state === 'created') return await till.failed(id, 'cancelled', 'not-sent');
    if (payment.needsPerson) await till.backAtTerminal(id);
    if (state !== 'unknown') await till.unknown(id, reason ?? 'restart');
    if (isLong) await till.letOut(id);
    const last = await terminal.lastResult();
    if (parts.isActive(id) || store.get(id)?.payment.state !== 'unknown') return;
    const others = last.kind === 'transaction' ? store.bookedElsewhere(id, last.transaction.reference) : [];
    const verdict = judgeBooking({ amountMinor, currency, baseline, booking, last, others });
    log.info({ event: LOG_EVENTS.paymentAsked, id, verdict: verdict.kind });
    switch (verdict.kind) {
      case 'booked':
        if (booking === null && wasAway && ageMs > OURS_ALONE_MS) {
          return await till.toPerson(id, 'another-booking');
        }
        return await till.booked(id, verdict.transaction);
      case 'reversed':
        return await till.reversed(id, reason ?? 'terminal');
      case 'not-booked':
        return booking
          ? await till.reversed(id, reason ?? 'terminal')
          : await till.failed(id, 'cancelled', reason === DRIVER_GONE ? DRIVER_GONE : 'not-booked');
      case 'ask-again': {
        if (terminal.status().connection !== 'CONNECTED') return;
        const tried = (tries.get(id) ?? 0) + 1;
        tries.set(id, tried);
        if (tried >= timing.triesWhileConnected) await till.toPerson(id, 'terminal-does-not-tell');
        return;
      }
      case 'person':
        return await till.toPerson(id, verdict.why);
      default:
        return verdict satisfies never;
    }
  }

  async function lookOnce(): Promise<void> {
    for (const entry of open() ?? []) {
      if (stopped) return;
      try {
        await resolve(entry);
      } catch (err) {
        log.error({ event: LOG_EVENTS.paymentFailed, id: entry.payment.id, err });
      }
    }
  }

  async function look(): Promise<void> {
    do {
      again = false;
      await lookOnce();
    } while (again && !stopped);
  }

  function lookSoon(): void {
    clearTimeout(timer);
    if (stopped || open()?.length === 0) return;
    timer = setTimeout(() => void begin(), pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, timing.maxPauseMs);
  }

  function begin(): Promise<void> {
    if (stopped) return Promise.resolve();
    if (looking) again = true;
    looking ??= look().finally(() => {
      looking = null;
      lookSoon();
    });
    return looking;
  }

  function lookNow(): Promise<void> {
    pauseMs = timing.firstPauseMs;
    return begin();
  }

  let connection = terminal.status().connection;
  const ignore = terminal.onStatus((status) => {
    const back = status.connection === 'CONNECTED' && connection !== 'CONNECTED';
    connection = status.connection;
    if (back) void lookNow();
  });

  return {
    look: lookNow,
    async stop() {
      stopped = true;
      ignore();
      clearTimeout(timer);
      await looking;
    },
  };
}
