import { expect, it } from 'vitest';
import { createTestApi } from '../../../../test/api.ts';
import { sql } from '../../../platform/db/sql.ts';
import { siteTable } from '../../../records/sites/site-table.ts';
import { newSiteId } from './new-site-id.ts';

const SHORT = 32_768;

it('is a number that no site has: of two bytes, or of four where hardly any is left', async () => {
  const api = await createTestApi();
  try {
    const drawn = async () => siteTable.id.mapToDriverValue(await api.db.read(newSiteId));
    expect(await drawn()).toBeLessThan(SHORT);
    await api.db.write(async ({ q }) => {
      await q.run(sql`
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${sql.raw(`${SHORT}`)})
        INSERT OR IGNORE INTO site (id, code, name, time_zone, currency, settings, created_at, modified_at)
        SELECT i, i, i, 'UTC', 'ISK', '{}', '', '' FROM n`);
    });
    expect(await drawn()).toBeGreaterThanOrEqual(SHORT);
  } finally {
    await api.close();
  }
});
