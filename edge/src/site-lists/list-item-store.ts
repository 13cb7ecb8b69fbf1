import type { Product } from '@hlid/protocol/product';
import type { CameraItem, QuotaItem, SiteItem, ZoneItem } from '@hlid/protocol/site-change';
import type { SiteDb } from '../db/site-db.ts';
import type { ShortPut } from './apply-change.ts';

interface ItemOf {
  site: SiteItem;
  product: Product;
  zone: ZoneItem;
  camera: CameraItem;
  quota: QuotaItem;
}
export type ShortListKind = keyof ItemOf;

/**
 * The short lists: everything that the cloud sends but permits and vehicles. Kept in memory, since every decision
 * reads them.
 */
export interface ListItemStore {
  all<Kind extends ShortListKind>(kind: Kind): ItemOf[Kind][];
  get<Kind extends ShortListKind>(kind: Kind, id: string): ItemOf[Kind] | undefined;
  put(change: ShortPut): void;
  remove(kind: ShortListKind, id: string): void;
  clear(): void;
  /** Forgets what is in memory: after a transaction that was undone. */
  refresh(): void;
}

export function createListItemStore(db: SiteDb): ListItemStore {
  const select = db.prepare<[string], { id: string; body: string }>(
    'SELECT id, body FROM list_item WHERE kind = ? ORDER BY id',
  );
  const put = db.prepare(
    'INSERT INTO list_item VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body',
  );
  const remove = db.prepare('DELETE FROM list_item WHERE kind = ? AND id = ?');
  const clear = db.prepare('DELETE FROM list_item');
  const cache = new Map<ShortListKind, Map<string, unknown>>();

  function list<Kind extends ShortListKind>(kind: Kind): Map<string, ItemOf[Kind]> {
    let items = cache.get(kind);
    if (!items) {
      items = new Map(select.all(kind).map((row) => [row.id, JSON.parse(row.body)]));
      cache.set(kind, items);
    }
    return items as Map<string, ItemOf[Kind]>;
  }

  return {
    all: (kind) => [...list(kind).values()],
    get: (kind, id) => list(kind).get(id),
    put({ kind, id, item }) {
      put.run(kind, id, JSON.stringify(item));
      const items: Map<string, unknown> = list(kind);
      // A quota changes with every visit that draws on it: only a new item is worth reading all of them again.
      if (items.has(id)) items.set(id, item);
      else cache.delete(kind);
    },
    remove(kind, id) {
      remove.run(kind, id);
      cache.delete(kind);
    },
    clear() {
      clear.run();
      cache.clear();
    },
    refresh: () => cache.clear(),
  };
}
