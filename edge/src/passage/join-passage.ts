import type { Decision } from '@hlid/protocol/decision';
import { correctsPlate, findPassage } from '@hlid/protocol/passage';
import type { PlateRead } from '@hlid/protocol/plate-read';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { newId } from '../new-id.ts';
import type { Passage, PassageStore } from './passage-store.ts';

/** No more vehicles than these can be before one camera within a passage's window. */
const MOST_IN_VIEW = 5;
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

/** The passage on this lane to which a read belongs. */
export function passageOf(
  read: PlateRead,
  laneId: string,
  at: UtcTime,
  passages: PassageStore,
  windows: { passageWindowMs: number; standingMs: number },
): Passage | null {
  const recent = passages.recent(laneId);
  const keys = [read.eventKey, ...read.relatedKeys];
  const sameEvent = recent.find((passage) => keys.some((key) => passage.keys.has(key)));
  if (sameEvent) return sameEvent;
  const inView = recent
    .slice(0, MOST_IN_VIEW)
    .map((passage) => ({ ...passage, open: passage.decision.open }));
  const found = findPassage(read, at, inView, windows);
  const passage = recent.find((candidate) => candidate.id === found?.id);
  if (!passage) return null;
  // Seen at another lane meanwhile: it has driven through, and this is another time.
  const gone = passage.plate !== null && passages.seenElsewhere(passage.plate, laneId, passage.lastSeenAt);
  return gone ? null : passage;
}

/** A passage that nobody has looked at yet. */
export function beginPassage(read: PlateRead, laneId: string, at: UtcTime): Passage {
  return {
    id: newId(),
    laneId,
    plate: read.plate,
    score: read.score,
    firstSeenAt: at,
    lastSeenAt: at,
    keys: new Set([read.eventKey, ...read.relatedKeys]),
    decision: UNDECIDED,
    visitId: null,
    readId: '',
    gate: 'untouched',
    pulsedAt: null,
    pulses: 0,
  };
}

/** The passage after one more read, which may know its plate better. A late read does not keep it in view. */
export function joinPassage(passage: Passage, read: PlateRead, seenAt: UtcTime | null): Passage {
  const corrected = correctsPlate(passage, read);
  return {
    ...passage,
    lastSeenAt: seenAt ?? passage.lastSeenAt,
    keys: new Set([...passage.keys, read.eventKey, ...read.relatedKeys].slice(-MOST_KEYS)),
    plate: corrected ? read.plate : passage.plate,
    score: corrected
      ? read.score
      : read.plate === passage.plate
        ? Math.max(passage.score, read.score)
        : passage.score,
  };
}
