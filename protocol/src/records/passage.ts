import { MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import { atMostTwoEditsApart, comparePlates, type PlateMatch } from '../plate/plate.ts';
import { areFarApart } from '../plate/plate-place.ts';
import type { PlateBox, PlateRead } from '../plate/plate-read.ts';
import type { CameraSettings, SiteSettings } from './lane.ts';

/** An unreadable vehicle is read again within this time, or not at all. */
const READ_AGAIN_WITHIN_MS = 2000;

/** Limit of vehicles in front of one camera within a passage's window. */
const MAX_IN_VIEW = 5;

/** Two plates that come closer together are both in view: two vehicles, or two plates in one picture. */
const BOTH_IN_VIEW_MS = 300;

/**
 * The time after a first look in which no other car can stand where a closed gate has held one, if only for a
 * moment.
 */
const ONE_CAR_MS = 3500;

/** A read older than this when it arrives opens nothing. */
export const LATE_AFTER_MS = 15_000;

/** A document that is sent again comes within this time, or contains how old it is. */
const SENT_AGAIN_WITHIN_MS = 10 * MINUTE_MS;

/** A read as it was stored. */
export interface KnownRead {
  plate: string | null;
  score: number;
  receivedAt: UtcTime;
}

/**
 * Keys under which a read may be stored, in this order: its own comes first, if no other document has it. A
 * key names a vehicle rather than a document. Many makers send several documents about one vehicle with the
 * same key, and a later one may have the better plate. Some makers send the same key for every vehicle.
 */
export function keysToStore({ eventKey, plate, score }: PlateRead, at: UtcTime): string[] {
  const own = `${eventKey}#${plate ?? ''}/${score}`;
  return [eventKey, own, `${own}/${at}`];
}

/** Whether a read with the key of a known one is the same document again. */
export function isSentAgain(known: KnownRead, read: PlateRead, at: UtcTime): boolean {
  if (known.plate !== read.plate || known.score !== read.score) return false;
  const firstAt = millis(known.receivedAt);
  if (read.late || Math.abs(millis(at) - firstAt) <= SENT_AGAIN_WITHIN_MS) return true;
  return read.capturedAt !== null && millis(read.capturedAt) <= firstAt + SENT_AGAIN_WITHIN_MS;
}

/** A read under a separate key; it is still about the vehicle of its first key. */
export function underKey(read: PlateRead, key: string): PlateRead {
  if (key === read.eventKey) return read;
  return { ...read, eventKey: key, relatedKeys: [...read.relatedKeys, read.eventKey] };
}

/** Whether a read counts for a decision, or why it is only stored. */
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
  /** The known delay of the camera's clock behind the receiver's; 0 if it is trusted. */
  clockBehindMs: number;
  /**
   * The camera sees oncoming vehicles on this lane and reports their direction reliably; some makers nearly always
   * report `unknown`.
   */
  directionReliable: boolean;
}

/** Judges one read on its own, before it is assigned to a passage. */
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

/** A plate that was read in a passage, with its votes. */
export interface PlateVote {
  plate: string;
  /** Best score of its reads. */
  score: number;
  /** Sum of the scores of its reads; a read that summarises several frames counts several times. */
  weight: number;
  /** Number of its reads. */
  reads: number;
  /** The plate's last place in the camera's picture; absent: the camera does not report it. */
  box?: PlateBox;
  /** When it was there, by our clock and by the camera's. */
  boxAt?: PictureMoment;
}

/** When a picture was received, and taken; null: the camera does not report it. */
export interface PictureMoment {
  receivedAt: UtcTime;
  capturedAt: UtcTime | null;
}

/** One vehicle passing one lane, as needed to assign later reads. */
export interface PassageInView {
  id: string;
  /** The plate with the most votes; null: none could be read. */
  plate: string | null;
  /** All plates that were read, the one with the most votes first. */
  votes: readonly PlateVote[];
  lastSeenAt: UtcTime;
  /** Absent: a long time ago. */
  firstSeenAt?: UtcTime;
  /** Event keys of its reads and their related keys. */
  keys: ReadonlySet<string>;
}

