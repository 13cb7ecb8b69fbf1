import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eqPlaceholder, isNull } from '../../platform/db/sql.ts';
import { ALL_ROWS, type OwnRows, seesSite } from '../../platform/http/caller.ts';
import { type FoundPhoto, selectPhotos } from '../../records/photos/photo-store.ts';
import { photoTable as t } from '../../records/photos/photo-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

const photoById = prepared((q) => selectPhotos(q).where(eqPlaceholder(t.id, 'id')).prepare());

const customerOfVisit = prepared((q) =>
  q
    .select({ customerId: visitTable.customerId })
    .from(visitTable)
    .where(eqPlaceholder(visitTable.id, 'id'))
    .prepare(),
);

export type { FoundPhoto };

/** A photo that the caller may see: any, or one of the caller's own visits. */
export async function findPhoto(q: Queries, id: string, own: OwnRows): Promise<FoundPhoto | null> {
  const found = (await photoById(q).get({ id })) ?? null;
  if (found === null) return null;
  if (own.all) return seesSite(own, found.photo.siteId) ? found : null;
  if (own.customerId === null || found.visitId === null) return null;
  const visit = await customerOfVisit(q).get({ id: found.visitId });
  return visit?.customerId === own.customerId ? found : null;
}

const entryOfVisit = prepared((q) =>
  q
    .select({ photoId: visitTable.entryReadId })
    .from(visitTable)
    .where(and(eqPlaceholder(visitTable.id, 'id'), isNull(visitTable.endedAt)))
    .prepare(),
);

/** The photo by which a car came in that is still inside: drivers at a kiosk know their own by it. */
export async function findEntryPhoto(q: Queries, id: string): Promise<FoundPhoto | null> {
  const found = await findPhoto(q, id, ALL_ROWS);
  if (found === null || found.visitId === null) return null;
  const visit = await entryOfVisit(q).get({ id: found.visitId });
  return visit?.photoId === id ? found : null;
}
