import type { SiteDb } from './site-db.ts';

/** Single values that the site keeps. */
export interface MetaStore {
  get(key: MetaKey): string | undefined;
  set(key: MetaKey, value: string): void;
}

type MetaKey = 'epoch' | 'acknowledged' | 'feed-n' | 'feed-hash';

export function createMetaStore(db: SiteDb): MetaStore {
  const get = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const set = db.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    get: (key) => get.get(key),
    set: (key, value) => void set.run(key, value),
  };
}