/**
 * Finds the passage of a read. A passage with a plate that was seen at the same moment at another place
 * (`isSeenBeside`) is excluded. Of the others, the first that applies:
 *
 * 1. a passage that shares an event with it (`sharesEvent`);
 * 2. the lane's latest passage, if the same plate has been standing there;
 * 3. of the passages within the window, one with an equal, confusable or near plate, in this order;
 * 4. the latest passage, if no other car can stand there yet, whatever the plates are: first looks are wrong;
 * 5. the latest passage, if a similar plate waits at the closed gate, if both plates may be misreadings of
 * one plate, or
 *    if one of them is unreadable and it is unlikely to be another vehicle.
 *
 * If a loop or a tailgating car has shown that another vehicle stands there, only plates that are alike are
 * one vehicle (3).
 *
 * A read is compared with every plate of a passage, since two misreadings of one plate are often not similar.
 *
 * @param recent the lane's passages, newest first
 * @param mayBeGone whether the vehicle may have driven on: its gate was opened
 */
export function findPassage<Known extends PassageInView>(
  read: PlateRead,
  receivedAt: UtcTime,
  recent: readonly Known[],
  windows: Pick<SiteSettings, 'passageWindowMs' | 'standingMs'> & {
    /** Cars drive through one after the other: the gate stands open. */
    flows?: boolean;
    /** A vehicle that was last seen before this is not the one that stands there now; absent or null: unknown. */
    anotherSince?: UtcTime | null;
  },
  mayBeGone: (passage: Known) => boolean,
): Known | null {
  const others = recent.filter((passage) => !isSeenBeside(passage, read, receivedAt));
  const sameEvent = others.find((passage) => sharesEvent(passage, read, receivedAt, windows));
  if (sameEvent) return sameEvent;
  const inView = others.slice(0, MAX_IN_VIEW);
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
  }
  if (isAnother(latest, windows.anotherSince ?? null)) return null;
  if (plate !== null) {
    // A car that waits at a closed gate is still there.
    if (standsThere && !mayBeGone(latest) && likeness(plate, latest) !== 'different') return latest;
    if (inWindow.includes(latest) && mayBeMisreadings(plate, latest)) return latest;
  }
  // Two different readable plates are two vehicles, if there is time for two.
  if (plate !== null && latest.plate !== null) {
    const withinMs = Math.min(ONE_CAR_MS, windows.passageWindowMs);
    return windows.flows !== true && isOneCar(latest, read, receivedAt, withinMs) ? latest : null;
  }
  if (!mayBeGone(latest)) return sinceSeenMs(latest) <= windows.passageWindowMs ? latest : null;
  // After the gate has opened, an unreadable vehicle may still be read. A vehicle that was read has driven on, so an
  // unreadable read is the next vehicle.
  return latest.plate === null && sinceSeenMs(latest) <= READ_AGAIN_WITHIN_MS ? latest : null;
}

/**
 * The plate to search on the site's other lanes before a read joins a passage. If it was seen there since,
 * the vehicle has driven through, and this is a new passage. Null: no search is needed or possible.
 */
export function plateForOtherLanes(passage: PassageInView, read: PlateRead): string | null {
  return sharesKey(passage, read) ? null : passage.plate;
}

/**
 * Whether what is read of a lane now can only be the car of its latest passage. Two reads that agree are a plate, and
 * another plate then is another car.
 */
function isOneCar(passage: PassageInView, read: PlateRead, at: UtcTime, withinMs: number): boolean {
  const { votes, firstSeenAt, lastSeenAt } = passage;
  if (firstSeenAt === undefined || votes.some(({ reads }) => reads > 1)) return false;
  const now = millis(at);
  const isLater = now - millis(lastSeenAt) >= BOTH_IN_VIEW_MS || isReadDifferently(passage, read, at);
  return isLater && now - millis(firstSeenAt) <= withinMs;
}

/**
 * Whether the plate of a passage and another one were seen at the same moment in places far apart: two vehicles, whatever
 * their plates and their events have in common.
 */
export function isSeenBeside(
  passage: Pick<PassageInView, 'plate' | 'votes'>,
  read: PlateRead,
  at: UtcTime,
): boolean {
  const vote = passage.votes.find(({ plate }) => plate === passage.plate);
  return vote !== undefined && isVoteNearby(vote, read, at);
}

