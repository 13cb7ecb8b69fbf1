import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import type { Db } from '../../platform/db/db.ts';
import { and, eq, ne } from '../../platform/db/sql.ts';
import { hashSecret, makeSecret } from '../../platform/token-secret.ts';
import { apiKeyTable } from '../../records/auth/token-table.ts';
/** The result of seeding; `key` is there only if it was generated and must be shown this once. */
export type SeededApiKey = { made: false } | { made: true; key: string | null };

/**
 * Makes the configured API key the one that is taken, in place of the one configured before.
 *
 * @param configured null: one is generated, unless there is a key already
 */
export async function seedApiKey(db: Db, configured: string | null, clock: Clock): Promise<SeededApiKey> {
  return await db.write(async ({ q }) => {
    const [any] = await q.select({ id: apiKeyTable.id }).from(apiKeyTable).limit(1);
    if (configured === null && any !== undefined) return { made: false };
    const key = configured ?? makeSecret();
    const hash = hashSecret(key);
    const origin = configured === null ? 'generated' : 'configured';
    await q.delete(apiKeyTable).where(and(eq(apiKeyTable.origin, 'configured'), ne(apiKeyTable.hash, hash)));
    const [same] = await q.select({ id: apiKeyTable.id }).from(apiKeyTable).where(eq(apiKeyTable.hash, hash));
    if (same !== undefined) return { made: false };
    await q.insert(apiKeyTable).values({ id: newId(), hash, origin, createdAt: nowUtc(clock) });
    return { made: true, key: configured === null ? key : null };
  });
}
