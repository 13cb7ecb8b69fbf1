import { nowUtc } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { isFault, messageOf } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { EVENTS } from '../../platform/events.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { RegisteredVehicle, VehicleRegistry } from '../../platform/vehicle-registry/vehicle-registry.ts';
import { FRESH_MS } from '../../records/vehicles/vehicle.ts';
import { noteAbsence, permnosToLookUp, platesToLookUp } from '../../records/vehicles/vehicle-store.ts';
import type { VehicleRow } from '../../records/vehicles/vehicle-table.ts';
import { mayAsk, noteAnswer, noteFailure } from './registry-state.ts';
import { saveRegistered } from './save-vehicle.ts';

export type LookupContext = Pick<CloudContext, 'db' | 'log' | 'clock' | 'vehicleRegistry'>;

/**
 * The result of a request for a vehicle. `no-answer`: the register is down, or is not asked because it was.
 */
export type Lookup =
  | { found: 'vehicle'; vehicle: VehicleRow }
  | { found: 'nothing' }
  | { found: 'no-answer' };

export type LookupKey = { plate: string } | { id: string };

/** Vehicles that a register does not have are not asked for again for this long. */
const ABSENT_MS = HOUR_MS;
/** An adapter has a separate deadline; this is the last resort. */
const LAST_RESORT_MS = MINUTE_MS;

/** Requests under way, so that equal requests in the meantime get the same answer. */
const inHand = new WeakMap<VehicleRegistry, Map<string, Promise<Lookup>>>();

/** Asks the register and keeps its answer. */
export async function askRegistry(
  context: LookupContext,
  registry: VehicleRegistry,
  by: LookupKey,
): Promise<Lookup> {
  const questions = inHand.get(registry) ?? new Map<string, Promise<Lookup>>();
  inHand.set(registry, questions);
  const key = absenceKey(by);
  const known = questions.get(key);
  if (known !== undefined) return await known;
  const asking = ask(context, registry, by).finally(() => questions.delete(key));
  questions.set(key, asking);
  return await asking;
}

/** The key under which an absence in the register is kept. */
export function absenceKey(by: LookupKey): string {
  return 'plate' in by ? by.plate : `id ${by.id}`;
}

async function ask(
  { db, log, clock }: LookupContext,
  registry: VehicleRegistry,
  by: LookupKey,
): Promise<Lookup> {
  const { source } = registry;
  if (!(await mayAsk(db, source, nowUtc(clock)))) return { found: 'no-answer' };
  let registered: RegisteredVehicle | null;
  try {
    registered = await registry.find(by, AbortSignal.timeout(LAST_RESORT_MS));
  } catch (error) {
    if (!isFault(error)) throw error;
    log.warn({ event: EVENTS.registryFailed, source, code: error.code }, messageOf(error));
    await noteFailure(db, source, nowUtc(clock));
    return { found: 'no-answer' };
  }
  await noteAnswer(db, source);
  const now = nowUtc(clock);
  return await db.write(async (tx): Promise<Lookup> => {
    // One that is found by a plate it no longer has is not on that plate.
    if (registered === null || ('plate' in by && normalisePlate(registered.regno) !== by.plate)) {
      await noteAbsence(tx.q, absenceKey(by), { now, until: later(now) });
    }
    if (registered === null) return { found: 'nothing' };
    return { found: 'vehicle', vehicle: await saveRegistered(tx, registered, source, now) };
  });
}

function later(now: UtcTime): UtcTime {
  return utcTime(millis(now) + ABSENT_MS);
}

/** Often enough that a truck is known as one before it leaves. */
const EVERY_MS = 10_000;

/** The most at a time; the rest have their turn next. */
const A_TIME = 50;

/** Cars that came longer ago have gone unseen, as a rule. */
const RECENT_MS = 7 * DAY_MS;

/** Asks the register for the vehicles of visits in hand that it has not been asked for, or not lately. */
export function vehicleRefreshJob(context: LookupContext): ScheduledRun {
  return {
    name: 'vehicle-refreshing',
    everyMs: EVERY_MS,
    async work({ now, signal }) {
      const { db, vehicleRegistry: registry } = context;
      if (registry === null) return;
      const ago = (ms: number) => utcTime(millis(now) - ms);
      const when = { now, since: ago(RECENT_MS), staleAt: ago(FRESH_MS) };
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
