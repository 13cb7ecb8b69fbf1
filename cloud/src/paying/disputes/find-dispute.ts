import type { Queries } from '../../platform/db/db.ts';
import { and, eq, getTableColumns, type SQL, sql, unindexed } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Cursor } from '../../platform/http/list-envelope.ts';
import { countRows, ofSites } from '../../platform/http/list-rows.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { ACCOUNT_AUTHOR } from '../../records/accounts/find-account.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import {
  type DisputeRow,
  type DisputeState,
  disputeTable as t,
} from '../../records/disputes/dispute-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { type VisitRow, visitTable } from '../../records/visits/visit-table.ts';
import type { Dispute } from './dispute-view.ts';

export interface DisputeFilters {
  state?: DisputeState | undefined;
  siteId?: string | undefined;
  visitId?: string | undefined;
  invoiceId?: string | undefined;
  /** What is contested. */
  kind?: 'visit' | 'invoice' | undefined;
}

const ORDER: ListOrder = { at: t.openedAt, id: t.id, byRow: true };

function selectDisputes(q: Queries) {
  return q
    .select({
      ...getTableColumns(t),
      plate: visitTable.plate,
      visitStatus: visitTable.status,
      photoId: visitTable.entryReadId,
      hasPicture: sql<number>`${photoTable.url} IS NOT NULL`,
      invoiceNumber: invoiceTable.number,
      customerName: customerTable.name,
      accountName: accountTable.name,
    })
    .from(t)
    .leftJoin(visitTable, eq(visitTable.id, t.visitId))
    .leftJoin(photoTable, eq(photoTable.id, visitTable.entryReadId))
    .leftJoin(invoiceTable, eq(invoiceTable.id, t.invoiceId))
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .leftJoin(accountTable, eq(accountTable.id, sql`substr(${t.openedBy}, ${ACCOUNT_AUTHOR.length + 1})`));
}

type Found = Awaited<ReturnType<typeof selectDisputes>>[number];

/** A dispute as the API shows it, and what else decides about its actions. */
export interface FoundDispute {
  view: Dispute;
  visitStatus: VisitRow['status'] | null;
}

function foundFrom(found: Found): FoundDispute {
  return { view: disputeFrom(found), visitStatus: found.visitStatus };
}

function disputeFrom(found: Found): Dispute {
  const { id, visitId, invoiceId, siteId, plate, invoiceNumber, source, openedAt, text, email, state } =
    found;
  const { customerId, customerName, accountName, photoId, hasPicture, answer, answeredAt, voided } = found;
  return {
    id,
    visitId,
    invoiceId,
    siteId,
    plate,
    invoiceNumber,
    customer: customerId === null ? null : { id: customerId, name: customerName },
    source,
    openedBy: accountName,
    openedOn: openedAt,
    text,
    email,
    picture: photoId !== null && hasPicture === 1 ? `/photo/${photoId}/picture` : null,
    state,
    answer: answer === null || answeredAt === null ? null : { text: answer, on: answeredAt, voided },
  };
}

/** Whether the caller may see a dispute: an operator of its site, or people of its customer. */
export function seesDispute(
  { siteId, customerId }: Pick<DisputeRow, 'siteId' | 'customerId'>,
  own: OwnRows,
): boolean {
  if (own.all) return sitesOf(own) === null || (siteId !== null && seesSite(own, siteId));
  return customerId !== null && customerId === own.customerId;
}

/** A dispute that the caller may see. */
export async function findDispute(q: Queries, id: string, own: OwnRows): Promise<FoundDispute | null> {
  const [found] = await selectDisputes(q).where(eq(t.id, id));
  return found !== undefined && seesDispute(found, own) ? foundFrom(found) : null;
}

/** Each filter leads through its own index; the first that is asked for does. */
function conditions(filters: DisputeFilters, own: OwnRows): SQL | undefined {
  const { state, siteId, visitId, invoiceId, kind } = filters;
  const one = visitId !== undefined || invoiceId !== undefined;
  const customer = own.all ? undefined : sql`${one ? sql`+` : sql``}${t.customerId} = ${own.customerId}`;
  const usesOtherIndex = one || customer !== undefined;
  return and(
    visitId === undefined ? undefined : eq(t.visitId, visitId),
    invoiceId === undefined ? undefined : eq(t.invoiceId, invoiceId),
    customer,
    state === undefined ? undefined : sql`${usesOtherIndex ? sql`+` : sql``}${t.state} = ${state}`,
    siteId === undefined ? undefined : eq(unindexed(t.siteId), siteId),
    kind === undefined ? undefined : sql`+${kind === 'visit' ? t.visitId : t.invoiceId} IS NOT NULL`,
    ofSites(t.siteId, sitesOf(own)),
  );
}

/** Disputes that the caller may see, newest first, beyond a place. */
export async function listDisputes(
  q: Queries,
  filters: DisputeFilters,
  own: OwnRows,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<FoundDispute[]> {
  const go = cursor?.go ?? 'older';
  const found = await selectDisputes(q)
    .where(and(conditions(filters, own), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
  return found.map(foundFrom);
}

export async function countDisputes(q: Queries, filters: DisputeFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, conditions(filters, own));
}
