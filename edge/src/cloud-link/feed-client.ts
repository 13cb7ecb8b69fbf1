import { RetryPause } from '@hlid/node/retry-pause';
import { isFault, messageOf } from '@hlid/protocol/base/fault';
import type { FeedHead } from '@hlid/protocol/site-link/envelope';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import {
  doesNotAddUp,
  type FeedBook,
  type FeedPosition,
  type ParsedBatch,
  type ParsedChange,
} from '../site-lists/feed-book.ts';
import type { CloudHttp } from './cloud-http.ts';
import { type FeedStep, nextFeedStep } from './feed-step.ts';

interface FeedClientParts {
  feed: FeedBook;
  http: Pick<CloudHttp, 'changes' | 'snapshot'>;
  log: Logger;
  retry: { firstMs: number; maxMs: number };
  /** Snapshots are large: where they do not help, they are requested less and less often. */
  snapshotRetry: { firstMs: number; maxMs: number };
  onChange: () => void;
}

/** More than that is fetched again rather than kept. */
const MAX_PUSHED = 100;

/** Keeps the site's lists the same as the cloud's. */
export class FeedClient {
  readonly #feed: FeedBook;
  readonly #http: Pick<CloudHttp, 'changes' | 'snapshot'>;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #retry: RetryPause;
  readonly #snapshotRetry: RetryPause;
  readonly #stopping = new AbortController();
  #acknowledge: ((position: FeedPosition) => void) | null = null;
  #pushed: ParsedBatch[] = [];
  #head: FeedHead | null = null;
  #lastHeadSeq = 0;
  #doubt = false;
  #trouble: { reason: string; differing: boolean } | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Steps follow each other and never overlap. */
  #working: Promise<void> | null = null;
  #wokenWhileWorking = false;
  /** A snapshot was stored and the feed has not agreed with it since. */
  #unproven = false;
  /** The open visits were requested over this connection, and the cloud did not send them. */
  #visitsUnavailable = false;
  #recognised = false;

  constructor({ feed, http, log, retry, snapshotRetry, onChange }: FeedClientParts) {
    this.#feed = feed;
    this.#http = http;
    this.#log = log;
    this.#onChange = onChange;
    this.#retry = new RetryPause(retry);
    this.#snapshotRetry = new RetryPause(snapshotRetry);
  }

