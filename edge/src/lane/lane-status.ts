import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Direction } from '@hlid/protocol/records/lane';
import type { ReadStanding } from '@hlid/protocol/records/passage';
import type { InstructionView } from '../display/lane-display.ts';
import type { GateView } from '../gate/gate-mode.ts';
import type { PassageView } from '../passage/passage-view.ts';

export interface LaneView {
  id: string;
  name: string;
  direction: Direction;
  gate: GateView;
  /** Newest first, at most 10. */
  passages: readonly PassageView[];
  /** The instruction to the driver who stands there; null: no car does. Absent: the lane gives none. */
  instruction?: InstructionView | null;
}

/** A camera's read, whether or not it counts. */
export interface ReadView {
  cameraId: string;
  at: UtcTime;
  plate: string | null;
  score: number;
  /**
   * `held-back`: the read counts once its vehicle is on the loop. `refused`: no part of the document is
   * understood. `mended`: it is no read, but a fault in what the camera sends, which is understood all the
   * same.
   */
  standing: ReadStanding | 'held-back' | 'refused' | 'mended';
  /** Why a document was refused, what was put right, or why a read decides nothing where `standing` alone does not explain it. */
  reason: string | null;
}

/** A passage with a new decision or a gate's answer, a gate that moved, a read, or a new instruction. */
export type LaneUpdate =
  | { laneId: string; passage: PassageView }
  | { laneId: string; gate: GateView }
  | { laneId: string; read: ReadView }
  | { laneId: string; instruction: InstructionView | null };

/** The state of the lanes, for people who watch them. */
export interface LaneStatus {
  lanes(): LaneView[];
  /** @returns ends the subscription */
  subscribe(listener: (update: LaneUpdate) => void): () => void;
}

/** The reports of a lane to the site. */
export interface LaneListener {
  update(update: LaneUpdate): void;
  /** A car was seen here, so it waits at no other lane any more. */
  carSeen(laneId: string): void;
  /** The gate got the command to open, this long after the camera's document that caused it. */
  relayCommanded(sinceDocumentMs: number): void;
}
