import { randomUUID } from 'node:crypto';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { addCustomer, settle } from '../../../test/settlements.ts';
import { insertVehicle } from '../../records/vehicles/vehicle-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const VEHICLE = {
  plateFolded: null,
  permno: null,
  vin: null,
  seats: null,
  passengers: null,
  vehicleCategory: null,
  vehicleGroup: null,
  useGroup: null,
  make: null,
  model: null,
  modelYear: null,
  color: null,
  massinro: null,
  massladen: null,
  taxGroup: null,
  registeredOn: null,
  country: null,
  operator: null,
  owner: null,
  category: null,
  source: null,
  syncedAt: null,
  overrides: null,
  overridesCreatedAt: null,
  overridesModifiedAt: null,
  modifiedAt: '2026-11-21T12:00:00.000Z',
};
/** More than a page, and several of them equal. */
const ROWS = 120;
const PageSchema = z.looseObject({
  next: z.string().nullable(),
  previous: z.string().nullable(),
  data: z.array(z.looseObject({ id: z.string() })),
});
type Row = z.infer<typeof PageSchema>['data'][number];

async function page(path: string, cursor: string | null) {
  const address = cursor === null ? path : `${path}&next=${encodeURIComponent(cursor)}`;
  return PageSchema.parse((await api.call('GET', address)).body);
}

/** All rows by walking down the pages, and again by walking back up from the last. */
async function walk(path: string): Promise<{ down: Row[]; up: Row[] }> {
  const down: Row[] = [];
  let at = await page(path, null);
  down.push(...at.data);
  for (let pages = 0; at.next !== null && pages < ROWS; pages++) {
    at = await page(path, at.next);
    down.push(...at.data);
  }
  const up = [...at.data];
  for (let pages = 0; at.previous !== null && pages < ROWS; pages++) {
    at = await page(path, at.previous);
    up.unshift(...at.data);
  }
  return { down, up };
}

async function expectSorted<Key extends string | number>(
  path: string,
  keyOf: (row: Row) => Key,
  way: 'up' | 'down',
): Promise<void> {
  const { down, up } = await walk(path);
  expect(new Set(down.map(({ id }) => id)).size).toBe(ROWS);
  expect(up.map(({ id }) => id)).toEqual(down.map(({ id }) => id));
  const keys = down.map(keyOf);
  const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  expect(keys).toEqual(way === 'up' ? sorted : sorted.reverse());
}

it('customers are sorted over all pages, those without a name too', async () => {
  for (let n = 0; n < ROWS; n++) {
    const name = n % 5 === 0 ? null : `Name ${(n * 7) % 40}`;
    const email = n % 4 === 0 ? null : `a${(n * 11) % 30}@example.is`;
    await addCustomer(api, {}, { name, email });
    api.wait(1);
  }
  const name = (row: Row) => String(row['name'] ?? '').toLowerCase();
  const email = (row: Row) => String(row['email'] ?? '');
  const created = (row: Row) => String(row['createdOn']);
  await expectSorted('/customers?order=name', name, 'up');
  await expectSorted('/customers?order=-name', name, 'down');
  await expectSorted('/customers?order=email', email, 'up');
  await expectSorted('/customers?order=-email', email, 'down');
  await expectSorted('/customers?order=oldest', created, 'up');
  await expectSorted('/customers?order=newest', created, 'down');
});

it('invoices are sorted by amount and by age over all pages, with filters too', async () => {
  for (let n = 0; n < ROWS; n++) {
    await settle(api, { id: randomUUID(), amountMinor: 100 * (1 + ((n * 7) % 25)), paymentStatus: 'kiosk' });
    api.wait(1);
  }
  const amount = (row: Row) => z.looseObject({ amount: z.number() }).parse(row['price']).amount;
  const created = (row: Row) => String(row['createdOn']);
  for (const filter of ['', '&status=paid', `&siteId=${api.site.id}`]) {
    await expectSorted(`/invoices?order=amount${filter}`, amount, 'up');
    await expectSorted(`/invoices?order=-amount${filter}`, amount, 'down');
    await expectSorted(`/invoices?order=oldest${filter}`, created, 'up');
  }
});

it('permits are sorted by plate over all pages, also of an operator of some sites', async () => {
  const { id: siteId } = await api.addSite('Airport');
  for (let n = 0; n < ROWS; n++) {
    const plate = `P${String((n * 37) % ROWS).padStart(3, '0')}`;
    const reason = `guest ${n}`;
    await api.made('/visit/whitelist', { plate, reason, ...(n % 3 === 0 && { siteId }) });
    api.wait(1);
  }
  const plate = (row: Row) => String(row['plate']);
  const created = (row: Row) => String(row['createdOn']);
  await expectSorted('/visit/whitelist?order=plate', plate, 'up');
  await expectSorted('/visit/whitelist?order=-plate', plate, 'down');
  await expectSorted('/visit/whitelist?order=oldest', created, 'up');
  await expectSorted(`/visit/whitelist?order=plate&siteId=${siteId}`, plate, 'up');
});

