import type { Queries } from '../../platform/db/db.ts';
import { and, eq, inArray, isNotNull, or, type SQL } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import {
  gateMovementTable,
  laneAlertTable,
  passageDecisionTable,
} from '../../records/passages/passage-table.ts';
import { withOpenReversal } from '../../records/payments/open-reversal.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { visitSteps } from '../../records/visits/find-visits.ts';
import { noticeTable, settlementTable, type VisitRow } from '../../records/visits/visit-table.ts';

/** More of one kind are not shown. */
const MAX_ROWS = 1000;

export type TimelineRows = Awaited<ReturnType<typeof timelineRows>>;

/** The stored rows about a visit, table by table; each is found by an index. */
export async function timelineRows(q: Queries, visit: VisitRow) {
  const { id, entryReadId, exitReadId } = visit;
  const decisions = await q
    .select()
    .from(passageDecisionTable)
    .where(eq(passageDecisionTable.visitId, id))
    .limit(MAX_ROWS);
  const passageIds = [...new Set(decisions.map(({ passageId }) => passageId))];
  const readIds = [entryReadId, exitReadId].filter((readId) => readId !== null);
  const reads = await readsWhere(q, [
    readIds.length === 0 ? undefined : inArray(photoTable.id, readIds),
    and(isNotNull(photoTable.visitId), eq(photoTable.visitId, id)),
    passageIds.length === 0 ? undefined : inArray(photoTable.passageId, passageIds),
  ]);
  return {
    decisions,
    reads,
    movements: await q
      .select()
      .from(gateMovementTable)
      .where(and(isNotNull(gateMovementTable.passageId), inArray(gateMovementTable.passageId, passageIds)))
      .limit(MAX_ROWS),
    alerts: await q
      .select()
      .from(laneAlertTable)
      .where(and(isNotNull(laneAlertTable.passageId), inArray(laneAlertTable.passageId, passageIds)))
      .limit(MAX_ROWS),
    payments: (await q.select().from(paymentTable).where(eq(paymentTable.visitId, id)).limit(MAX_ROWS)).map(
      withOpenReversal,
    ),
    settlements: await q
      .select()
      .from(settlementTable)
      .where(eq(settlementTable.visitId, id))
      .limit(MAX_ROWS),
    invoices: [
      ...(await q
        .select(invoiceColumns)
        .from(invoiceTable)
        .where(eq(invoiceTable.visitId, id))
        .limit(MAX_ROWS)),
      ...(await q
        .select(invoiceColumns)
        .from(chargeTable)
        .innerJoin(invoiceTable, eq(invoiceTable.id, chargeTable.invoiceId))
        .where(eq(chargeTable.visitId, id))
        .limit(MAX_ROWS)),
    ],
    notices: await q.select().from(noticeTable).where(eq(noticeTable.visitId, id)),
    mails: await q
      .select({
        id: mailTable.id,
        kind: mailTable.kind,
        status: mailTable.status,
        to: mailTable.to,
        createdAt: mailTable.createdAt,
        sentAt: mailTable.sentAt,
      })
      .from(mailTable)
      .where(and(isNotNull(mailTable.visitId), eq(mailTable.visitId, id)))
      .limit(MAX_ROWS),
    steps: await visitSteps(q, id),
    edits: await editsOf(
      q,
      id,
      reads.map((read) => read.id),
    ),
  };
}

const { id, number, status, paymentType, amountMinor, currency, issuedAt, creditOf, createdAt } =
  invoiceTable;
const invoiceColumns = {
  id,
  number,
  status,
  paymentType,
  amountMinor,
  currency,
  issuedAt,
  creditOf,
  createdAt,
};

/** One query for each condition that leads anywhere: each has a separate index. */
async function readsWhere(q: Queries, ways: readonly (SQL | undefined)[]) {
  const found = new Map<string, typeof photoTable.$inferSelect>();
  for (const way of ways) {
    if (way === undefined) continue;
    for (const row of await q.select().from(photoTable).where(way).limit(MAX_ROWS)) found.set(row.id, row);
  }
  return [...found.values()];
}

/** The edits of people to the visit and to its photos. */
async function editsOf(q: Queries, visitId: string, photoIds: readonly string[]) {
  return await q
    .select()
    .from(auditTable)
    .where(
      or(
        and(eq(auditTable.subjectId, visitId), eq(auditTable.subject, 'visit')),
        and(inArray(auditTable.subjectId, [...photoIds]), eq(auditTable.subject, 'photo')),
      ),
    )
    .limit(MAX_ROWS);
}
