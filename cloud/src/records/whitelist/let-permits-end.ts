import type { Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { endingAuthorTable as ending } from './whitelist-table.ts';

/** Announced when the permits of an account are to end. */
export const PERMITS_TO_END = 'permits-to-end';

/** Lets all permits of an account end, which is active no longer. There may be very many: `permitEndJob` does it. */
export async function letPermitsEnd(tx: Tx, { at }: Actor, accountId: string): Promise<void> {
  await tx.q
    .insert(ending)
    .values({ author: `account:${accountId}`, since: at })
    .onConflictDoNothing();
  tx.announce(PERMITS_TO_END);
}
