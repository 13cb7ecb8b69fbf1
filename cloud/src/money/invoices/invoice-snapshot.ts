import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder, inArray } from '../../platform/db/sql.ts';
import { type CustomerOptions, customerTable } from '../../records/customers/customer-table.ts';
import { type InvoiceLine, invoiceSnapshotTable as t } from '../../records/invoices/invoice-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import type { InvoiceRow } from './invoice-store.ts';

/** The seller as an invoice names it. */
export type Seller = NonNullable<SiteSettings['seller']>;

/** The customer, as it stands on an electronic invoice. */
export interface InvoiceBuyer {
  ssn: string | null;
  street: string | null;
  postcode: string | null;
  city: string | null;
  country: string | null;
  electronicAddress: string | null;
}

/** @returns null: nothing is known that an electronic invoice needs */
function buyerOf({ ssn, options }: { ssn: string | null; options: CustomerOptions }): InvoiceBuyer | null {
  const { street = null, postcode = null, city = null, country = null, electronicAddress = null } = options;
  if (street === null && city === null && electronicAddress === null) return null;
  return { ssn, street, postcode, city, country, electronicAddress };
}

/** The address of a seller, in one line: as it was written, or from its parts. */
export function addressOfSeller({ address, street, postcode, city }: Partial<Seller> = {}): string | null {
  if (address !== undefined) return address;
  const place = [postcode, city].filter(Boolean).join(' ');
  return [street, place].filter(Boolean).join(', ') || null;
}

/** The site of a visit, as it stands on an invoice. */
export interface Place {
  name: string;
  timeZone: string;
}

/** The country of a seller that names none: most are there. */
export const ICELAND = 'IS';

/**
 * The country of a seller, by ISO 3166: that of its company, its VAT number and its banks. A site has no country of its
 * own.
 */
export function countryOf(seller: Pick<Seller, 'country'> | undefined): string {
  return seller?.country ?? ICELAND;
}

/** The key of a seller's numbers: its national id, however it is written. Empty: no seller is known. */
export function sellerKey(seller: Seller | undefined): string {
  return seller?.ssn.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '') ?? '';
}

/** A statement has room for at least this number of marks. */
const MAX_IDS = 500;

/**
 * The data of seller, sites, visits and customer for an invoice, as they are now: they are never read from
 * there again. A line that knows the time of its visit keeps it, unless the invoice has waited since.
 */
export async function snapshotOf(
  q: Queries,
  { lines, incomeParts, customerId }: Pick<InvoiceRow, 'lines' | 'incomeParts' | 'customerId'>,
  hasWaited: boolean,
): Promise<{
  seller: Seller | undefined;
  sellerId: number | null;
  buyerId: number | null;
  soldTo: string | null;
  lines: InvoiceLine[];
}> {
  const sites = new Map<string, { place: number; seller: Seller | undefined }>();
  for (const { siteId } of incomeParts) {
    if (siteId === null || sites.has(siteId)) continue;
    const site = await siteById(q).get({ id: siteId });
    if (site === undefined) continue;
    const { name, timeZone, settings } = site;
    sites.set(siteId, { place: await snapshotId(q, { name, timeZone }), seller: settings.seller });
  }
  const [only] = sites.values();
  const seller = [...sites.values()].find((site) => site.seller !== undefined)?.seller;
  const unknown = lines.flatMap(({ visitId, startedAt }) =>
    visitId !== null && (hasWaited || startedAt === undefined || sites.size > 1) ? [visitId] : [],
  );
  const stays = await staysOf(q, [...new Set(unknown)]);
  const customer = customerId === null ? undefined : await customerById(q).get({ id: customerId });
  const buyer = customer === undefined ? null : buyerOf(customer);
  return {
    seller,
    sellerId: seller === undefined ? null : await snapshotId(q, seller),
    buyerId: buyer === null ? null : await snapshotId(q, buyer),
    soldTo: customer?.name ?? null,
    lines: lines.map((line) => {
      if (line.visitId === null) return line;
      const stay = stays.get(line.visitId);
      const place = (stay === undefined ? only : sites.get(stay.siteId))?.place;
      const { startedAt, endedAt } = stay ?? line;
      return {
        ...line,
        ...(place !== undefined && { placeId: place }),
        ...(startedAt !== undefined && { startedAt, endedAt: endedAt ?? null }),
      };
    }),
  };
}

