import type { UtcTime } from '@hlid/protocol/utc-time';
import { type Decided, plateComingIn, turnChanges, visitTurn } from '@hlid/protocol/visit-course';
import { newId } from '../new-id.ts';
import type { Passage } from '../passage/passage-store.ts';
import type { VisitBook } from './visit-book.ts';
import type { VisitStore } from './visit-store.ts';

/** Does to the visit what was decided for a passage, and returns the visit's id. `passed`: see `visitTurn`. */
export function carryOut(
  decided: Decided,
  passage: Passage,
  { visits, book }: { visits: Pick<VisitStore, 'openByPlate'>; book: Pick<VisitBook, 'record'> },
  at: UtcTime,
  passed = false,
): string | null {
  const turn = visitTurn(decided, passage, at, passed);
  const plate = plateComingIn(turn);
  const inside = plate === null ? null : visits.openByPlate(plate);
  const { changes, visitId } = turnChanges(turn, { id: newId(), inside });
  for (const change of changes) book.record(change);
  return visitId;
}
