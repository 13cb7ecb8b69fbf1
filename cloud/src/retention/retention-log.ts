import { randomUUID } from 'node:crypto';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type Actor, cloudActor } from '../audit/audit.ts';
import { callerName } from '../auth/caller.ts';
import type { Queries, Tx } from '../db/db.ts';
import { beyond, inDirection, type ListOrder } from '../http/keyset.ts';
import type { Cursor } from '../http/list-envelope.ts';
import { type ErasedKind, retentionLogTable as t } from './retention-table.ts';

export type RetentionLogRow = typeof t.$inferSelect;

const ORDER: ListOrder = { at: t.at, id: t.id };

/** Writes down that something was erased, in the transaction that does it; nothing for nothing. */
export async function logErased(
  tx: Tx,
  erased: { kind: ErasedKind; rows: number; before: UtcTime },
  { caller, at }: Pick<Actor, 'caller' | 'at'>,
): Promise<void> {
  if (erased.rows === 0) return;
  await tx.q.insert(t).values({ id: randomUUID(), at, ...erased, by: callerName(caller) });
}

export function retentionActor(at: UtcTime): Actor {
  return cloudActor('retention', at);
}

export async function listErased(
  q: Queries,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<RetentionLogRow[]> {
  const go = cursor?.go ?? 'older';
  return await q
    .select()
    .from(t)
    .where(cursor && beyond(ORDER, go, cursor))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

export async function countErased(q: Queries, limit: number): Promise<number> {
  return (await q.select({ id: t.id }).from(t).limit(limit)).length;
}
