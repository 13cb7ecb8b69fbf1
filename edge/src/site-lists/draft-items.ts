import type { ListStores, ShortPut } from './apply-change.ts';
import type { ShortListKind } from './list-item-store.ts';

/** The short lists of a snapshot while it comes in. */
export type DraftItems = ListStores['items'] & { puts(): Iterable<ShortPut> };

export function createDraftItems(): DraftItems {
  const drafts = new Map<string, ShortPut>();
  const key = (kind: ShortListKind, id: string) => `${kind} ${id}`;
  return {
    get: (kind, id) => drafts.get(key(kind, id))?.item,
    put: (change) => void drafts.set(key(change.kind, change.id), change),
    remove: (kind, id) => void drafts.delete(key(kind, id)),
    puts: () => drafts.values(),
  };
}
