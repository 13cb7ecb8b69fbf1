import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import type { DaySum } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { DayTotals, Terminal } from '../terminal/terminal.ts';
import type { PaymentStore } from './payment-store.ts';

const CHECK_EVERY_MS = MINUTE_MS;
const RETRY_AFTER_MS = 15 * MINUTE_MS;
/** The time without a closed day after which the terminal may run out of memory, and no money is paid out. */
const OVERDUE_MS = DAY_MS + 12 * HOUR_MS;

/** Closes a terminal's day each night, and compares the terminal's totals with the journal. */
export class DayClosing {
  readonly #context: EdgeContext;
  readonly #terminalId: string;
  readonly #terminal: Pick<Terminal, 'status' | 'endOfDay'>;
  readonly #store: PaymentStore;
  readonly #runAlone: (work: () => Promise<void>) => Promise<boolean>;
  readonly #closesAt: string;
  readonly #timeZone: () => string;
  /** Why the last try failed; null: it did not. */
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    context: EdgeContext,
    parts: {
      terminalId: string;
      terminal: Pick<Terminal, 'status' | 'endOfDay'>;
      store: PaymentStore;
      /** Runs work while no payment is under way; false: one is. */
      runAlone: (work: () => Promise<void>) => Promise<boolean>;
      /** The closing time by the wall clock of the site, such as `04:00`. */
      closesAt: string;
      timeZone: () => string;
    },
  ) {
    this.#context = context;
    this.#terminalId = parts.terminalId;
    this.#terminal = parts.terminal;
    this.#store = parts.store;
    this.#runAlone = parts.runAlone;
    this.#closesAt = parts.closesAt;
    this.#timeZone = parts.timeZone;
  }

  start(): void {
    this.#check();
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Closes the day if it is time and no payment is under way. */
  async closeIfDue(): Promise<void> {
    const day = this.#store.day(this.#terminalId);
    const at = this.#now();
    if (!day) {
      const begun = { triedAt: at, closedAt: at, differs: null };
      return await this.#context.commit.run(() => this.#store.saveDay(this.#terminalId, begun));
    }
    const today = this.#dateOf(at);
    if (day.closedAt !== null && this.#dateOf(day.closedAt) >= today) return;
    const wasTriedToday = this.#dateOf(day.triedAt) >= today;
    if (wasTriedToday && millis(at) - millis(day.triedAt) < RETRY_AFTER_MS) return;
    if (this.#terminal.status().connection === 'CONNECTED') await this.#runAlone(() => this.#close());
  }

  /** Closes the day at once; false: a payment is under way, or the terminal did not close it. */
  async close(): Promise<boolean> {
    return (await this.#runAlone(() => this.#close())) && this.#problem === null;
  }

  sign(): HealthSignal {
    const day = this.#store.day(this.#terminalId);
    if (!day) return HEALTHY;
    if (day.differs !== null) return { state: 'differing', detail: day.differs };
    const isOverdue = day.closedAt !== null && millis(this.#now()) - millis(day.closedAt) > OVERDUE_MS;
    if (!isOverdue) return HEALTHY;
    const reason = this.#problem === null ? '' : `: ${this.#problem}`;
    return { state: 'failing', detail: `The day was last closed at ${day.closedAt}${reason}` };
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }

  /** The date of the day that a moment belongs to: a day begins at the hour at which the one before is closed. */
  #dateOf(at: UtcTime): string {
    const [hours = 0, minutes = 0] = this.#closesAt.split(':').map(Number);
    const shifted = utcTime(millis(at) - (hours * 60 + minutes) * MINUTE_MS);
    return wallClock(shifted, this.#timeZone()).date;
  }

  #check(): void {
    this.closeIfDue().catch((err: unknown) =>
      this.#context.log.error({ event: LOG_EVENTS.dayNotClosed, terminalId: this.#terminalId, err }),
    );
  }

  async #close(): Promise<void> {
    const { commit, log } = this.#context;
    const terminalId = this.#terminalId;
    const before = this.#store.day(terminalId) ?? { closedAt: null, differs: null };
    await commit.run(() => this.#store.saveDay(terminalId, { ...before, triedAt: this.#now() }));
    const { totals, problem } = await this.#terminal.endOfDay();
    this.#problem = totals ? null : (problem ?? 'the terminal gave no reason');
    if (totals) return await commit.run(() => this.#record(totals));
    log.warn({ event: LOG_EVENTS.dayNotClosed, terminalId, problem: this.#problem });
  }

  #record(totals: DayTotals): void {
    const { events, log } = this.#context;
    const terminalId = this.#terminalId;
    const at = this.#now();
    const booked = sumsOf(this.#store.inOpenDay(terminalId));
    const differs = difference(totals, booked);
    const agrees = differs === null;
    const { currency, cards } = totals;
    this.#store.closeDay(terminalId, at);
    this.#store.saveDay(terminalId, { triedAt: at, closedAt: at, differs });
    events.append(
      { type: 'terminal.day-closed', terminalId, currency, cards: [...cards], booked, agrees },
      at,
    );
    log[agrees ? 'info' : 'error']({ event: LOG_EVENTS.dayClosed, terminalId, agrees, differs });
  }
}

/** The sums that the journal has settled, by brand. */
export function sumsOf(payments: readonly Payment[]): DaySum[] {
  const sums = new Map<DaySum['type'], DaySum>();
  for (const { amountMinor, transaction } of payments) {
    const type = transaction?.card.type ?? 'other';
    const sum = sums.get(type) ?? { type, count: 0, amountMinor: 0 };
    // The terminal counts a tip with the rest.
    const bookedMinor = amountMinor + (transaction?.tipMinor ?? 0);
    sums.set(type, { type, count: (sum.count ?? 0) + 1, amountMinor: sum.amountMinor + bookedMinor });
  }
  return [...sums.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

/**
 * How a terminal's day differs from the journal's, in words for a technician; null: not at all. If the totals
 * agree, brands may differ: terminals have no separate group for some brands, and count a Debit Mastercard as
 * one or the other.
 */
export function difference({ cards, currency }: DayTotals, booked: readonly DaySum[]): string | null {
  const brands = cards.filter(({ type }) => type !== 'all');
  const byBrand = brands.length > 0;
  const totals = byBrand ? brands : cards;
  const totalsAgree = agree(byBrand ? wholeOf(totals) : sumOf(totals, 'all'), wholeOf(booked));
  if (totalsAgree) return null;
  const ours = byBrand ? booked : [wholeOf(booked)];
  const types = new Set([...totals, ...ours].map(({ type }) => type));
  const differing = [...types].flatMap((type) => {
    const [theirs, own] = [sumOf(totals, type), sumOf(ours, type)];
    if (agree(theirs, own)) return [];
    return [
      `${type}: the terminal has ${theirs.count ?? 'some'} of ${theirs.amountMinor} ${currency}, ` +
        `the journal ${own.count} of ${own.amountMinor}`,
    ];
  });
  return differing.length === 0 ? null : differing.join('; ');
}

function agree(theirs: DaySum, own: DaySum): boolean {
  return (theirs.count === null || theirs.count === own.count) && theirs.amountMinor === own.amountMinor;
}

function wholeOf(sums: readonly DaySum[]): DaySum {
  return sumOf(
    sums.map((sum) => ({ ...sum, type: 'all' })),
    'all',
  );
}

function sumOf(sums: readonly DaySum[], wanted: DaySum['type']): DaySum {
  const fitting = sums.filter(({ type }) => type === wanted);
  return {
    type: wanted,
    count: fitting.reduce<number | null>(
      (sum, { count }) => (sum === null || count === null ? null : sum + count),
      0,
    ),
    amountMinor: fitting.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  };
}
