import type { Queries } from '../../platform/db/db.ts';
import { desc, eq } from '../../platform/db/sql.ts';
import { zoneCorrectionTable, zoneTable } from '../../records/zones/zone-table.ts';

export type ZoneRow = typeof zoneTable.$inferSelect;

/** Zones, newest first. */
export async function listZones(q: Queries, siteId: string | undefined): Promise<ZoneRow[]> {
  return await q
    .select()
    .from(zoneTable)
    .where(siteId === undefined ? undefined : eq(zoneTable.siteId, siteId))
    .orderBy(desc(zoneTable.createdAt), desc(zoneTable.id));
}

export async function findZone(q: Queries, id: string): Promise<ZoneRow | null> {
  const [zone] = await q.select().from(zoneTable).where(eq(zoneTable.id, id));
  return zone ?? null;
}

export async function insertZone(q: Queries, row: ZoneRow): Promise<void> {
  await q.insert(zoneTable).values(row);
}

export async function deleteZoneRow(q: Queries, id: string): Promise<void> {
  await q.delete(zoneTable).where(eq(zoneTable.id, id));
}

export async function updateZoneRow(q: Queries, row: ZoneRow): Promise<void> {
  await q.update(zoneTable).set(row).where(eq(zoneTable.id, row.id));
}

export type CorrectionRow = typeof zoneCorrectionTable.$inferSelect;

export async function insertCorrection(q: Queries, row: CorrectionRow): Promise<void> {
  await q.insert(zoneCorrectionTable).values(row);
}

/** The newest corrections of a zone, newest first. */
export async function listCorrections(q: Queries, zoneId: string, limit: number): Promise<CorrectionRow[]> {
  const t = zoneCorrectionTable;
  return await q.select().from(t).where(eq(t.zoneId, zoneId)).orderBy(desc(t.at)).limit(limit);
}
