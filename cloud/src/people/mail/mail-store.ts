import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { type MailStatus, mailTable as t } from '../../records/mail/mail-table.ts';

export type MailRow = typeof t.$inferSelect;

const ORDER = { at: t.createdAt, id: t.id };

export async function findMail(q: Queries, id: string): Promise<MailRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

export async function updateMail(q: Queries, id: string, change: Partial<MailRow>): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}

/** Mail in order, after a position. */
export async function listMail(
  q: Queries,
  status: MailStatus | undefined,
  page: PageOfRows,
): Promise<MailRow[]> {
  return await listRows(q, t, ORDER, withStatus(status), page);
}

/** How many there are, up to one more than are counted. */
export async function countMail(q: Queries, status: MailStatus | undefined): Promise<number> {
  return await countRows(q, t, withStatus(status));
}

function withStatus(status: MailStatus | undefined) {
  return status === undefined ? undefined : eq(t.status, status);
}
