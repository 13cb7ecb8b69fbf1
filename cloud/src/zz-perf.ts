import Database from 'libsql';
import { createTestApi } from './test-api.ts';
const api = await createTestApi();
// find db file
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
const dir = readdirSync(tmpdir()).filter((n) => n.startsWith('hlid-api-')).map((n) => `${tmpdir()}/${n}`).sort((a, b) => 0).at(-1);
import { execSync } from 'node:child_process';
const d = execSync(`ls -td /tmp/hlid-api-* | head -1`).toString().trim();
const raw = new Database(`${d}/cloud.db`);
const N = 300_000;
raw.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ${N})
INSERT INTO visit (id, site_id, plate, plate_folded, status, started_at, created_at, units_met, flags, feed_at, plate_edited_at, status_edited_at, ended_edited_at, payment_edited_at, modified_at, ended_at, entry_read_id, customer_id, amount_minor)
SELECT lower(hex(randomblob(16))), CASE WHEN i % 10 = 0 THEN 'other' ELSE '${api.site.id}' END, 'P' || (i % 50000), 'P' || (i % 50000), CASE WHEN i % 500 = 0 THEN 'need-payment' ELSE 'completed' END,
 strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + i * 60, 'unixepoch') || '.000Z', '2026-01-01T00:00:00.000Z', 0, CASE WHEN i % 1000 = 0 THEN '["lost-exit"]' ELSE '[]' END, 0,0,0,0,0,'2026-01-01T00:00:00.000Z', CASE WHEN i > ${N} - 200 THEN NULL ELSE '2026-01-01T00:00:00.000Z' END, lower(hex(randomblob(16))), CASE WHEN i % 20 = 0 THEN 'c1' END, 500 FROM n`);
raw.exec('ANALYZE');
raw.close();
const c1 = await api.account('customer', { customerId: 'c1' });
const qs: [string, string?][] = [['/visits?plate=P777'], [`/visits?siteId=${api.site.id}`], ['/visits'], ['/visits?status=open'], ['/visits?status=review'], ['/visits?status=closed'], ['/visits?collection=unpaid'], ['/visits?date=2024-03-01'], ['/visits?status=need-plate'],['/visits?siteId=other&status=open'], ['/visits/counts'], ['/visits/counts?status=open'], ['/visits', c1], ['/ping/token'], ['/visit/whitelist'],['/products']];
for (const [path, token] of qs) {
  const ts: number[] = [];
  for (let i = 0; i < 200; i++) { const t = performance.now(); const a = await api.call('GET', path, token ? { token } : {}); ts.push(performance.now() - t); if (a.status !== 200) throw new Error(JSON.stringify(a.body)); }
  ts.sort((a, b) => a - b);
  console.log(path.slice(0, 50).padEnd(52), token ? 'customer' : '', 'p50', ts[100]?.toFixed(2), 'p99', ts[198]?.toFixed(2));
}
await api.close();
