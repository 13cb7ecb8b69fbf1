import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, preparedInsert } from '../db/prepared-insert.ts';
import { eventCursorTable, rejectedEventTable } from './ingest-table.ts';

const cursorOf = prepared((q) =>
  q
    .select({ committed: eventCursorTable.committed })
    .from(eventCursorTable)
    .where(
      and(
        eq(eventCursorTable.siteId, sql.placeholder('siteId')),
        eq(eventCursorTable.epoch, sql.placeholder('epoch')),
      ),
    )
    .prepare(),
);

/** The newest event of an epoch that is applied, 0 for none. */
export async function readCommitted(q: Queries, siteId: string, epoch: string): Promise<number> {
  return (await cursorOf(q).get({ siteId, epoch }))?.committed ?? 0;
}

export const writeCommitted = preparedInsert(eventCursorTable, {
  target: [eventCursorTable.siteId, eventCursorTable.epoch],
  set: fromNewRow(eventCursorTable, 'committed', 'at'),
});

/** Keeps an event that could not be taken over. */
export const addRejected = preparedInsert(rejectedEventTable, 'leave');
