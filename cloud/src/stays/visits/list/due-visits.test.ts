import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { addCustomer, settle } from '../../../../test/settlements.ts';
import { eq } from '../../../platform/db/sql.ts';
import { invoiceTable } from '../../../records/invoices/invoice-table.ts';
import { noticeTable } from '../../../records/visits/visit-table.ts';
import { VisitAggregateSchema, VisitCountSchema } from './visit-aggregate.ts';

const VISITS = 160;
const NOW = '2026-11-21T12:00:00.000Z';

let api: TestApi;
let otherSite: string;
let customerId: string;
/** The income of paid invoices, by visit. */
const paid = new Map<string, number>();

/** The same numbers in each run: 0 up to, not including, `below`. */
let state = 20_261_128;
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % below;
}

/** Stays that are inside, over, paid, paid twice, without a price, with a notice, of a company, at two sites. */
beforeAll(async () => {
  api = await createTestApi();
  otherSite = (await api.addSite('Airport')).id;
  customerId = await addCustomer(api, { billingMethod: 'monthly' });
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' });
  for (let n = 0; n < VISITS; n++) await addVisit(n);
});
afterAll(() => api.close());

async function addVisit(n: number): Promise<void> {
  const startedAt = utcTime(Date.parse(NOW) - (1 + random(24 * 40)) * HOUR_MS);
  const isInside = random(3) === 0;
  const endedAt = isInside ? null : utcTime(Date.parse(startedAt) + random(60) * 60_000);
  const amountMinor = random(4) === 0 ? 0 : 100 * random(90);
  const isPriced = random(4) > 0;
  const isSettled = !isInside && random(2) === 0;
  const product = { id: 'P', version: 1 };
  const fields: Partial<Visit> = {
    plate: `AB${random(40)}C${n % 7}`,
    startedAt,
    endedAt,
    status: isSettled ? 'completed' : random(2) === 0 ? 'need-payment' : 'new',
    ...(isSettled && { paymentStatus: 'kiosk' as const }),
    price: isPriced ? { amountMinor, currency: 'ISK', lines: [], product, pricedAt: startedAt } : null,
    flags: random(5) === 0 ? ['lost-exit'] : [],
  };
  const visit = await api.visit(fields, { siteId: random(3) === 0 ? otherSite : api.site.id });
  const { id, plate } = visit;
  if (random(6) === 0) await api.giveVisit(id, customerId);
  if (random(6) === 0) {
    await api.db.write(async ({ q }) => {
      await q.insert(noticeTable).values({ visitId: id, deliveredAt: startedAt });
    });
  }
  for (let times = random(3); times > 0; times--) {
    const cause = randomUUID();
    const made = { id, plate, cause, amountMinor: 37 + random(900), paymentStatus: 'kiosk' as const };
    await settle(api, { ...made, at: utcTime(Date.parse(NOW) - times * HOUR_MS) });
    if (random(2) === 0) paid.set(id, (paid.get(id) ?? 0) + made.amountMinor);
    else await reverse(cause);
  }
}

/** A payment that went back. */
async function reverse(cause: string): Promise<void> {
  await api.db.write(async ({ q }) => {
    await q.update(invoiceTable).set({ status: 'refunded' }).where(eq(invoiceTable.cause, cause));
  });
}

const RowSchema = z.looseObject({
  id: z.string(),
  plate: z.string().nullable(),
  status: z.string(),
  siteId: z.string(),
  startedOn: z.string(),
  paymentStatus: z.string().nullable(),
  due: z.object({ amount: z.int(), currency: z.string() }).nullable(),
  invoice: z.looseObject({ status: z.string() }).nullable(),
});
type Row = z.infer<typeof RowSchema>;
const PageSchema = z.looseObject({ next: z.string().nullable(), total: z.int(), data: z.array(RowSchema) });

