import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { type ErasedKind, retentionLogTable as t } from '../../records/retention/retention-table.ts';

export type RetentionLogRow = typeof t.$inferSelect;

const ORDER: ListOrder = { at: t.at, id: t.id };

/** Writes down that something was erased, in the transaction that does it; nothing for nothing. */
export async function logErased(
  tx: Tx,
  erased: { kind: ErasedKind; rows: number; before: UtcTime },
  { caller, at }: Pick<Actor, 'caller' | 'at'>,
): Promise<void> {
  if (erased.rows === 0) return;
  await tx.q.insert(t).values({ id: newId(), at, ...erased, by: callerName(caller) });
}

export function retentionActor(at: UtcTime): Actor {
  return cloudActor('retention', at);
}

export async function listErased(q: Queries, page: PageOfRows): Promise<RetentionLogRow[]> {
  return await listRows(q, t, ORDER, undefined, page);
}

export async function countErased(q: Queries): Promise<number> {
  return await countRows(q, t, undefined);
}
