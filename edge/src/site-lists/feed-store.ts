import { addToHash, EMPTY_HASH } from '@hlid/protocol/content-hash';
import { Fault } from '@hlid/protocol/fault';
import type { SettlementItem, SiteChange, SiteChangeBody } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { FeedBook } from '../cloud-link/feed-book.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { createMetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { LaneOutcome } from '../lane.ts';
import {
  applyListChange,
  itemDigest,
  type ListChange,
  type ListStores,
  putItem,
  type ShortPut,
} from './apply-change.ts';
import { createNextLists, type LongLine } from './next-lists.ts';

/** Rows written at once while a new list is built; gates answer in between. */
const ROWS_AT_ONCE = 500;

export type VisitChange = Exclude<SiteChangeBody, ListChange>;

/** What the site has of the change feed: content and cursor always move in one transaction. */
export function createFeedStore(parts: {
  db: SiteDb;
  commit: GroupCommit;
  lists: ListStores;
  now: () => UtcTime;
  /** A change that is about a visit, within the transaction. */
  onVisitChange: (change: VisitChange, at: UtcTime) => LaneOutcome[];
  /** After changes are on the disk, with what they did at the lanes. */
  onApplied: (outcomes: readonly LaneOutcome[]) => void;
}): FeedBook & { feedAt(): number } {
  const { db, commit, lists, now } = parts;
  const { items } = lists;
  const meta = createMetaStore(db);
  let position = { n: Number(meta.get('feed-n') ?? 0), hash: meta.get('feed-hash') ?? EMPTY_HASH };

  function moveTo(next: { n: number; hash: string }): void {
    position = next;
    meta.set('feed-n', String(next.n));
    meta.set('feed-hash', next.hash);
  }

  /** Runs the work in a transaction of its own; the position follows the disk when it fails. */
  function inTransaction<T>(work: () => T): T {
    const before = position;
    try {
      return commit.runNow(work);
    } catch (error) {
      position = before;
      throw error;
    }
  }

  function applyOne({ n, change }: SiteChange): LaneOutcome[] {
    if (n !== position.n + 1) {
      throw new Fault('peer-misbehaved', `change ${n} does not follow on ${position.n}`);
    }
    if (isVisitChange(change)) {
      moveTo({ n, hash: position.hash });
      return parts.onVisitChange(change, now());
    }
    moveTo({ n, hash: applyListChange(change, lists, position.hash) });
    return [];
  }

  return {
    position: () => position,
    feedAt: () => position.n,

    apply(changes) {
      const outcomes = inTransaction(() =>
        changes.flatMap((change) => (change.n > position.n ? applyOne(change) : [])),
      );
      parts.onApplied(outcomes);
      return position;
    },

    async replace(lines) {
      const next = createNextLists(db);
      const shortLists: ShortPut[] = [];
      const settlements: SettlementItem[] = [];
      let head: { n: number; hash: string } | undefined;
      let hash = EMPTY_HASH;
      let taken = 0;
      let complete = false;
      let rows: LongLine[] = [];

      const write = async () => {
        const writing = rows;
        rows = [];
        commit.runNow(() => writing.forEach(next.put));
        await new Promise((resolve) => setImmediate(resolve));
      };

      for await (const line of lines) {
        if (line.kind === 'head') {
          head = { n: line.n, hash: line.hash };
          continue;
        }
        if (line.kind === 'end') {
          complete = line.lines === taken;
          continue;
        }
        taken++;
        if (line.kind === 'settlement') {
          settlements.push(line.item);
          continue;
        }
        hash = addToHash(hash, itemDigest(line.kind, line.id, line.item));
        if (line.kind === 'permit' || line.kind === 'vehicle') rows.push(line);
        else shortLists.push({ ...line, op: 'put' });
        if (rows.length >= ROWS_AT_ONCE) await write();
      }
      await write();
      if (!head || !complete || head.hash !== hash) {
        next.drop();
        throw new Fault('peer-misbehaved', 'the snapshot is cut off or does not add up to its hash');
      }
      const { n } = head;
      const outcomes = inTransaction(() => {
        next.swapIn();
        items.clear();
        for (const change of shortLists) putItem(change, items);
        moveTo({ n, hash });
        return settlements.flatMap((item) =>
          parts.onVisitChange({ kind: 'settlement', op: 'put', id: item.id, item }, now()),
        );
      });
      parts.onApplied(outcomes);
      return position;
    },
  };
}

function isVisitChange(change: SiteChangeBody): change is VisitChange {
  return change.kind === 'settlement' || change.kind === 'visit-edit' || change.kind === 'visit';
}
