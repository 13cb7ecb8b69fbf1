import type { UtcTime } from '@hlid/protocol/utc-time';
import { type Decided, visitTurn } from '@hlid/protocol/visit-course';
import type { Passage } from '../passage/passage-store.ts';
import type { VisitBook } from './visit-book.ts';

/** Does to the visit what was decided for a passage, and returns the visit's id. `passed`: see `visitTurn`. */
export function carryOut(
  decided: Decided,
  passage: Passage,
  visits: VisitBook,
  at: UtcTime,
  passed = false,
): string | null {
  const turn = visitTurn(decided, passage, at, passed);
  switch (turn.kind) {
    case 'none':
      return null;
    case 'begin':
      return visits.begin(turn.arrival, turn.deed).id;
    case 'ask':
      return visits.askToPay(turn.visit, turn.demand, turn.deed).id;
    case 'asked':
      return turn.visit.id;
    case 'leave':
      return visits.leave(turn.visit, turn.departure, turn.deed).id;
    default:
      return turn satisfies never;
  }
}
