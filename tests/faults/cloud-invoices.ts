import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyBatch } from '@hlid/cloud/integration/ingest/apply-batch';
import { readBatch } from '@hlid/cloud/integration/ingest/read-batch';
import { openDb } from '@hlid/cloud/platform/db/libsql-db';
import { invoiceTable } from '@hlid/cloud/records/invoices/invoice-table';
import { batchText } from '@hlid/cloud/test/sample-events';
import { MAX_BATCH_EVENTS } from '@hlid/protocol/site-link/envelope';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';

/**
 * The invoices that the cloud makes from a site's events, some of which come twice, as after a lost answer.
 */
export async function cloudInvoices(epoch: string, events: readonly SiteEvent[]) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-invoices-'));
  const db = await openDb(join(folder, 'cloud.db'));
  const clock = { now: () => new Date(events.at(-1)?.at ?? 0) };
  try {
    for (let from = 0; from < events.length; from += MAX_BATCH_EVENTS) {
      const batch = readBatch(Buffer.from(batchText(epoch, events.slice(from, from + MAX_BATCH_EVENTS))));
      if (!batch.ok) throw new Error(batch.reason);
      const times = (from / MAX_BATCH_EVENTS) % 3 === 0 ? 2 : 1;
      for (let time = 0; time < times; time++) {
        const { rejected } = await applyBatch(db, clock, { siteId: 'site-1', ...batch });
        if (rejected.length > 0) throw new Error(`The cloud does not take ${JSON.stringify(rejected[0])}`);
      }
    }
    const { id, status, visitId, amountMinor } = invoiceTable;
    return await db.read((q) => q.select({ id, status, visitId, amountMinor }).from(invoiceTable));
  } finally {
    await db.close();
    rmSync(folder, { recursive: true });
  }
}
