import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, getTableColumns, type SQL, sql, unindexed } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Cursor } from '../../platform/http/list-envelope.ts';
import { countRows, ofSites } from '../../platform/http/list-rows.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { ACCOUNT_AUTHOR } from '../../records/accounts/find-account.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import {
  type DisputeRow,
  type DisputeState,
  type GivenWithAnswer,
  type MESSAGE_SIDES,
  disputeMessageTable as m,
  disputeTable as t,
} from '../../records/disputes/dispute-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { type VisitRow, visitTable } from '../../records/visits/visit-table.ts';
import type { Dispute, WholeDispute } from './dispute-view.ts';

export interface DisputeFilters {
  state?: DisputeState | undefined;
  siteId?: string | undefined;
  visitId?: string | undefined;
  invoiceId?: string | undefined;
  /** The soonest deadline comes first. */
  order?: 'newest' | 'deadline' | undefined;
  /** What is contested. */
  kind?: 'visit' | 'invoice' | undefined;
}

const ORDER: ListOrder = { at: t.openedAt, id: t.id, byRow: true };
/** The soonest deadline first. */
const BY_DEADLINE: ListOrder = { at: t.answerBy, id: t.id, byRow: true };

type DisputeMessageSide = (typeof MESSAGE_SIDES)[number];

/** The side of the last message. */
const lastSide = sql<DisputeMessageSide | null>`(SELECT ${m.side} FROM ${m} WHERE ${eq(m.disputeId, t.id)}
  ORDER BY ${m.id} DESC LIMIT 1)`;

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
      lastMessage: lastSide,
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
  etag: string;
  evidence: unknown;
}

function foundFrom(found: Found): FoundDispute {
  const { visitStatus, evidence } = found;
  return { view: disputeFrom(found), visitStatus, evidence, etag: etagOf(versionOf(found)) };
}

/** The version of a dispute: the fields that the office can change, and the state. */
export function versionOf({ state, answerBy, email, language }: Pick<DisputeRow, VersionField>): object {
  return { state, answerBy, email, language };
}
type VersionField = 'state' | 'answerBy' | 'email' | 'language';

function disputeFrom(found: Found): Dispute {
  const { id, visitId, invoiceId, siteId, plate, invoiceNumber, source, openedAt, text, email, state } =
    found;
  const { customerId, customerName, accountName, photoId, hasPicture, answer, answeredAt, given } = found;
  const { channel, answerBy, lastMessage } = found;
  return {
    id,
    visitId,
    invoiceId,
    siteId,
    plate,
    invoiceNumber,
    customer: customerId === null ? null : { id: customerId, name: customerName },
    source,
    channel,
    answerBy: answerBy as UtcTime,
    lastMessage,
    openedBy: accountName,
    openedOn: openedAt,
    text,
    email,
    picture: photoId !== null && hasPicture === 1 ? `/photo/${photoId}/picture` : null,
    state,
    answer:
      answer === null || answeredAt === null
        ? null
        : { text: answer, on: answeredAt, voided: given?.way === 'void', given: given && givenFrom(given) },
  };
}

function givenFrom({ way, amountMinor: amount, currency }: GivenWithAnswer) {
  return { way, amount, currency };
}

/** The messages of a dispute, oldest first. */
export async function messagesOf(q: Queries, disputeId: string): Promise<WholeDispute['messages']> {
  const rows = await q
    .select({ side: m.side, name: accountTable.name, text: m.text, at: m.at })
    .from(m)
    .leftJoin(accountTable, eq(accountTable.id, sql`substr(${m.by}, ${ACCOUNT_AUTHOR.length + 1})`))
    .where(eq(m.disputeId, disputeId))
    .orderBy(asc(m.id));
  return rows.map(({ side, name, text, at }) => ({ side, by: name, text, on: at as UtcTime }));
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

/** Disputes that the caller may see, newest first or soonest deadline first, beyond a place. */
export async function listDisputes(
  q: Queries,
  filters: DisputeFilters,
  own: OwnRows,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<FoundDispute[]> {
  const isByDeadline = filters.order === 'deadline';
  const order = isByDeadline ? BY_DEADLINE : ORDER;
  const go = cursor?.go ?? 'older';
  // Deadlines go on from the soonest, and times from the newest.
  const way = isByDeadline ? (go === 'older' ? 'newer' : 'older') : go;
  const found = await selectDisputes(q)
    .where(and(conditions(filters, own), cursor && beyond(order, way, cursor)))
    .orderBy(...inDirection(order, way))
    .limit(limit);
  return found.map(foundFrom);
}

export async function countDisputes(q: Queries, filters: DisputeFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, conditions(filters, own));
}
