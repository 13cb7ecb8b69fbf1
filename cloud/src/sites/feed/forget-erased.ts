import { DAY_MS } from '@hlid/protocol/base/durations';
import { parseNewer } from '@hlid/protocol/base/read-newer';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { type SiteChangeBody, SiteChangeBodySchema } from '@hlid/protocol/site-link/site-change';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lte, ne, type SQL, sql } from '../../platform/db/sql.ts';
import { feedChangeTable as t } from '../../records/feed/feed-table.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { compactFeed } from './compact-feed.ts';

/** A site that has been away for this long takes the snapshot, in place of changes that name an erased vehicle. */
const FEED_KEPT_MS = DAY_MS;
const ERASED = 'erased';
/** This replaces a change that a site has applied: it removes what no list has. */
const NO_CHANGE = JSON.stringify({ kind: 'vehicle', op: 'remove', id: ERASED });

/**
 * Removes from the kept changes of sites what the retention has erased elsewhere. These are vehicles that no
 * list has any more, once their site has the change, and the plates of visits that have lost theirs. The
 * numbers and marks of the changes stay.
 */
export async function forgetErasedInFeeds(db: Db, now: UtcTime, signal: AbortSignal): Promise<void> {
  for (const { site, presence } of await db.read(listSites)) {
    if (signal.aborted) return;
    const siteHas = presence?.feedAt ?? 0;
    const known = await db.read((q) => hasGoneVehicles(q, site.id, lte(t.n, siteHas)));
    if (known) await db.write(({ q }) => forgetVehicles(q, site.id, siteHas));
    const isAway =
      presence === null || (!presence.connected && millis(now) - millis(presence.since) > FEED_KEPT_MS);
    if (isAway && (await db.read((q) => hasGoneVehicles(q, site.id, gt(t.n, siteHas))))) {
      await compactFeed(db, site.id, 0);
    }
    const changes = await db.read((q) => changesOfNamelessVisits(q, site.id));
    if (changes.length > 0) await db.write(({ q }) => writeNameless(q, site.id, changes));
  }
}

function goneVehicles(siteId: string, which: SQL): SQL | undefined {
  return and(
    eq(t.siteId, siteId),
    eq(t.kind, 'vehicle'),
    ne(t.itemId, ERASED),
    which,
    sql`NOT EXISTS (SELECT 1 FROM feed_item WHERE feed_item.kind = 'vehicle' AND feed_item.item_id = ${t.itemId}
      AND feed_item.item IS NOT NULL)`,
  );
}

async function hasGoneVehicles(q: Queries, siteId: string, which: SQL): Promise<boolean> {
  const found = await q.select({ n: t.n }).from(t).where(goneVehicles(siteId, which)).limit(1);
  return found.length > 0;
}

async function forgetVehicles(q: Queries, siteId: string, upTo: number): Promise<void> {
  await q
    .update(t)
    .set({ itemId: ERASED, change: NO_CHANGE })
    .where(goneVehicles(siteId, lte(t.n, upTo)));
}

interface Change {
  n: number;
  change: SiteChangeBody;
}

async function changesOfNamelessVisits(q: Queries, siteId: string): Promise<Change[]> {
  const rows = await q
    .select({ n: t.n, change: t.change })
    .from(t)
    .where(
      and(
        eq(t.siteId, siteId),
        // The condition matches the index feed_change_visit.
        sql`kind IN ('visit', 'visit-edit')`,
        sql`instr(${t.change}, '"plate":"') > 0`,
      ),
    );
  const changes = rows.map(({ n, change }) => ({
    n,
    change: parseNewer(SiteChangeBodySchema, JSON.parse(change)),
  }));
  const nameless = new Set(
    await namelessVisits(
      q,
      changes.flatMap(({ change }) => visitOf(change) ?? []),
    ),
  );
  return changes.filter(({ change }) => nameless.has(visitOf(change) ?? ''));
}

function visitOf(change: SiteChangeBody): string | null {
  if (change.kind === 'visit') return change.item.visit.id;
  return change.kind === 'visit-edit' ? change.item.visitId : null;
}

/** The visits among these that are over and have no plate. */
async function namelessVisits(q: Queries, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += 500) {
    const some = ids.slice(from, from + 500);
    const rows = await q
      .select({ id: visitTable.id })
      .from(visitTable)
      .where(and(inArray(visitTable.id, some), isNull(visitTable.plate), isNotNull(visitTable.endedAt)));
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

async function writeNameless(q: Queries, siteId: string, changes: readonly Change[]): Promise<void> {
  for (const { n, change } of changes) {
    await q
      .update(t)
      .set({ change: JSON.stringify(withoutPlate(change)) })
      .where(and(eq(t.siteId, siteId), eq(t.n, n)));
  }
}

/** A reason that people wrote may contain the plate. */
function withoutPlate(change: SiteChangeBody): SiteChangeBody {
  if (change.kind === 'visit') {
    const { item } = change;
    return { ...change, item: { ...item, reason: '', visit: { ...item.visit, plate: null } } };
  }
  if (change.kind !== 'visit-edit') return change;
  return { ...change, item: { ...change.item, reason: '', plate: null } };
}
