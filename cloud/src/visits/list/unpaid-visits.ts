import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../../db/db.ts';
import { parseJson } from '../../db/json-object.ts';
import { COUNTED_UP_TO, type Cursor } from '../../http/list-envelope.ts';
import { withPrices } from './shown-price.ts';
import type { ShownVisit } from './visit-json.ts';
import { countVisits, listVisits, type VisitListQuestion } from './visit-list-store.ts';

const ROWS_AT_ONCE = 100;

/** Visits that owe something, in order, beyond a place, with their prices: those inside that owe nothing are left out. */
export async function unpaidVisits(
  q: Queries,
  question: VisitListQuestion,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
  now: UtcTime,
): Promise<ShownVisit[]> {
  const unpaid: ShownVisit[] = [];
  let place = cursor;
  for (;;) {
    const rows = await listVisits(q, question, { cursor: place, limit: ROWS_AT_ONCE });
    const texts = await withPrices(q, rows, now);
    for (const [at, row] of rows.entries()) {
      const shown = texts[at] ?? row.shown;
      if ((parseJson(shown).due?.amount ?? 0) > 0) unpaid.push({ ...row, shown, toPrice: false });
      if (unpaid.length === limit) return unpaid;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return unpaid;
    place = { go: cursor?.go ?? 'older', rank: last.rank, at: last.at, id: last.id };
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
  const all = { cursor: undefined, limit: limit < 0 ? Infinity : limit };
  return (await unpaidVisits(q, question, all, now)).length;
}
