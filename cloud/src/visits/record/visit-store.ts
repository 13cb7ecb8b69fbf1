import { and, asc, eq, gt, gte, inArray, isNull, lte, ne, notInArray, sql } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { parseJson } from '../../db/json-object.ts';
import { prepared } from '../../db/prepared.ts';
import { preparedInsert } from '../../db/prepared-insert.ts';
import type { OwnRows } from '../../http/caller.ts';
import { selectVisits } from '../list/visit-json.ts';
import type { VisitRow, VisitStepRow, VisitView } from '../list/visit-view.ts';
import { settlementTable } from './settlement-table.ts';
import { visitTable as t, visitStepTable } from './visit-table.ts';

const value = sql.placeholder;

const visitById = prepared((q) =>
  selectVisits(q, sql`0`)
    .where(eq(t.id, value('id')))
    .prepare(),
);

/** A visit that the caller may see, as it is shown. */
export async function findVisit(q: Queries, id: string, own: OwnRows): Promise<VisitView | null> {
  const found = await visitById(q).get({ id });
  if (found === undefined) return null;
  const visit = parseJson(found.shown);
  return isOwn({ customerId: visit.customer?.id ?? null }, own) ? visit : null;
}

const visitRowById = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eq(t.id, value('id')))
    .prepare(),
);

/** A visit that the caller may see, as it is stored. */
export async function findVisitRow(q: Queries, id: string, own: OwnRows): Promise<VisitRow | null> {
  const row = await visitRowById(q).get({ id });
  return row && isOwn(row, own) ? row : null;
}

function isOwn({ customerId }: Pick<VisitRow, 'customerId'>, own: OwnRows): boolean {
  return own.all || (customerId !== null && customerId === own.customerId);
}

const stepsOf = prepared((q) =>
  q
    .select()
    .from(visitStepTable)
    .where(eq(visitStepTable.visitId, value('visitId')))
    .orderBy(asc(visitStepTable.at), asc(sql`rowid`))
    .prepare(),
);

export async function visitSteps(q: Queries, visitId: string): Promise<VisitStepRow[]> {
  return await stepsOf(q).all({ visitId });
}

export const insertStep = preparedInsert(visitStepTable);

// Behind a plus the site is compared without its index: all cars that are inside are more than the visits of a plate.
const openOfPlate = prepared((q) =>
  q
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.plate, value('plate')), sql`+${t.siteId} = ${value('siteId')}`, isNull(t.endedAt)))
    .limit(1)
    .prepare(),
);

/** The visit of exactly this plate that is inside at a site. */
export async function openVisitOfPlate(
  q: Queries,
  siteId: string,
  plate: string,
): Promise<{ id: string } | null> {
  return (await openOfPlate(q).get({ siteId, plate })) ?? null;
}

/** Another visit of one of these plates at a site that began within that time and was not voided. */
export async function visitBetween(
  q: Queries,
  siteId: string,
  { plates, after, before, but }: { plates: string[]; after: string; before: string; but: string[] },
): Promise<{ id: string } | null> {
  const [found] = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        inArray(t.plate, plates),
        gte(t.startedAt, after),
        lte(t.startedAt, before),
        eq(t.siteId, siteId),
        notInArray(t.id, but),
        sql`${t.paymentStatus} IS NOT 'void'`,
      ),
    )
    .limit(1);
  return found ?? null;
}

/** Another visit of a plate at a site that began before a moment, was not voided, and was not over at another. */
export async function visitDuring(
  q: Queries,
  siteId: string,
  { plate, after, before, but }: { plate: string; after: string; before: string; but: string },
): Promise<{ id: string } | null> {
  const [found] = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.plate, plate),
        lte(t.startedAt, before),
        // The plate leads.
        sql`+${t.siteId} = ${siteId}`,
        ne(t.id, but),
        sql`(${t.endedAt} IS NULL OR ${t.endedAt} > ${after})`,
        sql`${t.paymentStatus} IS NOT 'void'`,
      ),
    )
    .limit(1);
  return found ?? null;
}

export async function visitExists(q: Queries, id: string): Promise<boolean> {
  return (await visitRowById(q).get({ id })) !== undefined;
}

export const insertVisitRow = preparedInsert(t);

export async function updateVisitRow(q: Queries, row: VisitRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

export async function insertSettlement(
  q: Queries,
  settlement: typeof settlementTable.$inferSelect,
): Promise<void> {
  await q.insert(settlementTable).values(settlement);
}

/** A settlement is told to its site under another number. */
export async function moveSettlement(q: Queries, id: string, feedN: number): Promise<void> {
  await q.update(settlementTable).set({ feedN }).where(eq(settlementTable.id, id));
}

/** Whether something of a visit was settled here that its site had not heard of by that number. */
export async function isSettledAfter(q: Queries, visitId: string, feedAt: number): Promise<boolean> {
  const [found] = await q
    .select({ id: settlementTable.id })
    .from(settlementTable)
    .where(
      and(
        eq(settlementTable.visitId, visitId),
        gt(settlementTable.feedN, feedAt),
        gt(settlementTable.amountMinor, 0),
      ),
    )
    .limit(1);
  return found !== undefined;
}

/** The ids of the settlements of a visit that were made in the cloud. */
export async function settlementIds(q: Queries, visitId: string): Promise<Set<string>> {
  const rows = await q
    .select({ id: settlementTable.id })
    .from(settlementTable)
    .where(eq(settlementTable.visitId, visitId));
  return new Set(rows.map(({ id }) => id));
}
