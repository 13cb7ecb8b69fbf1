import type { UtcTime } from '@hlid/protocol/utc-time';
import { actionChanges, type Decided, plateComingIn, visitAction } from '@hlid/protocol/visit-transitions';
import { newId } from '../new-id.ts';
import type { Passage } from '../passage/passage-store.ts';
import type { VisitBook } from './visit-book.ts';
import type { VisitStore } from './visit-store.ts';

/** Does to the visit what was decided for a passage, and returns the visit's id. `passed`: see `visitAction`. */
export function carryOut(
  decided: Decided,
  passage: Passage,
  { visits, book }: { visits: Pick<VisitStore, 'openByPlate'>; book: Pick<VisitBook, 'record'> },
  at: UtcTime,
  passed = false,
): string | null {
  const turn = visitAction(decided, passage, at, passed);
  const plate = plateComingIn(turn);
  const inside = plate === null ? null : visits.openByPlate(plate);
  const { changes, visitId } = actionChanges(turn, { id: newId(), inside });
  for (const change of changes) book.record(change);
  return visitId;
}
