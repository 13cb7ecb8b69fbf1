import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import { EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import type { ListChange, SettlementItem, SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import { LOG_EVENTS } from '../base/events.ts';
import { MetaStore } from '../db/meta-store.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { applyListChange, type LiveLists } from './apply-change.ts';
import { type BuiltLists, buildLists } from './build-lists.ts';
import type { FeedBook, FeedPosition, ParsedChange, ParsedLine } from './feed-book.ts';
import { ListSweeper } from './list-sweeper.ts';
import { LongWork } from './long-work.ts';

/** Takes over the visits that are open in the cloud: for a site whose database is new, or an old copy. */
export interface TakeOverVisits {
  /**
   * Within the running transaction.
   *
   * @param inCloud every visit of the site that is not over, as far as the cloud knows
   * @returns the ids of those that are now as in the cloud
   */
  run(inCloud: readonly Visit[], at: UtcTime): ReadonlySet<string>;
}

export type VisitChange = Exclude<SiteChangeBody, ListChange>;

interface FeedStoreParts<Outcome> {
  lists: LiveLists;
  /** Products may have changed, within the transaction. */
  onProducts: (at: UtcTime) => void;
  /** A list of online payments has it, or has it no more. */
  onOnlinePayment: (paymentId: string) => void;
  /** A change to a visit, within the transaction. */
  onVisitChange: (change: VisitChange, at: UtcTime) => void;
  /** Decides again on the waiting cars, within the transaction: any change may let one of them out. */
  reconsider: (at: UtcTime) => Outcome[];
  takeOver: TakeOverVisits;
  /** Stores a settlement that its visit includes already. */
  keepSettlement: (settlement: SettlementItem) => void;
  /** Called after changes are on the disk, with their effects at the lanes. */
  onApplied: (outcomes: readonly Outcome[]) => void;
}

/** The site's copy of the change feed: content and cursor always move in one transaction. */
export class FeedStore<Outcome = unknown> implements FeedBook {
  readonly #context: Pick<EdgeContext, 'db' | 'commit' | 'clock' | 'log'>;
  readonly #parts: FeedStoreParts<Outcome>;
  readonly #meta: MetaStore;
  readonly #longWork: LongWork;
  readonly #sweeper: ListSweeper;
  #position: FeedPosition;
  #mark: string | null;

  constructor(context: Pick<EdgeContext, 'db' | 'commit' | 'clock' | 'log'>, parts: FeedStoreParts<Outcome>) {
    this.#context = context;
    this.#parts = parts;
    this.#meta = new MetaStore(context.db);
    this.#longWork = new LongWork(context);
    this.#sweeper = new ListSweeper(context, this.#longWork);
    const n = Number(this.#meta.get('feed-n') ?? 0);
    this.#position = { n, hash: this.#meta.get('feed-hash') ?? EMPTY_HASH };
    this.#mark = this.#meta.get('feed-mark') ?? null;
  }

  position(): FeedPosition {
    return this.#position;
  }

  mark(): string | null {
    return this.#mark;
  }

  feedAt(): number {
    return this.#position.n;
  }

  wantsVisits(): boolean {
    return this.#meta.get('taken-over') !== this.#meta.get('epoch');
  }

  apply(changes: readonly ParsedChange[]): FeedPosition {
    const outcomes = this.#inTransaction(() => {
      for (const change of changes) if (change.n > this.#position.n) this.#applyOne(change);
      return this.#parts.reconsider(this.#now());
    });
    this.#parts.onApplied(outcomes);
    return this.#position;
  }

  async replace(lines: AsyncIterable<readonly ParsedLine[]>): Promise<FeedPosition> {
    await this.#sweeper.sweep();
    const parts = { db: this.#context.db, longWork: this.#longWork };
    const built = await buildLists(lines, parts).catch((error: unknown) => {
      this.sweep();
      throw error;
    });
    const outcomes = this.#inTransaction(() => this.#swapIn(built));
    this.sweep();
    this.#parts.onApplied(outcomes);
    return this.#position;
  }

  /** Removes lists that an earlier run of the program left over, when there is time. */
  sweep(): void {
    this.#sweeper.sweep().catch((err: unknown) => {
      this.#context.log.error({ event: LOG_EVENTS.listsUnswept, reason: messageOf(err) });
    });
  }

  #swapIn({ n, hash, mark, visits, long, short, settlements }: BuiltLists): Outcome[] {
    const { items } = this.#parts.lists;
    long.swapIn();
    items.clear();
    for (const change of short) items.put(change);
    this.#parts.onProducts(this.#now());
    this.#moveTo({ n, hash }, mark);
    const takenOver = visits && this.wantsVisits() ? this.#takeOver(visits) : NO_VISITS;
    for (const item of settlements) {
      if (takenOver.has(item.visitId)) this.#parts.keepSettlement(item);
      else this.#parts.onVisitChange({ kind: 'settlement', op: 'put', id: item.id, item }, this.#now());
    }
    return this.#parts.reconsider(this.#now());
  }

  #takeOver(visits: readonly Visit[]): ReadonlySet<string> {
    const takenOver = this.#parts.takeOver.run(visits, this.#now());
    this.#meta.set('taken-over', this.#meta.get('epoch') ?? '');
    return takenOver;
  }

  #applyOne({ n, mark, change }: ParsedChange): void {
    const { hash } = this.#position;
    if (n !== this.#position.n + 1) {
      throw new Fault('peer-misbehaved', `change ${n} does not follow on ${this.#position.n}`);
    }
    if (change === null) {
      this.#moveTo({ n, hash }, mark);
      return;
    }
    if (isVisitChange(change)) {
      this.#moveTo({ n, hash }, mark);
      this.#parts.onVisitChange(change, this.#now());
      return;
    }
    this.#moveTo({ n, hash: applyListChange(change, this.#parts.lists, hash) }, mark);
    if (change.kind === 'product') this.#parts.onProducts(this.#now());
    if (change.kind === 'online-payment') this.#parts.onOnlinePayment(change.id);
  }

  #moveTo(position: FeedPosition, mark: string | null = null): void {
    this.#position = position;
    this.#meta.set('feed-n', String(position.n));
    this.#meta.set('feed-hash', position.hash);
    if (mark !== null) this.#meta.set('feed-mark', mark);
    else if (this.#mark !== null) this.#meta.remove('feed-mark');
    this.#mark = mark;
  }

  /** Runs the work in its own transaction; the position in memory is restored when it fails. */
  #inTransaction<T>(work: () => T): T {
    const [position, mark] = [this.#position, this.#mark];
    try {
      return this.#context.commit.runNow(work);
    } catch (error) {
      this.#position = position;
      this.#mark = mark;
      throw error;
    }
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
