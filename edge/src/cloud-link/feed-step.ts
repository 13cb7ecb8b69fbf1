import type { FeedHead } from '@hlid/protocol/site-link/envelope';
import type { FeedPosition, ParsedBatch, ParsedChange } from '../site-lists/feed-book.ts';

/** The site's knowledge of the change feed beyond what it holds. */
export interface FeedKnowledge {
  /** The head that the cloud sent last. */
  head: FeedHead | null;
  /** Pushed and not handled yet, oldest first. */
  pushed: readonly ParsedBatch[];
  /** Something does not match: request the position of the feed from the cloud. */
  doubt: boolean;
}

export type FeedStep =
  | { kind: 'rest' }
  | { kind: 'apply'; changes: readonly ParsedChange[]; batch: ParsedBatch }
  /** A pushed batch with nothing new in it. */
  | { kind: 'drop'; batch: ParsedBatch }
  | { kind: 'catch-up' }
  | { kind: 'snapshot' };

/** The next step that brings the site's lists to the state of the cloud's. Pure. */
export function nextFeedStep(position: FeedPosition, knowledge: FeedKnowledge): FeedStep {
  const { head, pushed, doubt } = knowledge;
  if (doubt) return { kind: 'catch-up' };
  const [batch] = pushed;
  if (batch) {
    const changes = batch.changes.filter(({ n }) => n > position.n);
    const [first] = changes;
    if (!first) return { kind: 'drop', batch };
    return first.n === position.n + 1 ? { kind: 'apply', changes, batch } : { kind: 'catch-up' };
  }
  if (!head) return { kind: 'rest' };
  if (head.n > position.n) return { kind: 'catch-up' };
  return disagrees(position, head) ? { kind: 'snapshot' } : { kind: 'rest' };
}

/** Whether both are at the same change and hold different lists. */
function disagrees(position: FeedPosition, head: FeedHead): boolean {
  return head.n === position.n && head.hash !== position.hash;
}
