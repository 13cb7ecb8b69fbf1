import { randomUUID } from 'node:crypto';
import type { Price } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type PaymentStatus, type ReviewFlag, type Visit, VisitSchema } from '@hlid/protocol/visit';
import { moveVisit, type VisitMove } from '@hlid/protocol/visit-state';
import { z } from 'zod';
import type { Tx } from '../db/db.ts';
import { readHead } from '../feed/feed-store.ts';
import { takeVisit } from '../ingest/visit-intake.ts';
import type { VisitRow } from '../visits/visit-view.ts';
import type { CloudLane } from './cloud-lane.ts';
import { quotaWithPlate } from './gather-facts.ts';
import { openVisitOf, visitRowById } from './open-visits.ts';

/** Who did something to a visit, when, and why. */
export interface LaneDeed {
  at: UtcTime;
  by: string;
  why: string;
}

export interface Arrival {
  plate: string | null;
  status: 'new' | 'need-plate';
  readId: string;
  flags: readonly ReviewFlag[];
  permitId: string | null;
  quota: Visit['quota'];
}

export interface Departure {
  readId: string;
  foundBy: NonNullable<Visit['exitFoundBy']>;
  settlement: PaymentStatus | null;
  settled: boolean;
  flags: readonly ReviewFlag[];
  price: Price | null;
  permitId: string | null;
  quota: Visit['quota'];
}

/** A visit as a site has it; the cloud's own columns fall away. */
const SiteVisitSchema = z.object(VisitSchema.shape);

/** Begins a visit; one plate is inside once. */
export async function beginVisit(tx: Tx, lane: CloudLane, arrival: Arrival, deed: LaneDeed): Promise<string> {
  const { readId, flags, ...known } = arrival;
  const id = randomUUID();
  if (arrival.plate !== null) await clearPlate(tx, lane, arrival.plate, id, deed);
  const visit: Visit = {
    id,
    ...known,
    paymentStatus: null,
    startedAt: deed.at,
    endedAt: null,
    createdAt: deed.at,
    price: null,
    unitsMet: 0,
    paidUntil: null,
    flags: [...flags],
    entryLaneId: lane.id,
    exitLaneId: null,
    entryReadId: readId,
    exitReadId: null,
    exitFoundBy: null,
  };
  await tell(tx, lane, null, visit, deed);
  return id;
}

/** It wants to leave and something is due. */
export async function askToPay(
  tx: Tx,
  lane: CloudLane,
  row: VisitRow,
  { price, flags, quota }: Pick<Departure, 'price' | 'flags' | 'quota'>,
  deed: LaneDeed,
): Promise<string> {
  const asked = {
    status: statusAfter(row, 'asked-to-leave'),
    price: priced(price, deed.at),
    flags: withFlags(row.flags, flags),
    quota,
  };
  // A car that waits at the exit is read again and again.
  const same = row.status === asked.status && row.price?.amountMinor === asked.price?.amountMinor;
  if (!same) await tell(tx, lane, row, { ...siteVisit(row), ...asked }, deed);
  return row.id;
}

export async function leave(
  tx: Tx,
  lane: CloudLane,
  row: VisitRow,
  departure: Departure,
  deed: LaneDeed,
): Promise<string> {
  const left: Visit = {
    ...siteVisit(row),
    status: statusAfter(row, departure.settled ? 'left-settled' : 'asked-to-leave'),
    paymentStatus: departure.settlement ?? row.paymentStatus,
    endedAt: deed.at,
    price: priced(departure.price, deed.at) ?? siteVisit(row).price,
    flags: withFlags(row.flags, departure.flags),
    exitLaneId: lane.id,
    exitReadId: departure.readId,
    exitFoundBy: departure.foundBy,
    permitId: departure.permitId ?? row.permitId,
    quota: departure.quota,
  };
  await tell(tx, lane, row, left, deed);
  return row.id;
}

/** A better reading of the car for which a visit was begun; not where a person has said otherwise. */
export async function correctVisit(
  tx: Tx,
  lane: CloudLane,
  visitId: string,
  plate: { before: string | null; after: string },
  deed: LaneDeed,
): Promise<void> {
  const row = await visitRowById(tx.q, visitId);
  if (row === null || row.plate !== plate.before) return;
  if (row.endedAt === null) await clearPlate(tx, lane, plate.after, visitId, deed);
  const corrected: Visit = {
    ...siteVisit(row),
    plate: plate.after,
    status: row.status === 'need-plate' ? statusAfter(row, 'plate-given') : row.status,
    flags: row.flags.filter((flag) => flag !== 'unreadable-plate'),
    ...(row.endedAt === null && { quota: await quotaWithPlate(tx.q, lane, row, plate.after, deed.at) }),
  };
  await tell(tx, lane, row, corrected, deed);
}

/** Makes way for a plate: whoever is seen coming in again has left unseen, and is not billed for that. */
async function clearPlate(
  tx: Tx,
  lane: CloudLane,
  plate: string,
  forVisitId: string,
  deed: LaneDeed,
): Promise<void> {
  const other = await openVisitOf(tx.q, lane.site.id, plate, deed.at);
  if (other === null || other.id === forVisitId) return;
  const lost: Visit = { ...siteVisit(other), endedAt: deed.at, flags: withFlags(other.flags, ['lost-exit']) };
  await tell(tx, lane, other, lost, { ...deed, why: 'lost-exit' });
}

/**
 * Stores a visit by the same use case that takes over what sites tell: whose it is, its quota's books, what is to be
 * invoiced and what integrators hear all follow from there.
 */
async function tell(
  tx: Tx,
  lane: CloudLane,
  before: VisitRow | null,
  visit: Visit,
  deed: LaneDeed,
): Promise<void> {
  const siteId = lane.site.id;
  const step = { from: before?.status ?? null, to: visit.status, ...deed };
  // Nothing that a person has edited is unknown here.
  const feedAt = (await readHead(tx.q, siteId)).n;
  const refused = await takeVisit(
    tx,
    { siteId, eventId: randomUUID(), at: deed.at },
    { visit, step, feedAt },
  );
  if (refused !== null) throw new Error(`visit ${visit.id}: ${refused}`);
}

function siteVisit(row: VisitRow): Visit {
  const visit = SiteVisitSchema.parse(row);
  const { price } = visit;
  return { ...visit, price: price && { ...price, amountMinor: row.amountMinor ?? price.amountMinor } };
}

/** The status after a move; where the rules forbid the move, what happened on the ground still stands. */
function statusAfter(visit: Pick<VisitRow, 'status'>, move: VisitMove): Visit['status'] {
  const moved = moveVisit(visit.status, move);
  return moved.ok ? moved.status : visit.status;
}

function priced(price: Price | null, at: UtcTime): Visit['price'] {
  if (price === null) return null;
  const { units: _, ...same } = price;
  return { ...same, pricedAt: at };
}

function withFlags(flags: readonly ReviewFlag[], more: readonly ReviewFlag[]): ReviewFlag[] {
  return [...new Set([...flags, ...more])];
}
