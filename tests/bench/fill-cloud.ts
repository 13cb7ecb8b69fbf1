import Database from 'better-sqlite3';
import { storedSiteId } from '../harness/stored-columns.ts';
import { plateOf } from './bench-plates.ts';

/** Visits of one plate, on the average. */
const VISITS_PER_PLATE = 50;
/** The year over which they are spread. */
export const BENCH_YEAR = { from: '2026-01-01', to: '2026-12-31', days: 365 };

/** The number of plates among this many visits. */
export function benchPlates(visits: number): number {
  return Math.max(1, Math.floor(visits / VISITS_PER_PLATE));
}

/**
 * Writes a year of visits, and the income of its days, straight into the cloud's database, which no program
 * has open. The indexes are made afterwards: the same as if they had grown, in a tenth of the time.
 */
export function fillCloud(path: string, siteId: string, visits: number): void {
  const db = new Database(path);
  const site = storedSiteId(siteId);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -524288');
  const indexes = db
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'visit' AND sql IS NOT NULL",
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  const plates = benchPlates(visits);
  db.function('plate_of', (i: number) => plateOf(i % plates));
  const moment = (minutes: number) =>
    `(${Date.parse(BENCH_YEAR.from)} + (i * ${BENCH_YEAR.days * 86_400} / ${visits} + ${minutes} * 60) * 1000)`;
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${visits})
    INSERT INTO visit (id, site_id, plate, plate_folded, status, payment_status, started_at, ended_at, created_at,
      amount_minor, currency, flags, modified_at)
    SELECT unhex(printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i), '-'), ${site}, plate_of(i), plate_of(i),
      'completed', 'kiosk', ${moment(0)}, ${moment(90)}, ${moment(0)}, 0, 'ISK', '[]', ${moment(90)}
    FROM n`);
  for (const { sql } of indexes) db.exec(sql);
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${BENCH_YEAR.days})
    INSERT INTO income (site_id, day, payment_type, vehicle_category, currency, invoices, amount_minor)
    SELECT ${site}, date('${BENCH_YEAR.from}', i || ' days'), type.value, category.value, 'ISK',
      ${Math.ceil(visits / BENCH_YEAR.days / 8)}, 500 * ${Math.ceil(visits / BENCH_YEAR.days / 8)}
    FROM n, json_each('["kiosk","online","company-invoice","owner-invoice"]') type,
      json_each('["light","heavy"]') category`);
  fillTotals(db, site);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** The totals of those visits (`records/totals`), of four cameras in eight hours a day, and of a thousand permits. */
function fillTotals(db: Database.Database, site: number | string): void {
  const movements = `
    SELECT started_at AS at, 1 AS arrivals, 0 AS departures, 0 AS minutes FROM visit WHERE site_id = ${site}
    UNION ALL SELECT ended_at, 0, 1, (ended_at - started_at) / 60000 FROM visit
      WHERE site_id = ${site} AND ended_at IS NOT NULL`;
  const sums = (periodEnd: string) => `sum(arrivals), sum(departures),
    sum((${periodEnd} - at) * (arrivals - departures)), sum(minutes), 0, sum(arrivals), sum(departures), 0, 0`;
  const columns = `arrivals, departures, inside_ms, stay_minutes, permit_stays, automatic, exits, doubtful_exits,
    device_faults`;
  db.exec(`
    DELETE FROM traffic WHERE site_id = ${site};
    DELETE FROM site_day WHERE site_id = ${site};
    INSERT INTO traffic (site_id, quarter, lane_id, ${columns})
    SELECT ${site}, at / 900000, '', ${sums('(at / 900000 + 1) * 900000')} FROM (${movements}) GROUP BY at / 900000;
    INSERT INTO site_day (site_id, day, ${columns})
    SELECT ${site}, date(at / 1000, 'unixepoch'), ${sums('(at / 86400000 + 1) * 86400000')} FROM (${movements})
    GROUP BY 2;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${BENCH_YEAR.days * 24})
    INSERT INTO camera_hour (site_id, hour, lane_id, camera_id, reads, unread, corrected, judged, matched)
    SELECT ${site}, ${Date.parse(BENCH_YEAR.from) / 3_600_000} + i, 'lane-' || lane.value, camera.value, 40, 1, 1, 40, 38
    FROM n, json_each('[1,2,3,4]') lane, json_each('["","camera"]') camera WHERE i % 24 BETWEEN 8 AND 15;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 1000)
    INSERT INTO permit_month (site_id, month, permit_id, stays, stay_minutes)
    SELECT ${site}, ${(Number(BENCH_YEAR.from.slice(0, 4)) - 1970) * 12} + month.value, 'permit-' || i, 20, 9000
    FROM n, json_each('[0,1,2,3,4,5,6,7,8,9,10,11]') month`);
}

/** Gives other sites the totals of one by day and camera, and its income. */
export function copyTotals(path: string, siteId: string, others: readonly string[]): void {
  const db = new Database(path);
  for (const table of ['site_day', 'camera_hour', 'income']) {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
    const rest = columns.filter((column) => column !== 'site_id').join(', ');
    for (const other of others) {
      db.exec(`INSERT INTO ${table} (site_id, ${rest}) SELECT ${storedSiteId(other)}, ${rest} FROM ${table}
        WHERE site_id = ${storedSiteId(siteId)}`);
    }
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
