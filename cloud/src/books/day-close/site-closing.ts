import { audit } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused } from '../../platform/refused.ts';
import { siteClosingTable as t } from '../../records/books/day-close-table.ts';
import { placeOf, todayAt } from './close-store.ts';

export async function closesItself(q: Queries, siteId: string): Promise<boolean> {
  return (await q.select().from(t).where(eq(t.siteId, siteId)).get())?.closesItself ?? false;
}

/** Sets whether days of a site close themselves, from today on. */
export async function changeClosing(
  db: Db,
  actor: Actor,
  siteId: string,
  wanted: boolean,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const place = await placeOf(tx.q, siteId, '');
    if (place === null) return NOT_FOUND;
    const before = await closesItself(tx.q, siteId);
    if (before === wanted) return { ok: true };
    const row = { closesItself: wanted, fromDay: todayAt(place, actor.at), modifiedAt: actor.at };
    await tx.q
      .insert(t)
      .values({ siteId, ...row })
      .onConflictDoUpdate({ target: t.siteId, set: row });
    await audit(tx, actor, {
      subject: 'site',
      subjectId: siteId,
      action: 'site.closing',
      before: { closesItself: before },
      after: { closesItself: wanted },
    });
    return { ok: true };
  });
}
