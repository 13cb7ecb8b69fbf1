import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SiteThing } from '../people/auth/route-access.ts';
import type { Queries } from '../platform/db/db.ts';
import { eq } from '../platform/db/sql.ts';
import { approvalTable } from '../records/approvals/approval-table.ts';
import { claimTable } from '../records/books/claim-table.ts';
import { collectionFileTable } from '../records/books/collection-table.ts';
import { dayCloseTable } from '../records/books/day-close-table.ts';
import { moneyAccountTable } from '../records/books/money-account-table.ts';
import { moneyFileTable } from '../records/books/money-file-table.ts';
import { reminderTable } from '../records/books/reminder-table.ts';
import { callTable } from '../records/calls/call-table.ts';
import { cameraTable } from '../records/cameras/camera-table.ts';
import { disputeTable } from '../records/disputes/dispute-table.ts';
import { invoiceTable } from '../records/invoices/invoice-table.ts';
import { matchProposalTable } from '../records/matching/match-table.ts';
import { kioskOrderTable, paymentTable } from '../records/payments/payment-table.ts';
import { photoTable } from '../records/photos/photo-table.ts';
import { productTable } from '../records/products/product-table.ts';
import { siteTable } from '../records/sites/site-table.ts';
import { visitTable } from '../records/visits/visit-table.ts';
import { whitelistTable } from '../records/whitelist/whitelist-table.ts';
import { zoneTable } from '../records/zones/zone-table.ts';

interface Place {
  table: SQLiteTable;
  id: SQLiteColumn;
  siteId: SQLiteColumn;
}

const MONEY_FILE: Place = {
  table: moneyFileTable,
  id: moneyFileTable.id,
  siteId: moneyFileTable.siteId,
};

const PLACES: Readonly<Record<Exclude<SiteThing, 'site'>, Place>> = {
  camera: { table: cameraTable, id: cameraTable.id, siteId: cameraTable.siteId },
  zone: { table: zoneTable, id: zoneTable.id, siteId: zoneTable.siteId },
  product: { table: productTable, id: productTable.id, siteId: productTable.siteId },
  photo: { table: photoTable, id: photoTable.id, siteId: photoTable.siteId },
  picture: { table: photoTable, id: photoTable.id, siteId: photoTable.siteId },
  visit: { table: visitTable, id: visitTable.id, siteId: visitTable.siteId },
  'match-proposal': {
    table: matchProposalTable,
    id: matchProposalTable.id,
    siteId: matchProposalTable.siteId,
  },
  'whitelist-entry': { table: whitelistTable, id: whitelistTable.id, siteId: whitelistTable.siteId },
  invoice: { table: invoiceTable, id: invoiceTable.id, siteId: invoiceTable.siteId },
  call: { table: callTable, id: callTable.id, siteId: callTable.siteId },
  dispute: { table: disputeTable, id: disputeTable.id, siteId: disputeTable.siteId },
  approval: { table: approvalTable, id: approvalTable.id, siteId: approvalTable.siteId },
  'money-account': {
    table: moneyAccountTable,
    id: moneyAccountTable.id,
    siteId: moneyAccountTable.siteId,
  },
  'settlement-file': MONEY_FILE,
  'bank-statement': MONEY_FILE,
  'day-close': { table: dayCloseTable, id: dayCloseTable.id, siteId: dayCloseTable.siteId },
  claim: { table: claimTable, id: claimTable.id, siteId: claimTable.siteId },
  reminder: { table: reminderTable, id: reminderTable.id, siteId: reminderTable.siteId },
  'collection-file': {
    table: collectionFileTable,
    id: collectionFileTable.id,
    siteId: collectionFileTable.siteId,
  },
  payment: { table: paymentTable, id: paymentTable.id, siteId: paymentTable.siteId },
};

const KIOSK_ORDER: Place = {
  table: kioskOrderTable,
  id: kioskOrderTable.id,
  siteId: kioskOrderTable.siteId,
};

/**
 * A collected invoice is of several sites, and for those who see them all; so are a dispute and a request about it, and an
 * account with a bank and its files.
 */
const SEVERAL_SITES = '';
const SEVERAL: readonly SiteThing[] = [
  'invoice',
  'dispute',
  'approval',
  'money-account',
  'settlement-file',
  'bank-statement',
  'claim',
  'reminder',
  'collection-file',
];

/** The site of a thing; null: it is of every site; undefined: there is no such thing. */
export async function siteOfThing(
  q: Queries,
  thing: SiteThing,
  id: string,
): Promise<string | null | undefined> {
  if (thing === 'site') {
    const site = await q.select({ id: siteTable.id }).from(siteTable).where(eq(siteTable.id, id)).get();
    return site?.id;
  }
  const { table, id: idColumn, siteId } = PLACES[thing];
  const row = await q.select({ siteId }).from(table).where(eq(idColumn, id)).get();
  // The invoice of a payment at a terminal has the payment's id before it is there.
  if (row === undefined && thing === 'invoice') return await siteOfPayment(q, id);
  if (row === undefined) return undefined;
  const found = typeof row.siteId === 'string' ? row.siteId : null;
  return found === null && SEVERAL.includes(thing) ? SEVERAL_SITES : found;
}

async function siteOfPayment(q: Queries, id: string): Promise<string | undefined> {
  for (const { table, id: idColumn, siteId } of [PLACES.payment, KIOSK_ORDER]) {
    const row = await q.select({ siteId }).from(table).where(eq(idColumn, id)).get();
    if (typeof row?.siteId === 'string') return row.siteId;
  }
  return undefined;
}
