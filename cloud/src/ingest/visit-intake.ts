import { foldPlate } from '@hlid/protocol/plate';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit, VisitStep } from '@hlid/protocol/visit';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, newValue, preparedInsert } from '../db/prepared-insert.ts';
import { visitStepTable, visitTable } from '../visits/visit-table.ts';

const ownerOf = prepared((q) =>
  q
    .select({ siteId: visitTable.siteId })
    .from(visitTable)
    .where(eq(visitTable.id, sql.placeholder('id')))
    .prepare(),
);

/** The site's word, unless a person changed these columns and the site had not applied that when it spoke. */
function unlessEdited(editedAt: SQLiteColumn, columns: Record<string, SQLiteColumn>): Record<string, SQL> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      sql`CASE WHEN ${newValue(visitTable.feedAt)} < ${visitTable}.${sql.identifier(editedAt.name)}
        THEN ${visitTable}.${sql.identifier(column.name)} ELSE ${newValue(column)} END`,
    ]),
  );
}

const t = visitTable;
const upsertVisit = preparedInsert(visitTable, {
  target: visitTable.id,
  set: {
    ...unlessEdited(t.plateEditedAt, { plate: t.plate, plateFolded: t.plateFolded }),
    ...unlessEdited(t.statusEditedAt, { status: t.status }),
    ...unlessEdited(t.endedEditedAt, { endedAt: t.endedAt }),
    ...unlessEdited(t.paymentEditedAt, {
      paymentStatus: t.paymentStatus,
      amountMinor: t.amountMinor,
      currency: t.currency,
      price: t.price,
      unitsMet: t.unitsMet,
      paidUntil: t.paidUntil,
    }),
    ...fromNewRow(
      t,
      'startedAt',
      'createdAt',
      'flags',
      'entryLaneId',
      'exitLaneId',
      'entryReadId',
      'exitReadId',
      'exitFoundBy',
      'permitId',
      'feedAt',
      'modifiedAt',
    ),
  },
});

const addStep = preparedInsert(visitStepTable, 'leave');

/** Where an event of a site's log stands. */
export interface EventPlace {
  siteId: string;
  /** `{epoch}-{seq}`, the id of what the event adds. */
  eventId: string;
  at: UtcTime;
}

/** Takes over the whole visit as the site has it, and the step it made. @returns why not, or null */
export async function takeVisit(
  q: Queries,
  place: EventPlace,
  event: { visit: Visit; step: VisitStep | null; feedAt: number },
): Promise<string | null> {
  const { siteId, eventId, at } = place;
  const { price, ...visit } = event.visit;
  const known = await ownerOf(q).get({ id: visit.id });
  if (known !== undefined && known.siteId !== siteId) return 'the visit is another site’s';
  await upsertVisit(q, {
    ...visit,
    siteId,
    plateFolded: visit.plate === null ? null : foldPlate(visit.plate),
    amountMinor: price?.amountMinor ?? null,
    currency: price?.currency ?? null,
    price,
    customerId: null,
    feedAt: event.feedAt,
    plateEditedAt: 0,
    statusEditedAt: 0,
    endedEditedAt: 0,
    paymentEditedAt: 0,
    modifiedAt: at,
  });
  if (event.step) await addStep(q, { ...event.step, id: eventId, visitId: visit.id, siteId });
  return null;
}
