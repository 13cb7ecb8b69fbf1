import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { comparePlates, foldPlate } from '@hlid/protocol/plate/plate';
import type { Visit } from '@hlid/protocol/records/visit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { settle } from '../../../../test/settlements.ts';

const FIRST = Date.parse('2026-08-20T00:00:00.000Z');
const PLATES = ['ABX12', 'A8X12', 'ABY12', 'ABX123', 'KLM99', 'ABZ77', 'XY123'];
const LANES = ['in-1', 'in-2', 'out-1'];
const FLAGS = ['lost-exit', 'near-exit', 'uncertain-plate'] as const;
const PRICE = { currency: 'ISK', lines: [], product: { id: 'P', version: 1 }, pricedAt: utcTime(FIRST) };

let api: TestApi;
let otherSite: string;
const visits: (Visit & { siteId: string })[] = [];

/** Stays of an hour and of weeks, at two sites; some of them inside, some flagged, some owing. */
beforeAll(async () => {
  api = await createTestApi();
  otherSite = (await api.addSite('Airport')).id;
  for (let n = 0; n < 140; n++) {
    const startedAt = utcTime(FIRST + n * 16 * HOUR_MS);
    const hours = n % 9 === 0 ? 24 * 40 : 1 + (n % 30);
    const endedAt = n % 7 === 3 ? null : utcTime(Date.parse(startedAt) + hours * HOUR_MS);
    const owes = n % 4 === 0 ? 500 * (n % 5) : 0;
    const flag = FLAGS[n % 11];
    const siteId = n % 3 === 0 ? otherSite : api.site.id;
    const fields: Partial<Visit> = {
      plate: PLATES[n % PLATES.length] ?? null,
      startedAt,
      endedAt,
      flags: flag === undefined ? [] : [flag],
      status: owes > 0 ? 'need-payment' : endedAt === null ? 'new' : 'completed',
      ...(n % 13 === 5 && endedAt !== null && { paymentStatus: 'void' as const }),
      price: owes > 0 ? { ...PRICE, amountMinor: owes } : null,
      entryLaneId: LANES[n % 2] ?? null,
      exitLaneId: endedAt === null ? null : (LANES[2 - (n % 5 === 0 ? 1 : 0)] ?? null),
    };
    visits.push({ ...(await api.visit(fields, { siteId })), siteId });
  }
});
afterAll(() => api.close());

const PageSchema = z.looseObject({
  next: z.string().nullable(),
  total: z.int(),
  data: z.array(z.looseObject({ id: z.string() })),
});

