import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, preparedInsert } from '../db/prepared-insert.ts';
import { countRows, listRows, type PageOfRows } from '../http/list-rows.ts';
import { paymentTable as t, terminalDayTable } from './payment-table.ts';

export type PaymentRow = typeof t.$inferSelect;

const byId = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eq(t.id, sql.placeholder('id')))
    .prepare(),
);

export async function findPayment(q: Queries, id: string): Promise<PaymentRow | null> {
  return (await byId(q).get({ id })) ?? null;
}

const byReceiptKey = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eq(t.receiptKey, sql.placeholder('key')))
    .prepare(),
);

export async function paymentOfReceipt(q: Queries, key: string): Promise<PaymentRow | null> {
  return (await byReceiptKey(q).get({ key })) ?? null;
}

export const writePayment = preparedInsert(t, {
  target: t.id,
  set: fromNewRow(t, 'state', 'transaction', 'reason', 'needsPerson', 'receipt', 'changedAt'),
});

/** Whether it is a payment of what had been settled before. */
export async function markSettledTwice(q: Queries, id: string, settledTwice: boolean): Promise<void> {
  await q.update(t).set({ settledTwice }).where(eq(t.id, id));
}

/** A person has seen to what was settled twice of a visit. */
export async function clearSettledTwice(q: Queries, visitId: string): Promise<void> {
  await q
    .update(t)
    .set({ settledTwice: false })
    .where(and(eq(t.visitId, visitId), eq(t.settledTwice, true)));
}

/** As its index says it. */
const FOR_PERSON = sql`(needs_person = 1 OR settled_twice = 1)`;
const ORDER = { at: t.createdAt, id: t.id };

/** Payments that wait for a person, newest first, beyond a place. */
export async function listForPerson(q: Queries, page: PageOfRows): Promise<PaymentRow[]> {
  return await listRows(q, t, ORDER, FOR_PERSON, page);
}

export async function countForPerson(q: Queries): Promise<number> {
  return await countRows(q, t, FOR_PERSON);
}

/** Payments of what had been settled, about which nobody was written to. */
export async function unmailedPayments(q: Queries, since: string): Promise<PaymentRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(FOR_PERSON, eq(t.settledTwice, true), isNull(t.mailedAt), gte(t.changedAt, since)));
}

export async function markMailed(q: Queries, ids: readonly string[], mailedAt: string): Promise<void> {
  await q
    .update(t)
    .set({ mailedAt })
    .where(inArray(t.id, [...ids]));
}

export const addTerminalDay = preparedInsert(terminalDayTable, 'leave');
