import { alias } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, isNotNull, isNull, lt, not, type SQL, sql } from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import {
  type ReminderRow,
  type ReminderTermsRow,
  reminderTermsTable,
  reminderTable as t,
} from '../../records/books/reminder-table.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { type MailStatus, mailTable } from '../../records/mail/mail-table.ts';
import type { ReminderState } from './reminder.ts';

export async function termsOfSite(q: Queries, siteId: string): Promise<ReminderTermsRow | null> {
  const terms = reminderTermsTable;
  return (await q.select().from(terms).where(eq(terms.siteId, siteId)).get()) ?? null;
}

/** The first day from which any site reminds; null: none does. There are as many rows as sites. */
export async function firstRemindedDay(q: Queries): Promise<string | null> {
  const terms = reminderTermsTable;
  const row = await q
    .select({ fromDay: sql<string | null>`min(${terms.fromDay})` })
    .from(terms)
    .where(eq(terms.isOn, true))
    .get();
  return row?.fromDay ?? null;
}

/** Invoices that are issued and not paid, and were due before a day, oldest first. */
export async function overdueInvoices(q: Queries, day: string): Promise<string[]> {
  const i = invoiceTable;
  const rows = await q
    .select({ id: i.id })
    .from(i)
    .where(and(sql`${i.status} = 'draft'`, isNotNull(i.dueOn), isNull(i.creditOf), lt(i.dueOn, day)))
    .orderBy(asc(i.createdAt));
  return rows.map(({ id }) => id);
}

/** A reminder with what became of its mail; null: it has none. */
export interface FoundReminder extends ReminderRow {
  mailStatus: MailStatus | null;
  mailSentAt: string | null;
  /** The number of the invoice for its charge. */
  chargeNumber: number | null;
}

function select(q: Queries) {
  return q
    .select({
      reminder: t,
      mailStatus: mailTable.status,
      mailSentAt: mailTable.sentAt,
      chargeNumber: invoiceTable.number,
    })
    .from(t)
    .leftJoin(mailTable, eq(mailTable.id, t.mailId))
    .leftJoin(invoiceTable, eq(invoiceTable.id, t.chargeInvoiceId));
}

function foundFrom({ reminder, ...rest }: Awaited<ReturnType<typeof select>>[number]): FoundReminder {
  return { ...reminder, ...rest };
}

/** A reminder with what its invoice says about who gets it. */
export interface ListedReminderRow extends FoundReminder {
  invoiceNumber: number | null;
  payerName: string | null;
  customerId: string | null;
  customerName: string | null;
}

export interface ReminderFilters {
  siteId?: string | undefined;
  state?: ReminderState | undefined;
}

const ORDER: ListOrder = { at: t.createdAt, id: t.id };

function where({ siteId, state }: ReminderFilters, own: OwnRows): SQL | undefined {
  return and(
    siteId === undefined ? undefined : eq(t.siteId, siteId),
    state === undefined ? undefined : isOfState(state),
    ofSites(t.siteId, sitesOf(own)),
  );
}

function isOfState(state: ReminderState): SQL | undefined {
  const mailFailed = sql`EXISTS (SELECT 1 FROM ${mailTable} its_mail WHERE its_mail.id = ${t.mailId}
    AND its_mail.status = 'failed')`;
  switch (state) {
    case 'delivered':
      return isNotNull(t.deliveredAt);
    case 'paper':
      return and(isNull(t.deliveredAt), isNull(t.mailId));
    case 'failed':
      return and(isNull(t.deliveredAt), mailFailed);
    case 'waiting':
      return and(isNull(t.deliveredAt), isNotNull(t.mailId), not(mailFailed));
    default:
      return state satisfies never;
  }
}

/** Reminders that the caller may see, newest first, beyond a place. */
export async function listReminders(
  q: Queries,
  filters: ReminderFilters,
  own: OwnRows,
  { cursor, limit }: PageOfRows,
): Promise<ListedReminderRow[]> {
  const go = cursor?.go ?? 'older';
  const its = alias(invoiceTable, 'its_invoice');
  const rows = await q
    .select({
      reminder: t,
      mailStatus: mailTable.status,
      mailSentAt: mailTable.sentAt,
      chargeNumber: invoiceTable.number,
      invoiceNumber: its.number,
      payerName: sql<string | null>`coalesce(${its.payerName}, ${its.soldTo})`,
      customerId: its.customerId,
      customerName: customerTable.name,
    })
    .from(t)
    .leftJoin(mailTable, eq(mailTable.id, t.mailId))
    .leftJoin(invoiceTable, eq(invoiceTable.id, t.chargeInvoiceId))
    .leftJoin(its, eq(its.id, t.invoiceId))
    .leftJoin(customerTable, eq(customerTable.id, its.customerId))
    .where(and(where(filters, own), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
  return rows.map(({ reminder, ...rest }) => ({ ...reminder, ...rest }));
}

export async function countReminders(q: Queries, filters: ReminderFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, where(filters, own));
}

export function placeByCreation({ createdAt, id }: ReminderRow): Place {
  return { rank: 0, at: createdAt, id };
}

/** The reminders of an invoice, in their order. */
export async function remindersOf(q: Queries, invoiceId: string): Promise<FoundReminder[]> {
  const rows = await select(q).where(eq(t.invoiceId, invoiceId)).orderBy(asc(t.createdAt));
  return rows.map(foundFrom);
}

export async function findReminder(q: Queries, id: string): Promise<FoundReminder | null> {
  const [found] = await select(q).where(eq(t.id, id));
  return found === undefined ? null : foundFrom(found);
}

/** Reminders whose mail was sent, and that do not count yet. */
export async function sentReminders(q: Queries): Promise<{ id: string; sentAt: string }[]> {
  const rows = await q
    .select({ id: t.id, sentAt: mailTable.sentAt })
    .from(t)
    .innerJoin(mailTable, eq(mailTable.id, t.mailId))
    .where(and(isNull(t.deliveredAt), eq(mailTable.status, 'sent')))
    .orderBy(asc(t.createdAt));
  return rows.flatMap(({ id, sentAt }) => (sentAt === null ? [] : [{ id, sentAt }]));
}

/** Whether an invoice is for the charge of a reminder. */
export async function isForCharge(q: Queries, invoiceId: string): Promise<boolean> {
  const found = await q.select({ id: t.id }).from(t).where(eq(t.chargeInvoiceId, invoiceId)).get();
  return found !== undefined;
}

/** Invoices for charges that still ask for something, of invoices that were taken back as a whole. */
export async function groundlessCharges(q: Queries): Promise<string[]> {
  const rows = await q
    .select({ id: t.chargeInvoiceId })
    .from(t)
    .innerJoin(invoiceTable, eq(invoiceTable.id, t.invoiceId))
    .where(
      and(
        isNotNull(t.chargeInvoiceId),
        sql`${invoiceTable.status} = 'refunded'`,
        sql`NOT EXISTS (SELECT 1 FROM ${invoiceTable} its_charge WHERE its_charge.id = ${t.chargeInvoiceId}
          AND its_charge.status = 'refunded')`,
      ),
    )
    .orderBy(asc(t.chargeInvoiceId));
  return rows.flatMap(({ id }) => id ?? []);
}

export async function insertReminder(q: Queries, row: ReminderRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateReminder(q: Queries, id: string, change: Partial<ReminderRow>): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}
