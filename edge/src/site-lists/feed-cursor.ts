import { EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import type { GroupCommit } from '../db/group-commit.ts';
import { MetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { FeedPosition } from './feed-book.ts';

/** How far the site has applied the change feed. It moves in the transaction that stores what was applied. */
export class FeedCursor {
  readonly #meta: MetaStore;
  #position: FeedPosition;
  #mark: string | null;

  constructor(db: SiteDb) {
    this.#meta = new MetaStore(db);
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

  moveTo(position: FeedPosition, mark: string | null = null): void {
    this.#position = position;
    this.#meta.set('feed-n', String(position.n));
    this.#meta.set('feed-hash', position.hash);
    if (mark !== null) this.#meta.set('feed-mark', mark);
    else if (this.#mark !== null) this.#meta.remove('feed-mark');
    this.#mark = mark;
  }

  /** Runs the work in its own transaction; the position in memory is restored when it fails. */
  inTransaction<T>(commit: Pick<GroupCommit, 'runNow'>, work: () => T): T {
    const [position, mark] = [this.#position, this.#mark];
    try {
      return commit.runNow(work);
    } catch (error) {
      this.#position = position;
      this.#mark = mark;
      throw error;
    }
  }
}
