import type { Opening } from '../gate/lane-gate.ts';
import type { Passage } from '../passage/passage-store.ts';

/** The result of a read or of anything else at a lane; the gate moves once it is on the disk. */
export interface LaneOutcome {
  passage: Passage | null;
  opening: Opening | null;
  repeated: boolean;
}

export const NOTHING: LaneOutcome = { passage: null, opening: null, repeated: false };