  /** @param acknowledge sends `down/ack`: what the site holds, durably */
  connected(acknowledge: (position: FeedPosition) => void): void {
    this.#acknowledge = acknowledge;
    // Messages of the last connection may be old: the current state is sent again.
    this.#pushed = [];
    this.#head = null;
    this.#lastHeadSeq = 0;
    this.#visitsUnavailable = false;
    this.#recognised = false;
    this.#clearTimer();
    acknowledge(this.#feed.position());
  }

  disconnected(): void {
    this.#acknowledge = null;
    this.#clearTimer();
  }

  /**
   * The cloud has answered that this site's log is the one it knows: until then an old copy would change old visits.
   */
  recognised(): void {
    if (this.#recognised) return;
    this.#recognised = true;
    this.#wake();
  }

  batchArrived(batch: ParsedBatch): void {
    if (this.#pushed.length < MAX_PUSHED) this.#pushed.push(batch);
    else this.#notice(batch.head);
    // The timer delays requests over HTTP; this needs none.
    if (this.#timer && nextFeedStep(this.#feed.position(), this.#knowledge()).kind === 'apply')
      this.#clearTimer();
    this.#wake();
  }

  headArrived(named: FeedHead): void {
    // Heads come in order; only a cloud that was restored names a lower one.
    if (named.n < this.#lastHeadSeq) this.#doubt = true;
    // Named again: by a cloud that was restarted, or one that did not get the acknowledgement.
    if (named.n === this.#lastHeadSeq && named.n <= this.#feed.position().n)
      this.#acknowledge?.(this.#feed.position());
    this.#lastHeadSeq = named.n;
    this.#notice(named);
    this.#wake();
  }

  /** A message came that could not be parsed. */
  lostTrack(): void {
    this.#doubt = true;
    this.#wake();
  }

  /** Why the lists do not follow; null while all is well. */
  trouble(): string | null {
    return this.#trouble?.reason ?? null;
  }

  /** The feed's trouble, if the lists came as a whole and do not match their hash. */
  differing(): string | null {
    return this.#trouble?.differing ? this.#trouble.reason : null;
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#acknowledge = null;
    clearTimeout(this.#timer);
    this.#stopping.abort(new Error('stopped'));
    await this.#working;
  }

  #knowledge() {
    return { head: this.#head, pushed: this.#pushed, doubt: this.#doubt };
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wake(): void {
    if (this.#working) {
      this.#wokenWhileWorking = true;
      return;
    }
    if (this.#timer || !this.#acknowledge || !this.#recognised || this.#stopping.signal.aborted) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
      if (!this.#wokenWhileWorking) return;
      this.#wokenWhileWorking = false;
      this.#wake();
    });
  }

  #wakeIn(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#wake();
    }, pauseMs);
  }

  async #work(): Promise<void> {
    try {
      while (this.#acknowledge && !this.#stopping.signal.aborted) {
        if (this.#feed.wantsVisits() && !this.#visitsUnavailable) {
          await this.#takeSnapshot();
          this.#visitsUnavailable = this.#feed.wantsVisits();
          continue;
        }
        const step = nextFeedStep(this.#feed.position(), this.#knowledge());
        if (step.kind === 'rest') {
          this.#onInStep();
          return;
        }
        if (step.kind === 'snapshot' && this.#unproven) {
          this.#unproven = false;
          const reason = 'the cloud names another hash for the same lists';
          return this.#failed({ reason, differing: true }, this.#snapshotRetry.nextMs());
        }
        await this.#runStep(step);
      }
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const isCostly = isFault(error, 'peer-misbehaved') || isFault(error, 'no-room');
      const pause = isCostly ? this.#snapshotRetry : this.#retry;
      this.#failed({ reason: messageOf(error), differing: doesNotAddUp(error) }, pause.nextMs());
    }
  }

  #onInStep(): void {
    this.#retry.reset();
    if (this.#head && this.#head.n === this.#feed.position().n) {
      this.#unproven = false;
      this.#snapshotRetry.reset();
    }
    if (this.#trouble === null) return;
    this.#trouble = null;
    this.#onChange();
  }

  #failed(trouble: { reason: string; differing: boolean }, pauseMs: number): void {
    this.#trouble = trouble;
    this.#log.warn({ event: LOG_EVENTS.feedRetry, reason: trouble.reason, pauseMs });
    this.#wakeIn(pauseMs);
    this.#onChange();
  }

  async #runStep(step: Exclude<FeedStep, { kind: 'rest' }>): Promise<void> {
    switch (step.kind) {
      case 'drop':
        return this.#removePushed(step.batch);
      case 'apply':
        return this.#applyPushed(step.changes, step.batch);
      case 'catch-up':
        return this.#catchUp();
      case 'snapshot':
        return this.#takeSnapshot();
      default:
        return step satisfies never;
    }
  }

  #removePushed(batch: ParsedBatch): void {
    this.#pushed = this.#pushed.filter((other) => other !== batch);
    this.#notice(batch.head);
  }

  #applyPushed(changes: readonly ParsedChange[], batch: ParsedBatch): void {
    try {
      this.#apply(changes);
    } catch (error) {
      // Changes that cannot be applied are requested again, or all lists if necessary.
      if (isFault(error, 'peer-misbehaved')) {
        this.#removePushed(batch);
        this.#doubt = true;
      }
      throw error;
    }
    this.#removePushed(batch);
  }

  #apply(changes: readonly ParsedChange[]): void {
    const position = this.#feed.apply(changes);
    this.#log.info({ event: LOG_EVENTS.feedApplied, n: position.n, changes: changes.length });
    this.#held(position);
  }

  async #catchUp(): Promise<void> {
    const { n } = this.#feed.position();
    const page = await this.#http.changes(n, this.#stopping.signal);
    // This comes from the database of the cloud: its head replaces whatever was received before.
    if (page === 'gone' || page.head.n < n) return this.#takeSnapshot();
    if (page.changes.length > 0) {
      try {
        this.#apply(page.changes);
      } catch (error) {
        if (isFault(error, 'peer-misbehaved')) return this.#takeSnapshot();
        throw error;
      }
    } else if (page.head.n > n) return this.#takeSnapshot();
    this.#doubt = false;
    this.#head = page.head;
  }

  async #takeSnapshot(): Promise<void> {
    const visits = this.#feed.wantsVisits();
    const position = await this.#feed.replace(this.#http.snapshot(this.#stopping.signal, { visits }));
    this.#log.info({ event: LOG_EVENTS.feedReplaced, n: position.n });
    this.#unproven = true;
    this.#doubt = false;
    if (!this.#head || this.#head.n < position.n || this.#head.hash === position.hash) {
      this.#head = { v: 1, n: position.n, hash: position.hash };
    }
    this.#held(position);
  }

  #held(position: FeedPosition): void {
    this.#acknowledge?.(position);
    this.#onChange();
  }

  #notice(named: FeedHead): void {
    if (this.#head && named.n < this.#head.n) return;
    // The cloud is behind what the site holds: it was restored from a backup.
    if (named.n < this.#feed.position().n) this.#doubt = true;
    else this.#head = named;
  }
}
