import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../../platform/db/db.ts';
import type { JsonText } from '../../../platform/db/json-object.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { type Cursor, type List, readPage, wholeList } from '../../../platform/http/list-envelope.ts';
import { aggregateVisits } from './aggregate-visits.ts';
import { countListed, leastDue, shownDueVisits } from './due-visits.ts';
import { withPrices } from './shown-price.ts';
import type { VisitAggregate } from './visit-aggregate.ts';
import type { VisitQuery } from './visit-filters.ts';
import type { ShownVisit } from './visit-json.ts';
import { listVisits } from './visit-list-store.ts';
import { readVisitQuery, rowsOnPage } from './visit-query.ts';
import type { VisitView } from './visit-view.ts';

type VisitPage = List<JsonText<VisitView>> & {
  extra: List<unknown>['extra'] & { aggregate?: VisitAggregate };
};

/** A page of the visits that a query asks for and its caller may see, and the groups of all of them where asked for. */
export async function visitPage(
  q: Queries,
  query: VisitQuery,
  own: OwnRows,
  now: UtcTime,
  { cursor, aggregate }: { cursor: Cursor | undefined; aggregate?: VisitAggregate['by'] | undefined },
): Promise<VisitPage> {
  const question = await readVisitQuery(q, query, own, now);
  if (question === null) return wholeList([]);
  const least = leastDue(question.filters);
  const page = await readPage(
    { cursor, rows: rowsOnPage(query) },
    ({ rank, at, id }: ShownVisit) => ({ rank, at, id }),
    (limit) =>
      least === null
        ? listVisits(q, question, { cursor, limit })
        : shownDueVisits(q, question, { cursor, limit, least }, now),
    () => countListed(q, question, now),
  );
  const data = await withPrices(q, page.data, now);
  if (aggregate === undefined) return { ...page, data };
  return {
    ...page,
    data,
    extra: { ...page.extra, aggregate: await aggregateVisits(q, question, aggregate, now) },
  };
}
