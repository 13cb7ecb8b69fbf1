import { MINUTE_MS } from '@hlid/protocol/base/durations';

/** An opening through which no car has driven yet. */
interface Expected {
  /** Null: opened by a person, for no known vehicle. */
  passageId: string | null;
  openedAtMs: number;
}

/** The reports of a lane's loops, and what follows from them. */
export interface LoopState {
  /** A vehicle stands there; null: unknown. */
  arrival: boolean | null;
  passed: boolean | null;
  /** When a vehicle was last on the arrival loop. */
  arrivalLeftAtMs: number | null;
  lastOpenedAtMs: number | null;
  /**
   * A car that was last seen before this time is not the one that stands there now. Since then the arrival
   * loop was free and another car came onto it, or a second car drove through behind the first. Null: nothing
   * of this was seen.
   */
  anotherSinceMs: number | null;
  expected: readonly Expected[];
}

export type LoopEvent =
  | { kind: 'loops'; arrival: boolean | null; passed: boolean | null; heldOpen: boolean }
  | { kind: 'opening'; passageId: string | null }
  /** It certainly did not open. */
  | { kind: 'not-opened'; passageId: string | null }
  | { kind: 'time' };

/** The outcomes for the lane and its operators. */
export type LoopOutcome =
  | { kind: 'arrived' | 'left' }
  | { kind: 'alert'; alert: 'tailgating' | 'wrong-way' }
  | { kind: 'passed' | 'turned-back'; passageId: string | null };

/** A car that has left the arrival loop and has not come out behind the gate by then has turned back. */
export const TURNED_BACK_AFTER_MS = 10_000;
/** An opening that no car has used by then is not assigned to one any more. */
const EXPECTED_FOR_MS = 2 * MINUTE_MS;
/** A car that came through the gate stood before it, or saw it open, within this time. */
const CAME_FROM_HERE_MS = 15_000;

export const NO_LOOPS: LoopState = {
  arrival: null,
  passed: null,
  arrivalLeftAtMs: null,
  lastOpenedAtMs: null,
  anotherSinceMs: null,
  expected: [],
};

/** The state after an event, and what is new by it. */
export function afterLoopEvent(
  before: LoopState,
  event: LoopEvent,
  atMs: number,
): { state: LoopState; outcomes: LoopOutcome[] } {
  switch (event.kind) {
    case 'opening': {
      const others = before.expected.filter(({ passageId }) => passageId !== event.passageId);
      const opening = { passageId: event.passageId, openedAtMs: atMs };
      // Without a passage loop it is unknown who passes, so no passage is expected.
      const expected = before.passed === null ? [] : [...others, opening];
      return { state: { ...before, expected, lastOpenedAtMs: atMs }, outcomes: [] };
    }
    case 'not-opened': {
      const expected = before.expected.filter(({ passageId }) => passageId !== event.passageId);
      return { state: { ...before, expected }, outcomes: [] };
    }
    case 'time':
      return turnedBack(before, atMs);
    case 'loops':
      return afterLoops(before, event, atMs);
    default:
      return event satisfies never;
  }
}

function afterLoops(
  before: LoopState,
  { arrival, passed, heldOpen }: Extract<LoopEvent, { kind: 'loops' }>,
  atMs: number,
): { state: LoopState; outcomes: LoopOutcome[] } {
  const outcomes: LoopOutcome[] = [];
  let { expected, anotherSinceMs } = before;
  if (arrival === true && before.arrival !== true) {
    outcomes.push({ kind: 'arrived' });
    anotherSinceMs = before.arrivalLeftAtMs ?? anotherSinceMs;
  }
  const left = arrival === false && before.arrival === true;
  // A loop of which nothing was known before may have been occupied for long.
  if (passed === true && before.passed === false) {
    const inTime = expected.filter(({ openedAtMs }) => atMs - openedAtMs <= EXPECTED_FOR_MS);
    const [first, ...others] = inTime;
    expected = others;
    if (first) outcomes.push({ kind: 'passed', passageId: first.passageId });
    else if (!heldOpen) {
      const isSecond = cameFromHere(before, arrival, atMs);
      if (isSecond) anotherSinceMs = atMs;
      outcomes.push({ kind: 'alert', alert: isSecond ? 'tailgating' : 'wrong-way' });
    }
  }
  if (left) outcomes.push({ kind: 'left' });
  if (passed === null) expected = [];
  const arrivalLeftAtMs = left ? atMs : arrival === true ? null : before.arrivalLeftAtMs;
  return { state: { ...before, arrival, passed, expected, arrivalLeftAtMs, anotherSinceMs }, outcomes };
}

/** Whether the car behind the gate, for which nothing opened there, was before the gate shortly before. */
function cameFromHere(before: LoopState, arrival: boolean | null, atMs: number): boolean {
  const { arrivalLeftAtMs, lastOpenedAtMs } = before;
  if (before.arrival === true || arrival === true) return true;
  if (before.arrival === false)
    return arrivalLeftAtMs !== null && atMs - arrivalLeftAtMs <= CAME_FROM_HERE_MS;
  return lastOpenedAtMs !== null && atMs - lastOpenedAtMs <= CAME_FROM_HERE_MS;
}

function turnedBack(before: LoopState, atMs: number): { state: LoopState; outcomes: LoopOutcome[] } {
  const { arrival, passed, arrivalLeftAtMs, expected } = before;
  const overdue = arrivalLeftAtMs !== null && atMs - arrivalLeftAtMs >= TURNED_BACK_AFTER_MS;
  if (!overdue || arrival !== false || passed !== false) return { state: before, outcomes: [] };
  const gone = expected.filter(({ openedAtMs }) => openedAtMs <= arrivalLeftAtMs);
  return {
    state: { ...before, arrivalLeftAtMs: null, expected: expected.filter((one) => !gone.includes(one)) },
    outcomes: gone.map(({ passageId }) => ({ kind: 'turned-back', passageId })),
  };
}
