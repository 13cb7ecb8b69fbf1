import type { PlateRead } from '@hlid/protocol/plate-read';
import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { WaitingCar } from '../decision/waiting-car.ts';
import type { LaneOutcome, LaneStepParts, LaneSteps } from '../lane-steps.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { newPassage } from '../passage/passage-store.ts';
import type { GonePassages } from './gone-passages.ts';

/** A read that came before its vehicle was on the arrival loop. */
export interface HeldBackRead {
  read: PlateRead;
  readId: string;
  at: UtcTime;
}

/** What a lane does on the word of its loops, each within the running transaction. */
export interface LaneByLoop {
  /** The vehicle of a read that was held back is there now. */
  arrived(held: HeldBackRead, at: UtcTime): LaneOutcome | null;
  /** A car has driven through; null: one that a person had let go. */
  passed(passageId: string | null, at: UtcTime): void;
  /** The car that waits at the closed gate has left the arrival loop. */
  left(passageId: string, at: UtcTime): void;
  /** A car that has left the arrival loop stands on it again. */
  cameBack(passageId: string): void;
  /** The gate was opened for it, and it went back. Nobody makes money up: the visit waits for a person. */
  turnedBack(passageId: string | null, at: UtcTime): void;
  alert(alert: 'tailgating' | 'wrong-way', at: UtcTime): void;
}

/** Before the vehicle drives from where it is read to the loop; longer ago it was another. */
const HELD_BACK_FOR_MS = 15_000;

export function createLaneByLoop(
  parts: Pick<LaneStepParts, 'lane' | 'passages' | 'visits' | 'book'> & {
    steps: LaneSteps;
    gone: GonePassages;
    waitingCar: WaitingCar;
    events: EventLog;
  },
): LaneByLoop {
  const { lane, passages, visits, book, gone, events } = parts;
  const { decide, finish } = parts.steps;

  return {
    arrived({ read, readId, at: readAt }, at) {
      if (millis(at) - millis(readAt) > HELD_BACK_FOR_MS) return null;
      const passage = { ...newPassage(read, lane.id, at), readId };
      return finish(
        decide(
          passage,
          read.candidates.map(({ plate }) => plate),
          at,
        ),
        at,
      );
    },

    passed(passageId, at) {
      const [latest] = passages.recent(lane.id);
      const id = passageId ?? (latest?.decision.open ? latest.id : null);
      if (id !== null) gone.add(id, at);
    },

    left: (passageId, at) => gone.add(passageId, at),

    cameBack: (passageId) => gone.remove(passageId),

    turnedBack(passageId, at) {
      const passage = passageId === null ? undefined : passages.get(passageId);
      if (!passage) return;
      gone.add(passage.id, at);
      const visit = passage.visitId === null ? undefined : visits.get(passage.visitId);
      if (!visit || visit.flags.includes('turned-back')) return;
      book.flag(visit, 'turned-back', true, { at, by: `lane:${lane.id}`, why: 'turned-back' });
    },

    alert(alert, at) {
      const waiting = alert === 'tailgating' ? parts.waitingCar.find(at) : null;
      const { plate = null, id: passageId = null } = waiting ?? {};
      events.append({ type: 'lane.alert', laneId: lane.id, alert, plate, passageId }, at);
    },
  };
}
