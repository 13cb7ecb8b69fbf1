import type { Clock } from '@hlid/node/clock';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import type { GroupCommit } from '../db/group-commit.ts';
import type { VisitStore } from '../visit/visit-store.ts';
import type { LaneOutcome } from './lane-outcome.ts';

/**
 * Opens the exit for a driver in doubt who denies the visit, at any kiosk.
 *
 * @param typed the plate that the driver types as the car's own
 * @param mayAsk checks within the running transaction whether the driver may deny it
 * @returns why nothing opens; null: it does
 */
export async function disownVisit(
  {
    stays,
    commit,
    clock,
  }: {
    stays: {
      visits: Pick<VisitStore, 'get'>;
      disown(visitId: string, typed: string, at: UtcTime): LaneOutcome[];
      act(outcomes: readonly LaneOutcome[]): void;
    };
    commit: Pick<GroupCommit, 'run'>;
    clock: Clock;
  },
  { visitId, typed }: { visitId: string; typed: string },
  mayAsk: (at: UtcTime) => boolean = () => true,
): Promise<KioskFault | null> {
  const at = utcTime(clock.now());
  const plate = normalisePlate(typed);
  const outcomes = await commit.run((): LaneOutcome[] | KioskFault => {
    if (!mayAsk(at)) return 'too-many-requests';
    const visit = stays.visits.get(visitId);
    if (!visit) return 'not-found';
    // A person who types the plate of the visit counts as its driver.
    if (plate === '' || plate === visit.plate) return 'bad-input';
    const opened = stays.disown(visitId, plate, at);
    return opened.length === 0 ? 'not-in-doubt' : opened;
  });
  if (typeof outcomes === 'string') return outcomes;
  stays.act(outcomes);
  return null;
}
