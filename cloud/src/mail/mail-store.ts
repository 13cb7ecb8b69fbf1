import { and, asc, count, eq, lte } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { beyond, inDirection } from '../http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../http/list-envelope.ts';
import { type MailStatus, mailTable as t } from './mail-table.ts';

export type MailRow = typeof t.$inferSelect;

const ORDER = { at: t.createdAt, id: t.id };

export async function findMail(q: Queries, id: string): Promise<MailRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

/** The mail that has been due longest; null where none is. */
export async function dueMail(q: Queries, now: string): Promise<MailRow | null> {
  const row = await q
    .select()
    .from(t)
    .where(and(eq(t.status, 'waiting'), lte(t.dueAt, now)))
    .orderBy(asc(t.dueAt))
    .limit(1)
    .get();
  return row ?? null;
}

export async function updateMail(q: Queries, id: string, change: Partial<MailRow>): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}

/** Mail in order, beyond a place. */
export async function listMail(
  q: Queries,
  status: MailStatus | undefined,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<MailRow[]> {
  const go = cursor?.go ?? 'older';
  return await q
    .select()
    .from(t)
    .where(and(withStatus(status), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

/** How many there are, up to one more than are counted. */
export async function countMail(q: Queries, status: MailStatus | undefined): Promise<number> {
  const some = q
    .select({ id: t.id })
    .from(t)
    .where(withStatus(status))
    .limit(COUNTED_UP_TO + 1)
    .as('some');
  const [row] = await q.select({ n: count() }).from(some);
  return row?.n ?? 0;
}

function withStatus(status: MailStatus | undefined) {
  return status === undefined ? undefined : eq(t.status, status);
}
