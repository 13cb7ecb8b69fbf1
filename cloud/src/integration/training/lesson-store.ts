import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gte, inArray, isNull } from '../../platform/db/sql.ts';
import { auditTable as a } from '../../records/audit/audit-table.ts';
import { dayCloseTable } from '../../records/books/day-close-table.ts';
import { siteDeviceTable as d } from '../../records/devices/device-table.ts';
import { invoiceTable as i } from '../../records/invoices/invoice-table.ts';
import { onlineRefundTable as r } from '../../records/online-payments/online-payment-table.ts';
import { chargebackTable as c } from '../../records/payments/chargeback-table.ts';
import { paymentTable as p } from '../../records/payments/payment-table.ts';
import { timeZoneOf } from '../../records/totals/site-days.ts';
import { visitTable as v } from '../../records/visits/visit-table.ts';
import type { LearnerAct } from './lesson-rule.ts';

/** More than a learner does in a lesson. */
const MAX_ACTS = 500;

/** The acts of a person since a moment. */
export async function actsSince(q: Queries, by: string, since: UtcTime): Promise<LearnerAct[]> {
  return await q
    .select({ action: a.action, subjectId: a.subjectId, after: a.after })
    .from(a)
    .where(and(eq(a.by, by), gte(a.at, since)))
    .orderBy(desc(a.at), desc(a.id))
    .limit(MAX_ACTS);
}

/** The newest visit of one of these plates. */
export async function newestVisit(q: Queries, plates: readonly string[]) {
  const found = [];
  for (const plate of plates) {
    const row = await q
      .select({
        id: v.id,
        plate: v.plate,
        status: v.status,
        paymentStatus: v.paymentStatus,
        startedAt: v.startedAt,
        endedAt: v.endedAt,
      })
      .from(v)
      .where(eq(v.plate, plate))
      .orderBy(desc(v.startedAt))
      .limit(1)
      .get();
    if (row !== undefined) found.push(row);
  }
  return found.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1))[0] ?? null;
}

export async function deviceOf(q: Queries, siteId: string, device: { kind: string; id: string }) {
  const rows = await q
    .select({ kind: d.kind, id: d.deviceId, state: d.state, since: d.since })
    .from(d)
    .where(eq(d.siteId, siteId));
  return rows.find(({ kind, id }) => kind === device.kind && id === device.id) ?? null;
}

/** The newest invoice of a visit that is no credit note. */
export async function invoiceOf(q: Queries, visitId: string) {
  const invoice = await q
    .select({ id: i.id, status: i.status })
    .from(i)
    .where(and(eq(i.visitId, visitId), isNull(i.creditOf)))
    .orderBy(desc(i.createdAt))
    .limit(1)
    .get();
  if (invoice === undefined) return null;
  return { id: invoice.id, isPaid: invoice.status === 'paid' || invoice.status === 'refunded' };
}

/** The card payments of a visit, newest first. */
export async function paymentsOf(q: Queries, visitId: string) {
  return await q
    .select({ id: p.id, chargedBack: p.chargedBack })
    .from(p)
    .where(eq(p.visitId, visitId))
    .orderBy(desc(p.createdAt));
}

export async function hasChargeback(q: Queries, paymentId: string): Promise<boolean> {
  const row = await q.select({ id: c.paymentId }).from(c).where(eq(c.paymentId, paymentId)).limit(1).get();
  return row !== undefined;
}

export async function refundsOf(q: Queries, paymentIds: readonly string[]) {
  if (paymentIds.length === 0) return [];
  return await q
    .select({ state: r.state })
    .from(r)
    .where(inArray(r.paymentId, [...paymentIds]));
}

/** Whether the day on which a lesson began, or a later one, is signed at its site. */
export async function isDaySigned(q: Queries, siteId: string, startedOn: UtcTime): Promise<boolean> {
  const day = wallClock(startedOn, await timeZoneOf(q, siteId)).date;
  const closes = await q
    .select({ state: dayCloseTable.state })
    .from(dayCloseTable)
    .where(and(eq(dayCloseTable.siteId, siteId), gte(dayCloseTable.day, day)));
  return closes.some(({ state }) => state === 'signed');
}
