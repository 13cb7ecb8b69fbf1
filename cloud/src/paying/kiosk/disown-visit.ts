import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { audit } from '../../people/audit/audit.ts';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { disownAtLane } from '../../sites/lanes/disown-at-lane.ts';
import { carsInDoubt } from '../../sites/lanes/doubtful-cars.ts';
import { countSearch } from './search-visits.ts';

/** The result of a driver's statement that a visit is not his. */
export type Disowned =
  | { ok: true }
  | RefusedInput
  | { ok: false; reason: 'not-in-doubt' | 'site-away' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/**
 * The driver of a doubtful car at an exit states that the visit is not his: the exit opens, once, and a person
 * reviews the visit. A site with an edge daemon does that itself.
 *
 * `tokenId`: of the kiosk; `typed`: what he types as his own plate.
 */
export async function disownVisit(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  { tokenId, visitId, typed }: { tokenId: string; visitId: string; typed: string },
): Promise<Disowned> {
  const wait = await countSearch(db, tokenId, actor.at);
  if (wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: wait };
  const waiting = await db.read((q) => carsInDoubt(q, actor.at));
  const car = waiting.find((one) => one.visitId === visitId);
  if (car === undefined) return { ok: false, reason: 'not-in-doubt' };
  if (typed === car.visitPlate) return refusedInput(mistake('plate-of-visit', 'plate'));
  const done = await db.write(async (tx) => {
    // The typed text is in the visit's history, where plates are erased.
    const after = { laneId: car.laneId };
    const change = { subject: 'visit', subjectId: visitId, action: 'kiosk.not-mine', before: null, after };
    await audit(tx, actor, change);
    return await disownAtLane(tx, car, typed, actor.at);
  });
  if (done !== 'at-site') return done === 'opened' ? { ok: true } : { ok: false, reason: 'not-in-doubt' };
  const by = callerName(actor.caller);
  const request = {
    id: newId(),
    siteId: car.siteId,
    action: 'not-mine',
    visitId,
    plate: typed,
    by,
  } as const;
  const { outcome, reason } = await commands.send(request);
  if (outcome === 'done') return { ok: true };
  return { ok: false, reason: reason === 'not-in-doubt' ? reason : 'site-away' };
}
