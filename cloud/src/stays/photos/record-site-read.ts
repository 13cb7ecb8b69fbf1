import { foldPlate } from '@hlid/protocol/plate/plate';
import type { StoredRead } from '@hlid/protocol/site-link/site-event';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { findDecision } from '../../records/passages/find-passage.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { countRead } from '../../records/totals/count-stay.ts';
import { type JudgedPassage, needsReview } from './photo.ts';

const storedById = prepared((q) =>
  q.select({ id: photoTable.id }).from(photoTable).where(eqPlaceholder(photoTable.id, 'id')).prepare(),
);

const addPhoto = preparedInsert(photoTable, 'leave');

/**
 * Stores a read that a site reports; its pictures come later.
 *
 * @param passage that was decided by it; null: none was
 */
export async function recordSiteRead(
  q: Queries,
  siteId: string,
  read: StoredRead,
  passage: JudgedPassage | null,
): Promise<void> {
  // A read that counts and decided nothing is one of several reads of a car: the one that decided is the
  // case.
  const isOneOfSeveral = passage === null && read.standing === 'counts' && read.plate !== null;
  const needs = !isOneOfSeveral && needsReview(read, passage ?? (await decisionOn(q, read)));
  const photo = photoRow(siteId, read, needs ? 'need-review' : 'new');
  if ((await storedById(q).get({ id: read.id })) !== undefined) return;
  await addPhoto(q, photo);
  await countRead(q, null, photo);
}

async function decisionOn(q: Queries, { passageId }: StoredRead): Promise<JudgedPassage | null> {
  return passageId === null ? null : await findDecision(q, passageId);
}

function photoRow(
  siteId: string,
  read: StoredRead,
  status: 'new' | 'need-review',
): typeof photoTable.$inferSelect {
  const { late: _late, parked: _parked, relatedKeys: _keys, box: _box, ...kept } = read;
  return {
    source: 'site',
    siteId,
    visitId: null,
    corrected: false,
    status,
    plateFolded: read.plate === null ? null : foldPlate(read.plate),
    url: null,
    pictureBytes: null,
    plateUrl: null,
    plateBytes: null,
    thumbBytes: null,
    createdAt: read.receivedAt,
    // Last: adding to what was spread takes as long as writing the row.
    ...kept,
  };
}
