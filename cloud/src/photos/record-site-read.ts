import { foldPlate } from '@hlid/protocol/plate';
import type { StoredRead } from '@hlid/protocol/site-event';
import type { Queries } from '../db/db.ts';
import { preparedInsert } from '../db/prepared-insert.ts';
import { photoTable } from './storage/photo-table.ts';

const addPhoto = preparedInsert(photoTable, 'leave');

/** Stores a read that a site reports; its pictures come later. */
export async function recordSiteRead(q: Queries, siteId: string, read: StoredRead): Promise<void> {
  await addPhoto(q, photoRow(siteId, read));
}

function photoRow(siteId: string, read: StoredRead): typeof photoTable.$inferSelect {
  const { late: _late, parked: _parked, relatedKeys: _keys, ...kept } = read;
  return {
    source: 'site',
    siteId,
    visitId: null,
    status: read.standing === 'counts' && read.plate !== null ? 'new' : 'need-review',
    plateFolded: read.plate === null ? null : foldPlate(read.plate),
    url: null,
    pictureBytes: null,
    plateUrl: null,
    plateBytes: null,
    createdAt: read.receivedAt,
    // Last: adding to what was spread takes as long as writing the row.
    ...kept,
  };
}