it('vehicles are sorted by plate over all pages, with those that have none at the end', async () => {
  for (let n = 0; n < ROWS; n++) {
    const plate = n % 10 === 0 ? null : `V${String((n * 37) % ROWS).padStart(3, '0')}`;
    await api.db.write(({ q }) =>
      insertVehicle(q, { ...VEHICLE, id: randomUUID(), plate, createdAt: api.now() }),
    );
    api.wait(1);
  }
  const plate = (row: Row) => String(row['regno'] ?? '');
  await expectSorted('/vehicles?order=plate', (row) => plate(row) || 'ZZZ', 'up');
  await expectSorted('/vehicles?order=-plate', plate, 'down');
  await expectSorted('/vehicles?order=newest', (row) => String(row['createdOn']), 'down');
});

it('payments that need a person are sorted by amount and age over all pages', async () => {
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  for (let n = 0; n < ROWS; n++) {
    const fields = {
      visitId,
      amountMinor: 100 * (1 + ((n * 7) % 25)),
      createdAt: api.now(),
      needsPerson: true,
    };
    await reportPayment(api, samplePayment({ ...fields, reason: 'reverse-not-possible' }));
    api.wait(1);
  }
  const amount = (row: Row) => z.looseObject({ amount: z.number() }).parse(row['price']).amount;
  const created = (row: Row) => String(row['createdOn']);
  for (const filter of ['', `&siteId=${api.site.id}`]) {
    await expectSorted(`/payments?order=amount${filter}`, amount, 'up');
    await expectSorted(`/payments?order=-amount${filter}`, amount, 'down');
    await expectSorted(`/payments?order=oldest${filter}`, created, 'up');
  }
});

describe('visits', () => {
  const MINUTE = 60_000;
  const START = Date.parse('2026-11-20T00:00:00.000Z');
  const time = (minutes: number) => utcTime(START + minutes * MINUTE);
  const start = (row: Row) => Date.parse(String(row['startedOn']));
  const end = (row: Row) => (row['endedOn'] === null ? null : Date.parse(String(row['endedOn'])));
  const plate = (row: Row) => (row['plate'] === null ? null : String(row['plate']));

  beforeEach(async () => {
    const other = await api.addSite('Airport');
    for (let n = 0; n < ROWS; n++) {
      const startedAt = time((n * 13) % 40);
      const endedAt = n % 6 === 0 ? null : time(60 + ((n * 7) % 20));
      const visit = {
        plate: n % 9 === 0 ? null : `P${(n * 37) % 30}`,
        status: endedAt === null ? 'new' : 'completed',
        startedAt,
        endedAt,
      } as const;
      await api.visit(visit, { siteId: n % 4 === 0 ? other.id : api.site.id });
    }
  });

  const FILTERS = ['', '&date.from=2026-11-19', '&date.from=2026-11-19&date.to=2026-11-21'];

  it.each(FILTERS)('are sorted by plate, and none is hidden that has none%s', async (filter) => {
    await expectSorted(`/visits?order=plate${filter}`, (row) => plate(row) ?? 'ZZZ', 'up');
    await expectSorted(`/visits?order=-plate${filter}`, (row) => plate(row) ?? '', 'down');
  });

  it.each(FILTERS)('are sorted by their ends, and no car inside is hidden%s', async (filter) => {
    await expectSorted(`/visits?order=ended${filter}`, (row) => end(row) ?? Number.MAX_SAFE_INTEGER, 'up');
    await expectSorted(`/visits?order=-ended${filter}`, (row) => end(row) ?? 0, 'down');
  });

  it.each(FILTERS)(
    'are sorted by the length of their stay, which goes on for cars inside%s',
    async (filter) => {
      // Longer than any that is over, and the longest for who came first.
      const length = (row: Row) => (end(row) ?? 2 * START) - start(row);
      await expectSorted(`/visits?order=stay${filter}`, length, 'up');
      await expectSorted(`/visits?order=-stay${filter}`, length, 'down');
    },
  );

  it('have the same rows, each once, by every order and filter, and the same totals', async () => {
    const filters = [
      'status=open',
      'status=closed',
      'status=new',
      `siteId=${api.site.id}`,
      'plate=P1',
      'near=P12',
      'prefix=P2',
    ];
    for (const filter of [
      ...filters,
      'ended.from=2026-11-19&ended.to=2026-11-21',
      'collection=unpaid',
      'insideAt=2026-11-20T01:05:00Z',
    ]) {
      const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);
      const newest = ids((await walk(`/visits?${filter}`)).down).sort();
      for (const order of ['oldest', 'plate', '-plate', 'ended', '-ended', 'stay', '-stay']) {
        const { down, up } = await walk(`/visits?${filter}&order=${order}`);
        expect(ids(down).sort(), `${filter} ${order}`).toEqual(newest);
        expect(ids(up)).toEqual(ids(down));
        const { body } = await api.call('GET', `/visits/counts?${filter}&order=${order}`);
        expect(body['count']).toBe(newest.length);
      }
    }
  });
});