const siteById = prepared((q) =>
  q
    .select({ name: siteTable.name, timeZone: siteTable.timeZone, settings: siteTable.settings })
    .from(siteTable)
    .where(eqPlaceholder(siteTable.id, 'id'))
    .prepare(),
);

const customerById = prepared((q) =>
  q
    .select({ name: customerTable.name, ssn: customerTable.ssn, options: customerTable.options })
    .from(customerTable)
    .where(eqPlaceholder(customerTable.id, 'id'))
    .prepare(),
);

interface Stay {
  siteId: string;
  startedAt: UtcTime;
  endedAt: UtcTime | null;
}

async function staysOf(q: Queries, visitIds: readonly string[]): Promise<Map<string, Stay>> {
  const { id, siteId, startedAt, endedAt } = visitTable;
  const stays = new Map<string, Stay>();
  for (let from = 0; from < visitIds.length; from += MAX_IDS) {
    const rows = await q
      .select({ id, siteId, startedAt, endedAt })
      .from(visitTable)
      .where(inArray(id, visitIds.slice(from, from + MAX_IDS)));
    for (const { id: visitId, ...stay } of rows) stays.set(visitId, stay);
  }
  return stays;
}

const idOfContent = prepared((q) =>
  q.select({ id: t.id }).from(t).where(eqPlaceholder(t.content, 'content')).prepare(),
);

/** The row with that content, made where there is none. */
async function snapshotId(q: Queries, value: Seller | Place | InvoiceBuyer): Promise<number> {
  const content = JSON.stringify(value);
  const known = await idOfContent(q).get({ content });
  if (known !== undefined) return known.id;
  const [made] = await q.insert(t).values({ content }).returning({ id: t.id });
  if (made === undefined) throw new Error('an insert returns its row');
  return made.id;
}

/** The data of sellers and sites in invoices, by the numbers of their rows. */
export interface Snapshots {
  sellers: ReadonlyMap<number, Seller>;
  places: ReadonlyMap<number, Place>;
  buyers: ReadonlyMap<number, InvoiceBuyer>;
}

type Snapshotted = Pick<InvoiceRow, 'sellerId'> & { buyerId?: number | null; lines?: readonly InvoiceLine[] };

/** The snapshots that these invoices name. */
export async function snapshotsOf(q: Queries, invoices: readonly Snapshotted[]): Promise<Snapshots> {
  const sellerIds = new Set(invoices.flatMap(({ sellerId }) => sellerId ?? []));
  const placeIds = new Set(
    invoices.flatMap(({ lines = [] }) => lines.flatMap(({ placeId }) => placeId ?? [])),
  );
  const buyerIds = new Set(invoices.flatMap(({ buyerId }) => buyerId ?? []));
  const sellers = new Map<number, Seller>();
  const places = new Map<number, Place>();
  const buyers = new Map<number, InvoiceBuyer>();
  const all = [...new Set([...sellerIds, ...placeIds, ...buyerIds])];
  for (let from = 0; from < all.length; from += MAX_IDS) {
    const rows = await q
      .select()
      .from(t)
      .where(inArray(t.id, all.slice(from, from + MAX_IDS)));
    for (const { id, content } of rows) {
      if (sellerIds.has(id)) sellers.set(id, JSON.parse(content));
      if (placeIds.has(id)) places.set(id, JSON.parse(content));
      if (buyerIds.has(id)) buyers.set(id, JSON.parse(content));
    }
  }
  return { sellers, places, buyers };
}
