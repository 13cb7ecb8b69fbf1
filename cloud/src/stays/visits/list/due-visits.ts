import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Price } from '@hlid/protocol/tariff/price-visit';
import type { Queries } from '../../../platform/db/db.ts';
import { COUNTED_UP_TO, type Cursor } from '../../../platform/http/list-envelope.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { type Due, ListPricer, withPrice } from './shown-price.ts';
import type { VisitFilters } from './visit-filters.ts';
import type { ShownVisit } from './visit-json.ts';
import { countVisits, findShownVisit, listVisitRows, type VisitListQuestion } from './visit-list-store.ts';

const ROWS_AT_ONCE = 100;

/**
 * The least amount due of the visits that a query finds; null: it does not go by amounts. The database finds too many:
 * only the price of now shows what a car inside owes, and `dueVisits` leaves out the others.
 */
export function leastDue({ collection, amountMin }: VisitFilters): number | null {
  if (collection !== 'unpaid') return amountMin ?? null;
  return Math.max(1, amountMin ?? 1);
}

/** A visit that owes something, where it is in its list, and what it owes now. */
interface DueVisit {
  visit: VisitRow;
  rank: number;
  at: string;
  due: Due;
  /** The price of now; undefined: the stored price applies. */
  price: Price | null | undefined;
}

/** The visits that owe that much now, in order, beyond a place. They are read and priced as they are asked for. */
export async function* dueVisits(
  q: Queries,
  question: VisitListQuestion,
  { cursor, least, now }: { cursor?: Cursor | undefined; least: number; now: UtcTime },
): AsyncGenerator<DueVisit> {
  const pricer = new ListPricer(q, now);
  let place = cursor;
  for (;;) {
    const rows = await listVisitRows(q, question, { cursor: place, limit: ROWS_AT_ONCE });
    for (const { rank, at, toPrice, visit } of rows) {
      const { due, price } = await pricer.due(visit, toPrice);
      if ((due.amountMinor ?? 0) >= least) yield { visit, rank, at, due, price };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    const { rank, at, visit } = last;
    place = { go: cursor?.go ?? 'older', rank, at, id: visit.id };
  }
}

/** The same as a page of a list shows them. */
export async function shownDueVisits(
  q: Queries,
  question: VisitListQuestion,
  { cursor, limit, least }: { cursor: Cursor | undefined; limit: number; least: number },
  now: UtcTime,
): Promise<ShownVisit[]> {
  const visits: ShownVisit[] = [];
  for await (const { visit, rank, at, price } of dueVisits(q, question, { cursor, least, now })) {
    const found = await findShownVisit(q, visit.id);
    if (found === null) continue;
    const shown = price === undefined ? found.shown : withPrice(found.shown, price, now);
    visits.push({ ...found, rank, at, shown, toPrice: false });
    if (visits.length === limit) break;
  }
  return visits;
}

/** How many visits a list has, up to a limit (-1: all). */
export async function countListed(
  q: Queries,
  question: VisitListQuestion,
  now: UtcTime,
  limit: number = COUNTED_UP_TO + 1,
): Promise<number> {
  const least = leastDue(question.filters);
  if (least === null) return await countVisits(q, question.filters, limit);
  let count = 0;
  for await (const _ of dueVisits(q, question, { least, now })) if (++count === limit) break;
  return count;
}
