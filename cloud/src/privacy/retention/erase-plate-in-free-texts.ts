import { withoutTypedPlate } from '@hlid/protocol/plate/plate';
import { type AnySQLiteColumn, getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, eq, inArray, ne, type SQL, sql } from '../../platform/db/sql.ts';
import { idempotencyTable } from '../../platform/http/idempotency-table.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { approvalTable } from '../../records/approvals/approval-table.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { dayDifferenceTable } from '../../records/books/day-close-table.ts';
import { disputeMessageTable, disputeTable } from '../../records/disputes/dispute-table.ts';
import { onlinePaymentTable, onlineRefundTable } from '../../records/online-payments/online-payment-table.ts';
import { gateMovementTable } from '../../records/passages/passage-table.ts';
import { chargebackTable } from '../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { quotaTable } from '../../records/quotas/quota-table.ts';
import { reviewAnswerTable } from '../../records/review/review-table.ts';
import { visitStepTable } from '../../records/visits/visit-table.ts';
import { whitelistTable } from '../../records/whitelist/whitelist-table.ts';
import { zoneCorrectionTable } from '../../records/zones/zone-table.ts';

/** All that people type, and the rows in the audit log: each may contain any plate. */
const FREE_TEXTS: readonly { table: SQLiteTable; columns: readonly AnySQLiteColumn[] }[] = [
  { table: auditTable, columns: [auditTable.before, auditTable.after, auditTable.reason] },
  { table: visitStepTable, columns: [visitStepTable.reason] },
  { table: gateMovementTable, columns: [gateMovementTable.reason] },
  { table: whitelistTable, columns: [whitelistTable.reason] },
  {
    table: paymentTable,
    columns: [paymentTable.reason, paymentTable.receipt, paymentTable.lines],
  },
  { table: chargebackTable, columns: [chargebackTable.reasonCode, chargebackTable.evidence] },
  { table: onlinePaymentTable, columns: [onlinePaymentTable.payerName] },
  { table: onlineRefundTable, columns: [onlineRefundTable.reason] },
  { table: photoTable, columns: [photoTable.plateRaw, photoTable.candidates] },
  {
    table: reviewAnswerTable,
    columns: [reviewAnswerTable.plate, reviewAnswerTable.readPlate, reviewAnswerTable.undo],
  },
  { table: accountTable, columns: [accountTable.comment] },
  { table: quotaTable, columns: [quotaTable.name] },
  { table: zoneCorrectionTable, columns: [zoneCorrectionTable.reason] },
  { table: disputeTable, columns: [disputeTable.text, disputeTable.answer, disputeTable.evidence] },
  { table: disputeMessageTable, columns: [disputeMessageTable.text] },
  { table: approvalTable, columns: [approvalTable.reason, approvalTable.answer, approvalTable.args] },
  { table: dayDifferenceTable, columns: [dayDifferenceTable.reason, dayDifferenceTable.answer] },
  { table: idempotencyTable, columns: [idempotencyTable.body] },
];

/** The names of a plate in the rows that the audit log shows. */
const PLATE_KEYS = new Set(['plate', 'plateFolded', 'plateRaw']);

/**
 * Removes the plates of visits from their history and from the audit log, including those from before a
 * correction. The rest of the entries stays.
 */
export async function erasePlatesInHistory(
  q: Queries,
  visits: readonly { id: string; plate: string | null }[],
): Promise<void> {
  const ids = visits.map(({ id }) => id);
  const plates = new Map(visits.map(({ id, plate }) => [id, new Set(plate === null ? [] : [plate])]));
  const a = auditTable;
  const lines = await q
    .select({ id: a.id, subjectId: a.subjectId, before: a.before, after: a.after, reason: a.reason })
    .from(a)
    .where(and(eq(a.subject, 'visit'), inArray(a.subjectId, ids)));
  for (const { subjectId, before, after } of lines) {
    for (const found of [before, after].flatMap(platesIn)) plates.get(subjectId)?.add(found);
  }
  for (const { id, subjectId, before, after, reason } of lines) {
    const own = plates.get(subjectId) ?? new Set();
    const json = (value: unknown): unknown =>
      value === null ? null : JSON.parse(JSON.stringify(value), (_key, some: unknown) => nameless(some, own));
    const fields = { before: json(before), after: json(after), reason: reason && withoutAll(reason, own) };
    await q.update(a).set(fields).where(eq(a.id, id));
  }
  const s = visitStepTable;
  const steps = await q
    .select({ id: s.id, visitId: s.visitId, reason: s.reason })
    .from(s)
    .where(and(inArray(s.visitId, ids), ne(s.reason, '')));
  for (const { id, visitId, reason } of steps) {
    const text = withoutAll(reason, plates.get(visitId) ?? new Set());
    if (text !== reason) await q.update(s).set({ reason: text }).where(eq(s.id, id));
  }
}

