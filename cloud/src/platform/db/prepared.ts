import type { Queries } from './db.ts';

/**
 * A query that is built and prepared once per connection instead of at every call. `build` gets the connection's
 * queries and ends in `.prepare()`; values go in through `sql.placeholder`.
 *
 * @example
 * const visitById = prepared((q) =>
 *   q.select().from(visitTable).where(eqPlaceholder(visitTable.id, 'id')).prepare(),
 * );
 * const visit = await visitById(q).get({ id });
 */
export function prepared<Query>(build: (q: Queries) => Query): (q: Queries) => Query {
  const byConnection = new WeakMap<Queries, Query>();
  return (q) => {
    const known = byConnection.get(q);
    if (known !== undefined) return known;
    const query = build(q);
    byConnection.set(q, query);
    return query;
  };
}
