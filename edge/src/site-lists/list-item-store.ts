import type {
  CameraItem,
  ListChange,
  OnlinePaymentItem,
  QuotaItem,
  SiteItem,
  ZoneItem,
} from '@hlid/protocol/site-link/site-change';
import type { Product } from '@hlid/protocol/tariff/product';
import type { Statement } from 'better-sqlite3';
import type { SiteDb } from '../db/site-db.ts';

interface ItemOf {
  site: SiteItem;
  product: Product;
  zone: ZoneItem;
  camera: CameraItem;
  quota: QuotaItem;
  'online-payment': OnlinePaymentItem;
}
export type ShortListKind = keyof ItemOf;

/**
 * The short lists: everything that the cloud sends but permits and vehicles. Kept in memory, since every decision
 * reads them.
 */
export class ListItemStore {
  readonly #select: Statement<[string], { id: string; body: string }>;
  readonly #put: Statement;
  readonly #remove: Statement;
  readonly #clear: Statement;
  readonly #cache = new Map<ShortListKind, Map<string, unknown>>();

  constructor(db: SiteDb) {
    this.#select = db.prepare('SELECT id, body FROM list_item WHERE kind = ? ORDER BY id');
    this.#put = db.prepare(
      'INSERT INTO list_item (kind, id, body) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body',
    );
    this.#remove = db.prepare('DELETE FROM list_item WHERE kind = ? AND id = ?');
    this.#clear = db.prepare('DELETE FROM list_item');
  }

  all<Kind extends ShortListKind>(kind: Kind): ItemOf[Kind][] {
    return [...this.#list(kind).values()];
  }

  get<Kind extends ShortListKind>(kind: Kind, id: string): ItemOf[Kind] | undefined {
    return this.#list(kind).get(id);
  }

  put({ kind, id, item }: ShortPut): void {
    this.#put.run(kind, id, JSON.stringify(item));
    const items: Map<string, unknown> = this.#list(kind);
    // A quota changes with every visit that draws on it: only a new item is worth reading all of them again.
    if (items.has(id)) items.set(id, item);
    else this.#cache.delete(kind);
  }

  remove(kind: ShortListKind, id: string): void {
    this.#remove.run(kind, id);
    this.#cache.delete(kind);
  }

  clear(): void {
    this.#clear.run();
    this.#cache.clear();
  }

  /** Drops what is in memory: after a transaction that was undone. */
  refresh(): void {
    this.#cache.clear();
  }

  #list<Kind extends ShortListKind>(kind: Kind): Map<string, ItemOf[Kind]> {
    let items = this.#cache.get(kind);
    if (!items) {
      items = new Map(this.#select.all(kind).map((row) => [row.id, JSON.parse(row.body)]));
      this.#cache.set(kind, items);
    }
    return items as Map<string, ItemOf[Kind]>;
  }
}

export type ShortPut = Exclude<Extract<ListChange, { op: 'put' }>, { kind: 'permit' | 'vehicle' }>;
