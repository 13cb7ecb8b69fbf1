import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import type { ListChange, SettlementItem, SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import { LOG_EVENTS } from '../base/events.ts';
import { MetaStore } from '../db/meta-store.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { applyListChange, type LiveLists } from './apply-change.ts';
import { type BuiltLists, buildLists } from './build-lists.ts';
import type { FeedBook, FeedPosition, ParsedChange, ParsedLine } from './feed-book.ts';
import type { FeedCursor } from './feed-cursor.ts';
import { ListSweeper } from './list-sweeper.ts';
import { LongWork } from './long-work.ts';

export type VisitChange = Exclude<SiteChangeBody, ListChange>;

/**
 * The effects of changes of the feed beside the lists; all but `applied` run within the running transaction.
 */
export interface FeedEffects<Outcome> {
  /** Products may have changed. */
  productsChanged(at: UtcTime): void;
  /** A list of online payments has it, or has it no more. */
  onlinePaymentListed(paymentId: string): void;
  visitChanged(change: VisitChange, at: UtcTime): void;
  /** Decides again on the waiting cars: any change may let one of them out. */
  reconsider(at: UtcTime): Outcome[];
  /**
   * Takes over the visits that are open in the cloud, for a site with a new database or an old copy.
   *
   * @param inCloud every open visit of the site that the cloud has
   * @returns the ids of those that are now as in the cloud
   */
  takeOver(inCloud: readonly Visit[], at: UtcTime): ReadonlySet<string>;
  /** Stores a settlement that its visit includes already. */
  keepSettlement(settlement: SettlementItem): void;
  /** The changes are on the disk, with their effects at the lanes. */
  applied(outcomes: readonly Outcome[]): void;
}

/** The site's copy of the change feed: content and cursor always move in one transaction. */
export class FeedStore<Outcome = unknown> implements FeedBook {
  readonly #context: Pick<EdgeContext, 'db' | 'commit' | 'clock' | 'log'>;
  readonly #cursor: FeedCursor;
  readonly #lists: LiveLists;
  readonly #effects: FeedEffects<Outcome>;
  readonly #meta: MetaStore;
  readonly #longWork: LongWork;
  readonly #sweeper: ListSweeper;

  constructor(
    context: Pick<EdgeContext, 'db' | 'commit' | 'clock' | 'log'>,
    cursor: FeedCursor,
    lists: LiveLists,
    effects: FeedEffects<Outcome>,
  ) {
    this.#context = context;
    this.#cursor = cursor;
    this.#lists = lists;
    this.#effects = effects;
    this.#meta = new MetaStore(context.db);
    this.#longWork = new LongWork(context);
    this.#sweeper = new ListSweeper(context, this.#longWork);
  }

  position(): FeedPosition {
    return this.#cursor.position();
  }

  mark(): string | null {
    return this.#cursor.mark();
  }

  wantsVisits(): boolean {
    return this.#meta.get('taken-over') !== this.#meta.get('epoch');
  }

  apply(changes: readonly ParsedChange[]): FeedPosition {
    const outcomes = this.#cursor.inTransaction(this.#context.commit, () => {
      for (const change of changes) if (change.n > this.position().n) this.#applyOne(change);
      return this.#effects.reconsider(this.#now());
    });
    this.#effects.applied(outcomes);
    return this.position();
  }

  async replace(lines: AsyncIterable<readonly ParsedLine[]>): Promise<FeedPosition> {
    await this.#sweeper.sweep();
    const parts = { db: this.#context.db, longWork: this.#longWork };
    const built = await buildLists(lines, parts).catch((error: unknown) => {
      this.sweep();
      throw error;
    });
    const outcomes = this.#cursor.inTransaction(this.#context.commit, () => this.#swapIn(built));
    this.sweep();
    this.#effects.applied(outcomes);
    return this.position();
  }

  /** Removes lists that an earlier run of the program left over, when there is time. */
  sweep(): void {
    this.#sweeper.sweep().catch((err: unknown) => {
      this.#context.log.error({ event: LOG_EVENTS.listsUnswept, reason: messageOf(err) });
    });
  }

  #swapIn({ n, hash, mark, visits, long, short, settlements }: BuiltLists): Outcome[] {
    const { items } = this.#lists;
    long.swapIn();
    items.clear();
    for (const change of short) items.put(change);
    this.#effects.productsChanged(this.#now());
    this.#cursor.moveTo({ n, hash }, mark);
    const takenOver = visits && this.wantsVisits() ? this.#takeOver(visits) : NO_VISITS;
    for (const item of settlements) {
      if (takenOver.has(item.visitId)) this.#effects.keepSettlement(item);
      else this.#effects.visitChanged({ kind: 'settlement', op: 'put', id: item.id, item }, this.#now());
    }
    return this.#effects.reconsider(this.#now());
  }

  #takeOver(visits: readonly Visit[]): ReadonlySet<string> {
    const takenOver = this.#effects.takeOver(visits, this.#now());
    this.#meta.set('taken-over', this.#meta.get('epoch') ?? '');
    return takenOver;
  }

  #applyOne({ n, mark, change }: ParsedChange): void {
    const { n: before, hash } = this.position();
    if (n !== before + 1) {
      throw new Fault('peer-misbehaved', `change ${n} does not follow on ${before}`);
    }
    if (change === null) {
      this.#cursor.moveTo({ n, hash }, mark);
      return;
    }
    if (isVisitChange(change)) {
      this.#cursor.moveTo({ n, hash }, mark);
      this.#effects.visitChanged(change, this.#now());
      return;
    }
    this.#cursor.moveTo({ n, hash: applyListChange(change, this.#lists, hash) }, mark);
    if (change.kind === 'product') this.#effects.productsChanged(this.#now());
    if (change.kind === 'online-payment') this.#effects.onlinePaymentListed(change.id);
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }
}

const NO_VISITS: ReadonlySet<string> = new Set();

function isVisitChange(change: SiteChangeBody): change is VisitChange {
  const { kind } = change;
  return kind === 'settlement' || kind === 'visit-edit' || kind === 'visit' || kind === 'erase';
}
