import type { VisitPrice } from '@hlid/protocol/records/visit';
import { costOf, isMet, type PriceLine } from '@hlid/protocol/tariff/price-line';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { digitsOfId, idOfDigits, shownTime, timeText } from '../../../platform/db/compact-columns.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { type JsonText, jsonObject, jsonText, whereThere } from '../../../platform/db/json-object.ts';
import { lengthenJson } from '../../../platform/db/short-json.ts';
import { and, eq, type SQL, sql } from '../../../platform/db/sql.ts';
import { cameraTable } from '../../../records/cameras/camera-table.ts';
import { customerTable } from '../../../records/customers/customer-table.ts';
import { invoiceTable } from '../../../records/invoices/invoice-table.ts';
import { photoTable } from '../../../records/photos/photo-table.ts';
import { vehicleTable } from '../../../records/vehicles/vehicle-table.ts';
import { noticeTable, visitTable as t } from '../../../records/visits/visit-table.ts';
import { newestInvoiceId } from './newest-invoice-id.ts';
import type { VisitView } from './visit-view.ts';

type Shown<Name extends keyof VisitView> = NonNullable<VisitView[Name]>;

const entrance = alias(photoTable, 'entrance');
const exit = alias(photoTable, 'exit_photo');
const entranceCamera = alias(cameraTable, 'entrance_camera');
const exitCamera = alias(cameraTable, 'exit_camera');

/** The amount due of a stay as it was computed last; 0 once it is completed. */
export const stayDue = sql<
  number | null
>`CASE WHEN ${t.status} = 'completed' THEN 0 ELSE ${t.amountMinor} END`;

const noticeAt = sql<string | null>`(SELECT ${noticeTable.deliveredAt} FROM ${noticeTable}
  WHERE ${eq(noticeTable.visitId, t.id)})`;

/**
 * Whether it is to be priced now: the stay goes on, its end is not priced, or a late fee may have been added.
 */
export const toPrice = sql`(${t.endedAt} IS NULL
  OR (${t.status} <> 'completed' AND (${t.price} IS NULL OR ${noticeAt} IS NOT NULL)))`.mapWith(Boolean);

const due = jsonObject<Shown<'due'>>({
  amount: sql`${stayDue}`,
  currency: sql`${t.currency}`,
});

/** The vehicle by the register; if it does not know the vehicle, by its plate. */
const vehicle = jsonObject<Shown<'vehicle'>>({
  regno: sql`${t.plate}`,
  country: sql`coalesce(${ofVehicle('country')}, ${entrance.country}, ${exit.country})`,
  make: ofVehicle('make'),
  model: ofVehicle('model'),
  color: ofVehicle('color'),
  category: t.vehicleCategory,
});

/** A field of the vehicle as people set it, else as the register has it. */
export function ofVehicle(field: 'country' | 'make' | 'model' | 'color'): SQL<string | null> {
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
      createdOn: photo.createdAt,
      camera: jsonObject<Shown<'entrancePhoto'>['camera']>({
        id: camera.id,
        name: camera.name,
        remoteId: photo.cameraId,
      }),
    }),
  );
}

/** A visit as the API shows it (VisitViewSchema), but for what SQL reads slowly, or not at all. */
const visitJson = jsonObject<Omit<VisitView, 'id' | 'price' | 'entrancePhoto' | 'exitPhoto'>>({
  siteId: t.siteId,
  startedOn: t.startedAt,
  endedOn: t.endedAt,
  createdOn: t.createdAt,
  plate: t.plate,
  status: t.status,
  paymentStatus: t.paymentStatus,
  due: whereThere(t.price, due),
  noticeOn: noticeAt,
  unitsMet: t.unitsMet,
  paid: t.paidMinor,
  paidUntil: t.paidUntil,
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

const COLUMNS = {
  id: digitsOfId(t.id),
  rest: jsonText(visitJson),
  entrance: jsonText(photoJson(entrance, entranceCamera)),
  entranceId: digitsOfId(t.entryReadId),
  hasEntrance: sql`${entrance.url} IS NOT NULL`,
  exit: jsonText(photoJson(exit, exitCamera)),
  exitId: digitsOfId(t.exitReadId),
  hasExit: sql`${exit.url} IS NOT NULL`,
  price: t.price,
  isSettled: sql`${t.status} = 'completed'`,
  amountMinor: t.amountMinor,
  toPrice,
};
type Name = keyof typeof COLUMNS | 'rank' | 'at';
const PLACES = new Map(['rank', 'at', ...Object.keys(COLUMNS)].map((name, place) => [name, place]));

/**
 * Visits as the API shows them, and where they stand in their list, to be read by `values` and `shownVisit`. `rank` and `at`:
 * see keyset.ts.
 */
export function selectVisits(q: Queries, rank: SQL, at: SQLiteColumn | SQL) {
  return q
    .select({ rank, at: sql`${at}`, ...COLUMNS })
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

/** A visit as the API shows it, and where it stands in its list. */
export interface ShownVisit {
  rank: number;
  at: string;
  id: string;
  toPrice: boolean;
  shown: JsonText<VisitView>;
}

/** A row as the driver returns it: to map each value costs Drizzle as much as SQLite to find the row. */
export type VisitValues = Readonly<Record<number, unknown>>;

/** A visit as `selectVisits` brings it, with its price as it was found last. */
export function shownVisit(values: VisitValues, isTime = true): ShownVisit {
  const value = (name: Name) => values[PLACES.get(name) ?? -1];
  const photo = (part: unknown, id: unknown, hasPicture: unknown) =>
    typeof part === 'string' && typeof id === 'string'
      ? photoText(part, idOfDigits(id), hasPicture === 1)
      : 'null';
  const entrance = photo(value('entrance'), value('entranceId'), value('hasEntrance'));
  const exitPhoto = photo(value('exit'), value('exitId'), value('hasExit'));
  const id = idOfDigits(String(value('id')));
  const parts = `"entrancePhoto":${entrance},"exitPhoto":${exitPhoto},"price":${priceText(value)}`;
  return {
    rank: Number(value('rank')),
    at: isTime ? timeText(Number(value('at'))) : String(value('at')),
    id,
    toPrice: value('toPrice') === 1,
    shown:
      `{"id":${JSON.stringify(id)},${String(value('rest')).slice(1, -1)},${parts}}` as JsonText<VisitView>,
  };
}

/** @param id a UUID, which needs no escapes */
function photoText(part: string, id: string, hasPicture: boolean): string {
  return `{"id":"${id}","url":${hasPicture ? `"/photo/${id}/picture"` : 'null'},${part.slice(1)}`;
}

function priceText(value: (name: 'price' | 'amountMinor' | 'isSettled') => unknown): string {
  const stored = value('price');
  if (typeof stored !== 'string') return 'null';
  const price: VisitPrice = JSON.parse(lengthenJson(stored));
  const left = value('amountMinor');
  return JSON.stringify(
    storedPrice(price, typeof left === 'number' ? left : price.amountMinor, value('isSettled') === 1),
  );
}

function storedPrice(
  { currency, lines, product, pricedAt }: VisitPrice,
  leftMinor: number,
  isSettled: boolean,
): Shown<'price'> {
  const shown = viewLines(lines);
  // An amount that its site has settled by an invoice is due in the visit's price: the invoice asks for it.
  if (isSettled && leftMinor > 0) shown.push({ rule: 'invoiced', units: 1, amount: -leftMinor });
  return { amount: stayCost(lines, leftMinor), currency, lines: shown, product, pricedOn: pricedAt };
}

/** The last computed price of a stay, which payments do not reduce. Without lines, the part that is left. */
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
