import type { Statement } from 'better-sqlite3';
import type { SiteDb } from './site-db.ts';

type MetaKey =
  | 'epoch'
  | 'acknowledged'
  | 'feed-n'
  | 'feed-hash'
  | 'feed-mark'
  /** The newest event when the program started; removed once the cloud confirms that it knows this log. */
  | 'unconfirmed-from'
  /** Set where the cloud has lost events that are gone here too, until their visits are reported again. */
  | 'cloud-lost-events'
  /** The epoch that has taken over the visits which are open in the cloud. */
  | 'taken-over'
  /** The last time of the site's clock, and when it was last known to be right. */
  | 'site-clock';

/** Single values that the site keeps. */
export class MetaStore {
  readonly #get: Statement<[string], string>;
  readonly #set: Statement;
  readonly #remove: Statement;

  constructor(db: SiteDb) {
    this.#get = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
    this.#set = db.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    this.#remove = db.prepare('DELETE FROM meta WHERE key = ?');
  }

  get(key: MetaKey): string | undefined {
    return this.#get.get(key);
  }

  set(key: MetaKey, value: string): void {
    this.#set.run(key, value);
  }

  remove(key: MetaKey): void {
    this.#remove.run(key);
  }
}
