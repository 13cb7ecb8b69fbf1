import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { sql } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { type EntryFilters, entryConditions } from './entry-filters.ts';
import { countLiveEntries } from './whitelist-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const ALL: OwnRows = { all: true, siteIds: null };
const OWN: OwnRows = { all: false, customerId: 'c1', author: 'account:a' };
const ALONE: OwnRows = { all: false, customerId: null, author: 'account:a' };
const NOW = '2026-11-21T12:00:00.000Z';

/** How the database goes through the entries for a page of a list. */
async function plansOf(filters: EntryFilters, own: OwnRows): Promise<string[]> {
  return await api.db.read(async (q) => {
    const plans: string[] = [];
    for (const condition of entryConditions(filters, { own, now: NOW })) {
      const rows = await q.all(
        sql`EXPLAIN QUERY PLAN SELECT * FROM whitelist_entry WHERE ${condition}
          AND (created_at, id) < (${NOW}, 'x') ORDER BY created_at DESC, id DESC LIMIT 51`,
      );
      plans.push(
        ...z
          .array(z.looseObject({ detail: z.string() }))
          .parse(rows)
          .map(({ detail }) => detail),
      );
    }
    return plans;
  });
}

const CASES: [EntryFilters, OwnRows, string][] = [
  [{}, ALL, 'whitelist_listed'],
  [{ status: 'all' }, ALL, 'whitelist_by_creation'],
  [{ status: 'paused' }, ALL, 'whitelist_by_status'],
  [{ status: 'deleted' }, ALL, 'whitelist_by_status'],
  [{ active: true }, ALL, 'whitelist_by_status'],
  [{ active: false }, ALL, 'whitelist_listed'],
  [{ collection: 'staff', active: true }, ALL, 'whitelist_by_collection'],
  [{ collection: 'staff' }, OWN, 'whitelist_by_customer'],
  [{ customer: 'c1', active: true }, ALL, 'whitelist_by_customer'],
  [{ expire: true }, ALONE, 'whitelist_by_author'],
  [{ expire: true }, ALL, 'whitelist_expiring'],
  [{ expire: NOW }, ALL, 'whitelist_expiring'],
  [{ expire: false }, ALL, 'whitelist_by_expiry'],
  [{ type: 'permanent' }, ALL, 'whitelist_by_type'],
  [{ type: 'temporary' }, ALL, 'whitelist_temporary'],
  [{ objectType: 'block' }, ALL, 'whitelist_blocks'],
  [{ objectType: 'allow' }, ALL, 'whitelist_listed'],
  [{ siteId: 's1' }, ALL, 'whitelist_by_site'],
];

it.each(CASES)('%o is found in order by an index: %o', async (filters, own, index) => {
  const plans = await plansOf(filters, own);
  expect(plans).toEqual(plans.map(() => expect.stringContaining(` USING INDEX ${index} (`)));
  expect(plans).toEqual(plans.map(() => expect.stringMatching(/^SEARCH /)));
});

it('the beginning of a reason is found by its index; what is found is sorted', async () => {
  const plans = await plansOf({ reason: 'Staff', status: 'active' }, ALL);
  expect(plans[0]).toContain(
    'SEARCH whitelist_entry USING INDEX whitelist_by_reason (reason>? AND reason<?)',
  );
});

it('counts the permits of an account without a look at those that have expired', async () => {
  const texts: string[] = [];
  const counted = await createTestApi({}, (text) => texts.push(text));
  try {
    texts.length = 0;
    await counted.db.read((q) => countLiveEntries(q, 'account:a', NOW, 10));
    const plans = await counted.db.read(async (q) =>
      (await Promise.all(texts.map((text) => q.all(sql`EXPLAIN QUERY PLAN ${sql.raw(text)}`)))).flat(),
    );
    const details = z.array(z.looseObject({ detail: z.string() })).parse(plans);
    expect(details.map(({ detail }) => detail)).toEqual([
      'SEARCH whitelist_entry USING INDEX whitelist_live (author=? AND expire_at=?)',
      'SEARCH whitelist_entry USING INDEX whitelist_live (author=? AND expire_at>?)',
    ]);
  } finally {
    await counted.close();
  }
});