/** The same of one of the plates that a passage may have. */
export function isVoteNearby({ plate, box, boxAt }: PlateVote, read: PlateRead, at: UtcTime): boolean {
  if (read.plate === null || !box || !boxAt || !read.box || plate === read.plate) return false;
  const moment = { receivedAt: at, capturedAt: read.capturedAt };
  return isSameMoment(boxAt, moment) && areFarApart(box, read.box);
}

/** Whether one plate of one picture was read in two ways: both stand at one place there. */
function isReadDifferently({ plate, votes }: PassageInView, read: PlateRead, at: UtcTime): boolean {
  const { box, boxAt } = votes.find((vote) => vote.plate === plate) ?? {};
  if (!box || !boxAt || !read.box || areFarApart(box, read.box)) return false;
  return read.capturedAt === null ? boxAt.receivedAt === at : boxAt.capturedAt === read.capturedAt;
}

/**
 * Whether two moments are the same, by the camera's clock if that has parts of seconds: the reads of one
 * burst were not seen at once.
 */
function isSameMoment(one: PictureMoment, other: PictureMoment): boolean {
  const captured = [one.capturedAt, other.capturedAt].flatMap((at) =>
    at && !at.endsWith('.000Z') ? [at] : [],
  );
  const [first, second] = captured.length === 2 ? captured : [one.receivedAt, other.receivedAt];
  return Math.abs(millis(first ?? one.receivedAt) - millis(second ?? other.receivedAt)) < BOTH_IN_VIEW_MS;
}

function isAnother({ lastSeenAt }: PassageInView, since: UtcTime | null): boolean {
  return since !== null && millis(lastSeenAt) < millis(since);
}

/**
 * Whether a read is about the vehicle of a passage by its key: another reading of its plate as well. A key
 * alone proves that only while the vehicle may still be there, since some cameras give the same to every
 * vehicle.
 */
export function sharesEvent(
  passage: Pick<PassageInView, 'keys' | 'votes' | 'lastSeenAt'>,
  read: PlateRead,
  at: UtcTime,
  { standingMs }: Pick<SiteSettings, 'standingMs'>,
): boolean {
  if (!sharesKey(passage, read)) return false;
  const agoMs = Math.abs(millis(at) - millis(passage.lastSeenAt));
  // A late read opens nothing.
  if (agoMs <= LATE_AFTER_MS || read.late) return true;
  return agoMs <= standingMs && read.plate !== null && likeness(read.plate, passage) !== 'different';
}

function sharesKey({ keys }: Pick<PassageInView, 'keys'>, { eventKey, relatedKeys }: PlateRead): boolean {
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

/** The best match between a plate and the plates of a passage. */
function likeness(plate: string, { votes }: Pick<PassageInView, 'votes'>): PlateMatch {
  const matches = votes.map((vote) => comparePlates(vote.plate, plate));
  return (['equal', 'confusable', 'near'] as const).find((level) => matches.includes(level)) ?? 'different';
}

/**
 * Whether a plate and the plates of a passage may all be misreadings of one plate by one character each. Only possible
 * while no two reads of the passage agree.
 */
function mayBeMisreadings(plate: string, { votes }: PassageInView): boolean {
  if (votes.length === 0 || votes.some(({ reads }) => reads > 1)) return false;
  return votes.some((vote) => atMostTwoEditsApart(vote.plate, plate));
}

function ageMs(read: PlateRead, receivedAt: UtcTime): number {
  return read.capturedAt === null ? 0 : millis(receivedAt) - millis(read.capturedAt);
}

/**
 * Matches a plate with a filter: `*` is any characters, `?` is one; spaces and hyphens are ignored. Goes back only to the
 * last star, so it takes at most time in proportion to plate times filter.
 */
function fitsFilter(plate: string, filter: string): boolean {
  const symbols = filter
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}*?]/gu, '');
  let at = 0;
  let next = 0;
  let lastStar: { symbol: number; at: number } | null = null;
  while (at < plate.length) {
    const symbol = symbols[next];
    if (symbol === '*') {
      lastStar = { symbol: next, at };
      next++;
    } else if (symbol === '?' || symbol === plate[at]) {
      at++;
      next++;
    } else if (lastStar !== null) {
      // The star stands for one character more.
      lastStar = { symbol: lastStar.symbol, at: lastStar.at + 1 };
      at = lastStar.at;
      next = lastStar.symbol + 1;
    } else return false;
  }
  while (symbols[next] === '*') next++;
  return next === symbols.length;
}
