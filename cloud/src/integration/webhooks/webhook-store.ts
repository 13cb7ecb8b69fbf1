import type { Queries } from '../../platform/db/db.ts';
import { and, asc, desc, eq, inArray, lt, lte } from '../../platform/db/sql.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { integrationEventTable as e } from '../../records/webhooks/integration-event-table.ts';
import { webhookDeliveryTable as d, webhookTable as t } from '../../records/webhooks/webhook-table.ts';
import type { DeliveryRow, WebhookRow } from './webhook.ts';

export async function listWebhooks(q: Queries): Promise<WebhookRow[]> {
  return await q.select().from(t).orderBy(desc(t.createdAt), desc(t.id));
}

export async function findWebhook(q: Queries, id: string): Promise<WebhookRow | null> {
  const [webhook] = await q.select().from(t).where(eq(t.id, id));
  return webhook ?? null;
}

export async function insertWebhook(q: Queries, row: WebhookRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateWebhook(q: Queries, id: string, fields: Partial<WebhookRow>): Promise<void> {
  await q.update(t).set(fields).where(eq(t.id, id));
}

export async function deleteWebhook(q: Queries, id: string): Promise<void> {
  await q.delete(t).where(eq(t.id, id));
}

export async function insertDelivery(q: Queries, row: DeliveryRow): Promise<void> {
  await q.insert(d).values(row);
}

const ORDER: ListOrder = { at: d.at, id: d.id };

export async function listDeliveries(
  q: Queries,
  webhookId: string,
  page: PageOfRows,
): Promise<DeliveryRow[]> {
  return await listRows(q, d, ORDER, eq(d.webhookId, webhookId), page);
}

export async function countDeliveries(q: Queries, webhookId: string): Promise<number> {
  return await countRows(q, d, eq(d.webhookId, webhookId));
}

/** Deletes events and deliveries from before a moment, `rows` at most. @returns whether there may be more */
export async function forgetBefore(q: Queries, before: string, rows: number): Promise<boolean> {
  // The oldest are found by number: an index by age would be one more write at every event.
  const oldest = await q.select({ n: e.n, at: e.at }).from(e).orderBy(asc(e.n)).limit(rows);
  const events = oldest.filter(({ at }) => at < before);
  const last = events.at(-1)?.n;
  if (last !== undefined) await q.delete(e).where(and(lt(e.at, before), lte(e.n, last)));
  const deliveries = await q.select({ id: d.id }).from(d).where(lt(d.at, before)).limit(rows);
  if (deliveries.length > 0) {
    await q.delete(d).where(
      inArray(
        d.id,
        deliveries.map(({ id }) => id),
      ),
    );
  }
  return events.length === rows || deliveries.length === rows;
}
