import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { sql } from '../../platform/db/sql.ts';
import { type InvoiceFilters, invoiceConditions } from './invoice-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const NOW = '2026-11-21T12:00:00.000Z';

/** How the database goes through the invoices for a page of a list. */
async function planOf(filters: InvoiceFilters): Promise<string[]> {
  const rows = await api.db.read(
    async (q) =>
      await q.all(
        sql`EXPLAIN QUERY PLAN SELECT * FROM invoice WHERE ${invoiceConditions(filters) ?? sql`1`}
          AND (created_at, rowid) < (${NOW}, 9) ORDER BY created_at DESC, rowid DESC LIMIT 51`,
      ),
  );
  return z
    .array(z.looseObject({ detail: z.string() }))
    .parse(rows)
    .map(({ detail }) => detail);
}

const CASES: [InvoiceFilters, string][] = [
  [{}, 'invoice_by_creation'],
  [{ from: NOW, before: NOW }, 'invoice_by_creation'],
  [{ waiting: true }, 'invoice_waiting'],
  [{ waiting: true, status: 'draft', customerId: 'c' }, 'invoice_waiting'],
  [{ status: 'paid' }, 'invoice_by_status'],
  [{ status: 'paid', remoteStatus: 'completed' }, 'invoice_by_accounting'],
  [{ remoteStatus: 'draft', before: NOW }, 'invoice_by_remote_status'],
  [{ customerId: 'c', status: 'paid', remoteStatus: 'draft' }, 'invoice_by_customer'],
  [{ payerSsn: '1201603389', customerId: 'c' }, 'invoice_by_payer'],
  [{ lastFour: '1234', payerSsn: '1201603389', status: 'paid' }, 'invoice_by_card'],
];

it.each(CASES)('%o is found in order by %s', async (filters, index) => {
  expect(await planOf(filters)).toEqual([expect.stringContaining(`SEARCH invoice USING INDEX ${index} (`)]);
});

it('is found by a number, and by a plate through its visits and charges', async () => {
  const byNumber = await planOf({ number: 1041, status: 'paid', from: NOW });
  // One of each seller: these few are sorted.
  expect(byNumber[0]).toContain('SEARCH invoice USING INDEX invoice_by_number (');
  const byPlate = (await planOf({ plateFolded: 'ABX12', status: 'paid', from: NOW })).join('\n');
  expect(byPlate).not.toContain('SCAN');
  expect(byPlate).toContain('visit_by_folded_plate');
});
