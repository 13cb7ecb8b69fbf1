import type { SnapshotLine } from '@hlid/protocol/edge-api';
import type { SiteChange } from '@hlid/protocol/site-change';

/** How much of the change feed the site holds, and the hash of its lists there. */
export interface FeedPosition {
  n: number;
  hash: string;
}

/** The site's lists, as the link to the cloud sees them. */
export interface FeedBook {
  position(): FeedPosition;
  /**
   * Applies changes that follow on directly, content and cursor in one transaction, durably. Throws Fault
   * 'peer-misbehaved' on a gap.
   */
  apply(changes: readonly SiteChange[]): FeedPosition;
  /**
   * Builds new lists beside the live ones from snapshot lines (`head` first, `end` last) and swaps them in in one
   * transaction; nothing changes when it fails.
   */
  replace(lines: AsyncIterable<SnapshotLine>): Promise<FeedPosition>;
}
