import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { countryOf } from '../../money/invoices/invoice-snapshot.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, gte, inArray, isNull, lt, lte, type SQL, unindexed } from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, listRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import {
  type DayCloseRow,
  type DayDifferenceRow,
  dayDifferenceTable,
  SEVERAL_SITES,
  dayCloseTable as t,
} from '../../records/books/day-close-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import type { CloseFacts } from './close-actions.ts';
import type { ClosingPlace } from './closing-place.ts';

const ORDER: ListOrder = { at: t.day, id: t.id };

export interface CloseFilters {
  siteId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  state?: DayCloseRow['state'] | undefined;
}

function where({ siteId, from, to, state }: CloseFilters, own: OwnRows): SQL | undefined {
  return and(
    siteId === undefined ? undefined : eq(t.siteId, siteId),
    from === undefined ? undefined : gte(t.day, from),
    to === undefined ? undefined : lte(t.day, to),
    state === undefined ? undefined : eq(unindexed(t.state, siteId !== undefined), state),
    ofSites(t.siteId, sitesOf(own)),
  );
}

export async function listCloses(
  q: Queries,
  filters: CloseFilters,
  own: OwnRows,
  page: PageOfRows,
): Promise<DayCloseRow[]> {
  return await listRows(q, t, ORDER, where(filters, own), page);
}

export async function countCloses(q: Queries, filters: CloseFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, where(filters, own));
}

export function placeByDay({ day, id }: DayCloseRow): Place {
  return { rank: 0, at: day, id };
}

export async function findClose(q: Queries, id: string): Promise<DayCloseRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

export async function closeOfDay(
  q: Queries,
  { siteId, day }: Pick<ClosingPlace, 'siteId' | 'day'>,
): Promise<DayCloseRow | null> {
  const site = eq(t.siteId, siteId ?? SEVERAL_SITES);
  return (
    (await q
      .select()
      .from(t)
      .where(and(site, eq(t.day, day)))
      .get()) ?? null
  );
}

/** The signed closes of a place from a day on until before another, in the order in which they were signed. */
export async function signedBetween(
  q: Queries,
  siteId: string | null,
  from: string,
  before: string | null,
): Promise<DayCloseRow[]> {
  const rows = await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.siteId, siteId ?? SEVERAL_SITES),
        gte(t.day, from),
        before === null ? undefined : lt(t.day, before),
      ),
    )
    .orderBy(asc(t.day));
  return rows
    .filter(({ state }) => state === 'signed')
    .sort((one, other) => ((one.signedAt ?? '') < (other.signedAt ?? '') ? -1 : 1));
}

export async function differencesOf(q: Queries, closeIds: readonly string[]): Promise<DayDifferenceRow[]> {
  const d = dayDifferenceTable;
  if (closeIds.length === 0) return [];
  return await q
    .select()
    .from(d)
    .where(inArray(d.closeId, [...closeIds]))
    .orderBy(asc(d.closeId), asc(d.n));
}

export async function daysOf(q: Queries, closeIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(closeIds)];
  if (ids.length === 0) return new Map();
  const rows = await q.select({ id: t.id, day: t.day }).from(t).where(inArray(t.id, ids));
  return new Map(rows.map(({ id, day }) => [id, day]));
}

/** The place of a close; null: there is no such site. */
export async function placeOf(q: Queries, siteId: string | null, day: string): Promise<ClosingPlace | null> {
  const s = siteTable;
  if (siteId === null) {
    // What belongs to several sites goes by the clock of the one that was there first.
    const sites = await q
      .select({ timeZone: s.timeZone, settings: s.settings })
      .from(s)
      .where(isNull(s.archivedAt))
      .orderBy(asc(s.createdAt), asc(s.id));
    const countries = [...new Set(sites.map(({ settings }) => countryOf(settings.seller)))];
    return { siteId, timeZone: sites[0]?.timeZone ?? 'UTC', currency: null, day, countries };
  }
  const site = await q
    .select({ timeZone: s.timeZone, currency: s.currency, settings: s.settings })
    .from(s)
    .where(eq(s.id, siteId))
    .get();
  if (site === undefined) return null;
  const { timeZone, currency, settings } = site;
  return { siteId, timeZone, currency, day, countries: [countryOf(settings.seller)] };
}

/** The day at the site. */
export function todayAt({ timeZone }: Pick<ClosingPlace, 'timeZone'>, at: UtcTime): string {
  return wallClock(at, timeZone).date;
}

export function isUndecided({ decision }: Pick<DayDifferenceRow, 'decision'>): boolean {
  return decision === 'open' || decision === 'task';
}

/** @param today null: a training installation, which does not wait for the end of a day */
export function factsOfClose(
  { state, day }: Pick<DayCloseRow, 'state' | 'day'>,
  differences: readonly DayDifferenceRow[],
  today: string | null,
): CloseFacts {
  return {
    state,
    isOver: today === null || day < today,
    differences: differences.length,
    undecided: differences.filter(isUndecided).length,
  };
}

export function siteOf({ siteId }: Pick<DayCloseRow, 'siteId'>): string | null {
  return siteId === SEVERAL_SITES ? null : siteId;
}

/** The day that has to be over before a close is signed; null: a training installation does not wait for it. */
export async function dayToBeOver(
  q: Queries,
  place: Pick<ClosingPlace, 'timeZone'>,
  at: UtcTime,
): Promise<string | null> {
  return (await isTrainingDatabase(q)) ? null : todayAt(place, at);
}