/** The visits of all pages of a list, and its total. */
async function listed(query: string): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  for (let next = ''; ; ) {
    const { status, body } = await api.call('GET', `/visits?${query}${next === '' ? '' : `&next=${next}`}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const page = PageSchema.parse(body);
    rows.push(...page.data);
    if (page.next === null) return { rows, total: page.total };
    next = page.next;
  }
}

function dueOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { due }) => sum + (due?.amount ?? 0), 0);
}

async function fileRows(path: string, query: string): Promise<{ id: string; due: number }[]> {
  const form = 'format=csv&language=en&separator=,&columns=id,due';
  const response = await api.app.request(`${path}?${query}&${form}`, {
    headers: { authorization: `Bearer ${api.operator}` },
  });
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const cells = z.array(z.tuple([z.string(), z.string()])).parse(parse(bytes, { bom: true }));
  return cells.slice(1).map(([id, due]) => ({ id, due: Number(due) }));
}

const WHICH = ['', 'collection=unpaid', 'amount.min=500', 'collection=unpaid&amount.min=2000'];
const FILTERS = [
  ['', 'status=closed', 'status=open', 'status=completed', 'status=need-payment', 'status=review'],
  ['plate=AB1', 'prefix=AB2', 'near=AB1C2', 'flag=lost-exit', 'invoice.status=paid', 'payment.status=kiosk'],
  ['date.from=2026-11-01', 'ended.from=2026-11-01&ended.to=2026-11-10', 'insideAt=2026-11-20T12:00:00Z'],
  ['siteId=OTHER', 'customerId=CUSTOMER', 'siteId=OTHER&status=closed'],
].flat();
const QUERIES = WHICH.flatMap((which) =>
  FILTERS.map((filter) => [which, filter].filter((part) => part !== '').join('&')),
);
const ORDERS = ['', 'order=oldest', 'order=-ended', 'order=stay', 'order=plate'];
const withIds = (query: string) => query.replace('OTHER', otherSite).replace('CUSTOMER', customerId);

describe('what visits owe is one number for list, count, sum, group and file', () => {
  it.each(QUERIES.map((query, n) => [query, ORDERS[n % ORDERS.length] ?? '']))(
    '%s %s',
    async (some, order) => {
      const query = withIds(some);
      const inOrder = order === '' ? query : `${query}&${order}`;
      const { rows, total } = await listed(inOrder);
      const counts = VisitCountSchema.parse((await api.call('GET', `/visits/counts?${inOrder}`)).body);
      const paidForRows = rows.reduce((sum, { id }) => sum + (paid.get(id) ?? 0), 0);
      expect({ total, ...counts, due: counts.due['ISK'] ?? 0, paid: counts.paid['ISK'] ?? 0 }).toEqual({
        total: rows.length,
        count: rows.length,
        due: dueOf(rows),
        paid: paidForRows,
        summed: rows.length,
      });
      if (some.startsWith('collection=unpaid')) {
        expect(rows.filter(({ due }) => (due?.amount ?? 0) <= 0)).toEqual([]);
      }

      for (const by of ['plate', 'day', 'status', 'site'] as const) {
        const { body } = await api.call('GET', `/visits?${inOrder}&aggregate=${by}`);
        const { extra } = z
          .looseObject({ extra: z.looseObject({ aggregate: VisitAggregateSchema }) })
          .parse(body);
        const groups = extra.aggregate.groups.map(({ key, count, due }) => [key, count, due['ISK'] ?? 0]);
        expect(groups.toSorted()).toEqual(grouped(rows, by).toSorted());
      }

      if (order !== '') return;
      const dues = rows.map(({ id, due }) => ({ id, due: due?.amount ?? 0 }));
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      expect((await fileRows('/visits/download', query)).toSorted(byId)).toEqual(dues.toSorted(byId));
    },
  );

  it.each(['', '&amount.min=500', '&status=closed&amount.min=2000'])(
    'also in the reports: %s',
    async (some) => {
      const query = `date.from=2026-10-20&date.to=2026-11-20${some}`;
      const { rows } = await listed(query);
      expect(rows.length).toBeGreaterThan(5);
      const { body } = await api.call('GET', `/reports/visits/stats?${query}`);
      const stats = z
        .looseObject({
          total: z.int(),
          statuses: z.array(z.object({ status: z.string(), count: z.int() })),
        })
        .parse(body);
      expect(stats.total).toBe(rows.length);
      for (const { status, count } of stats.statuses) {
        expect(count).toBe(rows.filter((row) => row.status === status).length);
      }
      const file = await fileRows('/reports/visits/download', query);
      expect(file.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
      expect(file.reduce((sum, { due }) => sum + due, 0)).toBe(dueOf(rows));
    },
  );

  it('a visit that was paid twice and refunded once shows the invoice that is paid', async () => {
    const { rows } = await listed('invoice.status=paid');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ invoice }) => invoice?.status !== 'paid')).toEqual([]);
  });
});

function grouped(
  rows: readonly Row[],
  by: 'plate' | 'day' | 'status' | 'site',
): [string | null, number, number][] {
  const keyOf = (row: Row) => {
    if (by === 'day') return row.startedOn.slice(0, 10);
    return by === 'site' ? row.siteId : row[by];
  };
  const keys = [...new Set(rows.map(keyOf))];
  return keys.map((key) => {
    const same = rows.filter((row) => keyOf(row) === key);
    return [key, same.length, dueOf(same)];
  });
}
