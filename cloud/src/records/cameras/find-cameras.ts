import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq } from '../../platform/db/sql.ts';
import type { CameraRow } from './camera-store.ts';
import { cameraTable } from './camera-table.ts';

/** Cameras, newest first. */
export async function listCameras(
  q: Queries,
  filters: { status?: CameraRow['status'] | undefined; siteId?: string | undefined },
): Promise<CameraRow[]> {
  return await q
    .select()
    .from(cameraTable)
    .where(
      and(
        filters.status === undefined ? undefined : eq(cameraTable.status, filters.status),
        filters.siteId === undefined ? undefined : eq(cameraTable.siteId, filters.siteId),
      ),
    )
    .orderBy(desc(cameraTable.createdAt), desc(cameraTable.id));
}

export async function findCamera(q: Queries, id: string): Promise<CameraRow | null> {
  const [camera] = await q.select().from(cameraTable).where(eq(cameraTable.id, id));
  return camera ?? null;
}

export async function findCameraOnSite(
  q: Queries,
  siteId: string,
  remoteId: string,
): Promise<CameraRow | null> {
  const [camera] = await q
    .select()
    .from(cameraTable)
    .where(and(eq(cameraTable.siteId, siteId), eq(cameraTable.remoteId, remoteId)));
  return camera ?? null;
}
