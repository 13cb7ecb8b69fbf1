import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, isNotNull, isNull, lt, sql } from '../../platform/db/sql.ts';
import {
  type ReminderRow,
  type ReminderTermsRow,
  reminderTermsTable,
  reminderTable as t,
} from '../../records/books/reminder-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { type MailStatus, mailTable } from '../../records/mail/mail-table.ts';

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
