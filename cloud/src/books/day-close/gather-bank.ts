import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { DaySum } from '@hlid/protocol/site-link/site-event';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gte, isNull, lt } from '../../platform/db/sql.ts';
import type { MoneyAccountRow } from '../../records/books/money-account-table.ts';
import {
  bankEntryTable,
  bankStatementTable,
  type MoneyFileRow,
  moneyFileTable,
} from '../../records/books/money-file-table.ts';
import { terminalDayTable } from '../../records/payments/payment-table.ts';
import { keyOfEntry } from '../imports/match-stored.ts';
import { type ClosingPlace, type ComparedPlace, spanOf } from './closing-place.ts';
import type { BankFact, FileFact, TerminalFact } from './day-facts.ts';
import type { ClaimMatches } from './gather-claims.ts';

/** A bank has the statement of a day within so many of its days. */
const STATEMENT_WITHIN_DAYS = 2;
/** A terminal that has ended no day for so long ends none. */
const ENDS_DAYS_SINCE = 7;
/** An account without statements for so long is not imported any more. */
const IMPORTED_SINCE_DAYS = 14;

/** The entries of the day that are no payouts. */
export async function bankOfDay(
  q: Queries,
  place: ClosingPlace,
  own: readonly MoneyAccountRow[],
  claims: ClaimMatches,
): Promise<BankFact[]> {
  const e = bankEntryTable;
  if (own.length === 0) return [];
  const rows = await q
    .select()
    .from(e)
    .where(and(isNull(e.batchId), eq(e.bookedOn, place.day)));
  const ids = new Set(own.map(({ id }) => id));
  return rows
    .filter(({ accountId }) => ids.has(accountId))
    .map((row) => ({
      id: keyOfEntry(row),
      amountMinor: row.amountMinor,
      currency: row.currency,
      reference: row.reference,
      isReversal: row.isReversal,
      isClaim: claims.entries.has(keyOfEntry(row)),
    }));
}

/** The ends of days that terminals have reported on the day. */
export async function terminalsOfDay(q: Queries, place: ClosingPlace): Promise<TerminalFact[]> {
  const t = terminalDayTable;
  if (place.siteId === null) return [];
  const { from, before } = spanOf(place);
  const rows = await q
    .select()
    .from(t)
    .where(and(eq(t.siteId, place.siteId), gte(t.at, from), lt(t.at, before)));
  return rows.map(({ id, terminalId, currency, cards, booked }) => ({
    id,
    terminalId,
    currency,
    sums: sumsOf(cards, booked),
  }));
}

/** The sums of a day, by brand only where the totals differ: a terminal counts a card as one brand or another. */
function sumsOf(cards: readonly DaySum[], booked: readonly DaySum[]): TerminalFact['sums'] {
  const brands = cards.filter(({ type }) => type !== 'all');
  const theirs = brands.length > 0 ? brands : cards;
  const [whole, ours] = [wholeOf(theirs), wholeOf(booked)];
  const agrees =
    whole.amountMinor === ours.amountMinor && (whole.count === null || whole.count === ours.count);
  if (agrees || brands.length === 0) return [sumOf('all', whole, ours)];
  const names = new Set([...brands, ...booked].map(({ type }) => type));
  return [...names].sort().map((name) => sumOf(name, wholeOf(brands, name), wholeOf(booked, name)));
}

function wholeOf(sums: readonly DaySum[], type?: DaySum['type']): Omit<DaySum, 'type'> {
  const those = type === undefined ? sums : sums.filter((one) => one.type === type);
  const counts = those.map(({ count }) => count);
  return {
    count: counts.some((count) => count === null)
      ? null
      : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    amountMinor: those.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  };
}

function sumOf(brand: string, theirs: Omit<DaySum, 'type'>, ours: Omit<DaySum, 'type'>) {
  return {
    brand,
    terminalMinor: theirs.amountMinor,
    terminalCount: theirs.count,
    booksMinor: ours.amountMinor,
    booksCount: ours.count,
  };
}

/** Terminals that took cards on the day and have not ended it since, though they usually do. */
export async function openTerminals(
  q: Queries,
  place: ClosingPlace,
  lastAtTerminal: ReadonlyMap<string, string>,
): Promise<FileFact[]> {
  const t = terminalDayTable;
  if (place.siteId === null || lastAtTerminal.size === 0) return [];
  const since = utcTime(millis(spanOf(place).from) - ENDS_DAYS_SINCE * DAY_MS);
  const rows = await q
    .select({ terminalId: t.terminalId, at: t.at })
    .from(t)
    .where(and(eq(t.siteId, place.siteId), gte(t.at, since)));
  return [...lastAtTerminal].flatMap(([terminalId, lastAt]) => {
    const ends = rows.filter((row) => row.terminalId === terminalId);
    if (ends.length === 0 || ends.some(({ at }) => at >= lastAt)) return [];
    return [
      {
        id: terminalId,
        thing: 'terminal' as const,
        name: terminalId,
        problem: 'missing' as const,
        dueOn: dayAfter(place.day, 1),
        currency: place.currency ?? '',
      },
    ];
  });
}

/** Statements that lack, and files that hold what was here already or leave a gap. */
export async function filesWithProblems(
  q: Queries,
  place: ComparedPlace,
  own: readonly MoneyAccountRow[],
): Promise<FileFact[]> {
  const missing: FileFact[] = [];
  for (const account of own.filter(({ kind }) => kind === 'bank')) {
    if (await lacksStatement(q, account.id, place)) {
      missing.push({
        id: account.id,
        thing: 'account',
        name: account.name,
        problem: 'missing',
        dueOn: place.workDays.after(place.day, STATEMENT_WITHIN_DAYS),
        currency: place.currency ?? '',
      });
    }
  }
  return [...missing, ...(await oddFiles(q, place))];
}

/** Weekends and holidays have no statement: they count with the day after. */
async function lacksStatement(
  q: Queries,
  accountId: string,
  { day, workDays }: ComparedPlace,
): Promise<boolean> {
  const b = bankStatementTable;
  if (!workDays.has(day)) return false;
  const newest = await q
    .select({ fromDay: b.fromDay, untilDay: b.untilDay })
    .from(b)
    .where(and(eq(b.accountId, accountId), gte(b.untilDay, dayAfter(day, 0 - IMPORTED_SINCE_DAYS))))
    .orderBy(desc(b.untilDay));
  const isImported = newest.some(({ fromDay }) => fromDay <= day);
  return isImported && !newest.some(({ fromDay, untilDay }) => fromDay <= day && day <= untilDay);
}

async function oddFiles(q: Queries, place: ClosingPlace): Promise<FileFact[]> {
  const f = moneyFileTable;
  const { from, before } = spanOf(place);
  const found: FileFact[] = [];
  for (const kind of ['settlement', 'bank'] as const) {
    const files = await q
      .select()
      .from(f)
      .where(and(eq(f.kind, kind), gte(f.importedAt, from), lt(f.importedAt, before)));
    for (const file of files.filter(({ siteId }) => siteId === place.siteId)) {
      found.push(...problemsOf(file, place));
    }
  }
  return found;
}

function problemsOf({ id, name, warnings }: MoneyFileRow, { currency }: ClosingPlace): FileFact[] {
  const codes = new Set(warnings.map(({ code }) => code));
  const fact = { id, thing: 'file' as const, name, dueOn: null, currency: currency ?? '' };
  if (codes.has('entries-stored') || codes.has('statement-overlaps')) {
    return [{ ...fact, problem: 'repeated' }];
  }
  return codes.has('statement-gap') ? [{ ...fact, problem: 'gap' }] : [];
}
