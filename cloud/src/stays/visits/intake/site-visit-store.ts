import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../../platform/db/db.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { fromNewRow, newValue, preparedInsert } from '../../../platform/db/prepared-insert.ts';
import { eqPlaceholder, type SQL, sql } from '../../../platform/db/sql.ts';
import { visitTable } from '../../../records/visits/visit-table.ts';

/** The stored visit before an event of its site. */
const knownOf = prepared((q) =>
  q
    .select({
      siteId: visitTable.siteId,
      plate: visitTable.plate,
      startedAt: visitTable.startedAt,
      plateEditedAt: visitTable.plateEditedAt,
      startedEditedAt: visitTable.startedEditedAt,
      paymentStatus: visitTable.paymentStatus,
      paymentEditedAt: visitTable.paymentEditedAt,
      endedAt: visitTable.endedAt,
      endedEditedAt: visitTable.endedEditedAt,
      entryLaneId: visitTable.entryLaneId,
      exitLaneId: visitTable.exitLaneId,
      exitFoundBy: visitTable.exitFoundBy,
      permitId: visitTable.permitId,
      plateByPerson: visitTable.plateByPerson,
      flags: visitTable.flags,
      flagsEditedAt: visitTable.flagsEditedAt,
      customerId: visitTable.customerId,
      vehicleCategory: visitTable.vehicleCategory,
      quota: visitTable.quota,
    })
    .from(visitTable)
    .where(eqPlaceholder(visitTable.id, 'id'))
    .prepare(),
);

export type KnownVisit = NonNullable<Awaited<ReturnType<ReturnType<typeof knownOf>['get']>>>;

export async function knownVisit(q: Queries, id: string): Promise<KnownVisit | undefined> {
  return await knownOf(q).get({ id });
}

/** The site's word, unless a person changed these columns and the site had not applied that when it spoke. */
function unlessEdited(
  editedAt: SQLiteColumn,
  columns: Record<string, SQLiteColumn>,
  incoming: (column: SQLiteColumn) => SQL = newValue,
): Record<string, SQL> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      sql`CASE WHEN ${newValue(visitTable.feedAt)} < ${stored(editedAt)}
        THEN ${stored(column)} ELSE ${incoming(column)} END`,
    ]),
  );
}

function stored(column: SQLiteColumn): SQL {
  return sql`${visitTable}.${sql.identifier(column.name)}`;
}

/** The site's value, else the stored one: a visit joined with another has that one's exit, in the cloud only. */
function incomingOrStored(column: SQLiteColumn): SQL {
  return sql`coalesce(${newValue(column)}, ${stored(column)})`;
}

const t = visitTable;
/** The columns that follow from a visit's plate and start. */
const FIXED = {
  ...unlessEdited(t.plateEditedAt, { plate: t.plate, plateFolded: t.plateFolded }),
  ...unlessEdited(t.startedEditedAt, { startedAt: t.startedAt }),
  ...fromNewRow(t, 'customerId', 'vehicleCategory'),
};
const FOLLOWING = {
  ...unlessEdited(t.statusEditedAt, { status: t.status }),
  ...unlessEdited(t.endedEditedAt, { endedAt: t.endedAt }),
  ...unlessEdited(
    t.endedEditedAt,
    { exitLaneId: t.exitLaneId, exitReadId: t.exitReadId, exitFoundBy: t.exitFoundBy },
    incomingOrStored,
  ),
  ...unlessEdited(t.paymentEditedAt, {
    amountMinor: t.amountMinor,
    currency: t.currency,
    price: t.price,
    unitsMet: t.unitsMet,
    paidMinor: t.paidMinor,
    paidUntil: t.paidUntil,
  }),
  // Sites do not report that a payment has failed: it stands until they report how it was settled.
  ...unlessEdited(
    t.paymentEditedAt,
    { paymentStatus: t.paymentStatus },
    (column) =>
      sql`coalesce(${newValue(column)}, CASE WHEN ${stored(column)} = 'failed' AND ${newValue(t.status)} <> 'completed'
        THEN 'failed' END)`,
  ),
  ...unlessEdited(t.flagsEditedAt, { flags: t.flags }),
  ...fromNewRow(
    t,
    ...(['createdAt', 'entryLaneId', 'entryReadId', 'permitId', 'plateByPerson', 'quota'] as const),
    ...(['feedAt', 'modifiedAt'] as const),
  ),
};

/** Takes a visit as its site has it, as far as no person has changed it since. */
export const putVisit = preparedInsert(t, { target: t.id, set: { ...FIXED, ...FOLLOWING } });

/** The same of one that keeps its plate and its start: naming a column costs the rewriting of its indexes. */
export const followVisit = preparedInsert(t, { target: t.id, set: FOLLOWING });
