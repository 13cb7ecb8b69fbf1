import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import type { GateListener, Opening } from './gate-controller.ts';
import type { GateCommand, GateView, LaneGateMode } from './gate-mode.ts';

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
