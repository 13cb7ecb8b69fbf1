import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis } from '@hlid/protocol/base/utc-time';
import { withLocationToken } from '../../../people/auth/location-token.ts';
import type { Db, Queries } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { type Refused, refusedInput } from '../../../platform/refused.ts';
import { chooseSite } from '../../../records/sites/choose-site.ts';
import { openVisitOfPlate, visitExists } from '../../../records/visits/find-visits.ts';
import { newVisitRow } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { addVisit } from '../change/add-visit.ts';
import { plateFields } from '../change/visit-plate.ts';
import { OLDEST_START_MS } from './plan-visit-edit.ts';
import type { NewVisit } from './visit-commands.ts';

/**
 * Begins a visit that no camera of a site with lanes saw: its exit will know it. A plate that is inside already has its
 * visit.
 *
 * @returns its id, and where the caller finds it
 */
export async function createVisit(
  db: Db,
  actor: Actor,
  body: NewVisit,
): Promise<{ ok: true; id: string; location: string } | Refused> {
  return await db.write(async (tx) => {
    const plate = body.plate ?? null;
    const chosen = await chooseSite(tx.q, body.siteId);
    const wrong = [...(chosen.ok ? [] : chosen.mistakes), ...mistakes(actor, body)];
    if (wrong.length > 0 || !chosen.ok) return refusedInput(...wrong);
    const { site } = chosen;
    const there = await madeBefore(tx.q, body, site.id, plate);
    if (there !== null) return there;
    const { id = newId(), startedOn: startedAt, entryLaneId = null, reason } = body;
    const status = plate === null ? 'need-plate' : 'new';
    const row: VisitRow = {
      ...newVisitRow(actor, { id, siteId: site.id, startedAt, status }),
      ...(await plateFields(tx.q, plate, startedAt)),
      flags: plate === null ? ['unreadable-plate'] : [],
      entryLaneId,
    };
    await addVisit(tx, actor, row, {
      action: 'visit.create',
      historyText: reason ?? 'begun by hand',
      reason,
    });
    return { ok: true, id, location: await withLocationToken(tx, actor.caller, `/visit/${id}`, actor.at) };
  });
}

function mistakes({ at }: Actor, { plate = null, status, startedOn }: NewVisit): Mistake[] {
  return [
    ...(startedOn > at ? [mistake('in-the-future', 'startedOn')] : []),
    ...(millis(at) - millis(startedOn) > OLDEST_START_MS ? [mistake('a-year-ago', 'startedOn')] : []),
    ...(plate === null && status !== 'need-plate' ? [mistake('plate-unless-needed', 'plate')] : []),
    ...(plate !== null && status === 'need-plate' ? [mistake('has-plate', 'status')] : []),
  ];
}

async function madeBefore(
  q: Queries,
  { id }: NewVisit,
  siteId: string,
  plate: string | null,
): Promise<Refused | null> {
  if (id !== undefined && (await visitExists(q, id))) {
    return { ok: false, reason: 'already-there', id, mistake: mistake('visit-id-taken') };
  }
  const inside = plate === null ? null : await openVisitOfPlate(q, siteId, plate);
  if (inside === null) return null;
  const why = mistake('inside-already', [], { plate: plate ?? '' });
  return { ok: false, reason: 'already-there', id: inside.id, mistake: why };
}
