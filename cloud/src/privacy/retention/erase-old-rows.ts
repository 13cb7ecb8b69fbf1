import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db, Tx } from '../../platform/db/db.ts';
import { hasWord } from '../../platform/db/short-json.ts';
import { and, asc, eq, gte, inArray, isNotNull, lt, ne, or, type SQL } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { claimTable } from '../../records/books/claim-table.ts';
import { collectionItemTable } from '../../records/books/collection-table.ts';
import { bankEntryTable, NAMED_ENTRY } from '../../records/books/money-file-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { eInvoiceTable } from '../../records/invoices/e-invoice-table.ts';
import { type InvoiceLine, invoiceTable } from '../../records/invoices/invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import {
  gateMovementTable,
  laneAlertTable,
  passageDecisionTable,
} from '../../records/passages/passage-table.ts';
import { payOrderTable } from '../../records/pay/pay-order-table.ts';
import { chargebackTable } from '../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import type { ErasedKind } from '../../records/retention/retention-table.ts';
import { rejectedEventTable } from '../../records/sites/event-cursor-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { eraseBookings } from './erase-online-payers.ts';
import { inTurns } from './in-turns.ts';
import { logErased, retentionActor } from './retention-log.ts';

interface When {
  before: UtcTime;
  now: UtcTime;
}

/**
 * Deletes rows of a table that are older than a moment, up to a limit. @returns the number of deleted rows
 */
async function deleteOld(
  tx: Tx,
  table: SQLiteTable,
  columns: { id: SQLiteColumn; at: SQLiteColumn },
  before: UtcTime,
  limit: number,
  also?: SQL,
): Promise<number> {
  const { id, at } = columns;
  const old = tx.q
    .select({ id })
    .from(table)
    .where(and(lt(at, before), also))
    .orderBy(asc(at))
    .limit(limit);
  const gone = await tx.q.delete(table).where(inArray(id, old)).returning({ id });
  return gone.length;
}

/**
 * Erases passages, gate movements and alerts: they serve to find faults, not for the books.
 *
 * @returns a function that deletes up to `limit` rows in one transaction, and returns their number: site by
 * site, as they are indexed
 */
export function passageEraser(db: Db, { before, now }: When, limit: number): () => Promise<number> {
  /** The site at which it stopped: earlier sites have nothing left. */
  let from: string | null = null;
  return () =>
    db.write(async (tx) => {
      const later = from === null ? undefined : gte(siteTable.id, from);
      const sites = await tx.q
        .select({ id: siteTable.id })
        .from(siteTable)
        .where(later)
        .orderBy(asc(siteTable.id));
      let rows = 0;
      const tables = [passageDecisionTable, gateMovementTable, laneAlertTable];
      await inTurns(sites, async (some) => {
        for (const [siteId, table] of some.flatMap(({ id }) => tables.map((table) => [id, table] as const))) {
          if (rows >= limit) return;
          from = siteId;
          rows += await deleteOld(tx, table, table, before, limit - rows, eq(table.siteId, siteId));
        }
      });
      await tx.q.delete(rejectedEventTable).where(lt(rejectedEventTable.receivedAt, before));
      await logErased(tx, { kind: 'passage', rows, before }, retentionActor(now));
      return rows;
    });
}

export async function eraseAuditLines(db: Db, { before, now }: When, limit: number): Promise<number> {
  return await oldOnes(db, 'audit-line', auditTable, auditTable, { before, now }, limit);
}

/** Orders of the payment page: a page that comes back after that finds only its visit. */
export async function erasePayOrders(db: Db, { before, now }: When, limit: number): Promise<number> {
  const columns = { id: payOrderTable.key, at: payOrderTable.createdAt };
  return await oldOnes(db, 'pay-order', payOrderTable, columns, { before, now }, limit);
}

/** Mail that went out, or was given up. */
export async function eraseMail(db: Db, { before, now }: When, limit: number): Promise<number> {
  return await db.write(async (tx) => {
    const columns = { id: mailTable.id, at: mailTable.createdAt };
    const rows = await deleteOld(tx, mailTable, columns, before, limit, ne(mailTable.status, 'waiting'));
    await logErased(tx, { kind: 'mail', rows, before }, retentionActor(now));
    return rows;
  });
}

