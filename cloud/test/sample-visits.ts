import { sql } from 'drizzle-orm';
import type { Db } from '../src/platform/db/db.ts';

/**
 * Adds this number of visits of a site, one a minute from a moment on, straight into the database, for tests.
 * Their plates are `ABX0` to `ABX999` in turn; every third has ended after an hour and a half, paid at the
 * kiosk.
 */
export async function addSampleVisits(
  db: Db,
  { siteId, from, count }: { siteId: string; from: string; count: number },
): Promise<void> {
  const minute = (offset: number) => sql.raw(`(${Date.parse(from)} + (i + ${offset}) * 60000)`);
  await db.write(async ({ q }) => {
    await q.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})
      INSERT INTO visit (id, site_id, plate, plate_folded, status, payment_status, started_at, ended_at, created_at,
        amount_minor, currency, flags, modified_at)
      SELECT printf('%08x-0000-4000-8000-%012x', i, i), ${siteId}, 'ABX' || (i % 1000), 'A8X' || (i % 1000),
        iif(i % 3 = 0, 'completed', 'new'), iif(i % 3 = 0, 'kiosk', NULL),
        ${minute(0)}, iif(i % 3 = 0, ${minute(90)}, NULL), ${minute(0)},
        iif(i % 3 = 0, 0, 500), 'ISK', '[]', ${minute(0)}
      FROM n`);
  });
}
