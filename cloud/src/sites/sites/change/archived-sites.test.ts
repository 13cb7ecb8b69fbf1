import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { linkWatchJob } from '../../../integration/alarms/watch-links.ts';
import { readCloudState } from '../../../integration/monitor/cloud-state.ts';
import { IncomeReportSchema } from '../../../integration/reports/income-report.ts';
import { addIncome } from '../../../money/invoices/issue-invoice.ts';
import { siteDeviceTable } from '../../../records/devices/device-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const ListSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), archivedOn: z.string().nullable() })),
});

async function listed(query = ''): Promise<string[]> {
  const { body } = await api.call('GET', `/sites${query}`);
  return ListSchema.parse(body).data.map(({ id }) => id);
}

it('leaves an archived site out of lists and alarms, keeps its history, and brings it back', async () => {
  const { id } = api.site;
  const visit = { plate: 'ABX12', siteId: id, startedOn: '2026-11-21T09:00:00.000Z' };
  const { body: made } = await api.call('POST', '/visits', { body: visit });
  expect((await api.call('DELETE', `/sites/${id}`)).body).toMatchObject({ codes: [{ code: 'site-in-use' }] });

  expect((await api.call('POST', `/sites/${id}/archive`)).body).toMatchObject({ id, status: 'revoked' });
  expect(await listed()).not.toContain(id);
  expect(await listed('?archived=true')).toEqual([id]);
  expect(await listed('?archived=all')).toContain(id);
  expect((await api.call('GET', `/visit/${made['id']}`)).status).toBe(200);
  api.wait(48 * HOUR_MS);
  expect(await linkWatchJob(api.db).isDue?.(api.now())).toBe(false);

  expect((await api.call('DELETE', `/sites/${id}/archive`)).status).toBe(204);
  expect(await listed()).toContain(id);
  // Its secret is gone: it needs another one.
  expect((await api.call('GET', `/sites/${id}`)).body).toMatchObject({ status: 'revoked', archivedOn: null });
});

it('an archived site counts in no total of a report, and in one that names it or asks for all', async () => {
  const { id: closed } = await api.addSite('Airport');
  const day = '2026-11-21';
  const kinds = { paymentType: 'kiosk', vehicleCategory: 'light', currency: 'ISK', invoices: 1 } as const;
  for (const [siteId, amountMinor, plate] of [
    [api.site.id, 500, 'ABX12'],
    [closed, 7000, 'KLM34'],
    ['', 30, null],
  ] as const) {
    await api.db.write(({ q }) => addIncome(q, { ...kinds, siteId, day, amountMinor, tipsMinor: 0 }));
    if (plate !== null) await api.visit({ plate, startedAt: `${day}T08:00:00.000Z` }, { siteId });
  }
  const days = `date.from=${day}&date.to=${day}`;
  const totals = async (more = '', token = api.operator) => {
    const of = async (path: string) => (await api.call('GET', `${path}?${days}${more}`, { token })).body;
    const income = IncomeReportSchema.parse(await of('/reports/income'));
    return {
      income: income.total.amounts.map(({ amount }) => amount),
      visits: (await of('/reports/visits/stats'))['total'],
      listed: (await of('/reports/visits'))['total'],
      arrivals: (await of('/reports/traffic'))['total'],
    };
  };
  const both = { income: [7530], visits: 2, listed: 2, arrivals: { arrivals: 2, departures: 0 } };
  const inUse = { income: [530], visits: 1, listed: 1, arrivals: { arrivals: 1, departures: 0 } };
  api.wait(HOUR_MS);
  expect(await totals()).toEqual(both);
  await api.call('POST', `/sites/${closed}/archive`);
  expect(await totals()).toEqual(inUse);
  expect(await totals('&archived=all')).toEqual(both);
  expect(await totals(`&siteId=${closed}`)).toMatchObject({ income: [7000], visits: 1, listed: 1 });
  const own = await api.account('operator', { siteIds: [closed] });
  expect(await totals('', own)).toMatchObject({ income: [], visits: 0, listed: 0 });
  expect(await totals('&archived=all', own)).toMatchObject({ income: [7000], visits: 1, listed: 1 });
});

it('an archived site counts in no metric', async () => {
  const { id } = api.site;
  const device = { siteId: id, kind: 'gate', deviceId: 'in-1' } as const;
  const state = { state: 'failing', since: api.now(), detail: 'no answer', at: api.now() } as const;
  await api.db.write(async ({ q }) => void (await q.insert(siteDeviceTable).values({ ...device, ...state })));
  const measured = () => api.db.read(readCloudState);
  expect(await measured()).toMatchObject({ sites: { away: 1 }, deviceAlarms: 1 });
  await api.call('POST', `/sites/${id}/archive`);
  expect(await measured()).toMatchObject({ sites: { connected: 0, away: 0 }, deviceAlarms: 0 });
});

it('deletes a site to which nothing belongs, and no other', async () => {
  const { id: unused } = await api.addSite('Airport');
  expect((await api.call('DELETE', `/sites/${unused}`)).status).toBe(204);
  expect((await api.call('GET', `/sites/${unused}`)).status).toBe(404);
  expect((await api.call('DELETE', `/sites/${unused}`)).status).toBe(404);

  const { id: zoned } = await api.addSite('Harbour 2');
  const zone = await api.call('POST', '/zones', { body: { siteId: zoned, name: 'Cellar', settings: {} } });
  expect(zone.status).toBeLessThan(400);
  expect((await api.call('DELETE', `/sites/${zoned}`)).status).toBe(400);
});

it('raises an alarm for a site that has never been connected a day after it was made', async () => {
  const { id: late } = await api.addSite('Airport');
  const job = linkWatchJob(api.db);
  api.wait(23 * HOUR_MS);
  expect(await job.isDue?.(api.now())).toBe(false);
  api.wait(2 * HOUR_MS);
  expect(await job.isDue?.(api.now())).toBe(true);
  await job.work({ now: api.now(), signal: new AbortController().signal });
  const { body } = await api.call('GET', `/sites/${late}/devices`);
  expect(body['data']).toMatchObject([{ kind: 'link', state: 'unreachable', alarm: true }]);
  expect(await job.isDue?.(api.now())).toBe(false);
});
