import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import {
  type Actor,
  callerName,
  type OwnRows,
  ownRows,
  type RequestCaller,
  sitesOf,
} from '../../platform/http/caller.ts';
import { type Refused, refusedInput } from '../../platform/refused.ts';
import type { CollectionFileRow, CollectionItemRow } from '../../records/books/collection-table.ts';
import { commonTimeZone, siteById } from '../../records/sites/choose-site.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { type CollectedChange, collectedChange } from './collected-change.ts';
import type { NewCollectionFileBody } from './collection.ts';
import { MAX_INVOICES } from './collection.ts';
import { type CollectionItem, readCollectable, readCollected } from './collection-facts.ts';
import {
  type CollectionFilters,
  findCollectionFile,
  insertCollectionFile,
  itemsOf,
  overdueAfterNotice,
} from './collection-store.ts';

const auditFile = auditOf<CollectionFileRow & { invoiceIds: string[] }>('collection-file', (row) => row);

/** So many invoices are looked at for a page of those that may be handed over. */
const MAX_READ = 2 * MAX_INVOICES;

/** The invoices that may be handed to a collector now. */
export async function listCollectables(
  q: Queries,
  filters: CollectionFilters,
  own: OwnRows,
  at: UtcTime,
): Promise<{ items: CollectionItem[]; hasMore: boolean }> {
  // What is not real is claimed from no one.
  if (await isTrainingDatabase(q)) return { items: [], hasMore: false };
  const ids = await overdueAfterNotice(q, filters, own, { at, limit: MAX_READ });
  const items: CollectionItem[] = [];
  for (const id of ids) {
    if (items.length === MAX_INVOICES) return { items, hasMore: true };
    const item = await collectableNow(q, id, at);
    if (item !== null) items.push(item);
  }
  return { items, hasMore: ids.length === MAX_READ };
}

async function collectableNow(q: Queries, invoiceId: string, at: UtcTime): Promise<CollectionItem | null> {
  const read = await readCollectable(q, invoiceId, at);
  return read?.decision.kind === 'from' && read.decision.on <= read.today ? read.item : null;
}

interface Context {
  db: Db;
  publicUrl: () => string;
}

/** Hands invoices to a collector: all that are named, or none. */
export async function makeCollectionFile(
  { db, publicUrl }: Context,
  actor: Actor & { caller: RequestCaller },
  { invoiceIds }: NewCollectionFileBody,
): Promise<{ ok: true; id: string } | Refused> {
  const own = ownRows(actor.caller);
  const base = `${publicUrl()}/console`;
  return await db.write(async (tx) => {
    if (await isTrainingDatabase(tx.q)) return refusedInput(mistake('training-no-file'));
    const found: CollectionItem[] = [];
    for (const [n, id] of [...new Set(invoiceIds)].entries()) {
      const path = ['invoiceIds', n];
      const invoice = await findInvoice(tx.q, id, own);
      if (invoice === null) return refusedInput(mistake('no-such-invoice', path));
      const item = await collectableNow(tx.q, id, actor.at);
      const number = String(invoice.number ?? '–');
      if (item === null) return refusedInput(mistake('not-collectable', [], { number }));
      found.push(item);
    }
    const siteIds = [...new Set(found.map(({ siteId }) => siteId))];
    const siteId = siteIds.length === 1 ? (siteIds[0] ?? null) : null;
    // Only a person who sees every site would see the file.
    if (siteId === null && sitesOf(own) !== null) return refusedInput(mistake('collection-one-site'));
    const file: CollectionFileRow = {
      id: newId(),
      siteId,
      day: wallClock(actor.at, await zoneOf(tx.q, siteId)).date,
      invoices: found.length,
      totalMinor: found.reduce((sum, { openMinor, chargesMinor }) => sum + openMinor + chargesMinor, 0),
      createdAt: actor.at,
      createdBy: callerName(actor.caller),
    };
    const items = found.toSorted(byNumber).map(
      (item, n): CollectionItemRow => ({
        ...item,
        fileId: file.id,
        n,
        link: `${base}/${item.siteId ?? 'all'}/money/invoices/${item.invoiceId}`,
      }),
    );
    await insertCollectionFile(tx.q, file, items);
    await auditFile(tx, actor, 'collection-file.create', null, {
      ...file,
      invoiceIds: items.map(({ invoiceId }) => invoiceId),
    });
    return { ok: true, id: file.id };
  });
}

function byNumber(one: CollectionItem, other: CollectionItem): number {
  const [a, b] = [`${one.creditorId} ${one.invoiceId}`, `${other.creditorId} ${other.invoiceId}`];
  return one.number - other.number || (a < b ? -1 : 1);
}

async function zoneOf(q: Queries, siteId: string | null): Promise<string> {
  const site = siteId === null ? null : await siteById(q, siteId);
  return site?.timeZone ?? (await commonTimeZone(q));
}

export interface CollectedInvoice {
  item: CollectionItemRow;
  /** Null: nothing has changed since. */
  change: CollectedChange | null;
}

/** A file with what has changed since it was made; null: there is none. */
export async function readCollectionFile(
  q: Queries,
  id: string,
  at: UtcTime,
): Promise<{ file: CollectionFileRow; items: CollectedInvoice[] } | null> {
  const file = await findCollectionFile(q, id);
  if (file === null) return null;
  const timeZone = await zoneOf(q, file.siteId);
  const items: CollectedInvoice[] = [];
  for (const item of await itemsOf(q, id)) {
    const now = await readCollected(q, item, { handedAt: file.createdAt as UtcTime, at, timeZone });
    const handedMinor = item.openMinor + item.chargesMinor;
    const change = collectedChange({ handedMinor, creditedMinor: item.creditedMinor }, now);
    items.push({ item, change });
  }
  return { file, items };
}