async function oldOnes(
  db: Db,
  kind: ErasedKind,
  table: SQLiteTable,
  columns: { id: SQLiteColumn; at: SQLiteColumn },
  { before, now }: When,
  limit: number,
): Promise<number> {
  return await db.write(async (tx) => {
    const rows = await deleteOld(tx, table, columns, before, limit);
    await logErased(tx, { kind, rows, before }, retentionActor(now));
    return rows;
  });
}

/** Removes payers and plates from invoices past the bookkeeping law's retention; the amounts stay. */
export async function eraseInvoicePayers(db: Db, { before, now }: When, limit: number): Promise<number> {
  const t = invoiceTable;
  return await db.write(async (tx) => {
    const named = or(
      ...[t.payerSsn, t.payerName, t.soldTo, t.email, t.visitId].map((column) => isNotNull(column)),
      hasWord(t.lines, ',"plate":"'),
    );
    const old = await tx.q
      .select({ id: t.id, lines: t.lines })
      .from(t)
      .where(and(lt(t.createdAt, before), named))
      .orderBy(asc(t.createdAt))
      .limit(limit);
    await inTurns(old, async (some) => {
      for (const { id, lines } of some) {
        const nameless = lines.map((line): InvoiceLine => ({ ...line, plate: null, visitId: null }));
        const names = { payerSsn: null, payerName: null, soldTo: null, email: null };
        const fields = { ...names, visitId: null, lines: nameless };
        await tx.q.update(t).set(fields).where(eq(t.id, id));
        await tx.q.delete(eInvoiceTable).where(eq(eInvoiceTable.id, id));
        await tx.q.update(claimTable).set({ payorId: '' }).where(eq(claimTable.invoiceId, id));
        const debtor = { debtorName: null, debtorId: null };
        await tx.q.update(collectionItemTable).set(debtor).where(eq(collectionItemTable.invoiceId, id));
        await tx.q.update(chargeTable).set({ plate: null }).where(eq(chargeTable.invoiceId, id));
      }
    });
    await logErased(tx, { kind: 'invoice-payer', rows: old.length, before }, retentionActor(now));
    return old.length;
  });
}

/** Removes names and texts from entries of banks past the bookkeeping law's retention; the amounts stay. */
export async function eraseBankNames(db: Db, { before, now }: When, limit: number): Promise<number> {
  const t = bankEntryTable;
  return await db.write(async (tx) => {
    const old = await tx.q
      .select({ fileId: t.fileId, n: t.n })
      .from(t)
      .where(and(lt(t.bookedOn, before.slice(0, 'YYYY-MM-DD'.length)), NAMED_ENTRY))
      .orderBy(asc(t.bookedOn))
      .limit(limit);
    for (const { fileId, n } of old) {
      const entry = and(eq(t.fileId, fileId), eq(t.n, n));
      await tx.q.update(t).set({ counterpart: null, text: null }).where(entry);
    }
    await logErased(tx, { kind: 'bank-name', rows: old.length, before }, retentionActor(now));
    return old.length;
  });
}

/** Removes cards and slips from payments past the bookkeeping law's retention; their receipts are no longer available. */
export async function erasePaymentCards(db: Db, { before, now }: When, limit: number): Promise<number> {
  const t = paymentTable;
  return await db.write(async (tx) => {
    const old = tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(lt(t.createdAt, before), or(isNotNull(t.receiptKey), isNotNull(t.transaction))))
      .orderBy(asc(t.createdAt))
      .limit(limit);
    const nameless = { transaction: null, receipt: [], receiptKey: null };
    const erased = await tx.q.update(t).set(nameless).where(inArray(t.id, old)).returning({ id: t.id });
    const ids = erased.map(({ id }) => id);
    if (ids.length > 0) {
      await tx.q.delete(chargebackTable).where(inArray(chargebackTable.paymentId, ids));
    }
    await eraseBookings(tx.q, ids);
    await logErased(tx, { kind: 'payment-card', rows: erased.length, before }, retentionActor(now));
    return erased.length;
  });
}
