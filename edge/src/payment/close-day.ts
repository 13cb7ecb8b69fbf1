import type { Clock } from '@hlid/node/clock';
import type { Payment } from '@hlid/protocol/payment';
import type { DaySum } from '@hlid/protocol/site-event';
import { wallClock } from '@hlid/protocol/site-time';
import { DAY_MS, HOUR_MS, MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import { LOG_EVENTS } from '../events.ts';
import { HEALTHY, type HealthSignal } from '../health/health-state.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { DayTotals, Terminal } from '../terminal/terminal.ts';
import type { PaymentStore } from './payment-store.ts';

/** Closes a terminal's day each night, and compares what it reports with the journal. */
export interface DayClosing {
  /** Closes it if it is time and nobody pays; to be called now and then. */
  look(): Promise<void>;
  /** Closes it at once; false: somebody pays, or the terminal did not. */
  close(): Promise<boolean>;
  sign(): HealthSignal;
}

const TRIED_AGAIN_MS = 15 * MINUTE_MS;
/** A day that was not closed for so long: the terminal may run out of room, and nobody gets the money. */
const OVERDUE_MS = DAY_MS + 12 * HOUR_MS;

interface DayRow {
  triedAt: UtcTime;
  closedAt: UtcTime | null;
  /** Of the last closing: how the books differ; null: they agree. */
  differs: string | null;
}

export function createDayClosing(parts: {
  terminalId: string;
  terminal: Pick<Terminal, 'status' | 'endOfDay'>;
  store: Pick<PaymentStore, 'inOpenDay' | 'closeDay'>;
  db: SiteDb;
  /** Does it while nobody pays; false: somebody does. */
  alone: (work: () => Promise<void>) => Promise<boolean>;
  commit: Pick<GroupCommit, 'run'>;
  events: Pick<EventLog, 'append'>;
  /** By the wall clock of the site, such as `04:00`. */
  closesAt: string;
  timeZone: () => string;
  clock: Clock;
  log: Logger;
}): DayClosing {
  const { terminalId, terminal, store, db, commit, events, clock, log } = parts;
  const now = (): UtcTime => utcTime(clock.now());
  const select = db.prepare<[string], DayRow>(
    'SELECT tried_at AS triedAt, closed_at AS closedAt, body AS differs FROM terminal_day WHERE terminal_id = ?',
  );
  const save = db.prepare(
    `INSERT INTO terminal_day VALUES (?, ?, ?, ?) ON CONFLICT (terminal_id) DO UPDATE
     SET tried_at = excluded.tried_at, closed_at = excluded.closed_at, body = excluded.body`,
  );
  let problem: string | null = null;

  /** The moment at which the day should last have been closed has a date by which it is known. */
  function dateOf(at: UtcTime): string {
    const [hours = 0, minutes = 0] = parts.closesAt.split(':').map(Number);
    const shifted = utcTime(millis(at) - (hours * 60 + minutes) * MINUTE_MS);
    return wallClock(shifted, parts.timeZone()).date;
  }

  async function work(): Promise<void> {
    const before = select.get(terminalId);
    await commit.run(() => save.run(terminalId, now(), before?.closedAt ?? null, before?.differs ?? null));
    const { totals, problem: said } = await terminal.endOfDay();
    problem = totals ? null : (said ?? 'the terminal did not say why');
    if (!totals) {
      log.warn({ event: LOG_EVENTS.dayNotClosed, terminalId, problem });
      return;
    }
    await commit.run(() => {
      const at = now();
      const booked = sumsOf(store.inOpenDay(terminalId));
      const differs = difference(totals, booked);
      const { currency, cards } = totals;
      store.closeDay(terminalId, at);
      save.run(terminalId, at, at, differs);
      const agrees = differs === null;
      events.append(
        { type: 'terminal.day-closed', terminalId, currency, cards: [...cards], booked, agrees },
        at,
      );
      log[agrees ? 'info' : 'error']({ event: LOG_EVENTS.dayClosed, terminalId, agrees, differs });
    });
  }

  return {
    async look() {
      const day = select.get(terminalId);
      const at = now();
      if (!day) return void (await commit.run(() => save.run(terminalId, at, at, null)));
      if (day.closedAt !== null && dateOf(day.closedAt) >= dateOf(at)) return;
      const triedToday = dateOf(day.triedAt) >= dateOf(at);
      if (triedToday && millis(at) - millis(day.triedAt) < TRIED_AGAIN_MS) return;
      if (terminal.status().connection === 'CONNECTED') await parts.alone(work);
    },
    close: async () => (await parts.alone(work)) && problem === null,
    sign() {
      const day = select.get(terminalId);
      if (!day) return HEALTHY;
      if (day.differs !== null) return { state: 'differing', detail: day.differs };
      const overdue = day.closedAt !== null && clock.now().getTime() - millis(day.closedAt) > OVERDUE_MS;
      if (!overdue) return HEALTHY;
      const why = problem === null ? '' : `: ${problem}`;
      return { state: 'failing', detail: `The day was last closed at ${day.closedAt}${why}` };
    },
  };
}

/** What the journal has settled, by brand. */
export function sumsOf(payments: readonly Payment[]): DaySum[] {
  const sums = new Map<DaySum['type'], DaySum>();
  for (const { amountMinor, transaction } of payments) {
    const type = transaction?.card.type ?? 'other';
    const sum = sums.get(type) ?? { type, count: 0, amountMinor: 0 };
    sums.set(type, { type, count: (sum.count ?? 0) + 1, amountMinor: sum.amountMinor + amountMinor });
  }
  return [...sums.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

/**
 * How a terminal's day differs from the journal's, in words for a technician; null: not at all. Where the whole agrees,
 * brands may differ: terminals have no group of their own for some, and count a Debit Mastercard as one or the other.
 */
export function difference({ cards, currency }: DayTotals, booked: readonly DaySum[]): string | null {
  const brands = cards.filter(({ type }) => type !== 'all');
  const byBrand = brands.length > 0;
  const told = byBrand ? brands : cards;
  const wholeAgrees = agree(byBrand ? wholeOf(told) : sumOf(told, 'all'), wholeOf(booked));
  if (wholeAgrees) return null;
  const ours = byBrand ? booked : [wholeOf(booked)];
  const types = new Set([...told, ...ours].map(({ type }) => type));
  const differing = [...types].flatMap((type) => {
    const [theirs, own] = [sumOf(told, type), sumOf(ours, type)];
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
