import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { type SQL, sql } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { type QuotaFilters, quotaCondition } from '../../records/quotas/quota-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const ALL: OwnRows = { all: true, siteIds: null };
const OWN: OwnRows = { all: false, customerId: 'c1', author: 'account:a' };

async function planOf(condition: SQL | undefined): Promise<string[]> {
  return await api.db.read(async (q) => {
    const rows = await q.all(
      sql`EXPLAIN QUERY PLAN SELECT * FROM customer_quota WHERE ${condition}
        AND (created_at, id) < (${api.now()}, 'x') ORDER BY created_at DESC, id DESC LIMIT 51`,
    );
    return z
      .array(z.looseObject({ detail: z.string() }))
      .parse(rows)
      .map(({ detail }) => detail);
  });
}

const CASES: [QuotaFilters, OwnRows, string][] = [
  [{}, ALL, 'quota_by_creation'],
  [{ customer: 'c1' }, ALL, 'quota_by_customer'],
  [{ product: 'p1' }, ALL, 'quota_by_product'],
  [{ customer: 'c1', product: 'p1' }, ALL, 'quota_by_customer'],
  [{}, OWN, 'quota_by_customer'],
  [{ product: 'p1' }, OWN, 'quota_by_customer'],
];

it.each(CASES)('%o is found in order by an index: %o', async (filters, own, index) => {
  expect(await planOf(quotaCondition(filters, own))).toEqual([
    expect.stringContaining(`SEARCH customer_quota USING INDEX ${index} (`),
  ]);
});
