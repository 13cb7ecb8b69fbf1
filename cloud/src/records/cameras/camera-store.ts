import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { cameraTable } from './camera-table.ts';

export type CameraRow = typeof cameraTable.$inferSelect;

export async function insertCamera(q: Queries, row: CameraRow): Promise<void> {
  await q.insert(cameraTable).values(row);
}

export async function updateCameraRow(q: Queries, row: CameraRow): Promise<void> {
  await q.update(cameraTable).set(row).where(eq(cameraTable.id, row.id));
}
