import { foldPlate } from '@hlid/protocol/plate';
import { unitsDue } from '@hlid/protocol/price-line';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit, VisitStep } from '@hlid/protocol/visit';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { customerOfPlate } from '../custody/customer-of-plate.ts';
import type { Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, newValue, preparedInsert } from '../db/prepared-insert.ts';
import { invoiceSettlement } from '../invoices/invoice-settlement.ts';
import { followQuota } from '../quotas/follow-quota.ts';
import { categoryOfPlate } from '../vehicles/category-of-plate.ts';
import { visitStepTable, visitTable } from '../visits/visit-table.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/** What is known of a visit before an event of its site. */
const knownOf = prepared((q) =>
  q
    .select({
      siteId: visitTable.siteId,
      plate: visitTable.plate,
      plateEditedAt: visitTable.plateEditedAt,
      paymentStatus: visitTable.paymentStatus,
      paymentEditedAt: visitTable.paymentEditedAt,
      endedAt: visitTable.endedAt,
      flags: visitTable.flags,
      flagsEditedAt: visitTable.flagsEditedAt,
      customerId: visitTable.customerId,
      vehicleCategory: visitTable.vehicleCategory,
      quota: visitTable.quota,
    })
    .from(visitTable)
    .where(eq(visitTable.id, sql.placeholder('id')))
    .prepare(),
);

/** The site's word, unless a person changed these columns and the site had not applied that when it spoke. */
function unlessEdited(
  editedAt: SQLiteColumn,
  columns: Record<string, SQLiteColumn>,
  said: (column: SQLiteColumn) => SQL = newValue,
): Record<string, SQL> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      sql`CASE WHEN ${newValue(visitTable.feedAt)} < ${stored(editedAt)}
        THEN ${stored(column)} ELSE ${said(column)} END`,
    ]),
  );
}

function stored(column: SQLiteColumn): SQL {
  return sql`${visitTable}.${sql.identifier(column.name)}`;
}

/** What the site says, where it says something: a visit joined with another has that one's exit, here only. */
function saidOrStored(column: SQLiteColumn): SQL {
  return sql`coalesce(${newValue(column)}, ${stored(column)})`;
}

