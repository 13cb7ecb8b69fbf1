import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import { comparePlates, type PlateMatch } from '../plate/plate.ts';
import { type Place, placeOf } from '../plate/plate-place.ts';
import type { PlateBox, PlateRead } from '../plate/plate-read.ts';
import type { Direction, SiteSettings } from '../records/lane.ts';
import type { PassageInView } from '../records/passage.ts';

/** A plate that is read again within this time, and nowhere else in between, has not left and come back. */
const MAX_GAP_MS = 1.5 * HOUR_MS;
/** The gap at a site that sees nothing leave. The plate must be at the same place of the picture too. */
const MAX_GAP_UNSEEN_MS = 15 * MINUTE_MS;
/** The gap at the same place of the picture: a camera may read nothing there by night. */
const MAX_GAP_SAME_PLACE_MS = 12 * HOUR_MS;
/** The number of repeated reads after which it is known to stand still. */
const KNOWN_AFTER = 3;
/** The number of times that an exit opens again for a car that may still wait for it. */
const MAX_EXIT_REPEATS = 4;
/** Limit of other readings of one plate. */
const MAX_MISREADINGS = 20;
/** A plate, or any text, that is read at a lane again and again and may stand still in the camera's view. */
export interface StandingPlate {
  plate: string;
  /** The other ways in which it was read. */
  misreadings: readonly string[];
  since: UtcTime;
  seenAt: UtcTime;
  /** Null: the camera does not report the place in the picture. */
  box: PlateBox | null;
  /** How often it was read again where an ordinary car would have driven on. */
  repeats: number;
  /** The shortest time between two of these reads; null: there was none yet. */
  shortestMs: number | null;
  /** Another car was let through the lane while it stood there. */
  bypassed: boolean;
  /** The passage in which the lane let the car through. */
  passageId: string | null;
  visitId: string | null;
  /** When people were last advised of it; null: never. */
  advisedAt: UtcTime | null;
}

/** The facts that a lane knows besides its camera. */
export interface StandingFacts {
  direction: Direction;
  settings: Pick<SiteSettings, 'standingMs' | 'confusableScore'>;
  /** The site has a lane of the other direction, so it would see the car there. */
  hasOtherDirection: boolean;
  /** The car was seen at a lane of the other direction since. */
  movedOn: boolean;
  /** An unidentified car has passed a lane of the other direction since. */
  mayHaveLeft: boolean;
  /** A visit of the plate is open, at an entrance. */
  inside: boolean;
  /** The plate as it was read now has a permit or an open visit. */
  isKnownHere: boolean;
  /** Another car was let through this lane since. */
  passedSince: boolean;
  /** The gate has opened for it as often as for any car. */
  gaveUp: boolean;
  /** Whether a loop reports a car at the gate; null: unknown. */
  onLoop: boolean | null;
}

/**
 * The meaning of a read of a plate that was let through here before.
 *
 * - `passes`: a car comes, and the ordinary rules apply;
 * - `opens-again`: the same, and it is counted, since at an exit the car may not have got out;
 * - `stands`: it stands still, so nothing opens and no visit begins or ends.
 */
export type StandingVerdict = 'passes' | 'opens-again' | 'stands';

/**
 * A car that was let through, as the first sight of what may stand still; null: the read is not of its plate. A similar
 * plate must be at the same place of the picture.
 */
export function firstSight(
  passage: PassageInView & { visitId: string | null },
  read: PlateRead,
): StandingPlate | null {
  const { votes, firstSeenAt, lastSeenAt, id: passageId, visitId } = passage;
  const isAlike = votes.some(
    (vote) =>
      vote.plate === read.plate ||
      (placeOf(vote.box, read.box) === 'same' && likenessTo(read.plate, [vote.plate]) !== 'different'),
  );
  const plates = votes.map(({ plate }) => plate);
  const [plate] = plates;
  if (plate === undefined || !isAlike) return null;
  return {
    plate,
    misreadings: plates.slice(1),
    since: firstSeenAt ?? lastSeenAt,
    seenAt: lastSeenAt,
    box: votes.find(({ box }) => box !== undefined)?.box ?? null,
    repeats: 0,
    shortestMs: null,
    bypassed: false,
    passageId,
    visitId,
    advisedAt: null,
  };
}

/** Whether a read may be of what stands there. */
export function mayBeStanding({ plate, misreadings }: StandingPlate, read: PlateRead): boolean {
  return likenessTo(read.plate, [plate, ...misreadings]) !== 'different';
}

/**
 * Whether what is read stands still in view: the same plate at the same lane, let through before, read again
 * after a car would have driven on, and seen nowhere else in between.
 *
 * In spite of that it is an arriving car in four cases: it was, or may have been, seen at a lane of the other
 * direction; a loop reports a car; its plate is elsewhere in the picture, and no smaller; or a longer time
 * has passed. An exit opens again a few times, unless another car was let through in between. It also opens
 * for every read out of the plate's rhythm, which is a sign of a car that drives up.
 */
