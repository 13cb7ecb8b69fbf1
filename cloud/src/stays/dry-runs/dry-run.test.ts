import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { priceAtExit } from '@hlid/protocol/tariff/price-visit';
import { type Product, ProductSchema } from '@hlid/protocol/tariff/product';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { findProduct } from '../../money/products/find-products.ts';
import { siteProduct } from '../../money/products/product.ts';
import { remoteScans, type Scans } from '../../platform/db/scans.ts';
import type { Permission } from '../../platform/http/caller.ts';
import { scanJob } from '../../program/scans/scan-jobs.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { dryRunJob, runCleanupJob } from './dry-run-job.ts';

let api: TestApi;
let productId: string;
beforeEach(async () => {
  api = await createTestApi();
  const light = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };
  productId = (await api.made('/products', light)).id;
});
afterEach(() => api.close());

const log = pino({ level: 'silent' });
const HOURLY = { tariff: { bands: [{ steps: [{ kind: 'each', priceMinor: 150, everyMinutes: 60 }] }] } };
const DRAFT = { config: HOURLY };

const RunSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  progress: z.object({ done: z.int(), total: z.int().nullable() }),
  result: z.object({
    currency: z.string(),
    visits: z.int(),
    before: z.int(),
    after: z.int(),
    more: z.int(),
    less: z.int(),
    same: z.int(),
  }),
});

const begin = (body: object = {}, token?: string) =>
  api.call('POST', '/products/dry-run', {
    body: { productId, draft: DRAFT, ...body },
    ...(token && { token }),
  });

async function runOf(id: string) {
  return RunSchema.parse((await api.call('GET', `/runs/${id}`)).body);
}

const scansHere = () => remoteScans(scanJob, async () => api.db);
const work = (scans: Scans = scansHere(), signal = new AbortController().signal) =>
  dryRunJob({ db: api.db, clock: { now: () => new Date(api.now()) }, log, scans }).work({
    now: api.now(),
    signal,
  });

/** A stay of last month that the product priced. */
async function stay(startedAt: string, minutes: number, more: Json = {}): Promise<string> {
  const endedAt = utcTime(Date.parse(startedAt) + minutes * MINUTE_MS);
  const product = await api.db.read((q) => findProduct(q, productId));
  if (product === null) throw new Error('no product');
  const { amountMinor, lines } = cost(siteProduct(product), startedAt, endedAt);
  const price = {
    amountMinor,
    currency: 'ISK',
    lines,
    product: { id: productId, version: 1 },
    pricedAt: endedAt,
  };
  const { id } = await api.visit({
    plate: `T${randomUUID().slice(0, 5).toUpperCase()}`,
    startedAt: utcTime(Date.parse(startedAt)),
    endedAt,
    status: 'completed',
    paymentStatus: 'kiosk',
    price,
    ...more,
  });
  return id;
}

function cost(product: Product, startedAt: string, until: string) {
  const question = {
    product,
    startedAt: utcTime(Date.parse(startedAt)),
    until: utcTime(Date.parse(until)),
    timeZone: 'Atlantic/Reykjavik',
  };
  return priceAtExit(question, 15);
}

