import type { SiteDb } from './site-db.ts';

/** Single values that the site keeps. */
export interface MetaStore {
  get(key: MetaKey): string | undefined;
  set(key: MetaKey, value: string): void;
  remove(key: MetaKey): void;
}

type MetaKey =
  | 'epoch'
  | 'acknowledged'
  | 'feed-n'
  | 'feed-hash'
  | 'feed-mark'
  /** The newest event when the program started, as long as it has not spoken with the cloud since. */
  | 'parted'
  /** Set where the cloud has lost events that are here no more either, until it was told of their visits. */
  | 'cloud-forgot'
  /** The epoch that has taken over the visits which the cloud knows to be open. */
  | 'taken-over';

export function createMetaStore(db: SiteDb): MetaStore {
  const get = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const set = db.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare('DELETE FROM meta WHERE key = ?');
  return {
    get: (key) => get.get(key),
    set: (key, value) => void set.run(key, value),
    remove: (key) => void remove.run(key),
  };
}
