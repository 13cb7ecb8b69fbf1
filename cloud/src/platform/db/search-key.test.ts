import { randomUUID } from 'node:crypto';
import { foldPlate } from '@hlid/protocol/plate/plate';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { batchText, eventAt, readEvent } from '../../../test/sample-events.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { readBatch } from '../../integration/ingest/read-batch.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';

let api: TestApi;
const statements = new Set<string>();
beforeEach(async () => {
  api = await createTestApi({}, (text) => statements.add(text));
});
afterEach(() => api.close());

const PlanSchema = z.array(z.looseObject({ detail: z.string() }));
const addEntry = (plate: string) => api.made('/visit/whitelist', { plate, reason: 'x' });

async function addVehicle(plate: string): Promise<void> {
  const dates = { createdAt: api.now(), modifiedAt: api.now() };
  await api.db.write(async ({ q }) => {
    await q.insert(vehicleTable).values({ id: randomUUID(), plate, plateFolded: foldPlate(plate), ...dates });
  });
}

async function addPhoto(plate: string): Promise<void> {
  const batch = readBatch(Buffer.from(batchText(randomUUID(), [eventAt(1, readEvent({ plate }))])));
  if (!batch.ok) throw new Error(batch.reason);
  await applyBatch(api.db, api.clock, { siteId: api.site.id, ...batch });
}

const ListSchema = z.looseObject({ data: z.array(z.looseObject({ name: z.string() })) });
const names = async (path: string) =>
  ListSchema.parse((await api.call('GET', path)).body).data.map(({ name }) => name);

it.each(['jón', 'Jon', 'ÞÓRÐ', 'thord', 'ordars', 'þórðarson'])(
  'a name is found by part of it, accents or not: %s',
  async (part) => {
    const name = 'Jón Þórðarson';
    const made = await api.made('/customers', { customer: { name, language: 'is' } });
    await api.made('/customers', { customer: { name: 'Ægir ehf.', language: 'is' } });
    await api.made('/accounts', { account: { role: 'partner', status: 'active', name } });
    await api.made('/custodians', { plate: 'ABX12', customerId: made.id });
    const query = `?name=${encodeURIComponent(part)}`;
    expect([await names(`/customers${query}`), await names(`/accounts${query}`)]).toEqual([[name], [name]]);
    const { body } = await api.call('GET', `/custodians${query}`);
    expect(body['data']).toMatchObject([{ customerId: made.id }]);
  },
);

const PlatesSchema = z.array(z.looseObject({ plate: z.string().optional(), regno: z.string().optional() }));

describe.each([
  {
    path: '/visits',
    table: 'visit',
    add: (plate: string) => api.visit({ plate }),
    others: ['date.from=2026-11-01', 'status=closed'],
  },
  { path: '/vehicles', table: 'vehicle', add: addVehicle, others: ['overridden=true', 'collection=heavy'] },
  {
    path: '/visit/whitelist',
    table: 'whitelist_entry',
    add: addEntry,
    others: ['type=temporary', 'reason=x', 'active=true'],
  },
  {
    path: '/photos',
    table: 'photo',
    add: addPhoto,
    others: [
      'date.from=2026-11-01',
      'date.to=2026-11-01',
      'camera.location=entrance',
      'collection=need-review',
    ],
  },
])('$path', ({ path, table, add, others }) => {
  const found = async (query: string) => {
    const { body } = await api.call('GET', `${path}?plate=${query}`);
    return PlatesSchema.parse(body['data']).map(({ plate, regno }) => plate ?? regno);
  };

  it('is searched by the beginning or the middle of a plate', async () => {
    for (const plate of ['VAB', 'VAB12', 'AVAB1', 'XYZ99', 'ABVA7', 'LONGVAB']) {
      await add(plate);
      api.wait(1);
    }
    const sorted = async (query: string) => (await found(query)).sort();
    expect(await sorted('va')).toEqual(['VAB', 'VAB12']);
    expect(await sorted('vab')).toEqual(['AVAB1', 'LONGVAB', 'VAB', 'VAB12']);
    // Characters that cameras mix up: 8 is B.
    expect(await sorted('va8')).toEqual(['AVAB1', 'LONGVAB', 'VAB', 'VAB12']);
    expect(await sorted('z99')).toEqual(['XYZ99']);
    expect(await sorted('V')).toEqual([]);
    // Photos are in the order of time.
    if (table !== 'photo') expect((await found('VAB'))[0]).toBe('VAB');
  });

  it('is searched by the indexes of plates, whatever else is asked for', async () => {
    await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' });
    statements.clear();
    for (const query of ['vab', ...others.map((other) => `vab&${other}`)]) await found(query);
    const texts = [...statements].filter((text) => text.includes('substr('));
    expect(texts.length).toBeGreaterThan(others.length);
    const database = new Database(api.dbPath);
    for (const text of texts) {
      const plan = PlanSchema.parse(database.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
      const lines = plan.map(({ detail }) => detail);
      expect(lines.filter((line) => /_by_(folded_plate|plate_from_\d) \(/.test(line))).toHaveLength(5);
      const rows = lines.filter((line) => /^(SCAN|SEARCH) (\w+)/.exec(line)?.[2] === table);
      const byOthers = rows.filter(
        (line) =>
          !/(PRIMARY KEY \(rowid=|INDEX sqlite_autoindex_\w+ \(id=|INDEX \w+_by_(folded_plate|plate_from_\d) \()/.test(
            line,
          ),
      );
      expect({ text, byOthers }).toEqual({ text, byOthers: [] });
    }
    database.close();
  });
});

it('a number of visits is found by part of a plate, too', async () => {
  for (const plate of ['VAB12', 'AVAB1', 'XYZ99']) await api.visit({ plate });
  expect((await api.call('GET', '/visits/counts?plate=vab')).body).toMatchObject({ count: 2 });
  expect(await api.plates('/visits?plate=vab&status=closed')).toEqual([]);
});
