import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { getRequestListener } from '@hono/node-server';
import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addSampleVisits } from '../../../test/sample-visits.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { refusedInput } from '../../platform/refused.ts';
import { type VisitStats, VisitStatsSchema, visitStats } from './visit-stats.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const NOVEMBER = 'date.from=2026-11-01&date.to=2026-11-30';
const REPORTS = ['/reports/visits', '/reports/visits/stats', '/reports/visits/download'] as const;

async function download(query: string, token = api.operator) {
  const response = await api.app.request(`/reports/visits/download?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function csvRows(query: string, token?: string): Promise<string[][]> {
  const { bytes } = await download(`${query}&format=csv&language=en`, token);
  return z.array(z.array(z.string())).parse(parse(bytes, { bom: true, delimiter: ';' }));
}

async function stats(query: string, token?: string): Promise<VisitStats> {
  const answer = await api.call(
    'GET',
    `/reports/visits/stats?${query}`,
    token === undefined ? {} : { token },
  );
  expect(answer.status).toBe(200);
  return VisitStatsSchema.parse(answer.body);
}

describe('the caller', () => {
  it.each(REPORTS)('%s has to say from when to when, and nothing unknown', async (path) => {
    for (const query of ['', 'date.from=2026-11-01', 'date.from=x&date.to=y', `${NOVEMBER}&what=1`]) {
      const { status, body } = await api.call('GET', `${path}?${query}`);
      expect([status, body['exception']]).toEqual([400, { message: 'Input error' }]);
    }
    const { body } = await api.call('GET', path);
    expect(body['messages']).toHaveLength(2);
  });

  it.each(REPORTS)('%s has to be a person with an account', async (path) => {
    expect((await api.call('GET', `${path}?${NOVEMBER}`, { token: null })).status).toBe(401);
    const token = await api.roleToken('kiosk');
    expect((await api.call('GET', `${path}?${NOVEMBER}`, { token })).status).toBe(403);
  });

  it('sees visits of its own customer only', async () => {
    const mine = await api.visit({ plate: 'MINE1' });
    const theirs = await api.visit({ plate: 'THE1R' });
    await api.giveVisit(mine.id, 'me');
    await api.giveVisit(theirs.id, 'them');
    const token = await api.account('customer', { customerId: 'me' });
    const nobody = await api.account('partner');
    expect(await api.plates(`/reports/visits?${NOVEMBER}`, { token })).toEqual(['MINE1']);
    expect(await api.plates(`/reports/visits?${NOVEMBER}`, { token: nobody })).toEqual([]);
    expect((await stats(NOVEMBER, token)).total).toBe(1);
    expect((await stats(NOVEMBER, nobody)).total).toBe(0);
    expect((await csvRows(NOVEMBER, token)).slice(1).map(([, plate]) => plate)).toEqual(['MINE1']);
    expect(await csvRows(NOVEMBER, nobody)).toHaveLength(1);
    expect(await csvRows(`${NOVEMBER}&plate=THE1R`, token)).toHaveLength(1);
    expect((await stats(NOVEMBER)).total).toBe(2);
  });
});

describe('the list and the counts', () => {
  beforeEach(async () => {
    await api.visit({ plate: 'OCT31', startedAt: '2026-10-31T23:59:59.999Z' });
    await api.visit({ plate: 'NOV01', startedAt: '2026-11-01T00:00:00.000Z', status: 'need-payment' });
    await api.visit({
      plate: 'NOV30',
      startedAt: '2026-11-30T23:59:59.999Z',
      endedAt: '2026-12-01T00:00:00.000Z',
      status: 'completed',
      paymentStatus: 'kiosk',
    });
    await api.visit({ plate: 'DEC01', startedAt: '2026-12-01T00:00:00.000Z' });
  });

  it('hold the days that are asked for, both included', async () => {
    expect(await api.plates(`/reports/visits?${NOVEMBER}`)).toEqual(['NOV30', 'NOV01']);
    expect(await api.plates(`/reports/visits?${NOVEMBER}&status=completed`)).toEqual(['NOV30']);
    const { total, statuses, categories, paymentStatuses } = await stats(NOVEMBER);
    expect(total).toBe(2);
    expect(statuses.map(({ status, count }) => [status, count])).toEqual([
      ['new', 0],
      ['need-payment', 1],
      ['need-plate', 0],
      ['completed', 1],
    ]);
    expect(categories).toEqual([
      { category: 'light', count: 2 },
      { category: 'heavy', count: 0 },
    ]);
    expect(paymentStatuses.filter(({ count }) => count > 0)).toEqual([
      { paymentStatus: null, count: 1 },
      { paymentStatus: 'kiosk', count: 1 },
    ]);
    expect((await stats(`${NOVEMBER}&plate=nov-01`)).total).toBe(1);
    expect((await stats('date.from=0001-01-01&date.to=9998-12-31')).total).toBe(4);
    expect((await stats('date.from=2027-01-01&date.to=2027-12-31')).total).toBe(0);
  });

  it('are days of the site, where one is named', async () => {
    const away = await api.addSite('Away', 'America/New_York');
    await api.visit({ plate: 'LATE1', startedAt: '2026-12-01T04:59:59.999Z' }, { siteId: away.id });
    await api.visit({ plate: 'LATE2', startedAt: '2026-12-01T05:00:00.000Z' }, { siteId: away.id });
    expect(await api.plates(`/reports/visits?${NOVEMBER}&siteId=${away.id}`)).toEqual(['LATE1']);
    expect((await stats(`${NOVEMBER}&siteId=${away.id}`)).total).toBe(1);
    const [, row] = await csvRows(`${NOVEMBER}&siteId=${away.id}`);
    expect(row?.slice(0, 3)).toEqual(['Away', 'LATE1', '2026-11-30 23:59:59']);
  });

  it('count no longer than a person waits', async () => {
    const never = new AbortController().signal;
    const counted = await visitStats(api.context.scans, {}, { now: api.now(), signal: never }, 0);
    expect(counted).toEqual(refusedInput(mistake('counting-too-long', ['date.from'], { seconds: 0 })));
  });
});

/** The texts that others may have written, and their form in the file. */
const STRANGE = [
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(1)',
  '\tTAB',
  '\rCR',
  '＝1+1',
  'a;b',
  'a,b',
  'a "quoted" b',
  'two\nlines',
  '<b>&amp;</b>',
  '_x0041_ \u0001 \u{1f697}',
  'Þórður Æsi',
];

describe('the download', () => {
  beforeEach(async () => {
    for (const [at, plate] of STRANGE.entries()) {
      await api.visit({ plate, startedAt: new Date(Date.UTC(2026, 10, 2, 8, at)).toISOString() });
    }
  });

  it.each([';', ','])('as CSV with %s runs no formula and keeps every letter', async (separator) => {
    const { status, headers, bytes } = await download(
      `${NOVEMBER}&format=csv&separator=${encodeURIComponent(separator)}&language=en`,
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="visits-2026-11-01-2026-11-30.csv"',
    );
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.subarray(-2).toString()).toBe('\r\n');
    const [header, ...rows]: string[][] = parse(bytes, { bom: true, delimiter: separator });
    expect(header?.slice(0, 4)).toEqual(['Site', 'Plate', 'In', 'Out']);
    const plates = rows.map(([, plate]) => plate ?? '');
    expect(plates).toEqual(STRANGE.map((plate) => (/^[=+\-@\t\r＝]/.test(plate) ? `'${plate}` : plate)));
  });

  it('as .xlsx has the same as text, dates as dates, and a header that stays', async () => {
    await api.visit({
      plate: 'LAST1',
      startedAt: '2026-11-20T08:00:00.000Z',
      endedAt: '2026-11-21T20:30:00.000Z',
      price: {
        amountMinor: 1500,
        currency: 'ISK',
        lines: [],
        product: { id: 'light', version: 1 },
        pricedAt: '2026-11-21T20:30:00.000Z',
      },
    });
    const { headers, bytes } = await download(NOVEMBER);
    expect(headers.get('content-type')).toContain('spreadsheetml.sheet');
    expect(headers.get('content-disposition')).toContain('.xlsx"');
    const parts = unzipSync(bytes);
    const xml = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(xml).toContain('<col min="1" max="1" width="20" customWidth="1"/>');
    const plates = [...xml.matchAll(/<c r="B(\d+)"[^>]*><is><t[^>]*>([^<]*)</g)].map(([, , text]) => text);
    expect(plates).toEqual([
      'Bílnúmer',
      '=HYPERLINK(&quot;http://evil.example&quot;,&quot;x&quot;)',
      ...STRANGE.slice(1, 5),
      '_x000D_CR',
      ...STRANGE.slice(6, 9),
      'a &quot;quoted&quot; b',
      'two\nlines',
      '&lt;b&gt;&amp;amp;&lt;/b&gt;',
      '_x005F_x0041_ _x0001_ \u{1f697}',
      'Þórður Æsi',
      'LAST1',
    ]);
    const lastRow = xml.slice(xml.lastIndexOf('<row '));
    const typed = [...lastRow.matchAll(/<c r="([A-Z])16" s="(\d)"><v>([^<]*)</g)].map((found) =>
      found.slice(1),
    );
    // 20 November 2026, 08:00, to the next day, 20:30: a day and a half and half an hour; 1500 kr. without decimals.
    expect(typed.map(([column, style, value]) => [column, style, Number(value).toFixed(6)])).toEqual([
      ['C', '2', (46_346 + 8 / 24).toFixed(6)],
      ['D', '2', (46_347 + 20.5 / 24).toFixed(6)],
      ['E', '3', (36.5 / 24).toFixed(6)],
      ['H', '5', '1500.000000'],
      ['I', '5', '1500.000000'],
    ]);
    expect(Object.keys(parts)).toEqual([
      '_rels/.rels',
      'xl/worksheets/sheet1.xml',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      '[Content_Types].xml',
    ]);
  });

  it('of several pages of visits has each once, oldest first, in both forms', async () => {
    const count = 6500;
    await addSampleVisits(api.db, { siteId: api.site.id, from: '2026-06-01T00:00:00.000Z', count });
    const period = 'date.from=2026-06-01&date.to=2026-06-30';
    const rows = (await csvRows(period)).slice(1);
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map((row) => row.at(-1))).size).toBe(count);
    const starts = rows.map((row) => row[2] ?? '');
    expect(starts).toEqual([...starts].sort());
    const { bytes } = await download(period);
    const xml = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(xml.match(/<row /g)).toHaveLength(count + 1);
    expect(xml.match(/<c r="D\d+" s="2">/g)).toHaveLength(Math.ceil(count / 3));
    expect((await stats(period)).total).toBe(count);
  });

  it.each(['format=pdf', 'language=de', 'separator=%7C'])('refuses %s', async (query) => {
    expect((await api.call('GET', `/reports/visits/download?${NOVEMBER}&${query}`)).status).toBe(400);
  });

  it('answers 500 where it cannot begin', async () => {
    await api.context.scans.close();
    expect((await download(NOVEMBER)).status).toBe(500);
  });

  it('ends when its reader has gone, and others go on', async () => {
    await addSampleVisits(api.db, { siteId: api.site.id, from: '2026-01-01T00:00:00.000Z', count: 30_000 });
    const year = 'date.from=2026-01-01&date.to=2026-12-31';
    const server = createServer(getRequestListener(api.app.fetch));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const leaving = new AbortController();
    const scans = endings();
    const response = await fetch(`http://127.0.0.1:${port}/reports/visits/download?${year}&format=csv`, {
      headers: { authorization: `Bearer ${api.operator}` },
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(scans.running()).toBe(1);
    leaving.abort();
    await expect.poll(() => scans.running()).toBe(0);
    const day = 'date.from=2026-01-01&date.to=2026-01-01';
    expect(await csvRows(day)).toHaveLength(1 + 24 * 60);
    await new Promise((resolve) => server.close(resolve));
  });
});

