import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, sql } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { PERMITS_TO_END } from '../../records/whitelist/let-permits-end.ts';
import { endingAuthorTable as ending, whitelistTable as t } from '../../records/whitelist/whitelist-table.ts';
import { saveEntry } from './change-whitelist.ts';
import type { EntryRow } from './whitelist-entry.ts';

/** Entries of one transaction: it is short enough that other writers do not notice the wait. */
const BATCH = 50;

/**
 * Deletes the entries of accounts that are active no longer, or gives them to their successors, batch by batch. The
 * sites know it at once.
 */
export function permitEndJob(db: Db): ScheduledRun {
  return {
    name: 'permit-ending',
    everyMs: MINUTE_MS,
    wakesOn: PERMITS_TO_END,
    isDue: async () =>
      await db.read(async (q) => (await q.select().from(ending).limit(1).get()) !== undefined),
    async work({ now, signal }) {
      const actor = cloudActor('permits', now);
      while (!signal.aborted) {
        const more = await db.write((tx) => endSome(tx, actor));
        if (!more) return;
      }
    },
  };
}

/** @returns whether there may be more */
async function endSome(tx: Tx, actor: Actor): Promise<boolean> {
  const next = await tx.q.select().from(ending).orderBy(asc(ending.author)).limit(1).get();
  if (next === undefined) return false;
  const { author, successorId } = next;
  const successor = successorId === null ? null : await findAccount(tx.q, successorId);
  const entries = await tx.q
    .select()
    .from(t)
    .where(and(eq(t.author, author), sql`${t.status} <> 'deleted'`))
    .limit(BATCH);
  for (const before of entries) {
    await saveEntry(tx, actor, before, passedOn(before, successor, actor.at));
  }
  if (entries.length < BATCH) await tx.q.delete(ending).where(eq(ending.author, author));
  return true;
}

/** An entry ends if its successor has gone meanwhile. */
function passedOn(entry: EntryRow, successor: AccountRow | null, modifiedAt: UtcTime): EntryRow {
  if (successor === null || successor.status !== 'active') return { ...entry, status: 'deleted', modifiedAt };
  const { id, customerId } = successor;
  return { ...entry, author: `account:${id}`, authorId: id, customerId, modifiedAt };
}
