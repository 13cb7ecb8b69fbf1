import type { Decision } from './decision.ts';
import type { Direction } from './lane.ts';
import type { PassageInView, PlateVote } from './passage.ts';
import type { PlateRead } from './plate-read.ts';
import { millis, type UtcTime } from './utc-time.ts';

/** Of a car that stands in view for hours only the newest keys are kept. */
const MAX_KEYS = 60;

/** Of all that was misread of a car that stands in view for hours only the heaviest votes, and the newest, are kept. */
const MAX_VOTES = 20;

/** A document that sums up many frames counts as no more than so many. */
const MAX_FRAMES_OF_A_READ = 10;

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
  /** The best of the plate's reads, 0 to 1. */
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
    votes: votesAfter([], read),
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
  const votes = votesAfter(passage.votes, read);
  const [elected] = votes;
  return {
    ...passage,
    lastSeenAt: seenAt ?? passage.lastSeenAt,
    keys: keysAfter(passage.keys, read),
    votes,
    plate: elected?.plate ?? passage.plate,
    score: elected?.score ?? passage.score,
  };
}

/**
 * How sure it is that the passage's plate is what its reads show, 0 to 1: the score of its plate, less where other
 * plates have more than a third of the votes.
 */
function certaintyOf({ votes, score }: Pick<PassageCourse, 'votes' | 'score'>): number {
  const [elected] = votes;
  const total = votes.reduce((sum, { weight }) => sum + weight, 0);
  return elected === undefined || total === 0 ? score : score * Math.min(1, (1.5 * elected.weight) / total);
}

/**
 * The plate of a passage as a decision sees it.
 *
 * @param guesses what the camera says that its last read may be instead; every other plate that was read counts too
 */
export function seenPlate(
  passage: Pick<PassageCourse, 'plate' | 'votes' | 'score'>,
  guesses: readonly string[],
): { plate: string | null; score: number; candidates: string[] } {
  const { plate, votes } = passage;
  const candidates = [...new Set([...votes.map((vote) => vote.plate), ...guesses])];
  return { plate, score: certaintyOf(passage), candidates };
}

/** The votes after one more read, the heaviest first; of two that weigh the same the better score leads. */
function votesAfter(votes: readonly PlateVote[], { plate, score, relatedKeys }: PlateRead): PlateVote[] {
  if (plate === null) return [...votes];
  const known = votes.find((vote) => vote.plate === plate);
  const frames = Math.min(MAX_FRAMES_OF_A_READ, Math.max(1, relatedKeys.length));
  const cast: PlateVote = {
    plate,
    score: Math.max(known?.score ?? 0, score),
    weight: (known?.weight ?? 0) + score * frames,
    reads: (known?.reads ?? 0) + 1,
  };
  const others = votes.filter((vote) => vote !== known);
  return [...others.slice(0, MAX_VOTES - 1), cast].toSorted(
    (a, b) => b.weight - a.weight || b.score - a.score,
  );
}

/** A car for which the gate of another lane of the same direction was opened just now. */
export interface SeenOnBoth<Course> {
  passage: Course;
  /** It is this lane at which it stands: its gate opens too, and the visit stays one. */
  standsHere: boolean;
}

/**
 * The passage on another lane to which a read of no known passage belongs: the same plate on two lanes that lead the
 * same way within seconds is one car, which the cameras of both lanes see. Its gate is the one that was opened first.
 * A car that is read on, or that a loop knows, stands at this lane after all. An exit never waits: it opens as the
 * other did.
 *
 * @param elsewhere passages of the site's other lanes that have shown the read's plate
 * @param onLoop whether a loop says that a car stands at this lane; null: nobody knows
 */
export function seenOnBoth<Course extends PassageCourse>(
  elsewhere: readonly Course[],
  lane: { direction: Direction; onLoop: boolean | null },
  at: UtcTime,
  { sameCarMs, standingMs }: { sameCarMs: number; standingMs: number },
): SeenOnBoth<Course> | null {
  if (sameCarMs === 0) return null;
  const effect = lane.direction === 'entry' ? 'start' : 'end';
  const within = lane.direction === 'entry' ? Math.max(sameCarMs, standingMs) : sameCarMs;
  const passage = elsewhere.find(
    ({ decision, visitId, lastSeenAt }) =>
      decision.open &&
      decision.visit.kind === effect &&
      visitId !== null &&
      Math.abs(millis(at) - millis(lastSeenAt)) <= within,
  );
  if (!passage) return null;
  const justCame = Math.abs(millis(at) - millis(passage.firstSeenAt)) <= sameCarMs;
  return { passage, standsHere: lane.direction === 'exit' || lane.onLoop === true || !justCame };
}

/** A passage of a car for which another lane has decided: its gate opens as that one did, and no visit changes. */
export function openedAsElsewhere<Course extends PassageCourse>(
  passage: Course,
  { decision, visitId }: PassageCourse,
): Course {
  const { open, reason } = decision;
  return {
    ...passage,
    visitId,
    decision: { open, reason, visit: { kind: 'none' }, settlement: null, flags: [] },
  };
}

/** Whether a passage that was decided anew says something that it has not said before. */
export function saysAnew(after: PassageCourse, before: PassageCourse): boolean {
  const said = ({ decision, visitId }: PassageCourse) => JSON.stringify([decision, visitId]);
  return said(after) !== said(before);
}

/** What people at the site hear of a decision at once. */
export function alertsOf({
  reason,
  flags,
}: Decision): ('blocklisted' | 'blocklist-lookalike' | 'not-mine')[] {
  return [
    ...(reason === 'blocklisted' ? (['blocklisted'] as const) : []),
    ...(reason === 'not-mine' ? (['not-mine'] as const) : []),
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
  return keys.size <= MAX_KEYS ? keys : new Set([...keys].slice(-MAX_KEYS));
}