function platesIn(row: unknown): string[] {
  if (typeof row !== 'object' || row === null) return [];
  return Object.entries(row).flatMap(([key, value]) =>
    PLATE_KEYS.has(key) && typeof value === 'string' && value !== '' ? [value] : [],
  );
}

/** The value without plates: one that is a plate as a whole becomes null, as in the visit itself. */
function nameless(value: unknown, plates: ReadonlySet<string>): unknown {
  if (typeof value !== 'string') return value;
  return plates.has(value) ? null : withoutAll(value, plates);
}

function withoutAll(text: string, plates: ReadonlySet<string>): string {
  let rest = text;
  for (const plate of plates) rest = withoutTypedPlate(rest, plate);
  return rest;
}

/** Rows that are checked in one transaction: others get their turn in between. */
const AT_ONCE = 1000;

/** Removes a plate from free texts, table by table, where it stands as a word. The rest of the texts stays. */
export async function erasePlateInFreeTexts(db: Db, plate: string): Promise<void> {
  for (const { table, columns } of FREE_TEXTS) {
    const name = sql.identifier(getTableConfig(table).name);
    const names = columns.map((column) => sql.identifier(column.name));
    const last = await db.read(async (q) => await lastRow(q, name));
    for (let after = 0; after < last; after += AT_ONCE) {
      const rows = sql`rowid > ${after} AND rowid <= ${after + AT_ONCE}`;
      const found = await db.read(async (q) => await rowsNaming(q, { name, names, rows }, plate));
      if (found.length === 0) continue;
      await db.write(async ({ q }) => {
        for (const { row, texts } of await rowsNaming(q, { name, names, rows }, plate)) {
          const set = sql.join(
            names.map((column, n) => sql`${column} = ${without(texts[n] ?? null, plate)}`),
            sql`, `,
          );
          await q.run(sql`UPDATE ${name} SET ${set} WHERE rowid = ${row}`);
        }
      });
    }
  }
}

async function lastRow(q: Queries, name: Window['name']): Promise<number> {
  const [found] = await q.all<{ last: number | null }>(sql`SELECT max(rowid) AS last FROM ${name}`);
  return found?.last ?? 0;
}

interface Window {
  name: ReturnType<typeof sql.identifier>;
  names: readonly ReturnType<typeof sql.identifier>[];
  rows: SQL;
}

/** The rows of a window with the plate in their texts, and these texts. */
async function rowsNaming(
  q: Queries,
  { name, names, rows }: Window,
  plate: string,
): Promise<{ row: number; texts: (string | null)[] }[]> {
  const columns = sql.join(
    names.map((column, n) => sql`${column} AS ${sql.identifier(`text${n}`)}`),
    sql`, `,
  );
  const likely = sql.join(
    names.map((column) => sql`instr(upper(replace(replace(${column}, ' ', ''), '-', '')), ${plate}) > 0`),
    sql` OR `,
  );
  const found = await q.all<Record<string, unknown>>(
    sql`SELECT rowid AS row, ${columns} FROM ${name} WHERE ${rows} AND (${likely})`,
  );
  return found
    .map((some) => ({ row: Number(some['row']), texts: names.map((_, n) => textOf(some[`text${n}`])) }))
    .filter(({ texts }) => texts.some((text) => text !== without(text, plate)));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function without(text: string | null, plate: string): string | null {
  return text && withoutTypedPlate(text, plate);
}
