import { millis, type UtcTime } from '../base/utc-time.ts';
import { comparePlates } from '../plate/plate.ts';
import type { PlateRead } from '../plate/plate-read.ts';
import type { Decision } from '../records/decision.ts';
import type { Direction } from '../records/lane.ts';
import { isVoteNearby, type PassageInView, type PlateVote } from '../records/passage.ts';

/** Limit of event keys of a passage; the newest are kept when a car stands in view for hours. */
const MAX_KEYS = 60;

/** Limit of plates of a passage; those with the most votes and the newest are kept. */
const MAX_VOTES = 20;

/** Limit of votes of a document that summarises many frames. */
const MAX_FRAMES_OF_A_READ = 10;

/** A car comes nearer: its plate is larger in each picture, whatever certainty the camera reports. */
const NEARLY = 0.9;

/** Decision of a passage that is not decided yet: closed. */
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
  /** The visit that it began, ended or requested payment for. */
  visitId: string | null;
  /** The read that decided. */
  readId: string;
  /**
   * The country that the camera reports; absent: it reports none, or the passage is older than the program.
   */
  country?: string;
}

/** A passage that was not decided yet. */
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
    votes: votesAfter([], read, at),
    firstSeenAt: at,
    lastSeenAt: at,
    keys: keysAfter(new Set(), read),
    decision: UNDECIDED,
    visitId: null,
    ...(read.country !== null && { country: read.country }),
  };
}

/**
 * Adds a read to a passage, which may correct its plate.
 *
 * @param seenAt null for a late read, which does not keep the vehicle in view
 */
export function joinPassage<Course extends PassageCourse>(
  passage: Course,
  read: PlateRead,
  seenAt: UtcTime | null,
): Course {
  const at = seenAt ?? passage.lastSeenAt;
  // Votes near this plate belong to another vehicle, which is read again.
  const own =
    seenAt === null ? passage.votes : passage.votes.filter((vote) => !isVoteNearby(vote, read, seenAt));
  const votes = votesAfter(own, read, at);
  const [elected] = votes;
  return {
    ...passage,
    lastSeenAt: at,
    keys: keysAfter(passage.keys, read),
    votes,
    plate: elected?.plate ?? passage.plate,
    score: elected?.score ?? passage.score,
    ...(read.country !== null && { country: read.country }),
  };
}

/** Confidence of the passage's plate, 0 to 1: its score, reduced if other plates have more than a third of the votes. */
function certaintyOf({ votes, score }: Pick<PassageCourse, 'votes' | 'score'>): number {
  const [elected] = votes;
  const total = votes.reduce((sum, { weight }) => sum + weight, 0);
  return elected === undefined || total === 0 ? score : score * Math.min(1, (1.5 * elected.weight) / total);
}

/**
 * The plate of a passage, as input of a decision.
 *
 * @param guesses the camera's other candidates for its last read; all other plates that were read count too
 */
export function seenPlate(
  passage: Pick<PassageCourse, 'plate' | 'votes' | 'score' | 'country'>,
  guesses: readonly string[],
): { plate: string | null; score: number; candidates: string[]; country?: string } {
  const { plate, votes, country } = passage;
  const candidates = [...new Set([...votes.map((vote) => vote.plate), ...guesses])];
  return { plate, score: certaintyOf(passage), candidates, ...(country !== undefined && { country }) };
}

/** Adds a vote, and sorts by weight and then by score. */
function votesAfter(votes: readonly PlateVote[], read: PlateRead, at: UtcTime): PlateVote[] {
  const { plate, score, relatedKeys } = read;
  if (plate === null) return [...votes];
  const known = votes.find((vote) => vote.plate === plate);
  const place = read.box
    ? { box: read.box, boxAt: { receivedAt: at, capturedAt: read.capturedAt } }
    : placeIn(known);
  const frames = Math.min(MAX_FRAMES_OF_A_READ, Math.max(1, relatedKeys.length));
  const cast: PlateVote = {
    plate,
    score: Math.max(known?.score ?? 0, score),
    weight: (known?.weight ?? 0) + score * frames,
    reads: (known?.reads ?? 0) + 1,
    ...place,
  };
  const others = votes.filter((vote) => vote !== known);
  const sorted = [...others.slice(0, MAX_VOTES - 1), cast].toSorted(
    (a, b) => b.weight - a.weight || b.score - a.score,
  );
  const [elected] = sorted;
  return elected !== undefined && isBetterVote(cast, elected)
    ? [cast, ...sorted.filter((vote) => vote !== cast)]
    : sorted;
}

function placeIn({ box, boxAt }: Partial<PlateVote> = {}): Pick<PlateVote, 'box' | 'boxAt'> {
  return { ...(box && { box }), ...(boxAt && { boxAt }) };
}

/** A later look that is nearly as sure outweighs one of quite another plate, if neither was read twice. */
function isBetterVote(later: PlateVote, before: PlateVote): boolean {
  if (later === before || later.reads > 1 || before.reads > 1) return false;
  return later.score >= NEARLY * before.score && comparePlates(later.plate, before.plate) === 'different';
}

/** A car for which the gate of another lane of the same direction was opened just now. */
export interface SeenOnBoth<Course> {
  passage: Course;
  /** The car stands at this lane: the gate of this lane opens too, and the visit remains one. */
  standsHere: boolean;
}

/**
 * Finds a passage on another lane for a read that matches no passage of the same lane. The same plate on two
 * lanes in the same direction within seconds is one car in view of both cameras. Its gate is the one that
 * opened first. A car that continues to be read, or that a loop detects, stands at this lane after all. An
 * exit does not wait for that, and opens as the other did.
 *
 * @param elsewhere passages of the site's other lanes that have shown the read's plate
 * @param onLoop whether a loop detects a car at this lane; null: unknown
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

/** A passage of a car for which another lane has decided: the gate opens as there, and no visit changes. */
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

/** Whether a new decision of a passage differs from the last one. */
export function hasNewDecision(after: PassageCourse, before: PassageCourse): boolean {
  const result = ({ decision, visitId }: PassageCourse) => JSON.stringify([decision, visitId]);
  return result(after) !== result(before);
}

/** The alerts that a decision sends to people at the site. */
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

/** Moves repeated keys to the end without duplicates. The read's own key comes last, so that it is kept longest. */
function keysAfter(known: ReadonlySet<string>, { eventKey, relatedKeys }: PlateRead): ReadonlySet<string> {
  const keys = new Set(known);
  for (const key of [...relatedKeys, eventKey]) {
    keys.delete(key);
    keys.add(key);
  }
  return keys.size <= MAX_KEYS ? keys : new Set([...keys].slice(-MAX_KEYS));
}