const t = visitTable;
const upsertVisit = preparedInsert(visitTable, {
  target: visitTable.id,
  set: {
    ...unlessEdited(t.plateEditedAt, { plate: t.plate, plateFolded: t.plateFolded }),
    ...unlessEdited(t.statusEditedAt, { status: t.status }),
    ...unlessEdited(t.endedEditedAt, { endedAt: t.endedAt }),
    ...unlessEdited(
      t.endedEditedAt,
      { exitLaneId: t.exitLaneId, exitReadId: t.exitReadId, exitFoundBy: t.exitFoundBy },
      saidOrStored,
    ),
    ...unlessEdited(t.paymentEditedAt, {
      paymentStatus: t.paymentStatus,
      amountMinor: t.amountMinor,
      currency: t.currency,
      price: t.price,
      unitsMet: t.unitsMet,
      paidMinor: t.paidMinor,
      paidUntil: t.paidUntil,
    }),
    ...unlessEdited(t.flagsEditedAt, { flags: t.flags }),
    ...fromNewRow(
      t,
      'startedAt',
      'createdAt',
      'customerId',
      'vehicleCategory',
      'entryLaneId',
      'entryReadId',
      'permitId',
      'quota',
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

type VisitEvent = { visit: Visit; step: VisitStep | null; feedAt: number };
type KnownVisit = NonNullable<Awaited<ReturnType<ReturnType<typeof knownOf>['get']>>>;

/**
 * Takes over the whole visit as the site has it, and the step it made; whose it is, what its quota gives and what is
 * to be invoiced follows. @returns why not, or null
 */
export async function takeVisit(tx: Tx, place: EventPlace, event: VisitEvent): Promise<string | null> {
  const { siteId, eventId, at } = place;
  const { price, ...visit } = event.visit;
  const known = await knownOf(tx.q).get({ id: visit.id });
  if (known !== undefined && known.siteId !== siteId) return 'the visit is another site’s';
  const holder = await holderOf(tx, known, event);
  const lacking = await quotaLacking(tx, known, event, at);
  const row = {
    ...visit,
    ...holder,
    siteId,
    plateFolded: visit.plate === null ? null : foldPlate(visit.plate),
    amountMinor: price?.amountMinor ?? null,
    currency: price?.currency ?? null,
    price,
    flags: flagsOf(visit, known, lacking),
    feedAt: event.feedAt,
    plateEditedAt: 0,
    statusEditedAt: 0,
    endedEditedAt: 0,
    paymentEditedAt: 0,
    flagsEditedAt: 0,
    modifiedAt: at,
  };
  await upsertVisit(tx.q, row);
  if (event.step) await addStep(tx.q, { ...event.step, id: eventId, visitId: visit.id, siteId });
  if (price !== null && isNewInvoice(known, event)) {
    const { amountMinor, currency, lines } = price;
    const units = unitsDue(lines);
    const { paymentStatus, endedAt } = visit;
    if (paymentStatus !== null) {
      const settlement = { cause: eventId, paymentStatus, amountMinor, currency, units, at: endedAt ?? at };
      await invoiceSettlement(tx, row, settlement);
    }
  }
  await tellIntegrators(tx, known, event, place);
  return null;
}

/** Whose a visit is and what kind of vehicle: asked once for each plate that it has. */
async function holderOf(
  tx: Tx,
  known: KnownVisit | undefined,
  { visit, feedAt }: VisitEvent,
): Promise<Pick<KnownVisit, 'customerId' | 'vehicleCategory'>> {
  const edited = known !== undefined && feedAt < known.plateEditedAt;
  if (known !== undefined && (edited || known.plate === visit.plate)) {
    return { customerId: known.customerId, vehicleCategory: known.vehicleCategory };
  }
  const { plate } = visit;
  if (plate === null) return { customerId: null, vehicleCategory: null };
  return {
    customerId: await customerOfPlate(tx.q, plate, visit.startedAt),
    vehicleCategory: await categoryOfPlate(tx.q, plate),
  };
}

async function quotaLacking(
  tx: Tx,
  known: KnownVisit | undefined,
  { visit }: VisitEvent,
  at: UtcTime,
): Promise<number> {
  if (visit.quota === null && (known?.quota ?? null) === null) return 0;
  return await followQuota(tx, visit, at);
}

/** Whether the site has settled a due by an invoice now: the cloud's own settlements have theirs. */
function isNewInvoice(known: KnownVisit | undefined, { visit, feedAt }: VisitEvent): boolean {
  const { paymentStatus, endedAt } = visit;
  if (paymentStatus !== 'company-invoice' && paymentStatus !== 'owner-invoice') return false;
  if (known === undefined) return true;
  if (feedAt < known.paymentEditedAt) return false;
  return known.paymentStatus !== paymentStatus || (known.endedAt === null && endedAt !== null);
}

async function tellIntegrators(
  tx: Tx,
  known: KnownVisit | undefined,
  { visit }: VisitEvent,
  { siteId, at }: EventPlace,
): Promise<void> {
  const ended = visit.endedAt !== null && (known?.endedAt ?? null) === null;
  const opened = known === undefined;
  const type = ended && !opened ? 'visit.ended' : opened ? 'visit.opened' : 'visit.updated';
  await recordEvent(tx, { type, subjectId: visit.id, siteId, at });
  if (visit.flags.some((flag) => !(known?.flags ?? []).includes(flag))) {
    await recordEvent(tx, { type: 'visit.review', subjectId: visit.id, siteId, at });
  }
}

/** The site's flags, and those that only the cloud gives. */
function flagsOf(
  { flags }: Pick<Visit, 'flags'>,
  known: KnownVisit | undefined,
  lacking: number,
): ReviewFlag[] {
  const kept = (known?.flags ?? []).filter((flag) => flag === 'invoice-stands');
  return [...new Set([...flags, ...kept, ...(lacking > 0 ? (['quota-exceeded'] as const) : [])])];
}
