import type { UtcTime } from '@hlid/protocol/utc-time';

/** How the link to the cloud is doing. */
export interface LinkView {
  connected: boolean;
  /** Since when it is (not) connected. */
  since: UtcTime;
  /** Why it was last lost, or why something between site and cloud does not go on; null while all is well. */
  lastError: string | null;
  /** Newest event written, and newest that the cloud has. */
  seq: number;
  acknowledged: number;
  /** How much of the change feed is applied. */
  feedAt: number;
  /** Why the lists do not follow the cloud's; null while they do. */
  listsTrouble: string | null;
}

/** Events that the cloud is not known to hold yet. */
export function waitingEvents({ seq, acknowledged }: LinkView): number {
  return Math.max(0, seq - acknowledged);
}

/** The link to the cloud, for people who look at it. */
export interface LinkBoard {
  view(): LinkView;
  /**
   * How the lists are others than the cloud's though they came from it as a whole; null: they are not, as far as is
   * known.
   */
  listsDiffer(): string | null;
  /** Called after each change, which may be often. @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}
