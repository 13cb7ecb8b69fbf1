import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import type { ReviewFlag, Visit, VisitStep } from '@hlid/protocol/records/visit';
import { unitsDue } from '@hlid/protocol/tariff/price-line';
import { invoiceSettlement } from '../../../money/invoices/invoice-settlement.ts';
import { followQuota } from '../../../money/quotas/follow-quota.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { recordEvent } from '../../../records/integration-events/record-event.ts';
import { countStay } from '../../../records/totals/count-stay.ts';
import type { CountedStay } from '../../../records/totals/stay-totals.ts';
import { customerOfPlate } from '../../../records/vehicles/customer-of-plate.ts';
import { categoryOfPlate } from '../../../records/vehicles/priced-vehicle.ts';
import { insertStep } from '../../../records/visits/visit-store.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { followVisit, type KnownVisit, knownVisit, putVisit } from './site-visit-store.ts';

/** The place of an event in a site's log. */
export interface EventPlace {
  siteId: string;
  /** `{epoch}-{seq}`, the id of what the event adds. */
  eventId: string;
  at: UtcTime;
}

type VisitEvent = { visit: Visit; step: VisitStep | null; feedAt: number };

/**
 * Takes over the whole visit as the site has it, and the step it made. It then finds the visit's customer,
 * the units of its quota and the amount to be invoiced. @returns the reason why it is refused, or null
 */
export async function ingestVisit(tx: Tx, place: EventPlace, event: VisitEvent): Promise<string | null> {
  const { siteId, eventId, at } = place;
  const { visit } = event;
  const { price } = visit;
  const known = await knownVisit(tx.q, visit.id);
  if (known !== undefined && known.siteId !== siteId) return 'the visit is another site’s';
  const holder = await holderOf(tx, known, event);
  const lacking = await quotaLacking(tx, known, event, at);
  const row: VisitRow = {
    siteId,
    ...holder,
    plateFolded: visit.plate === null ? null : foldPlate(visit.plate),
    plateByPerson: plateByPerson(known, event),
    amountMinor: price?.amountMinor ?? null,
    currency: price?.currency ?? null,
    feedAt: event.feedAt,
    plateEditedAt: 0,
    startedEditedAt: 0,
    statusEditedAt: 0,
    endedEditedAt: 0,
    paymentEditedAt: 0,
    flagsEditedAt: 0,
    modifiedAt: at,
    // Last: adding to what was spread takes as long as writing the row.
    ...visit,
    flags: flagsOf(visit, known, lacking),
  };
  if (known !== undefined && keepsPlate(known, event) && keepsStart(known, event)) {
    await followVisit(tx.q, row);
  } else {
    await putVisit(tx.q, row);
  }
  await countStay(tx.q, known ?? null, countedOf(known, event, row));
  if (event.step) await insertStep(tx.q, { visitId: visit.id, ...event.step });
  if (price !== null && isNewInvoice(known, event)) {
    const { amountMinor, currency, lines } = price;
    const units = unitsDue(lines);
    const { paymentStatus, endedAt } = visit;
    if (paymentStatus !== null) {
      const settlement = { cause: eventId, paymentStatus, amountMinor, currency, units, at: endedAt ?? at };
      await invoiceSettlement(tx, row, settlement);
    }
  }
  await recordVisitEvents(tx, known, event, place);
  return null;
}

/** The part of the visit that the totals count, as it is stored: later changes by a person stay. */
function countedOf(known: KnownVisit | undefined, { feedAt }: VisitEvent, row: VisitRow): CountedStay {
  if (known === undefined) return row;
  const ended = feedAt < known.endedEditedAt ? known : row;
  return {
    siteId: row.siteId,
    entryLaneId: row.entryLaneId,
    permitId: row.permitId,
    plateByPerson: row.plateByPerson,
    startedAt: feedAt < known.startedEditedAt ? known.startedAt : row.startedAt,
    endedAt: ended.endedAt,
    exitLaneId: ended.exitLaneId ?? known.exitLaneId,
    exitFoundBy: ended.exitFoundBy ?? known.exitFoundBy,
    paymentStatus: feedAt < known.paymentEditedAt ? known.paymentStatus : row.paymentStatus,
  };
}

/** Whether a person or the driver gave or changed the plate, or no camera read it. */
function plateByPerson(known: KnownVisit | undefined, event: VisitEvent): boolean {
  const { visit, step } = event;
  if (known !== undefined && (keepsPlate(known, event) || step?.by === 'retention'))
    return known.plateByPerson;
  if (visit.plate === null || visit.entryReadId === null) return true;
  // A lane that reads the same car again, and better, is no person.
  return known !== undefined && step !== null && !step.by.startsWith('lane:');
}

/**
 * Whether a visit keeps its former plate: the site reports the same one, or a person has corrected it since.
 */
function keepsPlate(known: KnownVisit, { visit, feedAt }: VisitEvent): boolean {
  return feedAt < known.plateEditedAt || known.plate === visit.plate;
}

function keepsStart(known: KnownVisit, { visit, feedAt }: VisitEvent): boolean {
  return feedAt < known.startedEditedAt || known.startedAt === visit.startedAt;
}

/** The holder and the kind of vehicle of a visit: asked once for each plate that it has. */
async function holderOf(
  tx: Tx,
  known: KnownVisit | undefined,
  event: VisitEvent,
): Promise<Pick<KnownVisit, 'customerId' | 'vehicleCategory'>> {
  if (known !== undefined && keepsPlate(known, event)) {
    return { customerId: known.customerId, vehicleCategory: known.vehicleCategory };
  }
  const { plate, startedAt } = event.visit;
  if (plate === null) return { customerId: null, vehicleCategory: null };
  return {
    customerId: await customerOfPlate(tx.q, plate, startedAt),
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

async function recordVisitEvents(
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

/** Flags that only the cloud gives, for what no site can know. */
export const CLOUD_FLAGS: readonly ReviewFlag[] = ['invoice-stands', 'settled-twice'];

/** The site's flags, and those that only the cloud gives. */
function flagsOf(
  { flags }: Pick<Visit, 'flags'>,
  known: KnownVisit | undefined,
  lacking: number,
): ReviewFlag[] {
  const kept = (known?.flags ?? []).filter((flag) => CLOUD_FLAGS.includes(flag));
  return [...new Set([...flags, ...kept, ...(lacking > 0 ? (['quota-exceeded'] as const) : [])])];
}
