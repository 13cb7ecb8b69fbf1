import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt, lt } from '../../platform/db/sql.ts';
import {
  electronicIdDeviceTable as device,
  electronicIdSessionTable as t,
} from '../../records/electronic-id/electronic-id-session-table.ts';

export type SessionRow = typeof t.$inferSelect;

export async function insertSession(q: Queries, row: SessionRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function findSession(q: Queries, hash: string): Promise<SessionRow | null> {
  return (await q.select().from(t).where(eq(t.hash, hash)).get()) ?? null;
}

/** The sessions of one person. */
export async function sessionsOf(q: Queries, personHash: string): Promise<SessionRow[]> {
  return await q.select().from(t).where(eq(t.personHash, personHash));
}

export async function updateSession(
  q: Queries,
  hash: string,
  fields: Partial<Omit<SessionRow, 'hash'>>,
): Promise<void> {
  await q.update(t).set(fields).where(eq(t.hash, hash));
}

export async function deleteSession(q: Queries, hash: string): Promise<void> {
  await q.delete(t).where(eq(t.hash, hash));
}

export async function deleteSessionsOf(q: Queries, personHash: string): Promise<void> {
  await q.delete(t).where(eq(t.personHash, personHash));
}

export async function deleteExpired(q: Queries, now: UtcTime): Promise<void> {
  await q.delete(t).where(lt(t.expiresAt, now));
  await q.delete(device).where(lt(device.expiresAt, now));
}

/** Whether a person has logged in on a device lately. */
export async function isKnownDevice(q: Queries, hash: string, now: UtcTime): Promise<boolean> {
  const found = await q
    .select({ hash: device.hash })
    .from(device)
    .where(and(eq(device.hash, hash), gt(device.expiresAt, now)))
    .limit(1);
  return found.length > 0;
}

export async function rememberDevice(q: Queries, hash: string, expiresAt: UtcTime): Promise<void> {
  const row = { hash, expiresAt };
  await q.insert(device).values(row).onConflictDoUpdate({ target: device.hash, set: row });
}
