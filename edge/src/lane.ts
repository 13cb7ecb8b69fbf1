import { judgeRead } from '@hlid/protocol/passage';
import type { PlateRead } from '@hlid/protocol/plate-read';
import type { GateOutcome } from '@hlid/protocol/site-event';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { CameraConfig, LaneConfig } from './config.ts';
import { decideAtLane, LANE_CLOSED } from './decision/decide-at-lane.ts';
import type { FactFinder } from './decision/gather-facts.ts';
import type { Opening } from './gate/gate-keeper.ts';
import type { GateMode } from './gate/gate-order.ts';
import { openingFor, openingOf } from './gate/opening.ts';
import { beginPassage, joinPassage, passageOf } from './passage/join-passage.ts';
import type { PassageNotes } from './passage/passage-notes.ts';
import { markOpened, markWanted, type Passage, type PassageStore } from './passage/passage-store.ts';
import type { SiteLists } from './site-lists/site-lists.ts';
import { carryOut } from './visit/carry-out.ts';
import type { VisitBook } from './visit/visit-book.ts';
import type { VisitStore } from './visit/visit-store.ts';

/** What came of a read; the gate moves once that is on the disk. */
export interface LaneOutcome {
  passage: Passage | null;
  opening: Opening | null;
  repeated: boolean;
}

/**
 * A lane's whole sentence: a camera reads a plate; the reads of one vehicle are a passage; the passage is decided;
 * the gate opens; the visit begins or ends; the event log tells the cloud. All but the gate in one transaction,
 * which the caller holds.
 */
export interface Lane {
  pass(read: PlateRead, camera: CameraConfig, at: UtcTime): LaneOutcome;
  /** Decides again on the car that waits here, now that something about its visit has changed. */
  reconsider(visitId: string, at: UtcTime): LaneOutcome | null;
  /** A person has opened: the car that waits here goes, whatever it owes. */
  letGo(at: UtcTime, outcome: GateOutcome): Passage | null;
  /** The lane was kept closed since then, and no longer is: whoever came meanwhile is decided on. */
  reopen(closedSince: UtcTime, at: UtcTime): LaneOutcome | null;
}

const NOTHING: LaneOutcome = { passage: null, opening: null, repeated: false };

export function createLane(parts: {
  lane: LaneConfig;
  lists: SiteLists;
  facts: FactFinder;
  passages: PassageStore;
  visits: VisitStore;
  book: VisitBook;
  notes: PassageNotes;
  gateMode: () => GateMode;
  gateIsOpen: () => boolean;
  clockBehindMs: (cameraId: string) => number;
}): Lane {
  const { lane, lists, facts, passages, visits, book, notes } = parts;

  /** Decides and does it to the visit; `passed` when the gate has been opened for the car already. */
  function decide(passage: Passage, candidates: readonly string[], at: UtcTime, opened = false): Passage {
    const mode = parts.gateMode();
    const passed = opened || mode === 'held-open';
    const seen = { plate: passage.plate, score: passage.score, candidates };
    const closed = mode === 'kept-closed' && !opened;
    const decided = closed ? LANE_CLOSED : decideAtLane(lane, seen, facts, at, passed);
    const visitId = carryOut(decided, passage, book, at, passed);
    const { decision } = decided;
    return { ...passage, decision: passed ? { ...decision, open: true } : decision, visitId };
  }

  /** The same, written down where it says something new. */
  function decideAgain(before: Passage, candidates: readonly string[], at: UtcTime, passed = false): Passage {
    const after = decide(before, candidates, at, passed);
    const said = ({ decision, visitId }: Passage) => JSON.stringify([decision, visitId]);
    if (said(after) !== said(before)) notes.decision(after, after.decision, at);
    return after;
  }

  /** A better reading of a car for which the gate was opened: it can only correct. */
  function correct(before: Passage, after: Passage, candidates: readonly string[], at: UtcTime): Passage {
    if (after.plate === null || after.plate === before.plate) return after;
    if (lane.direction === 'exit')
      return after.visitId === null ? decideAgain(after, candidates, at, true) : after;
    const visit = after.visitId === null ? undefined : visits.get(after.visitId);
    if (visit?.plate === before.plate) {
      book.correctPlate(visit, after.plate, { at, by: `lane:${lane.id}`, why: 'read-again' });
    }
    return after;
  }

  /** Saves the passage, its gate marked as wanted where it is to open. */
  function finish(passage: Passage, at: UtcTime): LaneOutcome {
    const how = parts.gateMode() === 'automatic' ? openingFor(passage, at) : null;
    const saved = how === 'once' ? markWanted(passage, at) : passage;
    passages.save(saved);
    return { passage: saved, opening: how && openingOf(passage, how), repeated: false };
  }

  return {
    pass(read, camera, at) {
      if (passages.isKnownRead(camera.id, read.eventKey)) return { ...NOTHING, repeated: true };
      const standing = judgeRead(read, {
        receivedAt: at,
        camera: lists.camera(camera.id),
        clockBehindMs: parts.clockBehindMs(camera.id),
        directionReliable: camera.directionReliable,
      });
      const known = passageOf(read, lane.id, at, passages, lists.site().settings);
      const candidates = read.candidates.map(({ plate }) => plate);

      if (standing !== 'counts') {
        notes.read(read, camera.id, at, standing, known?.id ?? null);
        if (standing === 'wrong-way' && known) notes.alert('wrong-way', known, at);
        if (standing !== 'late' || !known?.decision.open) return NOTHING;
        const corrected = correct(known, joinPassage(known, read, null), candidates, at);
        passages.save(corrected);
        return { ...NOTHING, passage: corrected };
      }

      const seen = known === null ? beginPassage(read, lane.id, at) : joinPassage(known, read, at);
      const passage = { ...seen, readId: notes.read(read, camera.id, at, standing, seen.id) };
      if (known?.decision.open) return finish(correct(known, passage, candidates, at), at);
      if (known) return finish(decideAgain(passage, candidates, at), at);
      if (parts.gateIsOpen()) notes.alert('tailgating', passage, at);
      const decided = decide(passage, candidates, at);
      notes.decision(decided, decided.decision, at);
      return finish(decided, at);
    },

    reconsider(visitId, at) {
      const waiting = lane.direction === 'exit' ? passages.waiting(lane.id, at) : null;
      return waiting?.visitId === visitId ? finish(decideAgain(waiting, [], at), at) : null;
    },

    letGo(at, outcome) {
      const waiting = passages.waiting(lane.id, at);
      const gone = waiting && markOpened(decideAgain(waiting, [], at, true), at, outcome);
      if (gone) passages.save(gone);
      return gone;
    },

    reopen(closedSince, at) {
      const [latest] = passages.recent(lane.id);
      if (latest?.decision.reason !== 'closed-by-operator' || latest.lastSeenAt < closedSince) return null;
      return finish(decideAgain(latest, [], at), at);
    },
  };
}
