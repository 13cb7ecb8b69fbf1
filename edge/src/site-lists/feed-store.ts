import { EMPTY_HASH } from '@hlid/protocol/content-hash';
import { Fault, messageOf } from '@hlid/protocol/fault';
import type { ListChange, SettlementItem, SiteChangeBody } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { Logger } from 'pino';
import type { FeedBook, FeedPosition, ParsedChange } from '../cloud-link/feed-book.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { createMetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import { LOG_EVENTS } from '../events.ts';
import { applyListChange, type LiveLists } from './apply-change.ts';
import { buildLists } from './build-lists.ts';
import { createListSweeper } from './list-sweeper.ts';
import { createLongWork } from './long-work.ts';

/**
 * Takes over the visits that the cloud knows to be open, within the running transaction: for a site whose database is
 * new, or an old copy. What this epoch has told of a visit itself is newer, and stays.
 *
 * @param inCloud every visit of the site that is not over by what the cloud has heard
 * @returns the ids of those that are now as the cloud has them
 */
export type TakeOverVisits = (inCloud: readonly Visit[], at: UtcTime) => ReadonlySet<string>;

export type VisitChange = Exclude<SiteChangeBody, ListChange>;

export interface FeedStore extends FeedBook {
  feedAt(): number;
  /** Takes away what an earlier run of the program has left of lists, when there is time. */
  sweep(): void;
}

/** What the site has of the change feed: content and cursor always move in one transaction. */
export function createFeedStore<Outcome>(parts: {
  db: SiteDb;
  commit: GroupCommit;
  lists: LiveLists;
  now: () => UtcTime;
  /** What is sold may be other than before, within the transaction. */
  onProducts: (at: UtcTime) => void;
  /** A change that is about a visit, within the transaction. */
  onVisitChange: (change: VisitChange, at: UtcTime) => void;
  /** Decides again on the cars that wait, within the transaction: whatever has changed may let one of them out. */
  reconsider: (at: UtcTime) => Outcome[];
  /** The visits that the cloud knows to be open, within the transaction; answers which of them it has taken. */
  takeOverVisits: TakeOverVisits;
  /** Keeps a settlement that a visit has counted in already. */
  keepSettlement: (settlement: SettlementItem) => void;
  /** After changes are on the disk, with what they did at the lanes. */
  onApplied: (outcomes: readonly Outcome[]) => void;
  log: Logger;
}): FeedStore {
  const { db, commit, lists, now } = parts;
  const { items } = lists;
  const meta = createMetaStore(db);
  const longWork = createLongWork(db, commit);
  const sweeper = createListSweeper(db, commit, longWork);
  let position = { n: Number(meta.get('feed-n') ?? 0), hash: meta.get('feed-hash') ?? EMPTY_HASH };

  let mark = meta.get('feed-mark') ?? null;

  function moveTo({ mark: told = null, ...next }: FeedPosition & { mark?: string | null | undefined }): void {
    position = next;
    meta.set('feed-n', String(next.n));
    meta.set('feed-hash', next.hash);
    if (told !== null) meta.set('feed-mark', told);
    else if (mark !== null) meta.remove('feed-mark');
    mark = told;
  }

  /** Runs the work in a transaction of its own; the position follows the disk when it fails. */
  function inTransaction<T>(work: () => T): T {
    const before = { position, mark };
    try {
      return commit.runNow(work);
    } catch (error) {
      ({ position, mark } = before);
      throw error;
    }
  }

  function applyOne({ n, mark, change }: ParsedChange): void {
    if (n !== position.n + 1) {
      throw new Fault('peer-misbehaved', `change ${n} does not follow on ${position.n}`);
    }
    if (change === null) {
      moveTo({ n, mark, hash: position.hash });
      return;
    }
    if (isVisitChange(change)) {
      moveTo({ n, mark, hash: position.hash });
      parts.onVisitChange(change, now());
      return;
    }
    moveTo({ n, mark, hash: applyListChange(change, lists, position.hash) });
    if (change.kind === 'product') parts.onProducts(now());
  }

  function wantsVisits(): boolean {
    return meta.get('taken-over') !== meta.get('epoch');
  }

  function takeOver(visits: readonly Visit[]): ReadonlySet<string> {
    const taken = parts.takeOverVisits(visits, now());
    meta.set('taken-over', meta.get('epoch') ?? '');
    return taken;
  }

  function sweepSoon(): void {
    sweeper
      .sweep()
      .catch((err: unknown) => parts.log.error({ event: LOG_EVENTS.listsUnswept, reason: messageOf(err) }));
  }

  return {
    position: () => position,
    mark: () => mark,
    wantsVisits,
    feedAt: () => position.n,

    apply(changes) {
      const outcomes = inTransaction(() => {
        for (const change of changes) if (change.n > position.n) applyOne(change);
        return parts.reconsider(now());
      });
      parts.onApplied(outcomes);
      return position;
    },

    async replace(lines) {
      await sweeper.sweep();
      const built = await buildLists(lines, { db, longWork }).catch((error: unknown) => {
        sweepSoon();
        throw error;
      });
      const { n, hash, mark, visits } = built;
      const outcomes = inTransaction(() => {
        built.long.swapIn();
        items.clear();
        for (const change of built.short) items.put(change);
        parts.onProducts(now());
        moveTo({ n, hash, mark });
        const takenOver = visits && wantsVisits() ? takeOver(visits) : NO_VISITS;
        for (const item of built.settlements) {
          if (takenOver.has(item.visitId)) parts.keepSettlement(item);
          else parts.onVisitChange({ kind: 'settlement', op: 'put', id: item.id, item }, now());
        }
        return parts.reconsider(now());
      });
      sweepSoon();
      parts.onApplied(outcomes);
      return position;
    },
    sweep: sweepSoon,
  };
}

const NO_VISITS: ReadonlySet<string> = new Set();

function isVisitChange(change: SiteChangeBody): change is VisitChange {
  const { kind } = change;
  return kind === 'settlement' || kind === 'visit-edit' || kind === 'visit' || kind === 'erase';
}
