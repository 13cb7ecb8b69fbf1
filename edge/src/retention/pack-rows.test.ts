import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { SettlementItem } from '@hlid/protocol/site-link/site-change';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { packJson, unpackJson } from '../db/packed-json.ts';
import { rescueRows } from '../db/rescue-rows.ts';
import { openSiteDb } from '../db/site-db.ts';
import { createReadPlaces } from '../picture/read-places.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

const kinds = (table: string, column: string) =>
  site.db.prepare(`SELECT typeof(${column}) FROM ${table} ORDER BY rowid`).pluck().all();
const read = (table: string, columns: string) => {
  const unpacked = columns.split(' ').map((name) => `unpacked(${name})`);
  return site.db
    .prepare(`SELECT rowid, ${unpacked.join(', ')} FROM ${table} ORDER BY rowid`)
    .raw()
    .all();
};
const everything = () => [
  read('visit', 'id plate ended_at body'),
  read('passage', 'id visit_id decision votes keys'),
  read('payment', 'id body bill booking'),
  read('settlement', 'id visit_id body'),
];

/** Lets one car in that stays, and a number that leave. */
async function drive(stays: number): Promise<void> {
  await site.read('in-1', 'INSIDE1');
  for (let n = 0; n < stays; n++) {
    await site.read('in-1', `CARX${n}Y`);
    site.wait(60_000);
    await site.read('out-1', `CARX${n}Y`);
    site.wait(60_000);
  }
  site.acknowledge();
  const payment = site.db.prepare(
    `INSERT INTO payment VALUES (?, ?, 'v', ?, ?, 0, ?, ?, '{"id":"a"}', '{}', '{}', '{"reference":"1"}')`,
  );
  payment.run('a', 'a', 'pos-1', 'settled', site.now(), site.now());
  payment.run('b', 'b', 'pos-1', 'settled', site.now(), null);
  payment.run('c', 'c', 'pos-1', 'sent', site.now(), null);
  site.db.prepare('INSERT INTO settlement VALUES (?, ?, ?)').run('s', 'v', JSON.stringify(settlement()));
}

const settlement = (): SettlementItem => ({
  id: 's',
  visitId: 'v',
  paymentStatus: 'kiosk',
  amountMinor: 500,
  currency: 'ISK',
  units: 1,
  settledAt: site.now(),
  by: 'terminal:pos-1',
});

it('packs rows that no longer change after an hour, and all of them read as before', async () => {
  await drive(60);
  const before = everything();
  await site.core.retention.run();
  expect(new Set(kinds('passage', 'decision'))).toContain('text');
  site.wait(2 * HOUR_MS);
  await site.core.retention.run();
  expect(kinds('visit', 'body')).toEqual(['text', ...Array.from({ length: 60 }, () => 'blob')]);
  for (const column of ['decision', 'votes', 'keys'])
    expect(new Set(kinds('passage', column))).toEqual(new Set(['blob']));
  expect(kinds('payment', 'body')).toEqual(['blob', 'text', 'text']);
  expect(kinds('settlement', 'body')).toEqual(['blob']);
  expect(everything()).toEqual(before);

  // The rows look unchanged to the parts of the site that read them.
  const { visits } = site.core.stays;
  expect(visits.endedByPlate('CARX7Y')).toMatchObject({ plate: 'CARX7Y', status: 'completed' });
  const [passage] = site.db.prepare<[], { id: string; visit_id: string }>('SELECT * FROM passage').all();
  expect(createReadPlaces(site.db).visitReadOf(passage?.id ?? '')).toBe(
    visits.get(passage?.visit_id ?? '')?.entryReadId,
  );
  // A visit that changes again is plain again.
  const changed = visits.endedByPlate('CARX7Y');
  if (changed !== undefined) visits.save({ ...changed, status: 'new' });
  expect(kinds('visit', 'body').filter((kind) => kind === 'text')).toHaveLength(2);
});

it('leaves visits that the cloud does not have as they are', async () => {
  await drive(3);
  site.core.events.acknowledge(1);
  site.wait(2 * HOUR_MS);
  await site.core.retention.run();
  expect(new Set(kinds('visit', 'body'))).toEqual(new Set(['text']));
});

it('packed rows are taken over from a damaged database', async () => {
  await drive(5);
  site.wait(2 * HOUR_MS);
  await site.core.retention.run();
  const rescued = openSiteDb(':memory:');
  rescueRows(site.db, rescued);
  const bodies = (db: typeof rescued) => db.prepare('SELECT id, unpacked(body) FROM visit ORDER BY id').all();
  expect(bodies(rescued)).toEqual(bodies(site.db));
  rescued.close();
});

it('packs any JSON', () => {
  const json = JSON.stringify({ text: 'Þórður á Ísafirði '.repeat(4000), list: [1, null, 'x'] });
  expect(unpackJson(packJson(json))).toBe(json);
  expect(unpackJson(json)).toBe(json);
  expect(() => unpackJson(Buffer.from([200, 1, 2]))).toThrow(RangeError);
});
