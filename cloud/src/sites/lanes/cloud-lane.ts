import type { Direction } from '@hlid/protocol/records/lane';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder, sql } from '../../platform/db/sql.ts';
import type { CameraRow } from '../../records/cameras/camera-store.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { eventCursorTable } from '../../records/sites/event-cursor-table.ts';
import { sitePresenceTable } from '../../records/sites/site-table.ts';

/** A lane of a site without an edge daemon: each camera has its own, and they have one name. */
export interface CloudLane {
  id: string;
  site: ChosenSite;
  direction: Direction;
  camera: CameraRow;
}

export function laneOf(site: ChosenSite, camera: CameraRow): CloudLane {
  return { id: camera.remoteId, site, direction: camera.location === 'entrance' ? 'entry' : 'exit', camera };
}

const siteHasSpoken = prepared((q) => {
  return q
    .select({ epoch: sitePresenceTable.epoch })
    .from(sitePresenceTable)
    .where(
      sql`${eqPlaceholder(sitePresenceTable.siteId, 'siteId')} AND ${sitePresenceTable.epoch} IS NOT NULL`,
    )
    .unionAll(
      q
        .select({ epoch: eventCursorTable.epoch })
        .from(eventCursorTable)
        .where(eqPlaceholder(eventCursorTable.siteId, 'siteId')),
    )
    .limit(1)
    .prepare();
});

/** Whether an edge daemon has ever served a site: then it decides at the lanes, and the cloud does not. */
export async function hasEdge(q: Queries, siteId: string): Promise<boolean> {
  return (await siteHasSpoken(q).get({ siteId })) !== undefined;
}
