import { RetryPause } from '@hlid/node/retry-pause';
import type { FeedHead } from '@hlid/protocol/envelope';
import { isFault, messageOf } from '@hlid/protocol/fault';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import type { CloudHttp } from './cloud-http.ts';
import {
  doesNotAddUp,
  type FeedBook,
  type FeedPosition,
  type ParsedBatch,
  type ParsedChange,
} from './feed-book.ts';
import { type FeedStep, nextFeedStep } from './feed-step.ts';

/** Keeps the site's lists the same as the cloud's. */
export interface FeedClient {
  /** @param acknowledge says `down/ack`: what the site holds, durably */
  connected(acknowledge: (position: FeedPosition) => void): void;
  disconnected(): void;
  /**
   * The cloud has answered that this site's log is the one it knows: until then an old copy would change old visits.
   */
  recognised(): void;
  batchArrived(batch: ParsedBatch): void;
  headArrived(head: FeedHead): void;
  /** Something came that could not be understood. */
  lostTrack(): void;
  /** Why the lists do not follow; null while all is well. */
  trouble(): string | null;
  /** That trouble, where the lists came as a whole and are not what their hash says. */
  differing(): string | null;
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>;
}

/** More than that is fetched again rather than kept. */
const MAX_PUSHED = 100;

export function createFeedClient(parts: {
  feed: FeedBook;
  http: CloudHttp;
  log: Logger;
  retry: { firstMs: number; maxMs: number };
  /** Snapshots are large: where they do not help, they are asked for more and more seldom. */
  snapshotRetry: { firstMs: number; maxMs: number };
  onChange: () => void;
}): FeedClient {
  const { feed, http, log } = parts;
  const retry = new RetryPause(parts.retry);
  const snapshotRetry = new RetryPause(parts.snapshotRetry);
  const stopping = new AbortController();
  let acknowledge: ((position: FeedPosition) => void) | null = null;
  let pushed: ParsedBatch[] = [];
  let head: FeedHead | null = null;
  let lastHeard = 0;
  let doubt = false;
  let trouble: { reason: string; differing: boolean } | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Steps follow each other and never overlap. */
  let working: Promise<void> | null = null;
  let wokenMeanwhile = false;
  /** A snapshot was taken and the feed has not agreed with it since. */
  let unproven = false;
  /** The cloud was asked for the open visits over this connection, and knows of no such thing. */
  let visitsUnknown = false;
  let recognised = false;

  function wake(): void {
    if (working) {
      wokenMeanwhile = true;
      return;
    }
    if (timer || !acknowledge || !recognised || stopping.signal.aborted) return;
    working = work().finally(() => {
      working = null;
      if (!wokenMeanwhile) return;
      wokenMeanwhile = false;
      wake();
    });
  }

  function wakeIn(pauseMs: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      wake();
    }, pauseMs);
  }

  async function work(): Promise<void> {
    try {
      while (acknowledge && !stopping.signal.aborted) {
        if (feed.wantsVisits() && !visitsUnknown) {
          await takeSnapshot();
          visitsUnknown = feed.wantsVisits();
          continue;
        }
        const step = nextFeedStep(feed.position(), { head, pushed, doubt });
        if (step.kind === 'rest') {
          rested();
          return;
        }
        if (step.kind === 'snapshot' && unproven) {
          unproven = false;
          const reason = 'the cloud names another hash for the same lists';
          return failed({ reason, differing: true }, snapshotRetry.nextMs());
        }
        await take(step);
      }
    } catch (error) {
      if (stopping.signal.aborted) return;
      const isCostly = isFault(error, 'peer-misbehaved') || isFault(error, 'no-room');
      const pause = isCostly ? snapshotRetry : retry;
      failed({ reason: messageOf(error), differing: doesNotAddUp(error) }, pause.nextMs());
    }
  }

  function rested(): void {
    retry.reset();
    if (head && head.n === feed.position().n) {
      unproven = false;
      snapshotRetry.reset();
    }
    if (trouble === null) return;
    trouble = null;
    parts.onChange();
  }

  function failed(why: { reason: string; differing: boolean }, pauseMs: number): void {
    trouble = why;
    log.warn({ event: LOG_EVENTS.feedRetry, reason: why.reason, pauseMs });
    wakeIn(pauseMs);
    parts.onChange();
  }

  async function take(step: Exclude<FeedStep, { kind: 'rest' }>): Promise<void> {
    switch (step.kind) {
      case 'drop':
        return forget(step.batch);
      case 'apply':
        return applyPushed(step.changes, step.batch);
      case 'catch-up':
        return catchUp();
      case 'snapshot':
        return takeSnapshot();
      default:
        return step satisfies never;
    }
  }

  function forget(batch: ParsedBatch): void {
    pushed = pushed.filter((other) => other !== batch);
    notice(batch.head);
  }

  function applyPushed(changes: readonly ParsedChange[], batch: ParsedBatch): void {
    try {
      apply(changes);
    } catch (error) {
      // What cannot be applied is asked for again, and if need be the lists as a whole.
      if (isFault(error, 'peer-misbehaved')) {
        forget(batch);
        doubt = true;
      }
      throw error;
    }
    forget(batch);
  }

  function apply(changes: readonly ParsedChange[]): void {
    const position = feed.apply(changes);
    log.info({ event: LOG_EVENTS.feedApplied, n: position.n, changes: changes.length });
    held(position);
  }

  async function catchUp(): Promise<void> {
    const { n } = feed.position();
    const page = await http.changes(n, stopping.signal);
    // The database of the cloud has spoken: what it names is its head, whatever was heard before.
    if (page === 'gone' || page.head.n < n) return takeSnapshot();
    if (page.changes.length > 0) {
      try {
        apply(page.changes);
      } catch (error) {
        if (isFault(error, 'peer-misbehaved')) return takeSnapshot();
        throw error;
      }
    } else if (page.head.n > n) return takeSnapshot();
    doubt = false;
    head = page.head;
  }

  async function takeSnapshot(): Promise<void> {
    const visits = feed.wantsVisits();
    const position = await feed.replace(http.snapshot(stopping.signal, { visits }));
    log.info({ event: LOG_EVENTS.feedReplaced, n: position.n });
    unproven = true;
    doubt = false;
    if (!head || head.n < position.n || head.hash === position.hash) {
      head = { v: 1, n: position.n, hash: position.hash };
    }
    held(position);
  }

  function held(position: FeedPosition): void {
    acknowledge?.(position);
    parts.onChange();
  }

  function notice(named: FeedHead): void {
    if (head && named.n < head.n) return;
    // Behind what the site holds: the cloud was restored from a backup.
    if (named.n < feed.position().n) doubt = true;
    else head = named;
  }

  return {
    connected(say) {
      acknowledge = say;
      // What came over the last connection may be old: what is true now is said anew.
      pushed = [];
      head = null;
      lastHeard = 0;
      visitsUnknown = false;
      recognised = false;
      clearTimeout(timer);
      timer = undefined;
      say(feed.position());
    },
    recognised() {
      if (recognised) return;
      recognised = true;
      wake();
    },
    disconnected() {
      acknowledge = null;
      clearTimeout(timer);
      timer = undefined;
    },
    batchArrived(batch) {
      if (pushed.length < MAX_PUSHED) pushed.push(batch);
      else notice(batch.head);
      if (timer && nextFeedStep(feed.position(), { head, pushed, doubt }).kind === 'apply') {
        // What waits is the asking over HTTP; this needs none.
        clearTimeout(timer);
        timer = undefined;
      }
      wake();
    },
    headArrived(named) {
      // One head comes after the other; only a cloud that was restored names a lower one.
      if (named.n < lastHeard) doubt = true;
      // Named again: a cloud that has begun anew, or one that did not hear that the site has it.
      if (named.n === lastHeard && named.n <= feed.position().n) acknowledge?.(feed.position());
      lastHeard = named.n;
      notice(named);
      wake();
    },
    lostTrack() {
      doubt = true;
      wake();
    },
    trouble: () => trouble?.reason ?? null,
    differing: () => (trouble?.differing ? trouble.reason : null),
    async stop() {
      acknowledge = null;
      clearTimeout(timer);
      stopping.abort(new Error('stopped'));
      await working;
    },
  };
}
