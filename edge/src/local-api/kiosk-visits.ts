import type { KioskFault } from '@hlid/protocol/kiosk-api';
import { readablePlate } from '@hlid/protocol/plate';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { disownVisit } from '../decision/disown-visit.ts';
import { MIN_TYPED } from '../payment/find-visits.ts';
import { viewDue } from '../payment/kiosk-views.ts';
import type { KioskAnswer } from './kiosk-answer.ts';
import type { KioskParts } from './kiosk-parts.ts';

/** What a driver does at the kiosk before he pays: finds his visit, and sees what it costs. */
export interface KioskVisits {
  byPlate(typed: string): Promise<KioskAnswer>;
  byEntry(from: UtcTime, to: UtcTime): Promise<KioskAnswer>;
  /** @param typed by which he has found it */
  due(visitId: string, typed: string): KioskAnswer;
  /** He names the plate of a visit whose plate nobody could read. */
  givePlate(visitId: string, raw: string): Promise<KioskAnswer>;
  /** He waits at an exit that asks for a visit which is not his. @param typed as his own plate */
  disown(visitId: string, typed: string): Promise<KioskAnswer>;
  picture(visitId: string): Promise<KioskAnswer>;
}

export function createKioskVisits(
  parts: Pick<KioskParts, 'site' | 'stays' | 'dues' | 'finder' | 'limit' | 'picture' | 'commit' | 'clock'>,
): KioskVisits {
  const { site, stays, dues, finder, commit, clock } = parts;
  const now = (): UtcTime => utcTime(clock.now());

  /** Looks for visits, unless somebody has looked for too many. */
  async function look(find: () => object[] | null): Promise<KioskAnswer> {
    if (!(await commit.run(() => parts.limit.allows(now())))) return { fault: 'too-many-requests' };
    const visits = find();
    if (visits) return { status: 200, body: { visits } };
    return { fault: 'bad-input', message: `plate: at least ${MIN_TYPED} letters and digits of it` };
  }

  function due(visitId: string, typed: string): KioskAnswer {
    const at = now();
    const found = dues.of(visitId, at);
    if (!found) return { fault: 'not-found' };
    return {
      status: 200,
      body: viewDue(found, finder.view(found.visit, typed), site(), dues.serviceFee(found), at),
    };
  }

  return {
    byPlate: (typed) => look(() => finder.byPlate(typed, stays.inDoubt(now()))),
    byEntry: (from, to) => look(() => finder.byEntry(from, to)),
    due,
    async givePlate(visitId, raw) {
      const plate = readablePlate(raw);
      if (plate === null) return { fault: 'bad-input', message: 'plate: this is none that a car can have' };
      const fault = await commit.run((): KioskFault | null => {
        const visit = stays.visits.get(visitId);
        if (!visit) return 'not-found';
        if (visit.endedAt !== null) return 'visit-ended';
        // Nobody takes another one's plate, or ends another one's visit by it.
        if (visit.plate !== null || stays.visits.openByPlate(plate)) return 'bad-input';
        stays.book.correctPlate(visit, plate, { at: now(), by: 'kiosk', why: 'plate-given' });
        return null;
      });
      if (fault === null) return due(visitId, plate);
      return fault === 'bad-input'
        ? { fault, message: 'plate: the visit has one, or another car with this plate is inside' }
        : { fault };
    },
    async disown(visitId, typed) {
      const fault = await disownVisit(parts, { visitId, typed }, (at) => parts.limit.allows(at));
      return fault === null ? { status: 200, body: {} } : { fault };
    },
    async picture(visitId) {
      const readId = stays.visits.get(visitId)?.entryReadId ?? null;
      const found = readId === null ? null : await parts.picture(readId);
      return found ? { picture: found } : { fault: 'not-found' };
    },
  };
}
