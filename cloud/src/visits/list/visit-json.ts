import { costOf, isMet, type PriceLine } from '@hlid/protocol/price-line';
import type { VisitPrice } from '@hlid/protocol/visit';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { cameraTable } from '../../cameras/camera-table.ts';
import { customerTable } from '../../customers/customer-table.ts';
import { listedId, shownTime } from '../../db/compact-columns.ts';
import type { Queries } from '../../db/db.ts';
import { type JsonText, jsonObject, jsonText, whereThere } from '../../db/json-object.ts';
import { invoiceTable } from '../../invoices/invoice-table.ts';
import { photoTable } from '../../photos/storage/photo-table.ts';
import { vehicleTable } from '../../vehicles/record/vehicle-table.ts';
import { noticeTable, visitTable as t } from '../record/visit-table.ts';
import { newestInvoiceId } from './newest-invoice-id.ts';
import type { VisitView } from './visit-view.ts';

type Shown<Name extends keyof VisitView> = NonNullable<VisitView[Name]>;

const entrance = alias(photoTable, 'entrance');
const exit = alias(photoTable, 'exit_photo');
const entranceCamera = alias(cameraTable, 'entrance_camera');
const exitCamera = alias(cameraTable, 'exit_camera');

/** What is left of what a stay was last found to cost. */
export const stayDue = sql<
  number | null
>`CASE WHEN ${t.status} = 'completed' THEN 0 ELSE ${t.amountMinor} END`;

const noticeAt = sql<string | null>`(SELECT ${noticeTable.deliveredAt} FROM ${noticeTable}
  WHERE ${noticeTable.visitId} = ${t.id})`;

/** Whether it is to be priced now: the stay goes on, nobody has priced its end, or a late fee may have been added. */
export const toPrice = sql`(${t.endedAt} IS NULL
  OR (${t.status} <> 'completed' AND (${t.price} IS NULL OR ${noticeAt} IS NOT NULL)))`.mapWith(Boolean);

const due = jsonObject<Shown<'due'>>({
  amount: sql`${stayDue}`,
  currency: sql`${t.currency}`,
});

/** By the register; where it does not know the vehicle, by its plate. */
const vehicle = jsonObject<Shown<'vehicle'>>({
  regno: sql`${t.plate}`,
  country: sql`coalesce(${ofVehicle('country')}, ${entrance.country}, ${exit.country})`,
  make: ofVehicle('make'),
  model: ofVehicle('model'),
  color: ofVehicle('color'),
  category: t.vehicleCategory,
});

/** As people say, else as the register does. */
function ofVehicle(field: 'country' | 'make' | 'model' | 'color'): SQL<string | null> {
  return sql`coalesce(${vehicleTable.overrides} ->> ${sql.raw(`'${field}'`)}, ${vehicleTable[field]})`;
}

/** A photo without what follows from its id, which is read beside it. */
type PhotoPart = Omit<Shown<'entrancePhoto'>, 'id' | 'url'>;

function photoJson(photo: typeof entrance | typeof exit, camera: typeof entranceCamera | typeof exitCamera) {
  return whereThere(
    photo.id,
    jsonObject<PhotoPart>({
      capturedOn: shownTime(sql`coalesce(${photo.capturedAt}, ${photo.receivedAt})`),
      plate: photo.plate,
      score: photo.score,
      status: photo.status,
      createdOn: shownTime(photo.createdAt),
      camera: jsonObject<Shown<'entrancePhoto'>['camera']>({
        id: camera.id,
        name: camera.name,
        remoteId: photo.cameraId,
      }),
    }),
  );
}

/** A visit as the API shows it (VisitViewSchema), but for what SQL reads slowly, or not at all. */
const visitJson = jsonObject<Omit<VisitView, 'price' | 'entrancePhoto' | 'exitPhoto'>>({
  id: t.id,
  siteId: t.siteId,
  startedOn: shownTime(t.startedAt),
  endedOn: shownTime(t.endedAt),
  createdOn: shownTime(t.createdAt),
  plate: t.plate,
  status: t.status,
  paymentStatus: t.paymentStatus,
  due: whereThere(t.price, due),
  noticeOn: noticeAt,
  unitsMet: t.unitsMet,
  paid: t.paidMinor,
  paidUntil: shownTime(t.paidUntil),
  vehicle: whereThere(t.plate, vehicle),
  customer: whereThere(
    t.customerId,
    jsonObject<Shown<'customer'>>({ id: sql`${t.customerId}`, name: customerTable.name }),
  ),
  exitFoundBy: t.exitFoundBy,
  entryLaneId: t.entryLaneId,
  exitLaneId: t.exitLaneId,
  invoice: whereThere(
    invoiceTable.id,
    jsonObject<Shown<'invoice'>>({
      id: invoiceTable.id,
      status: invoiceTable.status,
      number: invoiceTable.number,
      amount: invoiceTable.amountMinor,
      currency: invoiceTable.currency,
    }),
  ),
  quota: t.quota,
  flags: t.flags,
});

