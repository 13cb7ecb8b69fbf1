import { z } from 'zod';
import { callerNames } from '../../people/auth/caller-names.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, getTableColumns, inArray, type SQL, unindexed } from '../../platform/db/sql.ts';
import { type Caller, callerName, hasPermission, ownRows, sitesOf } from '../../platform/http/caller.ts';
import { MistakeSchema } from '../../platform/http/errors.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Cursor } from '../../platform/http/list-envelope.ts';
import { countRows, ofSites } from '../../platform/http/list-rows.ts';
import {
  APPROVAL_KINDS,
  type ApprovalKind,
  type ApprovalRow,
  type ApprovalState,
  approvalTable as t,
} from '../../records/approvals/approval-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import type { Approval } from './approval.ts';
import { PERMISSION_OF_KIND } from './approval-kinds.ts';

export interface ApprovalFilters {
  state?: ApprovalState | undefined;
  siteId?: string | undefined;
  visitId?: string | undefined;
  invoiceId?: string | undefined;
  paymentId?: string | undefined;
}

const ORDER: ListOrder = { at: t.requestedAt, id: t.id, byRow: true };

function selectApprovals(q: Queries) {
  return q
    .select({
      ...getTableColumns(t),
      plate: visitTable.plate,
      invoiceNumber: invoiceTable.number,
    })
    .from(t)
    .leftJoin(visitTable, eq(visitTable.id, t.visitId))
    .leftJoin(invoiceTable, eq(invoiceTable.id, t.invoiceId));
}

export type FoundApproval = Awaited<ReturnType<typeof selectApprovals>>[number];

/** The kinds that a caller may see: those whose call it may make. */
function kindsFor(caller: Caller): readonly ApprovalKind[] {
  if (caller.kind === 'cloud') return APPROVAL_KINDS;
  if (caller.kind !== 'account' || caller.role !== 'operator') return [];
  return APPROVAL_KINDS.filter((kind) => hasPermission(caller.rights, PERMISSION_OF_KIND[kind]));
}

/** Whether a caller may see a request, and decide about it where another person made it. */
export function seesApproval(
  caller: Caller,
  { kind, siteId }: Pick<ApprovalRow, 'kind' | 'siteId'>,
): boolean {
  if (!kindsFor(caller).includes(kind)) return false;
  const siteIds = sitesOf(ownRows(caller));
  return siteIds === null || (siteId !== null && siteIds.includes(siteId));
}

export async function findApproval(q: Queries, id: string, caller: Caller): Promise<FoundApproval | null> {
  const [found] = await selectApprovals(q).where(eq(t.id, id));
  return found !== undefined && seesApproval(caller, found) ? found : null;
}

/** Each filter leads through its own index; the first that is asked for does. */
function conditions(filters: ApprovalFilters, caller: Caller): SQL | undefined {
  const { state, siteId, visitId, invoiceId, paymentId } = filters;
  const one = visitId !== undefined || invoiceId !== undefined || paymentId !== undefined;
  const kinds = kindsFor(caller);
  return and(
    visitId === undefined ? undefined : eq(t.visitId, visitId),
    invoiceId === undefined ? undefined : eq(unindexed(t.invoiceId, visitId !== undefined), invoiceId),
    paymentId === undefined
      ? undefined
      : eq(unindexed(t.paymentId, (visitId ?? invoiceId) !== undefined), paymentId),
    state === undefined ? undefined : eq(unindexed(t.state, one), state),
    siteId === undefined ? undefined : eq(unindexed(t.siteId, one || state !== undefined), siteId),
    kinds.length === APPROVAL_KINDS.length ? undefined : inArray(unindexed(t.kind), [...kinds]),
    ofSites(t.siteId, sitesOf(ownRows(caller))),
  );
}

/** Requests that the caller may see, newest first, beyond a place. */
export async function listApprovals(
  q: Queries,
  filters: ApprovalFilters,
  caller: Caller,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<FoundApproval[]> {
  const go = cursor?.go ?? 'older';
  return await selectApprovals(q)
    .where(and(conditions(filters, caller), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

export async function countApprovals(q: Queries, filters: ApprovalFilters, caller: Caller): Promise<number> {
  return await countRows(q, t, conditions(filters, caller));
}

/** Requests as the API shows them, in the same order. */
export async function shownApprovals(
  q: Queries,
  found: readonly FoundApproval[],
  caller: Caller,
): Promise<Approval[]> {
  const people = found.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy ?? []].flat());
  const names = await callerNames(q, people);
  const nameOf = (by: string | null) => (by === null ? null : (names.get(by) ?? null));
  return found.map(({ amountMinor, currency, ...row }) => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    siteId: row.siteId,
    visitId: row.visitId,
    invoiceId: row.invoiceId,
    paymentId: row.paymentId,
    disputeId: row.disputeId,
    plate: row.plate,
    invoiceNumber: row.invoiceNumber,
    price: amountMinor === null || currency === null ? null : { amount: amountMinor, currency },
    reason: row.reason,
    requested: z.record(z.string(), z.unknown()).parse(row.args),
    requestedBy: nameOf(row.requestedBy),
    isOwn: row.requestedBy === callerName(caller),
    requestedOn: row.requestedAt,
    expiresOn: row.expiresAt,
    decidedBy: nameOf(row.decidedBy),
    decidedOn: row.decidedAt,
    answer: row.answer,
    problems: z.array(MistakeSchema).parse(row.problems),
  }));
}

/** A request as webhooks get it; null: it is gone. */
export async function approvalOfEvent(q: Queries, id: string): Promise<Approval | null> {
  const reader: Caller = { kind: 'cloud', part: 'webhooks' };
  const found = await findApproval(q, id, reader);
  return found === null ? null : ((await shownApprovals(q, [found], reader))[0] ?? null);
}
