import type { DecisionReason } from '@hlid/protocol/decision';
import type { Direction } from '@hlid/protocol/lane';
import type { ReadStanding } from '@hlid/protocol/passage';
import type { GateOutcome } from '@hlid/protocol/site-event';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag } from '@hlid/protocol/visit';
import type { InstructionView } from '../display/lane-display.ts';
import type { GateMode } from '../gate/gate-order.ts';

export interface GateView {
  state: 'closed' | 'opening' | 'open' | 'held-open' | 'kept-closed' | 'unknown';
  since: UtcTime;
  lastError: string | null;
  /** What a person has said; null: the lane decides. */
  order: GateOrderView | null;
}

/** A gate that a person holds open or keeps closed. */
export interface GateOrderView {
  mode: GateMode;
  since: UtcTime;
  by: string;
  why: string;
  /** When the lane decides again by itself; null: when somebody says so. */
  lapsesAt: UtcTime | null;
  /** The device has said that it does so. */
  told: boolean;
}

export interface PassageView {
  id: string;
  at: UtcTime;
  laneId: string;
  plate: string | null;
  open: boolean;
  reason: DecisionReason;
  visitId: string | null;
  flags: readonly ReviewFlag[];
  /** What its gate said when it was told to open; `wanted`: nothing yet. */
  gate: 'untouched' | 'wanted' | GateOutcome;
}

export interface LaneView {
  id: string;
  name: string;
  direction: Direction;
  gate: GateView;
  /** Newest first, at most 10. */
  passages: PassageView[];
  /** What the driver who stands there is told; null: nobody does. Absent where nothing tells drivers anything. */
  instruction?: InstructionView | null;
}

/** What a camera has just told, whatever is made of it. */
export interface ReadView {
  cameraId: string;
  at: UtcTime;
  plate: string | null;
  score: number;
  /** `held-back`: it counts once its vehicle is on the loop; `refused`: no document that is understood. */
  standing: ReadStanding | 'held-back' | 'refused';
  /** Why a document was refused, or why a read decides nothing where `standing` alone does not explain it. */
  why: string | null;
}

/**
 * A passage that was decided (or decided again, or whose gate has answered), a gate that moved, or something else that
 * a driver is told.
 */
export type LaneNews =
  | { laneId: string; passage: PassageView }
  | { laneId: string; gate: GateView }
  | { laneId: string; read: ReadView }
  | { laneId: string; instruction: InstructionView | null };

/** What happens on the lanes, for people who look at them. */
export interface LaneBoard {
  lanes(): LaneView[];
  /** @returns ends the subscription */
  subscribe(listener: (news: LaneNews) => void): () => void;
}