describe('a dry run', () => {
  it('prices the visits of last month again, and writes nothing to them', async () => {
    const dearer = await stay('2026-10-05T08:00:00.000Z', 5 * 60);
    const cheaper = await stay('2026-10-06T08:00:00.000Z', 60);
    await stay('2026-10-07T08:00:00.000Z', 10);
    await stay('2026-09-30T08:00:00.000Z', 60);
    await stay('2026-11-01T08:00:00.000Z', 60);
    const before = await api.db.read((q) => q.select().from(visitTable));
    const { status, body, location } = await begin();
    const { id } = RunSchema.parse(body);
    expect([status, location, body['state']]).toEqual([303, `/runs/${id}`, 'waiting']);
    expect([body['from'], body['to']]).toEqual(['2026-10-01', '2026-10-31']);
    await work();
    expect(await runOf(id)).toMatchObject({
      state: 'done',
      progress: { done: 3, total: 3 },
      result: { currency: 'ISK', visits: 3, before: 1000, after: 900, more: 1, less: 1, same: 1 },
    });
    const visits = async (direction: string) =>
      (await api.call('GET', `/runs/${id}/visits?direction=${direction}`)).body['data'];
    expect(await visits('more')).toEqual([{ visitId: dearer, before: 500, after: 750, difference: 250 }]);
    expect(await visits('less')).toEqual([{ visitId: cheaper, before: 500, after: 150, difference: -350 }]);
    expect(await api.db.read((q) => q.select().from(visitTable))).toEqual(before);
  });

  it('equals pricing each visit alone, for random visits, to the króna, however often it is broken off', async () => {
    const stays = fc.array(
      fc.record({ atHour: fc.integer({ min: 0, max: 700 }), minutes: fc.integer({ min: 1, max: 4000 }) }),
      { minLength: 15, maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(stays, fc.integer({ min: 1, max: 6 }), async (drawn, pieces) => {
        const first = Date.parse('2026-10-01T00:00:00.000Z');
        await api.db.write(({ q }) => q.delete(visitTable));
        for (const { atHour, minutes } of drawn) await stay(utcTime(first + atHour * HOUR_MS), minutes);
        const { id } = RunSchema.parse((await begin({ from: '2026-10-01', to: '2026-11-05' })).body);
        for (let n = 0; n < 20 && (await runOf(id)).state !== 'done'; n++) await workUntilStopped(pieces);
        const product = await api.db.read((q) => findProduct(q, productId));
        if (product === null) throw new Error('no product');
        const draft = ProductSchema.parse({ ...siteProduct(product), config: HOURLY });
        const rows = await api.db.read((q) => q.select().from(visitTable));
        const prices = rows.map(({ startedAt, endedAt }) => ({
          before: cost(siteProduct(product), startedAt, endedAt ?? '').amountMinor,
          after: cost(draft, startedAt, endedAt ?? '').amountMinor,
        }));
        const sum = (of: 'before' | 'after') => prices.reduce((total, price) => total + price[of], 0);
        const run = await runOf(id);
        expect(run.state).toBe('done');
        expect(run.progress).toEqual({ done: 15, total: 15 });
        expect(run.result).toEqual({
          currency: 'ISK',
          visits: 15,
          before: sum('before'),
          after: sum('after'),
          more: prices.filter(({ before, after }) => after > before).length,
          less: prices.filter(({ before, after }) => after < before).length,
          same: prices.filter(({ before, after }) => after === before).length,
        });
      }),
      { numRuns: 5 },
    );
  });

  it('leaves out what was void, another product’s or not priced, and counts what was let off as nothing', async () => {
    const at = '2026-10-05T08:00:00.000Z';
    await stay(at, 300, { paymentStatus: 'void' });
    await stay(at, 300, { price: null });
    const other = {
      amountMinor: 500,
      currency: 'ISK',
      lines: [],
      product: { id: 'other', version: 1 },
      pricedAt: at,
    };
    await stay(at, 300, { price: other });
    const lines = [
      { rule: 'unit', units: 1, unitMinor: 500, amountMinor: 500 },
      { rule: 'waived', units: -1, amountMinor: -500 },
    ];
    await stay(at, 300, {
      price: { ...other, amountMinor: 0, lines, product: { id: productId, version: 1 } },
    });
    const { id } = RunSchema.parse((await begin()).body);
    await work();
    expect((await runOf(id)).result).toMatchObject({ visits: 1, before: 0, after: 0, same: 1 });
  });

  it('is cancelled while it runs, keeps what it has found, and lets the next one begin', async () => {
    for (const day of ['05', '06', '07']) await stay(`2026-10-${day}T08:00:00.000Z`, 300);
    const { id } = RunSchema.parse((await begin()).body);
    const scans = scansHere();
    const cancelling: Scans = {
      ...scans,
      async *run(key, given, signal) {
        let pieces = 0;
        for await (const piece of scans.run(key, given, signal)) {
          if (++pieces === 2) expect((await api.call('POST', `/runs/${id}/cancel`)).status).toBe(303);
          yield piece;
        }
      },
    };
    await work(cancelling);
    expect(await runOf(id)).toMatchObject({
      state: 'cancelled',
      progress: { total: 3 },
      result: { visits: 0 },
    });
    await work();
    expect((await runOf(id)).state).toBe('cancelled');
    const again = await api.call('POST', `/runs/${id}/cancel`);
    expect(again.status).toBe(409);
    expect((await begin()).status).toBe(303);
  });

  it('fails with its reason where it cannot go on', async () => {
    const { id } = RunSchema.parse((await begin()).body);
    const scans: Scans = {
      ...scansHere(),
      // biome-ignore lint/correctness/useYield: it breaks down before its first piece
      async *run() {
        throw new Error('the disk is gone');
      },
    };
    await work(scans);
    expect((await api.call('GET', `/runs/${id}`)).body).toMatchObject({
      state: 'failed',
      error: 'the disk is gone',
    });
  });

  it('is one at a time for each account, and seen by that account alone', async () => {
    const { id } = RunSchema.parse((await begin()).body);
    const second = await begin();
    expect([second.status, second.body['codes']]).toEqual([
      409,
      [expect.objectContaining({ code: 'run-under-way' })],
    ]);
    const token = await api.account('operator');
    const other = RunSchema.parse((await begin({}, token)).body);
    expect((await api.call('GET', `/runs/${id}`, { token })).status).toBe(404);
    expect((await api.call('POST', `/runs/${id}/cancel`, { token })).status).toBe(404);
    expect((await api.call('GET', `/runs/${id}/visits?direction=more`, { token })).status).toBe(404);
    const list = await api.call('GET', '/runs', { token });
    expect(list.body['data']).toMatchObject([{ id: other.id }]);
  });

  it('is deleted after a week', async () => {
    const { id } = RunSchema.parse((await begin()).body);
    await work();
    const clean = () => runCleanupJob(api.db).work({ now: api.now(), signal: new AbortController().signal });
    api.wait(6 * 24 * HOUR_MS);
    await clean();
    expect((await api.call('GET', `/runs/${id}`)).status).toBe(200);
    api.wait(2 * 24 * HOUR_MS);
    await clean();
    expect((await api.call('GET', `/runs/${id}`)).status).toBe(404);
  });

  it.each([
    ['a product that is not there', { productId: 'p9' }, 'productId'],
    ['a site that is not there', { siteId: 'nowhere' }, 'siteId'],
    ['a period without its end', { from: '2026-10-01' }, 'from'],
    ['a period that ends before it begins', { from: '2026-10-02', to: '2026-10-01' }, 'last day'],
    ['a period of years', { from: '2020-10-02', to: '2026-10-01' }, '366'],
    [
      'a tariff that contradicts itself',
      { draft: { config: { tariff: { bands: [] } } } },
      'nothing has a price',
    ],
  ])('is refused of %s', async (_what, body, text) => {
    const answer = await begin(body);
    expect([answer.status, JSON.stringify(answer.body['messages'])]).toEqual([
      400,
      expect.stringContaining(text),
    ]);
  });
});

describe('roles, permissions and sites', () => {
  const operator = (permissions: Permission[] | null, siteIds: string[] | null) =>
    api.account('operator', { permissions, siteIds });

  it.each([
    ['customer', 403],
    ['partner', 403],
    ['whitelist', 403],
  ] as const)('no %s begins one', async (role, status) => {
    expect((await begin({}, await api.account(role))).status).toBe(status);
  });

  it('needs the permission of tariffs', async () => {
    expect(
      (await begin({}, await operator(['visits', 'money', 'lanes', 'devices', 'people'], null))).status,
    ).toBe(403);
    expect((await begin({}, await operator(['tariffs'], null))).status).toBe(303);
  });

  it('goes by the sites of the operator: visits of others are not counted', async () => {
    const airport = await api.addSite('Airport');
    await stay('2026-10-05T08:00:00.000Z', 300);
    const token = await operator(['tariffs'], [airport.id]);
    const messages = async (body: object) => (await begin(body, token)).body['codes'];
    expect(await messages({})).toMatchObject([{ code: 'site-needed' }]);
    expect(await messages({ siteId: api.site.id })).toMatchObject([{ code: 'not-your-site' }]);
    const { id } = RunSchema.parse((await begin({ siteId: airport.id }, token)).body);
    await work();
    const { body } = await api.call('GET', `/runs/${id}`, { token });
    expect(body).toMatchObject({ state: 'done', progress: { done: 0, total: 0 }, result: { visits: 0 } });
  });

  it('knows no product of another site', async () => {
    const airport = await api.addSite('Airport');
    const own = {
      type: 'default',
      price: 700,
      vehicleCategory: 'light',
      productCode: 'A',
      siteId: airport.id,
    };
    const { id } = await api.made('/products', own);
    const token = await operator(['tariffs'], [api.site.id]);
    const answer = await begin({ productId: id, siteId: api.site.id }, token);
    expect([answer.status, answer.body['codes']]).toMatchObject([400, [{ code: 'not-found' }]]);
    expect((await api.call('GET', `/products/${id}/versions`, { token })).status).toBe(404);
  });
});

/** A process does the work that waits, and is stopped after some pieces. */
async function workUntilStopped(pieces: number): Promise<void> {
  const scans = scansHere();
  const stopping = new AbortController();
  const stopped: Scans = {
    ...scans,
    async *run(key, given, signal) {
      let left = pieces;
      for await (const piece of scans.run(key, given, signal)) {
        yield piece;
        if (--left === 0) stopping.abort(new Error('the process stops'));
      }
    },
  };
  await work(stopped, stopping.signal);
}
