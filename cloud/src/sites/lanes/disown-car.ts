import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { audit } from '../../people/audit/audit.ts';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { disownAtLane } from './disown-at-lane.ts';
import { carsInDoubt } from './doubtful-cars.ts';

/** The result of a driver's statement that a visit is not theirs. */
export type Disowned = { ok: true } | RefusedInput | { ok: false; reason: 'not-in-doubt' | 'site-away' };

/**
 * The driver of a doubtful car at an exit states that the visit is not theirs: the exit opens, once, and a person
 * reviews the visit. A site with an edge daemon does that itself.
 *
 * @param statement `typed`: what the driver gives as their own plate; `page`: where it was typed, for the audit log
 */
export async function disownCar(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  { visitId, typed, page }: { visitId: string; typed: string; page: 'kiosk' | 'pay-page' },
): Promise<Disowned> {
  const plate = normalisePlate(typed);
  const waiting = await db.read((q) => carsInDoubt(q, actor.at));
  const car = waiting.find((one) => one.visitId === visitId);
  if (car === undefined) return { ok: false, reason: 'not-in-doubt' };
  if (plate === car.visitPlate) return refusedInput(mistake('plate-of-visit', 'plate'));
  const done = await db.write(async (tx) => {
    // The typed plate is in the visit's history, where plates are erased.
    const after = { laneId: car.laneId };
    await audit(tx, actor, {
      subject: 'visit',
      subjectId: visitId,
      action: `${page}.not-mine`,
      before: null,
      after,
    });
    return await disownAtLane(tx, car, plate, actor.at);
  });
  if (done !== 'at-site') return done === 'opened' ? { ok: true } : { ok: false, reason: 'not-in-doubt' };
  const { siteId } = car;
  const by = callerName(actor.caller);
  const { outcome, reason } = await commands.send({
    id: newId(),
    siteId,
    action: 'not-mine',
    visitId,
    plate,
    by,
  });
  if (outcome === 'done') return { ok: true };
  return { ok: false, reason: reason === 'not-in-doubt' ? reason : 'site-away' };
}
