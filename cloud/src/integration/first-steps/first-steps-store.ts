import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, ne } from '../../platform/db/sql.ts';
import { jobTable } from '../../platform/jobs/job-table.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { firstStepsAwayTable as t } from '../../records/first-steps/first-steps-table.ts';
import { eInvoiceTable } from '../../records/invoices/e-invoice-table.ts';
import { type MailStatus, mailTable } from '../../records/mail/mail-table.ts';
import { productTable } from '../../records/products/product-table.ts';
import type { Equipment } from './first-steps-rule.ts';

export async function arePutAway(q: Queries, accountId: string): Promise<boolean> {
  const row = await q.select({ at: t.at }).from(t).where(eq(t.accountId, accountId)).get();
  return row !== undefined;
}

export async function putAway(q: Queries, accountId: string, at: UtcTime): Promise<void> {
  await q.insert(t).values({ accountId, at }).onConflictDoNothing();
}

export async function bringBack(q: Queries, accountId: string): Promise<void> {
  await q.delete(t).where(eq(t.accountId, accountId));
}

/** How mail works, by the newest one that was sent or failed. */
export async function mailState(q: Queries): Promise<Exclude<Equipment, 'absent'>> {
  const [sent, failed] = [await newestMail(q, 'sent'), await newestMail(q, 'failed')];
  if (sent === null && failed === null) return 'untried';
  return failed !== null && (sent === null || failed > sent) ? 'failing' : 'works';
}

async function newestMail(q: Queries, status: MailStatus): Promise<string | null> {
  const row = await q
    .select({ createdAt: mailTable.createdAt })
    .from(mailTable)
    .where(eq(mailTable.status, status))
    .orderBy(desc(mailTable.createdAt), desc(mailTable.id))
    .limit(1)
    .get();
  return row?.createdAt ?? null;
}

/** How backups work, by the last run. */
export async function backupState(q: Queries): Promise<Exclude<Equipment, 'absent'>> {
  const run = await q.select().from(jobTable).where(eq(jobTable.name, 'backup')).get();
  if (run !== undefined && run.lastError !== null) return 'failing';
  return run === undefined || run.lastDoneAt === null ? 'untried' : 'works';
}

export async function hasProduct(q: Queries): Promise<boolean> {
  return (await q.select({ id: productTable.id }).from(productTable).limit(1).get()) !== undefined;
}

/** Whether any invoice goes out electronically. */
export async function hasEInvoice(q: Queries): Promise<boolean> {
  return (await q.select({ id: eInvoiceTable.id }).from(eInvoiceTable).limit(1).get()) !== undefined;
}

/** Whether there is an operator beside this account. */
export async function hasColleague(q: Queries, accountId: string): Promise<boolean> {
  const other = await q
    .select({ id: accountTable.id })
    .from(accountTable)
    .where(
      and(
        eq(accountTable.role, 'operator'),
        eq(accountTable.status, 'active'),
        ne(accountTable.id, accountId),
      ),
    )
    .limit(1)
    .get();
  return other !== undefined;
}
