import { type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Queries } from '../../../platform/db/db.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import { listVisits } from '../list/visit-list-store.ts';
import { readVisitQuery } from '../list/visit-query.ts';
import { joinMistakes } from './join-visits.ts';

/** How many visits of plates like the one of a visit are looked at. */
const MAX_CANDIDATES = 50;

/** A visit with which another one can be joined, as far as a person needs it to choose. */
export const JoinableVisitSchema = z
  .strictObject({
    id: z.string(),
    plate: z.string().nullable(),
    startedOn: UtcTimeSchema,
    endedOn: UtcTimeSchema.nullable(),
  })
  .meta({ id: 'JoinableVisit' });
type JoinableVisit = z.infer<typeof JoinableVisitSchema>;

/**
 * The newest visits at the same site with which a visit can be joined: of plates like its own or, if it has none, of
 * every plate. Null: there is no such visit.
 */
export async function joinableVisits(
  q: Queries,
  own: OwnRows,
  id: string,
  now: UtcTime,
): Promise<JoinableVisit[] | null> {
  const visit = await findVisitRow(q, id, own);
  if (visit === null) return null;
  const { siteId, plate } = visit;
  const question = await readVisitQuery(q, { siteId, ...(plate !== null && { near: plate }) }, own, now);
  if (question === null) return [];
  const joinable: JoinableVisit[] = [];
  for (const found of await listVisits(q, question, { cursor: undefined, limit: MAX_CANDIDATES })) {
    const other = await findVisitRow(q, found.id, own);
    // The person chooses between two plates when they join.
    const chosen = plate ?? other?.plate ?? undefined;
    if (other === null || (await joinMistakes(q, visit, other, { plate: chosen })).length > 0) continue;
    joinable.push({
      id: other.id,
      plate: other.plate,
      startedOn: other.startedAt,
      endedOn: other.endedAt,
    });
  }
  return joinable;
}
