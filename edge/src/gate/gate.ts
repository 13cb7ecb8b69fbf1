import type { GateOutcome } from '@hlid/protocol/site-link/site-event';

/** The position that a gate reports. */
export type GateReport = 'open' | 'closed' | 'unknown';

/**
 * The result of a check that moves nothing. `connected`: the device accepts connections and was asked
 * nothing, so it may still answer no command.
 */
export type GateCheck = GateOutcome | 'connected';

/** The state of the login at the device of a gate. */
export interface GateLogin {
  /** `unknown`: no device that demands a login has answered yet. */
  state(): 'unknown' | 'ok' | 'refused';
  /**
   * An operator orders another try of a refused login: it is made at once, and moves nothing. Absent: only a
   * movement tries it.
   */
  tryAgain?(): void;
}

/** A gate's driver: it moves one device. It never repeats a movement by itself. */
export interface Gate {
  /**
   * Opens once; the gate closes by itself. Never throws. `done`: the device has confirmed it. `refused`: the
   * device has refused. `unreachable`: the request certainly did not arrive. `unknown`: it may have arrived,
   * without an answer.
   */
  pulse(): Promise<GateOutcome>;
  /** Opens and stays so until released; absent where the device cannot. Harmless to repeat; outcomes as of a pulse. */
  hold?(): Promise<GateOutcome>;
  /** Back to closing by itself, after a hold or a close. Harmless to repeat. */
  release?(): Promise<GateOutcome>;
  /**
   * Closes and stays so until released, as far as the device can see to that by itself; absent where it cannot: a gate
   * that is not pulsed stays closed anyhow. Harmless to repeat.
   */
  close?(): Promise<GateOutcome>;
  /** Reads the gate's position from the device, if it reports it. Never throws. */
  report?(): Promise<GateReport>;
  /**
   * Connects to the device now, whatever pause or refused login there was, and moves nothing: `done` when it answers.
   * Never throws.
   */
  check?(): Promise<GateCheck>;
  /** The login, if the driver's device is not shared with others. */
  login?: GateLogin;
  /** Why the gate cannot be moved though its device answers, for people; null: nothing is known to be wrong. */
  problem?(): string | null;
  /** Gets the device ready, in its own time. */
  start?(): void;
  /** Leaves the device as it should be without us. */
  stop?(): Promise<void>;
}
