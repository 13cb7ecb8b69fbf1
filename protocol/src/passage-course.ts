import type { Decision } from './decision.ts';
import { correctsPlate, type PassageInView } from './passage.ts';
import type { PlateRead } from './plate-read.ts';
import type { UtcTime } from './utc-time.ts';

/** Of a car that stands in view for hours only the newest keys are kept. */
const MOST_KEYS = 60;

/** Closed and undecided: what a passage is before anybody has looked at it. */
const UNDECIDED: Decision = {
  open: false,
  reason: 'no-visit',
  visit: { kind: 'none' },
  settlement: null,
  flags: [],
};

/** One vehicle passing one lane. */
export interface PassageCourse extends PassageInView {
  laneId: string;
  /** Of the plate, 0 to 1. */
  score: number;
  firstSeenAt: UtcTime;
  decision: Decision;
  /** The visit that it began, ended or asked to pay. */
  visitId: string | null;
  /** The read that decided. */
  readId: string;
}

/** A passage that nobody has looked at yet. */
export function beginPassage(
  ids: Pick<PassageCourse, 'id' | 'laneId' | 'readId'>,
  read: PlateRead,
  at: UtcTime,
): PassageCourse {
  return {
    id: ids.id,
    laneId: ids.laneId,
    readId: ids.readId,
    plate: read.plate,
    score: read.score,
    firstSeenAt: at,
    lastSeenAt: at,
    keys: keysAfter(new Set(), read),
    decision: UNDECIDED,
    visitId: null,
  };
}

/**
 * The passage after one more read, which may know its plate better.
 *
 * @param seenAt null for a late read, which does not keep the vehicle in view
 */
export function joinPassage<Course extends PassageCourse>(
  passage: Course,
  read: PlateRead,
  seenAt: UtcTime | null,
): Course {
  const corrected = correctsPlate(passage, read);
  const same = read.plate === passage.plate;
  return {
    ...passage,
    lastSeenAt: seenAt ?? passage.lastSeenAt,
    keys: keysAfter(passage.keys, read),
    plate: corrected ? read.plate : passage.plate,
    score: corrected ? read.score : same ? Math.max(passage.score, read.score) : passage.score,
  };
}

/** Whether a passage that was decided anew says something that it has not said before. */
export function saysAnew(after: PassageCourse, before: PassageCourse): boolean {
  const said = ({ decision, visitId }: PassageCourse) => JSON.stringify([decision, visitId]);
  return said(after) !== said(before);
}

/** What people at the site hear of a decision at once. */
export function alertsOf({ reason, flags }: Decision): ('blocklisted' | 'blocklist-lookalike')[] {
  return [
    ...(reason === 'blocklisted' ? (['blocklisted'] as const) : []),
    ...(flags.includes('blocklist-lookalike') ? (['blocklist-lookalike'] as const) : []),
  ];
}

/** A key that comes again counts as new, once: repeats push nothing out. The read's own comes last, to stay longest. */
function keysAfter(known: ReadonlySet<string>, { eventKey, relatedKeys }: PlateRead): ReadonlySet<string> {
  const keys = new Set(known);
  for (const key of [...relatedKeys, eventKey]) {
    keys.delete(key);
    keys.add(key);
  }
  return keys.size <= MOST_KEYS ? keys : new Set([...keys].slice(-MOST_KEYS));
}