/** Watches the scans of the API begin and end. */
function endings() {
  let running = 0;
  const { scans } = api.context;
  const run = scans.run.bind(scans);
  scans.run = async function* (name, given, signal) {
    running++;
    try {
      yield* run(name, given, signal);
    } finally {
      running--;
    }
  };
  return { running: () => running };
}

it('the file has columns that add up: a collected invoice is divided among its visits', async () => {
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' });
  const customer = await addCustomer(api, { billingMethod: 'monthly', discount: 10 });
  const stay = { startedAt: '2026-11-20T08:00:00.000Z', endedAt: '2026-11-20T10:00:00.000Z' };
  for (const plate of ['ONE01', 'TWO02', 'THR03']) {
    const { id } = await api.visit({ ...stay, plate, status: 'need-payment' });
    await api.giveVisit(id, customer);
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'company-invoice' } });
  }
  await api.visit({ plate: 'CAR01', startedAt: '2026-11-20T13:00:00.000Z' });
  api.wait(31 * DAY_MS);
  await api.call('POST', '/billing/runs', { body: {} });
  const [header = [], ...rows] = await csvRows(NOVEMBER);
  const sum = (name: string) =>
    rows.reduce((total, row) => total + Number(row[header.indexOf(name)] || 0), 0);
  expect(rows).toHaveLength(4);
  expect((await allInvoices(api)).map(({ amountMinor }) => amountMinor)).toEqual([1350]);
  // Three visits by invoice, and a car that is inside since 32 days.
  expect([sum('Price of stay'), sum('Due'), sum('Invoiced')]).toEqual([1500 + 16_000, 16_000, 1350]);
});
