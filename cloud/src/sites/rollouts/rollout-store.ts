import type { Queries } from '../../platform/db/db.ts';
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  type SQL,
} from '../../platform/db/sql.ts';
import {
  edgePackageTable as packages,
  type RolloutRow,
  type RolloutSiteRow,
  rolloutTable as rollouts,
  rolloutSiteTable as sites,
  siteSoftwareTable as software,
} from '../../records/rollouts/rollout-table.ts';
import { ROLLOUT_OUTCOMES, type RolloutOutcome } from '../../records/rollouts/rollout-words.ts';
import { sitePresenceTable, siteTable } from '../../records/sites/site-table.ts';
import { canWithdraw, hasFailed, isUnderWay, type RolloutSiteFacts } from './rollout-state.ts';

/** Each is an upgrade of all sites: older ones are of no use. */
const MAX_LISTED = 50;
/** A statement takes some ten thousand values. */
const SITES_AT_ONCE = 500;

/** A site of a rollout, with what is known of it now. */
export interface RolloutSite {
  row: RolloutSiteRow;
  name: string;
  connected: boolean;
  connectedSince: string | null;
  /** Null: it has never reported one. */
  version: string | null;
}

/** The newest first. */
export async function listRollouts(q: Queries): Promise<RolloutRow[]> {
  return await q
    .select()
    .from(rollouts)
    .orderBy(desc(rollouts.createdAt), desc(rollouts.id))
    .limit(MAX_LISTED);
}

export async function readRollout(q: Queries, id: string): Promise<RolloutRow | null> {
  return (await q.select().from(rollouts).where(eq(rollouts.id, id)).get()) ?? null;
}

/** The one that is not over, or else the last one. */
export async function newestRollout(q: Queries): Promise<RolloutRow | null> {
  const open = await openRollout(q);
  if (open !== null) return open;
  const newest = q.select().from(rollouts).orderBy(desc(rollouts.createdAt), desc(rollouts.id));
  return (await newest.limit(1).get()) ?? null;
}

/** The one that is not over. */
export async function openRollout(q: Queries): Promise<RolloutRow | null> {
  return (await q.select().from(rollouts).where(isNull(rollouts.overAt)).get()) ?? null;
}

export async function putRollout(q: Queries, { id, ...row }: RolloutRow): Promise<void> {
  await q
    .insert(rollouts)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: rollouts.id, set: row });
}

/** The sites by ring and name. */
export async function sitesOfRollout(q: Queries, rolloutId: string): Promise<RolloutSite[]> {
  return await selectSites(q, eq(sites.rolloutId, rolloutId));
}

/** How many sites of each ring have each outcome. */
export async function countSites(
  q: Queries,
  rolloutId: string,
): Promise<{ ring: number; outcome: RolloutOutcome; sites: number }[]> {
  return await q
    .select({ ring: sites.ring, outcome: sites.outcome, sites: count() })
    .from(sites)
    .where(eq(sites.rolloutId, rolloutId))
    .groupBy(sites.ring, sites.outcome);
}

/** The sites with an order that have not ended. */
export async function sitesUnderWay(q: Queries, rolloutId: string): Promise<RolloutSite[]> {
  const underWay = ROLLOUT_OUTCOMES.filter(isUnderWay);
  return await selectSites(q, and(eq(sites.rolloutId, rolloutId), inArray(sites.outcome, underWay)));
}

async function selectSites(q: Queries, where: SQL | undefined): Promise<RolloutSite[]> {
  const found = await q
    .select({
      row: getTableColumns(sites),
      name: siteTable.name,
      connected: sitePresenceTable.connected,
      connectedSince: sitePresenceTable.since,
      version: software.version,
    })
    .from(sites)
    .leftJoin(siteTable, eq(siteTable.id, sites.siteId))
    .leftJoin(sitePresenceTable, eq(sitePresenceTable.siteId, sites.siteId))
    .leftJoin(software, eq(software.siteId, sites.siteId))
    .where(where)
    .orderBy(asc(sites.ring), asc(siteTable.name), asc(sites.siteId));
  return found.map(({ name, connected, ...site }) => ({
    ...site,
    name: name ?? '',
    connected: connected ?? false,
  }));
}

