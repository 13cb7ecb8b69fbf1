import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, settle } from '../../../test/settlements.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

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
