import { dayAfter } from '@hlid/protocol/base/calendar-day';
import type { Queries } from '../../platform/db/db.ts';
import type {
  CloseArrival,
  CloseColumn,
  CloseExpectation,
  CloseRow,
  DayCloseRow,
} from '../../records/books/day-close-table.ts';
import { type CloseDifference, carryOver, isSameDay, type KnownDay } from './carry-over.ts';
import { packSnapshot, type Snapshot, unpackSnapshot } from './close-snapshot.ts';
import { signedBetween } from './close-store.ts';
import type { ClosingPlace } from './closing-place.ts';
import { type ComparedDay, columnsOf, compareDay, type Expected } from './compare-day.ts';
import type { DayRow } from './day-facts.ts';
import { gatherDay } from './gather-day.ts';
import { workDaysOf } from './work-days.ts';

/** A day that was signed so long ago is not compared again: only sums are left of what could explain a change. */
const COMPARED_AGAIN_DAYS = 35;
/** What is expected is shown with so many of its rows. */
const SHOWN_ROWS = 20;

/** The figures of a close, before they are stored. */
export interface ComputedClose {
  columns: CloseColumn[];
  differences: CloseDifference[];
  expected: CloseExpectation[];
  arrived: CloseArrival[];
  snapshot: Uint8Array;
}

/** Compares a day, and again those before it that are signed. */
export async function computeClose(q: Queries, place: ClosingPlace, today: string): Promise<ComputedClose> {
  const compare = async (day: string) => {
    const workDays = await workDaysOf(place.countries, day);
    return compareDay(await gatherDay(q, { ...place, day, workDays }), today);
  };
  const own = await compare(place.day);
  const differences: CloseDifference[] = own.differences.map((one) => ({
    ...one,
    cause: null,
    ofCloseId: null,
  }));
  const expected = expectations(own.expected, null);
  const arrived: CloseArrival[] = [];
  const earlier: Record<string, KnownDay> = {};
  for (const { close, known } of await knownDays(q, place)) {
    const now = await compare(close.day);
    const carried = carryOver({ id: close.id, day: close.day, known }, now);
    differences.push(...carried.differences);
    expected.push(...expectations(carried.expected, close.id));
    arrived.push(...arrivals(carried.arrived, close));
    if (!isSameDay(carried.known, known)) earlier[close.id] = carried.known;
  }
  return {
    columns: columnsOf(own.rows),
    differences,
    expected,
    arrived,
    snapshot: packSnapshot({ own: knownOf(own), earlier }),
  };
}

function knownOf({ rows, differences, expected }: ComparedDay): KnownDay {
  return {
    rows,
    differences: differences.map(({ key }) => key),
    expected: expected.map(({ key, amountMinor, currency }) => ({ key, amountMinor, currency })),
  };
}

/** The signed closes before a day, each with what it and those after it know of its day. */
async function knownDays(
  q: Queries,
  { siteId, day }: ClosingPlace,
): Promise<{ close: DayCloseRow; known: KnownDay }[]> {
  const closes = await signedBetween(q, siteId, dayAfter(day, 0 - COMPARED_AGAIN_DAYS), null);
  const snapshots = closes.map((close): [DayCloseRow, Snapshot] => [close, unpackSnapshot(close.snapshot)]);
  const known = new Map(snapshots.map(([{ id }, { own }]) => [id, own]));
  // The last word is that of the close that was signed last.
  for (const [, { earlier }] of snapshots) {
    for (const [id, one] of Object.entries(earlier)) if (known.has(id)) known.set(id, one);
  }
  return closes.flatMap((close) => {
    const own = known.get(close.id);
    return close.day < day && own !== undefined ? [{ close, known: own }] : [];
  });
}

/** What is expected of one class until one day, together. */
function expectations(all: readonly Expected[], ofCloseId: string | null): CloseExpectation[] {
  const groups = new Map<string, CloseExpectation>();
  for (const { kind, dueOn, currency, amountMinor, rows } of all) {
    const thing = rows[0]?.thing ?? '';
    const key = `${kind} ${dueOn} ${currency} ${thing}`;
    const before = groups.get(key) ?? {
      kind,
      dueOn,
      currency,
      count: 0,
      amountMinor: 0,
      rows: [],
      ofCloseId,
    };
    groups.set(key, {
      ...before,
      count: before.count + 1,
      amountMinor: before.amountMinor + amountMinor,
      rows: before.rows.length < SHOWN_ROWS ? [...before.rows, ...rows.map(storedRow)] : before.rows,
    });
  }
  return [...groups.values()].sort((one, other) => (one.dueOn < other.dueOn ? -1 : 1));
}

function arrivals(
  all: readonly Pick<Expected, 'amountMinor' | 'currency'>[],
  { id, day }: DayCloseRow,
): CloseArrival[] {
  const sums = new Map<string, CloseArrival>();
  for (const { amountMinor, currency } of all) {
    const before = sums.get(currency) ?? { ofCloseId: id, day, currency, count: 0, amountMinor: 0 };
    const sum = before.amountMinor + Math.abs(amountMinor);
    sums.set(currency, { ...before, count: before.count + 1, amountMinor: sum });
  }
  return [...sums.values()];
}

export function storedRow({ side, thing, id, label, amountMinor, currency }: DayRow): CloseRow {
  return { side, thing, id, label, amountMinor, currency };
}
