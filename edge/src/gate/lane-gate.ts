import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import type { GateCommand, GateView, LaneGateMode } from './gate-mode.ts';

/** A gate that is to open, decided and on the disk. */
export interface Opening {
  laneId: string;
  passageId: string | null;
  reason: string;
  by: string;
  /** The answer to the last try was lost: a device that can report is asked first where the gate stands. */
  inDoubt: boolean;
}

/** A lane that follows the movements of its gate. */
export interface GateListener {
  viewChanged(view: GateView): void;
  /** The device gets the command to open now; no passage where a person opens. */
  opening(passageId: string | null): void;
  /** The device has answered it, or has not. */
  answered(passageId: string | null, outcome: GateOutcome): void;
  /** Called within the transaction that stores the movement. */
  moved(opening: Opening, outcome: GateOutcome, at: UtcTime): void;
  /**
   * A person has opened, within the transaction that stores that.
   *
   * @param passageId the car that the person means; null: whichever waits
   * @returns the passage of the car that waited
   */
  manuallyOpened(at: UtcTime, outcome: GateOutcome, passageId: string | null): string | null;
  reopened(closedSince: UtcTime): void;
  /**
   * Whether a command without an answer may be sent once more, within a transaction; false: it was sent again
   * already.
   */
  mayRepeat(opening: Opening, at: UtcTime): boolean;
}

/** The gate of a lane, as the lane and people use it. */
export interface LaneGate {
  listen(listener: GateListener): void;
  start(): void;
  /** Ends the timers; the device stays as it is until `release`. */
  stop(): void;
  /** Leaves the device as it should be without us. */
  release(): Promise<void>;
  /** Opens for the lane. Never throws. */
  open(opening: Opening): Promise<GateOutcome>;
  /** Executes a person's command; resolves once that is stored. Never throws. */
  execute(command: GateCommand): Promise<GateOutcome>;
  view(): GateView;
  /** Its device takes us in again. */
  noteReached(): void;
  /** Whether it stands open after a command to open once. */
  isOpen(): boolean;
  mode(): LaneGateMode;
}