/** The visits of all pages, in order. */
async function listed(query: string): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const { status, body } = await api.call('GET', `/visits?${query}${next === '' ? '' : `&next=${next}`}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const page: z.infer<typeof PageSchema> = PageSchema.parse(body);
    ids.push(...page.data.map(({ id }) => id));
    next = page.next;
  }
  return ids;
}

type Kind = (typeof visits)[number];
const plateOf = ({ plate }: Kind) => plate ?? '';
const FROM = '2026-10-01T00:00:00.000Z';
const TO = '2026-10-20T00:00:00.000Z';
const THEN = '2026-10-02T05:00:00.000Z';
const wasInside = ({ startedAt, endedAt, paymentStatus }: Kind) =>
  startedAt <= THEN && (endedAt === null || endedAt > THEN) && paymentStatus !== 'void';

const FILTERS: Readonly<Record<string, (visit: Kind) => boolean>> = {
  'near=abx-12': (visit) => comparePlates('ABX12', plateOf(visit)) !== 'different',
  'prefix=AB': (visit) => foldPlate(plateOf(visit)).startsWith(foldPlate('AB')),
  'flag=near-exit': ({ flags }) => flags.includes('near-exit'),
  'laneId=in-1': ({ entryLaneId, exitLaneId }) => entryLaneId === 'in-1' || exitLaneId === 'in-1',
  'laneId=in-2': ({ entryLaneId, exitLaneId }) => entryLaneId === 'in-2' || exitLaneId === 'in-2',
  'laneId=out-1': ({ exitLaneId }) => exitLaneId === 'out-1',
  'laneId=nowhere': () => false,
  [`ended.from=${FROM}&ended.to=${TO}`]: ({ endedAt }) =>
    endedAt !== null && endedAt >= FROM && endedAt <= TO,
  [`ended.from=2025-01-01`]: ({ endedAt }) => endedAt !== null,
  [`ended.to=${TO}`]: ({ endedAt }) => endedAt !== null && endedAt <= TO,
  [`insideAt=${THEN}`]: wasInside,
  'amount.min=1000': ({ status, price }) => status !== 'completed' && (price?.amountMinor ?? 0) >= 1000,
};

const ids = (some: readonly Kind[]) => some.map(({ id }) => id).sort();

describe('the filters of visits', () => {
  it.each(Object.entries(FILTERS))('%s finds what it says, at one site and at all', async (query, fits) => {
    expect((await listed(query)).sort()).toEqual(ids(visits.filter(fits)));
    const here = visits.filter((visit) => visit.siteId === otherSite && fits(visit));
    expect((await listed(`${query}&siteId=${otherSite}`)).sort()).toEqual(ids(here));
    const { body } = await api.call('GET', `/visits/counts?${query}`);
    expect(body['count']).toBe(visits.filter(fits).length);
  });

  const names = Object.keys(FILTERS);
  const pairs = names.flatMap((one, n) => names.slice(n + 1).map((other) => [one, other] as const));
  it('narrow each other', async () => {
    for (const [one, other] of pairs.filter(([a, b]) => a.split('=')[0] !== b.split('=')[0])) {
      if (one.startsWith('ended') && other.startsWith('ended')) continue;
      const both = visits.filter((visit) => FILTERS[one]?.(visit) && FILTERS[other]?.(visit));
      expect((await listed(`${one}&${other}`)).sort(), `${one}&${other}`).toEqual(ids(both));
    }
  });

  it('come in the order that is asked for', async () => {
    const newest = visits.map(({ id }) => id).reverse();
    expect(await listed('')).toEqual(newest);
    expect(await listed('order=oldest')).toEqual(newest.toReversed());
    const endOf = (id: string) => visits.find((visit) => visit.id === id)?.endedAt ?? '';
    const byEnd = await listed('order=-ended');
    expect(byEnd.toSorted()).toEqual(newest.toSorted());
    expect(byEnd.map(endOf)).toEqual(byEnd.map(endOf).toSorted().reverse());
    const [equal, confusable] = [await listed('near=ABX12'), foldPlate('ABX12')];
    const rank = (id: string) => {
      const plate = visits.find((visit) => visit.id === id)?.plate ?? '';
      return plate === 'ABX12' ? 2 : foldPlate(plate) === confusable ? 1 : 0;
    };
    expect(equal.map(rank)).toEqual(equal.map(rank).sort((a, b) => b - a));
  });

  it('go backwards by the same pages', async () => {
    for (const order of [
      'order=newest',
      'order=oldest',
      'order=-ended',
      'order=stay',
      'order=-plate',
      'near=ABX12',
    ]) {
      const first = PageSchema.parse((await api.call('GET', `/visits?${order}`)).body);
      if (first.next === null) continue;
      const second = await api.call('GET', `/visits?${order}&next=${first.next}`);
      const back = await api.call('GET', `/visits?${order}&next=${String(second.body['previous'])}`);
      expect(PageSchema.parse(back.body).data, order).toEqual(first.data);
    }
  });

  it('refuse what is no plate, amount or period', async () => {
    const bad = [
      'near=-',
      'prefix=',
      'flag=blue',
      'amount.min=0',
      'amount.min=x',
      'insideAt=then',
      'order=up',
      // The amount due is computed when it is read.
      'order=due',
      'order=-due',
    ];
    for (const query of [...bad, `ended.from=${TO}&ended.to=${FROM}`]) {
      expect((await api.call('GET', `/visits?${query}`)).status, query).toBe(400);
    }
  });
});

describe('the totals of visits', () => {
  it('sum what is due and what was paid', async () => {
    const owing = visits.filter(({ status }) => status === 'need-payment');
    const due = owing.reduce((sum, { price }) => sum + (price?.amountMinor ?? 0), 0);
    const { body } = await api.call('GET', '/visits/counts?status=need-payment');
    expect(body).toEqual({ count: owing.length, due: { ISK: due }, paid: { ISK: 0 }, summed: owing.length });
  });

  it('know what invoices have brought in', async () => {
    const { id } = await api.visit({ plate: 'NEW111', price: { ...PRICE, amountMinor: 0 } });
    await settle(api, { id, plate: 'NEW111', amountMinor: 1240 });
    await settle(api, { id, plate: 'NEW111', amountMinor: 900, paymentStatus: 'owner-invoice' });
    const { body } = await api.call('GET', '/visits/counts?near=NEW111');
    expect(body).toEqual({ count: 1, due: { ISK: 0 }, paid: { ISK: 1240 }, summed: 1 });
  });
});

describe('the file of a list', () => {
  it('has what is shown, and the columns that are asked for', async () => {
    const path = '/visits/download?format=csv&separator=,&language=en&columns=plate,id&near=ABX12';
    const response = await api.app.request(path, { headers: { authorization: `Bearer ${api.operator}` } });
    const [header, ...lines] = (await response.text()).trim().split('\r\n');
    expect(header).toBe('Plate,Id');
    const found = visits.filter((visit) => comparePlates('ABX12', plateOf(visit)) !== 'different');
    expect(lines).toEqual(found.map(({ plate, id }) => `${plate},${id}`));
    expect(response.headers.get('content-disposition')).toContain('.csv');
    expect((await api.call('GET', '/visits/download?columns=plate,colour')).status).toBe(400);
  });
});