export function judgeStanding(
  known: StandingPlate,
  read: PlateRead,
  at: UtcTime,
  facts: StandingFacts,
): StandingVerdict {
  const { repeats, shortestMs } = known;
  const gapMs = Math.abs(millis(at) - millis(known.seenAt));
  const place = placeOf(known.box, read.box);
  if (facts.movedOn || facts.onLoop === true || place === 'nearer') return 'passes';
  if (!isSamePlate(known, read, place, facts)) return 'passes';
  if (gapMs > maxGapMs(repeats, place, facts)) return 'passes';
  const isNew = repeats === 0;
  if (isNew && facts.direction === 'entry' && !facts.inside) return 'passes';
  if (repeats < KNOWN_AFTER && place !== 'same' && facts.mayHaveLeft) return 'passes';
  // While a car may stand at the gate, the ordinary rules are for it.
  if (isNew && gapMs <= facts.settings.standingMs && !facts.passedSince && !facts.gaveUp) return 'passes';
  if (facts.direction === 'entry' || facts.passedSince || facts.gaveUp) return 'stands';
  if (repeats < MAX_EXIT_REPEATS && !known.bypassed) return 'opens-again';
  return shortestMs !== null && gapMs < shortestMs / 2 ? 'opens-again' : 'stands';
}

/** The facts in a site's passages about it, since it was seen last. */
export function passagesSince<Known extends PassageInView & { visitId: string | null }>(
  standing: StandingPlate,
  {
    here,
    otherDirection,
    wasLetThrough,
  }: {
    /** The passages of the same lane. */
    here: readonly Known[];
    /** The passages of the lanes of the other direction. */
    otherDirection: readonly Known[];
    wasLetThrough: (passage: Known) => boolean;
  },
): Pick<StandingFacts, 'movedOn' | 'mayHaveLeft' | 'passedSince'> {
  const isLater = ({ lastSeenAt }: Known) => lastSeenAt > standing.seenAt;
  const isOf = ({ votes, visitId }: Known) =>
    (visitId !== null && visitId === standing.visitId) ||
    votes.some(({ plate }) => comparePlates(plate, standing.plate) !== 'different');
  const others = otherDirection.filter(isLater);
  return {
    movedOn: others.some(isOf),
    mayHaveLeft: others.some(({ plate }) => plate === null),
    passedSince: here.some((passage) => isLater(passage) && wasLetThrough(passage) && !isOf(passage)),
  };
}

/** The standing plate after a read of it, and whether people must be advised of it now. */
export function standingAfter(
  known: StandingPlate,
  read: PlateRead,
  at: UtcTime,
  { verdict, facts }: { verdict: StandingVerdict; facts: Pick<StandingFacts, 'passedSince'> },
): { standing: StandingPlate; isNew: boolean } {
  const isNew = verdict === 'stands' && needsAdvice(known, at);
  const seen = seenStanding(known, read, at, facts);
  return { standing: isNew ? { ...seen, advisedAt: at } : seen, isNew };
}

/** A plate that may stand between two lanes: the other one has let it through, and this one reads it too. */
export function sightBeside(
  passage: PassageInView & { visitId: string | null },
  read: PlateRead,
  at: UtcTime,
): StandingPlate | null {
  const sight = firstSight(passage, read);
  return sight && { ...sight, seenAt: at, box: read.box ?? null };
}

function seenStanding(
  known: StandingPlate,
  read: PlateRead,
  at: UtcTime,
  { passedSince }: Pick<StandingFacts, 'passedSince'>,
): StandingPlate {
  const gapMs = Math.abs(millis(at) - millis(known.seenAt));
  const { plate } = read;
  const isNew = plate !== null && plate !== known.plate && !known.misreadings.includes(plate);
  return {
    ...known,
    misreadings: isNew ? [plate, ...known.misreadings].slice(0, MAX_MISREADINGS) : known.misreadings,
    seenAt: at,
    box: read.box ?? known.box,
    repeats: known.repeats + 1,
    bypassed: known.bypassed || passedSince,
    shortestMs: known.shortestMs === null ? gapMs : Math.min(known.shortestMs, gapMs),
  };
}

/** When it is first held, and then once a day. */
function needsAdvice({ advisedAt }: StandingPlate, at: UtcTime): boolean {
  return advisedAt === null || Math.abs(millis(at) - millis(advisedAt)) >= DAY_MS;
}

/** Whether nothing that is read now can be of it any more. */
export function isForgotten({ seenAt }: Pick<StandingPlate, 'seenAt'>, at: UtcTime): boolean {
  return Math.abs(millis(at) - millis(seenAt)) > MAX_GAP_SAME_PLACE_MS;
}

/** A similar plate counts only where it can hardly be another car's. */
function isSamePlate(known: StandingPlate, read: PlateRead, place: Place, facts: StandingFacts): boolean {
  const level = likenessTo(read.plate, [known.plate, ...known.misreadings]);
  if (level === 'equal') return true;
  if (level === 'different' || facts.isKnownHere) return false;
  if (level === 'confusable' || place === 'same') return true;
  return known.repeats > 0 && read.score < facts.settings.confusableScore;
}

function maxGapMs(repeats: number, place: Place, { hasOtherDirection }: StandingFacts): number {
  const isKnown = repeats >= KNOWN_AFTER;
  if (isKnown && place === 'same') return MAX_GAP_SAME_PLACE_MS;
  if (isKnown || hasOtherDirection) return MAX_GAP_MS;
  return place === 'same' ? MAX_GAP_UNSEEN_MS : 0;
}

function likenessTo(plate: string | null, plates: readonly string[]): PlateMatch {
  if (plate === null) return 'different';
  const matches = plates.map((known) => comparePlates(known, plate));
  return (['equal', 'confusable', 'near'] as const).find((level) => matches.includes(level)) ?? 'different';
}
