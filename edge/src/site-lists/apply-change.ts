import { hash as digestOf } from 'node:crypto';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { addToHash, takeFromHash } from '@hlid/protocol/site-link/content-hash';
import type { ListChange, ListKind } from '@hlid/protocol/site-link/site-change';
import type { ListItemStore, ShortListKind } from './list-item-store.ts';
import type { PermitStore } from './permit-store.ts';
import type { VehicleStore } from './vehicle-store.ts';

type PutChange = Extract<ListChange, { op: 'put' }>;
/** Lists that are in use, or being built: the short ones together, each long one in a separate table. */
export interface ListStores {
  items: { get(kind: ShortListKind, id: string): unknown } & Pick<ListItemStore, 'put' | 'remove'>;
  permits: PermitStore;
  vehicles: VehicleStore;
}

/** The lists in use. */
export type LiveLists = Omit<ListStores, 'items'> & { items: ListItemStore };

/** A 128-bit digest of one item, for the content hash. */
export function itemDigest(kind: ListKind, id: string, item: unknown): string {
  return bodyDigest(kind, id, canonicalJson(item));
}

/** The same of an item that is canonical JSON already. */
export function bodyDigest(kind: ListKind, id: string, body: string): string {
  return digestOf('sha256', `${kind} ${id} ${body}`, 'hex').slice(0, 32);
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
  else items.put(change);
}
