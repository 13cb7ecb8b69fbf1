import type { CameraSettings } from './lane.ts';
import { atMostTwoEditsApart, comparePlates, type PlateMatch } from './plate.ts';
import type { PlateRead } from './plate-read.ts';
import { millis, type UtcTime } from './utc-time.ts';

/** A vehicle that could not be read is read again within this time, if at all. */
const READ_AGAIN_WITHIN_MS = 2000;

/** No more vehicles than these can be before one camera within a passage's window. */
const MAX_IN_VIEW = 5;

/** A read older than this when it arrives opens nothing. */
export const LATE_AFTER_MS = 15_000;

/** Whether a read takes part in a decision, or why it is only kept. */
export type ReadStanding =
  | 'counts'
  | 'late'
  | 'parked'
  | 'wrong-way'
  | 'filtered'
  | 'low-score'
  | 'camera-inactive';

export interface ReadingConditions {
  receivedAt: UtcTime;
  camera: CameraSettings;
  /** How far the camera's clock is known to be behind ours; 0 where it is believed to be right. */
  clockBehindMs: number;
  /**
   * The camera looks at vehicles coming towards it on this lane and tells well which way they move; some makers
   * nearly always say `unknown`.
   */
  directionReliable: boolean;
}

/** Judges one read on its own, before it meets others. */
export function judgeRead(read: PlateRead, conditions: ReadingConditions): ReadStanding {
  const { camera, receivedAt, clockBehindMs } = conditions;
  if (camera.status !== 'active') return 'camera-inactive';
  if (read.parked) return 'parked';
  if (read.late || ageMs(read, receivedAt) - clockBehindMs > LATE_AFTER_MS) return 'late';
  if (conditions.directionReliable && read.direction === 'leaving') return 'wrong-way';
  if (read.plate === null) return 'counts';
  const { plate } = read;
  if (camera.filters.some((filter) => fitsFilter(plate, filter))) return 'filtered';
  return read.score < camera.minimumOcrScore ? 'low-score' : 'counts';
}

/** A plate that reads of one passage have shown, and what speaks for it. */
export interface PlateVote {
  plate: string;
  /** The best score of its reads. */
  score: number;
  /** The scores of its reads, added up; a read that stands for several frames counts as so many. */
  weight: number;
  /** How many reads have shown it. */
  reads: number;
}

/** One vehicle passing one lane, as later reads see it. */
export interface PassageInView {
  id: string;
  /** The one that has the most votes; null: none could be read. */
  plate: string | null;
  /** Every plate that was read of it, the heaviest first. */
  votes: readonly PlateVote[];
  lastSeenAt: UtcTime;
  /** Event keys of its reads and their related keys. */
  keys: ReadonlySet<string>;
}

/**
 * The passage to which a read belongs: one that shares a key with it; else the latest of the lane, where the same
 * plate has stood there all the while; else, of those seen within the window, the one that has shown an equal,
 * confusable or near plate, in this order; else the latest, where a plate like it waits at a closed gate, or the two
 * may be two misreadings of one plate, or one of the two is unreadable and the vehicle can hardly be another.
 *
 * A read is compared with every plate seen in a passage: two misreadings of one plate are often not alike.
 *
 * @param recent the lane's passages, newest first
 * @param mayBeGone whether the vehicle may have driven on: its gate was opened
 */
export function findPassage<Known extends PassageInView>(
  read: PlateRead,
  receivedAt: UtcTime,
  recent: readonly Known[],
  windows: { passageWindowMs: number; standingMs: number },
  mayBeGone: (passage: Known) => boolean,
): Known | null {
  const sameEvent = recent.find((passage) => sharesKey(passage, read));
  if (sameEvent) return sameEvent;
  const inView = recent.slice(0, MAX_IN_VIEW);
  const [latest] = inView;
  if (latest === undefined) return null;
  const { plate } = read;
  const now = millis(receivedAt);
  const sinceSeenMs = (passage: PassageInView) => now - millis(passage.lastSeenAt);
  const standsThere = sinceSeenMs(latest) <= windows.standingMs;
  if (plate !== null && latest.plate === plate && standsThere) return latest;
  const inWindow = inView.filter((passage) => sinceSeenMs(passage) <= windows.passageWindowMs);
  if (plate !== null) {
    const alike = mostAlike(plate, inWindow);
    if (alike) return alike;
    // Whoever waits at a closed gate is still there.
    if (standsThere && !mayBeGone(latest) && likeness(plate, latest) !== 'different') return latest;
    if (inWindow.includes(latest) && mayBeMisreadings(plate, latest)) return latest;
  }
  // Of two readable plates that differ neither can be the other's vehicle.
  if (plate !== null && latest.plate !== null) return null;
  if (!mayBeGone(latest)) return sinceSeenMs(latest) <= windows.passageWindowMs ? latest : null;
  // Behind an opened gate a plate may still come out of a vehicle that could not be read at first; a vehicle that
  // was read has gone on, and what cannot be read now is the next one.
  return latest.plate === null && sinceSeenMs(latest) <= READ_AGAIN_WITHIN_MS ? latest : null;
}

/**
 * The plate to look for on the site's other lanes before a read joins a passage: seen there since, the vehicle has
 * driven through, and this is another time. Null where the two certainly belong together, or nothing can be looked for.
 */
export function plateToSeekElsewhere(passage: PassageInView, read: PlateRead): string | null {
  return sharesKey(passage, read) ? null : passage.plate;
}

function sharesKey({ keys }: PassageInView, { eventKey, relatedKeys }: PlateRead): boolean {
  return keys.has(eventKey) || relatedKeys.some((key) => keys.has(key));
}

function mostAlike<Known extends PassageInView>(plate: string, passages: readonly Known[]): Known | null {
  const matches = passages.map((known) => likeness(plate, known));
  for (const level of ['equal', 'confusable', 'near'] as const) {
    const found = passages[matches.indexOf(level)];
    if (found) return found;
  }
  return null;
}

/** How well a plate fits the one of a passage's plates that it fits best. */
function likeness(plate: string, { votes }: PassageInView): PlateMatch {
  const matches = votes.map((vote) => comparePlates(vote.plate, plate));
  return (['equal', 'confusable', 'near'] as const).find((level) => matches.includes(level)) ?? 'different';
}

/**
 * Whether a plate and those of a passage may all be misreadings of one plate, each by one character: as long as no two
 * reads of the passage agree, nobody knows what the plate is.
 */
function mayBeMisreadings(plate: string, { votes }: PassageInView): boolean {
  if (votes.length === 0 || votes.some(({ reads }) => reads > 1)) return false;
  return votes.some((vote) => atMostTwoEditsApart(vote.plate, plate));
}

function ageMs(read: PlateRead, receivedAt: UtcTime): number {
  return read.capturedAt === null ? 0 : millis(receivedAt) - millis(read.capturedAt);
}

/**
 * `*` stands for any characters, `?` for one; spaces and hyphens do not count, as in a plate. In time proportional to
 * plate times filter, whatever the filter.
 */
function fitsFilter(plate: string, filter: string): boolean {
  /** How much of the plate the filter so far can stand for, in rising order. */
  let reachable = new Set([0]);
  for (const symbol of filter
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}*?]/gu, '')) {
    const next = new Set<number>();
    if (symbol === '*') {
      const [shortest = plate.length + 1] = reachable;
      for (let end = shortest; end <= plate.length; end++) next.add(end);
    } else {
      for (const at of reachable) {
        if (at < plate.length && (symbol === '?' || symbol === plate[at])) next.add(at + 1);
      }
    }
    reachable = next;
  }
  return reachable.has(plate.length);
}