/** Visits as the API shows them, and where they stand in their list. `rank` and `at`: see keyset.ts. */
export function selectVisits(q: Queries, rank: SQL, at: typeof t.startedAt | typeof t.endedAt) {
  return q
    .select({
      rank: rank.mapWith(Number),
      at: sql`${at}`.mapWith(at),
      id: t.id,
      rest: jsonText(visitJson),
      entrance: jsonText(photoJson(entrance, entranceCamera)),
      entranceId: listedId(t.entryReadId),
      hasEntrance: sql`${entrance.url} IS NOT NULL`.mapWith(Boolean),
      exit: jsonText(photoJson(exit, exitCamera)),
      exitId: listedId(t.exitReadId),
      hasExit: sql`${exit.url} IS NOT NULL`.mapWith(Boolean),
      price: t.price,
      status: t.status,
      amountMinor: t.amountMinor,
      toPrice,
    })
    .from(t)
    .leftJoin(entrance, eq(entrance.id, t.entryReadId))
    .leftJoin(
      entranceCamera,
      and(eq(entranceCamera.siteId, entrance.siteId), eq(entranceCamera.remoteId, entrance.cameraId)),
    )
    .leftJoin(exit, eq(exit.id, t.exitReadId))
    .leftJoin(exitCamera, and(eq(exitCamera.siteId, exit.siteId), eq(exitCamera.remoteId, exit.cameraId)))
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .leftJoin(vehicleTable, eq(vehicleTable.plate, t.plate))
    .leftJoin(invoiceTable, eq(invoiceTable.id, newestInvoiceId));
}

type SelectedVisit = Awaited<ReturnType<ReturnType<typeof selectVisits>['all']>>[number];

/** A visit as the API shows it, and where it stands in its list. */
export type ShownVisit = Pick<SelectedVisit, 'rank' | 'at' | 'id' | 'toPrice'> & {
  shown: JsonText<VisitView>;
};

/** A visit as `selectVisits` brings it, with its price as it was found last. */
export function shownVisit(selected: SelectedVisit): ShownVisit {
  const { rank, at, id, toPrice, rest, price, status, amountMinor } = selected;
  const view = price && storedPrice(price, amountMinor ?? price.amountMinor, status === 'completed');
  const entrancePhoto = photoText(selected.entrance, selected.entranceId, selected.hasEntrance);
  const exitPhoto = photoText(selected.exit, selected.exitId, selected.hasExit);
  const parts = `"entrancePhoto":${entrancePhoto},"exitPhoto":${exitPhoto},"price":${JSON.stringify(view)}`;
  return { rank, at, id, toPrice, shown: `${rest.slice(0, -1)},${parts}}` as JsonText<VisitView> };
}

function photoText(part: JsonText<PhotoPart | null> | null, id: string | null, hasPicture: boolean): string {
  if (part === null || id === null) return 'null';
  const url = hasPicture ? JSON.stringify(`/photo/${id}/picture`) : 'null';
  return `{"id":${JSON.stringify(id)},"url":${url},${part.slice(1)}`;
}

function storedPrice(
  { currency, lines, product, pricedAt }: VisitPrice,
  leftMinor: number,
  isSettled: boolean,
): Shown<'price'> {
  const shown = viewLines(lines);
  // What its site has settled by an invoice stands in its price as due: the invoice asks for that.
  if (isSettled && leftMinor > 0) shown.push({ rule: 'invoiced', units: 1, amount: -leftMinor });
  return { amount: stayCost(lines, leftMinor), currency, lines: shown, product, pricedOn: pricedAt };
}

/** What a stay was last found to cost: what was paid makes it no cheaper. Without lines, what is left of it. */
export function stayCost(lines: readonly PriceLine[], leftMinor: number): number {
  return lines.every(({ rule }) => isMet(rule)) ? leftMinor : costOf(lines);
}

/** Lines of a price as the API shows them. */
export function viewLines(lines: readonly PriceLine[]): Shown<'price'>['lines'] {
  return lines.map(({ amountMinor, unitMinor, ...line }) => ({
    ...line,
    amount: amountMinor,
    ...(unitMinor !== undefined && { unitAmount: unitMinor }),
  }));
}
