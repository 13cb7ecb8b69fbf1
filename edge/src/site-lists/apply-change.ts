import { createHash } from 'node:crypto';
import { addToHash, itemText, takeFromHash } from '@hlid/protocol/content-hash';
import type { ListKind, SiteChangeBody } from '@hlid/protocol/site-change';
import type { ListItemStore } from './list-item-store.ts';
import type { PermitStore } from './permit-store.ts';
import type { VehicleStore } from './vehicle-store.ts';

export type ListChange = Extract<SiteChangeBody, { kind: ListKind }>;
type PutChange = Extract<ListChange, { op: 'put' }>;
export type ShortPut = Exclude<PutChange, { kind: 'permit' | 'vehicle' }>;

/** Where the lists are kept: the short ones in one table and in memory, each long one in a table of its own. */
export interface ListStores {
  items: ListItemStore;
  permits: PermitStore;
  vehicles: VehicleStore;
}

/** A 128-bit digest of one item, for the content hash. */
export function itemDigest(kind: ListKind, id: string, item: unknown): string {
  return createHash('sha256')
    .update(itemText(kind, id, item))
    .digest('hex')
    .slice(0, 32);
}

/** Applies a change to the lists and returns their hash after it. */
export function applyListChange(change: ListChange, lists: ListStores, hash: string): string {
  const before = current(change, lists);
  const without =
    before === undefined ? hash : takeFromHash(hash, itemDigest(change.kind, change.id, before));
  if (change.op === 'remove') {
    remove(change, lists);
    return without;
  }
  put(change, lists);
  return addToHash(without, itemDigest(change.kind, change.id, change.item));
}

function current({ kind, id }: ListChange, { items, permits, vehicles }: ListStores): unknown {
  if (kind === 'permit') return permits.get(id);
  if (kind === 'vehicle') return vehicles.get(id);
  return items.get(kind, id);
}

function remove({ kind, id }: ListChange, { items, permits, vehicles }: ListStores): void {
  if (kind === 'permit') permits.remove(id);
  else if (kind === 'vehicle') vehicles.remove(id);
  else items.remove(kind, id);
}

function put(change: PutChange, { items, permits, vehicles }: ListStores): void {
  if (change.kind === 'permit') permits.put(change.item);
  else if (change.kind === 'vehicle') vehicles.put(change.id, change.item);
  else putItem(change, items);
}

export function putItem(change: ShortPut, items: ListItemStore): void {
  switch (change.kind) {
    case 'site':
      items.put('site', change.id, change.item);
      break;
    case 'product':
      items.put('product', change.id, change.item);
      break;
    case 'zone':
      items.put('zone', change.id, change.item);
      break;
    case 'camera':
      items.put('camera', change.id, change.item);
      break;
    case 'quota':
      items.put('quota', change.id, change.item);
      break;
    default:
      change satisfies never;
  }
}
