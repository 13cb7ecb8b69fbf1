import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, eqPlaceholder, getTableColumns, sql } from '../../platform/db/sql.ts';
import { eventCursorTable, rejectedEventTable } from '../../records/sites/event-cursor-table.ts';

export type EventCursor = typeof eventCursorTable.$inferSelect;

const cursorOf = prepared((q) =>
  q
    .select(getTableColumns(eventCursorTable))
    .from(eventCursorTable)
    .where(
      and(eqPlaceholder(eventCursorTable.siteId, 'siteId'), eqPlaceholder(eventCursorTable.epoch, 'epoch')),
    )
    .prepare(),
);

const newestOf = prepared((q) =>
  q
    .select({ ordinal: sql<number>`coalesce(max(${eventCursorTable.ordinal}), 0)` })
    .from(eventCursorTable)
    .where(eqPlaceholder(eventCursorTable.siteId, 'siteId'))
    .prepare(),
);

/** How far an epoch is applied; null where it has never spoken. */
export async function readCursor(q: Queries, siteId: string, epoch: string): Promise<EventCursor | null> {
  return (await cursorOf(q).get({ siteId, epoch })) ?? null;
}

/** The number of a site's latest epoch, 0 where it has none. */
export async function newestEpoch(q: Queries, siteId: string): Promise<number> {
  return (await newestOf(q).get({ siteId }))?.ordinal ?? 0;
}

/** The cursor of an epoch, the site's latest from now on where it has never spoken. */
export async function beginCursor(
  q: Queries,
  siteId: string,
  epoch: string,
  at: string,
): Promise<EventCursor> {
  const known = await readCursor(q, siteId, epoch);
  if (known !== null) return known;
  const ordinal = (await newestEpoch(q, siteId)) + 1;
  const begun = { siteId, epoch, committed: 0, digest: null, ordinal, at };
  await writeCursor(q, begun);
  return begun;
}

export const writeCursor = preparedInsert(eventCursorTable, {
  target: [eventCursorTable.siteId, eventCursorTable.epoch],
  set: fromNewRow(eventCursorTable, 'committed', 'digest', 'at'),
});

/** Keeps an event that could not be taken over. */
export const addRejected = preparedInsert(rejectedEventTable, 'leave');
