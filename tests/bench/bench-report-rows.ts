import { recountMonth } from '@hlid/cloud/records/totals/recount';
import { monthOf } from '@hlid/cloud/records/totals/stay-totals';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import Database from 'better-sqlite3';
import { storedSiteId } from '../harness/stored-columns.ts';
import { MANY } from './bench-cloud-rows.ts';
import { type BenchRow, count, ms } from './bench-table.ts';
import { BENCH_YEAR, fillCloud } from './fill-cloud.ts';
import { percentile } from './percentile.ts';

const SIZE = { visits: MANY, sites: 50, rounds: 20 };
const MAX_MS = 300;
const YEAR = `date.from=${BENCH_YEAR.from}&date.to=${BENCH_YEAR.to}`;

/** The reports of managers: each is read from totals, with a year of visits at one site and its totals at many. */
export async function benchReports(add: (row: BenchRow) => void, size = SIZE): Promise<void> {
  const api = await createTestApi();
  try {
    await fill(api, size);
    const siteId = api.site.id;
    const reports = {
      'overview of a year, all sites': `/reports/overview?${YEAR}&by=month`,
      'overview of a year by day, all sites': `/reports/overview?${YEAR}`,
      'overview of a month, all sites': '/reports/overview?date.from=2026-10-01&date.to=2026-10-31',
      'cars inside at a moment': `/reports/occupancy?siteId=${siteId}&at=2026-11-20T11:07:00.000Z`,
      'cars inside by hour, 31 days': `/reports/occupancy/hours?siteId=${siteId}&date.from=2026-10-01&date.to=2026-10-31`,
      'cameras, 93 days': '/reports/cameras?date.from=2026-08-01&date.to=2026-11-01',
      'permits of a year': `/reports/permits?${YEAR}`,
    };
    for (const [what, path] of Object.entries(reports)) {
      const times: number[] = [];
      for (let round = 0; round < size.rounds; round++) {
        const began = performance.now();
        const { status } = await api.call('GET', path);
        times.push(performance.now() - began);
        if (status !== 200) throw new Error(`${path}: ${status}`);
      }
      const p95 = percentile(times, 0.95);
      add({
        work: `cloud, ${what}, ${count(size.visits)} visits, p95`,
        ours: ms(p95),
        against: ms(MAX_MS),
        ratio: p95 / MAX_MS,
        goal: { atMost: 1 },
      });
    }
  } finally {
    await api.close();
  }
}

/** A year of visits at one site, with their totals; the other sites have the same days and cameras. */
async function fill(api: TestApi, { visits, sites }: typeof SIZE): Promise<void> {
  const { id: siteId } = api.site;
  const others: string[] = [];
  for (let n = 1; n < sites; n++) others.push((await api.addSite(`Site ${n}`)).id);
  fillCloud(api.dbPath, siteId, visits);
  const first = monthOf(`${BENCH_YEAR.from}T00:00:00.000Z`);
  for (let month = first; month <= first + 12; month++) {
    await api.db.write(({ q }) => recountMonth(q, { siteId, month }));
  }
  const db = new Database(api.dbPath);
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${BENCH_YEAR.days * 24})
    INSERT INTO camera_hour SELECT ${storedSiteId(siteId)}, ${Date.parse(BENCH_YEAR.from) / 3_600_000} + i, 'in-' || c.value,
      CASE c.value % 2 WHEN 0 THEN '' ELSE 'cam-' || c.value END, 40, 1, 1, 40, 38
    FROM n, json_each('[1,2,3,4,5,6,7,8]') c`);
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 1000)
    INSERT INTO permit_month SELECT ${storedSiteId(siteId)}, ${first} + m.value, 'permit-' || i, 20, 9000
    FROM n, json_each('[0,1,2,3,4,5,6,7,8,9,10,11]') m`);
  for (const other of others) {
    const site = storedSiteId(other);
    for (const table of ['site_day', 'camera_hour']) {
      const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
      const rest = columns.filter((column) => column !== 'site_id').join(', ');
      db.exec(`INSERT INTO ${table} (site_id, ${rest}) SELECT ${site}, ${rest} FROM ${table}
        WHERE site_id = ${storedSiteId(siteId)}`);
    }
    db.exec(`INSERT INTO income SELECT ${site}, day, payment_type, vehicle_category, currency, invoices, amount_minor, tips_minor
      FROM income WHERE site_id = ${storedSiteId(siteId)}`);
  }
  db.close();
}
