import { DAY_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import { askRegistry, type LookupContext } from './ask-registry.ts';
import { FRESH_MS } from './record/vehicle.ts';
import { permnosToLookUp, platesToLookUp } from './record/vehicle-store.ts';

/** Often enough that a truck is known as one before it leaves. */
const EVERY_MS = 10_000;
/** So many at a time; the rest have their turn next. */
const A_TIME = 50;
/** Cars that came longer ago have gone unseen, as a rule. */
const LATELY_MS = 7 * DAY_MS;

/** Asks the register for the vehicles of visits in hand that it has not been asked for, or not lately. */
export function vehicleRefreshing(context: LookupContext): ScheduledRun {
  return {
    name: 'vehicle-refreshing',
    everyMs: EVERY_MS,
    async work({ now, signal }) {
      const { db, vehicleRegistry: registry } = context;
      if (registry === null) return;
      const ago = (ms: number) => utcTime(millis(now) - ms);
      const when = { now, since: ago(LATELY_MS), staleAt: ago(FRESH_MS) };
      const wanted = await db.read(async (q) => [
        ...(await platesToLookUp(q, when, A_TIME)).map((plate) => ({ plate })),
        ...(await permnosToLookUp(q, now, A_TIME)).map((id) => ({ id })),
      ]);
      for (const by of wanted) {
        if (signal.aborted) return;
        const { found } = await askRegistry(context, registry, by);
        if (found === 'no-answer') return;
      }
    },
  };
}
