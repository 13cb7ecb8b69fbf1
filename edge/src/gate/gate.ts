import type { GateOutcome } from '@hlid/protocol/site-event';

/** What a gate says of itself. */
export type GateReport = 'open' | 'closed' | 'unknown';

/** A gate's driver: one device, told to move. It never repeats a movement by itself. */
export interface Gate {
  /**
   * Opens once; the gate closes by itself. Never throws: `done` when the device said so, `refused` when it said no,
   * `unreachable` when the wish certainly did not arrive, `unknown` when it may have arrived and nobody answered.
   */
  pulse(): Promise<GateOutcome>;
  /** Asks the device where the gate stands; only where the device can tell. Never throws. */
  report?(): Promise<GateReport>;
}
