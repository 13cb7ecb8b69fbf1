import type { UtcTime } from '@hlid/protocol/base/utc-time';

/** The state of the link to the cloud. */
export interface LinkView {
  connected: boolean;
  /** The time since which it is connected, or not. */
  since: UtcTime;
  /** Why it was last lost, or what keeps data from moving; null while all is well. */
  lastError: string | null;
  /** The newest event written, and the newest that the cloud has acknowledged. */
  seq: number;
  acknowledged: number;
  /** How much of the change feed is applied. */
  feedAt: number;
  /** Why the lists are not updated from the cloud; null while they are. */
  listsTrouble: string | null;
}

/** The number of events that the cloud has not acknowledged. */
export function waitingEvents({ seq, acknowledged }: LinkView): number {
  return Math.max(0, seq - acknowledged);
}

/** The link to the cloud, for people who watch it. */
export interface LinkBoard {
  view(): LinkView;
  /**
   * How the lists differ from the cloud's though they came from it completely; null: they are not known to differ.
   */
  listsDiffer(): string | null;
  /** Calls the listener after each change, which may be often. @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}
