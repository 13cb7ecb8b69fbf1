import { Fault, isFault } from '@hlid/protocol/base/fault';
import type { SnapshotLine } from '@hlid/protocol/site-link/edge-api';
import type { FeedHead } from '@hlid/protocol/site-link/envelope';
import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';

/** How much of the change feed the site holds, and the hash of its lists there. */
export interface FeedPosition {
  n: number;
  hash: string;
}

/** A change by its number; null: of a kind that this site does not know, and skips. */
export interface ParsedChange {
  n: number;
  mark: string;
  change: SiteChangeBody | null;
}

/** Changes in order, and where the feed stands. */
export interface ParsedBatch {
  changes: readonly ParsedChange[];
  head: FeedHead;
}

/**
 * A permit of a snapshot as the site keeps it. They come by the million, and what need not be taken apart stays text:
 * `body` is the item, canonical JSON.
 */
export interface ParsedPermit {
  kind: 'permit';
  id: string;
  plate: string;
  body: string;
}

/** A line of a snapshot as it was read. */
export type ParsedLine = SnapshotLine | ParsedPermit;

/** The site's lists, as the link to the cloud uses them. */
export interface FeedBook {
  position(): FeedPosition;
  /**
   * The mark of the newest change that the site has, if known: after a restore the same number may mean another change.
   */
  mark(): string | null;
  /** Whether the visits that the cloud knows to be open must be taken over: the epoch is new. */
  wantsVisits(): boolean;
  /**
   * Applies changes that follow on directly, content and cursor in one transaction, durably. Throws Fault
   * 'peer-misbehaved' on a gap.
   */
  apply(changes: readonly ParsedChange[]): FeedPosition;
  /**
   * Builds new lists beside the live ones from snapshot lines (`head` first, `end` last), which come in
   * pieces. One transaction then replaces the live lists, with the visits if they were requested. Nothing
   * changes when it fails.
   */
  replace(pieces: AsyncIterable<readonly ParsedLine[]>): Promise<FeedPosition>;
}

/** A snapshot does not match its own hash. */
export function notAddingUp(message: string): Fault {
  return new Fault('peer-misbehaved', message, { details: { addsUp: false } });
}

/** Whether the error is that fault. */
export function doesNotAddUp(error: unknown): boolean {
  return isFault(error, 'peer-misbehaved') && error.details['addsUp'] === false;
}
