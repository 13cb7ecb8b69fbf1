import type { Price } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../../db/db.ts';
import { COUNTED_UP_TO, type Cursor } from '../../http/list-envelope.ts';
import { ListPricer, withPrice } from './shown-price.ts';
import type { ShownVisit } from './visit-json.ts';
import { countVisits, findShownVisit, listVisitRows, type VisitListQuestion } from './visit-list-store.ts';

const ROWS_AT_ONCE = 100;

/** A visit that owes something, where it stands in its list, and its price of now where it has one. */
interface Owing {
  id: string;
  rank: number;
  at: UtcTime;
  priced: { price: Price | null } | null;
}

/** Visits that owe something, in order, beyond a place, with their prices: those inside that owe nothing are left out. */
export async function unpaidVisits(
  q: Queries,
  question: VisitListQuestion,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
  now: UtcTime,
): Promise<ShownVisit[]> {
  const unpaid: ShownVisit[] = [];
  for await (const { id, rank, at, priced } of owingVisits(q, question, cursor, now)) {
    const found = await findShownVisit(q, id);
    if (found === null) continue;
    const shown = priced === null ? found.shown : withPrice(found.shown, priced.price, now);
    unpaid.push({ ...found, rank, at, shown, toPrice: false });
    if (unpaid.length === limit) break;
  }
  return unpaid;
}

/** Reads and prices them as they are asked for: few of a long list are shown. */
async function* owingVisits(
  q: Queries,
  question: VisitListQuestion,
  cursor: Cursor | undefined,
  now: UtcTime,
): AsyncGenerator<Owing> {
  const pricer = new ListPricer(q, now);
  let place = cursor;
  for (;;) {
    const rows = await listVisitRows(q, question, { cursor: place, limit: ROWS_AT_ONCE });
    for (const { rank, at, toPrice, visit } of rows) {
      const priced = toPrice ? { price: await pricer.owed(visit) } : null;
      const stored = visit.price === null ? null : visit.amountMinor;
      const dueMinor = priced?.price?.amountMinor ?? stored ?? 0;
      if (dueMinor > 0) yield { id: visit.id, rank, at: at ?? visit.startedAt, priced };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    const { rank, at, visit } = last;
    place = { go: cursor?.go ?? 'older', rank, at: at ?? visit.startedAt, id: visit.id };
  }
}

/** How many visits a list has, up to a limit (-1: all). */
export async function countListed(
  q: Queries,
  question: VisitListQuestion,
  now: UtcTime,
  limit: number = COUNTED_UP_TO + 1,
): Promise<number> {
  if (question.filters.collection !== 'unpaid') return await countVisits(q, question.filters, limit);
  let count = 0;
  for await (const _ of owingVisits(q, question, undefined, now)) if (++count === limit) break;
  return count;
}
