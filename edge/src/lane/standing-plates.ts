import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import {
  firstSight,
  judgeStanding,
  mayBeStanding,
  passagesSince,
  type StandingFacts,
  type StandingPlate,
  type StandingVerdict,
  sightBeside,
  standingAfter,
} from '@hlid/protocol/rules/standing-plate';
import type { Passage } from '../passage/passage-store.ts';
import type { LaneContext } from './lane-site.ts';
import { MAX_PULSES } from './opening.ts';

/** Plates that stand still in view of a lane's camera: nothing opens for them, and they have no visit. */
export class StandingPlates {
  readonly #context: LaneContext;

  constructor(context: LaneContext) {
    this.#context = context;
  }

  /** Whether a read is of something that stands still. Writes nothing. @param known the passage of the read */
  stands(read: PlateRead, known: Passage | null, at: UtcTime): boolean {
    return this.#judge(read, known, at)?.verdict === 'stands';
  }

  /**
   * The same within a transaction, which notes that it was seen. Null: a car comes.
   *
   * @returns the passage in which it was let through once; `isNew`: people are to be advised of it
   */
  note(
    read: PlateRead,
    known: Passage | null,
    at: UtcTime,
  ): { passageId: string | null; isNew: boolean } | null {
    const { lane, passages } = this.#context;
    const { standing } = passages;
    const judged = this.#judge(read, known, at);
    if (judged === null) return null;
    const { verdict, plate, facts } = judged;
    if (verdict === 'passes') {
      standing.remove(lane.id, plate);
      return null;
    }
    const { standing: seen, isNew } = standingAfter(plate, read, at, { verdict, facts });
    standing.save(lane.id, seen);
    return verdict === 'stands' ? { passageId: plate.passageId, isNew } : null;
  }

  /** A car that another lane has let through is in view here too: it may stand between both. */
  seenBeside(read: PlateRead, passage: Passage, at: UtcTime): void {
    const { lane, passages } = this.#context;
    const sight = sightBeside(passage, read, at);
    if (sight) passages.standing.save(lane.id, sight);
  }

  #judge(
    read: PlateRead,
    known: Passage | null,
    at: UtcTime,
  ): { verdict: StandingVerdict; plate: StandingPlate; facts: StandingFacts } | null {
    if (read.plate === null) return null;
    const { lane, passages } = this.#context;
    const before = passages.standing.of(lane.id).find((plate) => mayBeStanding(plate, read));
    const plate = before ?? this.#firstSight(read, known);
    if (plate === null) return null;
    const facts = this.#factsOf(plate, read, known);
    const verdict = judgeStanding(plate, read, at, facts);
    // A plate that is not known to stand belongs to a car that was let through.
    return before === undefined && verdict === 'passes' ? null : { verdict, plate, facts };
  }

  /** The newest car that the lane has let through with the plate of the read. */
  #firstSight(read: PlateRead, known: Passage | null): StandingPlate | null {
    if (known !== null) return hasGivenUp(known) ? firstSight(known, read) : null;
    const { lane, passages } = this.#context;
    for (const passage of passages.recent(lane.id)) {
      const sight = wasLetThrough(passage) ? firstSight(passage, read) : null;
      if (sight) return sight;
    }
    return null;
  }

  #factsOf(plate: StandingPlate, read: PlateRead, known: Passage | null): StandingFacts {
    const { lane, lanesOf, passages, visits, lists, gateHolds, hasNoGate, loops } = this.#context;
    const others = lanesOf(lane.direction === 'entry' ? 'exit' : 'entry');
    const since = passagesSince(plate, {
      here: passages.recent(lane.id),
      otherDirection: others.flatMap((laneId) => passages.recent(laneId)),
      wasLetThrough,
    });
    const standsOpen = (laneId: string) => hasNoGate(laneId) || gateHolds.load(laneId)?.mode === 'held-open';
    return {
      direction: lane.direction,
      settings: lists.site().settings,
      hasOtherDirection: others.length > 0,
      movedOn: since.movedOn || this.#hasLeft(plate),
      mayHaveLeft: since.mayHaveLeft || others.some(standsOpen),
      passedSince: since.passedSince,
      inside: [plate.plate, ...plate.misreadings].some((each) => visits.openByPlate(each)),
      isKnownHere: this.#isKnownHere(plate, read),
      gaveUp: known !== null && hasGivenUp(known),
      onLoop: loops.arrival(),
    };
  }

  /** An exit has ended the visit that it began. */
  #hasLeft({ visitId }: StandingPlate): boolean {
    if (visitId === null || this.#context.lane.direction === 'exit') return false;
    const visit = this.#context.visits.get(visitId);
    return visit !== undefined && visit.endedAt !== null && visit.exitLaneId !== null;
  }

  #isKnownHere({ plate, misreadings }: StandingPlate, { plate: read }: PlateRead): boolean {
    if (read === null || read === plate || misreadings.includes(read)) return false;
    const { visits, lists } = this.#context;
    if (visits.openByPlate(read) !== undefined) return true;
    return lists.permitsLike(read).some((permit) => permit.plate === read);
  }
}

function wasLetThrough({ decision, gate }: Passage): boolean {
  return decision.open && (gate === 'done' || gate === 'untouched');
}

/** The gate does not open for it any more. */
function hasGivenUp({ decision, gate, pulses }: Passage): boolean {
  return decision.open && gate === 'done' && pulses >= MAX_PULSES;
}