/** The facts of the sites that the rule needs. */
export function factsOf(found: readonly RolloutSite[]): RolloutSiteFacts[] {
  return found.map(({ row, connected, connectedSince }) => ({ ...row, connected, connectedSince }));
}

export async function readRolloutSite(
  q: Queries,
  rolloutId: string,
  siteId: string,
): Promise<RolloutSiteRow | null> {
  const row = q.select().from(sites).where(at({ rolloutId, siteId }));
  return (await row.get()) ?? null;
}

/** The row of an order; null: it is none of this site. */
export async function siteOfOrder(
  q: Queries,
  orderId: string,
  siteId: string,
): Promise<RolloutSiteRow | null> {
  const row = await q.select().from(sites).where(eq(sites.orderId, orderId)).get();
  return row?.siteId === siteId ? row : null;
}

export async function addRolloutSites(q: Queries, rows: readonly RolloutSiteRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += SITES_AT_ONCE) {
    await q.insert(sites).values(rows.slice(from, from + SITES_AT_ONCE));
  }
}

export async function updateRolloutSite(q: Queries, row: RolloutSiteRow): Promise<void> {
  const { rolloutId, siteId, ...fields } = row;
  await q.update(sites).set(fields).where(at({ rolloutId, siteId }));
}

/** Gives the sites of a ring that wait their orders. */
export async function orderRing(q: Queries, rolloutId: string, ring: number, now: string): Promise<void> {
  await q
    .update(sites)
    .set({ outcome: 'ordered', at: now })
    .where(and(eq(sites.rolloutId, rolloutId), eq(sites.outcome, 'waiting'), eq(sites.ring, ring)));
}

/** Takes the orders back with which no site has begun to install. */
export async function withdrawOrders(q: Queries, rolloutId: string, now: string): Promise<void> {
  const notBegun = ROLLOUT_OUTCOMES.filter(canWithdraw);
  await q
    .update(sites)
    .set({ outcome: 'withdrawn', handedAt: null, at: now })
    .where(and(eq(sites.rolloutId, rolloutId), inArray(sites.outcome, notBegun)));
}

/** A person goes on without the sites that failed. */
export async function excuseFailures(q: Queries, rolloutId: string): Promise<void> {
  await q
    .update(sites)
    .set({ isExcused: true })
    .where(and(eq(sites.rolloutId, rolloutId), inArray(sites.outcome, ROLLOUT_OUTCOMES.filter(hasFailed))));
}

function at({ rolloutId, siteId }: Pick<RolloutSiteRow, 'rolloutId' | 'siteId'>): SQL | undefined {
  return and(eq(sites.rolloutId, rolloutId), eq(sites.siteId, siteId));
}

type SoftwareRow = typeof software.$inferSelect;

export async function readSoftware(q: Queries, siteId: string): Promise<SoftwareRow | null> {
  return (await q.select().from(software).where(eq(software.siteId, siteId)).get()) ?? null;
}

export async function putSoftware(q: Queries, { siteId, ...row }: SoftwareRow): Promise<void> {
  await q
    .insert(software)
    .values({ siteId, ...row })
    .onConflictDoUpdate({ target: software.siteId, set: row });
}

/** Sites that have a secret. */
export async function sitesToUpgrade(q: Queries): Promise<{ siteId: string; ring: number }[]> {
  return await q
    .select({ siteId: siteTable.id, ring: siteTable.upgradeRing })
    .from(siteTable)
    .where(isNotNull(siteTable.secretHash));
}

export type PackageRow = typeof packages.$inferSelect;

/** The newest first. */
export async function listPackages(q: Queries): Promise<PackageRow[]> {
  return await q.select().from(packages).orderBy(desc(packages.addedAt), desc(packages.id));
}

export async function packagesOfVersion(q: Queries, version: string): Promise<PackageRow[]> {
  return await q.select().from(packages).where(eq(packages.version, version));
}

export async function readPackage(q: Queries, id: string): Promise<PackageRow | null> {
  return (await q.select().from(packages).where(eq(packages.id, id)).get()) ?? null;
}

export async function addPackageRow(q: Queries, row: PackageRow): Promise<void> {
  await q.insert(packages).values(row);
}

export async function removePackageRow(q: Queries, id: string): Promise<void> {
  await q.delete(packages).where(eq(packages.id, id));
}
