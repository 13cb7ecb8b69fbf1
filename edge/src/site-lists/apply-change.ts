import { createHash } from 'node:crypto';
import { addToHash, itemText, takeFromHash } from '@hlid/protocol/content-hash';
import type { ListKind, SiteChangeBody } from '@hlid/protocol/site-change';
import type { ListItemStore } from './list-item-store.ts';
import type { PermitStore } from './permit-store.ts';

export type ListChange = Extract<SiteChangeBody, { kind: ListKind }>;

/** A 128-bit digest of one item, for the content hash. */
export function itemDigest(kind: ListKind, id: string, item: unknown): string {
  return createHash('sha256')
    .update(itemText(kind, id, item))
    .digest('hex')
    .slice(0, 32);
}

/** Applies a change to the lists and returns their hash after it. */
export function applyListChange(
  change: ListChange,
  lists: { items: ListItemStore; permits: PermitStore },
  hash: string,
): string {
  const before = current(change, lists);
  let after = before === undefined ? hash : takeFromHash(hash, itemDigest(change.kind, change.id, before));
  if (change.op === 'remove') {
    if (change.kind === 'permit') lists.permits.remove(change.id);
    else lists.items.remove(change.kind, change.id);
    return after;
  }
  if (change.kind === 'permit') lists.permits.put(change.item);
  else putItem(change, lists.items);
  after = addToHash(after, itemDigest(change.kind, change.id, change.item));
  return after;
}

function current(change: ListChange, lists: { items: ListItemStore; permits: PermitStore }): unknown {
  return change.kind === 'permit' ? lists.permits.get(change.id) : lists.items.get(change.kind, change.id);
}

export function putItem(
  change: Exclude<Extract<ListChange, { op: 'put' }>, { kind: 'permit' }>,
  items: ListItemStore,
): void {
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
    default:
      change satisfies never;
  }
}
