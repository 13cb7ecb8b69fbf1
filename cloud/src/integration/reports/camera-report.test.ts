import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { readEvent } from '../../../test/sample-events.ts';
import { storeSiteRead } from '../../../test/store-site-read.ts';
import { CameraReportSchema } from './camera-report.ts';
import { PermitReportSchema } from './permit-report.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function read(at: string, plate: string | null): Promise<string> {
  const { read: one } = readEvent({ id: randomUUID(), receivedAt: at, capturedAt: at, plate });
  await storeSiteRead(api, one);
  return one.id;
}

async function cameras(query: string) {
  const { status, body } = await api.call('GET', `/reports/cameras?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return CameraReportSchema.parse(body).cameras;
}

const TODAY = 'date.from=2026-11-21&date.to=2026-11-21';

it('has reads, those without a plate and those corrected by the hour, and how many plates matched', async () => {
  await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in-1' });
  const id = await read('2026-11-21T08:10:00.000Z', 'ABX12');
  await read('2026-11-21T08:20:00.000Z', null);
  await read('2026-11-21T09:00:00.000Z', 'ABX13');
  await api.call('PUT', `/photo/${id}`, { body: { plate: 'ABX99' } });
  const stay = {
    startedAt: '2026-11-21T08:10:00.000Z',
    endedAt: '2026-11-21T10:00:00.000Z',
    entryReadId: id,
  };
  const ended = { status: 'completed', exitLaneId: 'out-1' } as const;
  await api.visit({ plate: 'ONE01', ...stay, ...ended, exitFoundBy: 'equal' });
  await api.visit({ plate: 'TWO02', ...stay, ...ended, exitFoundBy: 'near' });
  const [camera, ...others] = await cameras(TODAY);
  expect(others).toEqual([]);
  expect(camera).toMatchObject({ name: 'In', location: 'entrance', laneId: 'in-1', advice: null });
  expect(camera?.total).toEqual({ reads: 3, unread: 1, corrected: 1, judged: 2, matched: 1 });
  expect(camera?.hours[8]).toEqual({ reads: 2, unread: 1, corrected: 1, judged: 2, matched: 1 });
  expect(camera?.hours[9]).toEqual({ reads: 1, unread: 0, corrected: 0, judged: 0, matched: 0 });
});

it('advises to clean a lens that misreads more than the days before', async () => {
  for (let n = 0; n < 60; n++) {
    const at = Date.parse('2026-11-21T08:00:00.000Z') + n * 1000;
    await read(utcTime(at - DAY_MS), n < 2 ? null : 'ABX12');
    await read(utcTime(at), n < 6 ? null : 'ABX12');
  }
  const [camera] = await cameras(TODAY);
  expect([camera?.before.unread, camera?.total.unread, camera?.advice]).toEqual([2, 6, 'clean-lens']);
  const [yesterday] = await cameras('date.from=2026-11-20&date.to=2026-11-20');
  expect(yesterday?.advice).toBeNull();
});

it('permits are counted by whole months', async () => {
  const permit = await api.made('/visit/whitelist', { plate: 'PER01', reason: 'Staff' });
  const stay = { permitId: permit.id, plate: 'PER01', status: 'completed' as const };
  const moments = [
    '2026-09-30T23:00:00.000Z',
    '2026-10-01T01:00:00.000Z',
    '2026-11-01T01:00:00.000Z',
  ] as const;
  for (const startedAt of moments) {
    await api.visit({ ...stay, startedAt, endedAt: utcTime(Date.parse(startedAt) + 90 * 60_000) });
  }
  const { body } = await api.call('GET', '/reports/permits?date.from=2026-10-15&date.to=2026-11-15');
  expect(PermitReportSchema.parse(body)).toEqual({
    total: { permits: 1, stays: 2, stayMinutes: 180 },
    permits: [
      {
        permitId: permit.id,
        plate: 'PER01',
        reason: 'Staff',
        customer: null,
        stays: 2,
        stayMinutes: 180,
        lastMonth: '2026-11',
      },
    ],
    unused: [],
    hasMoreUnused: false,
  });
});

it('permits that were valid without a stay are listed by customer, with their last use', async () => {
  const bakery = await api.made('/customers', { customer: { name: 'Bakery', language: 'en' } });
  const baker = await api.account('customer', { customerId: bakery.id });
  const add = async (plate: string, body: object, token?: string) => {
    api.wait(1000);
    return await api.made(
      '/visit/whitelist',
      { plate, reason: 'Staff', ...body },
      { token: token ?? api.operator },
    );
  };
  const used = await add('USED1', {});
  const before = await add('USED2', {});
  await add('NEVER1', {});
  await add('BAKER1', {}, baker);
  await add('LATER1', { activeFrom: '2026-12-05T00:00:00.000Z' });
  await add('GONE1', { expireOn: '2026-11-22T00:00:00.000Z', activeFrom: '2026-11-21T12:00:00.000Z' });
  const other = await api.addSite('Airport');
  await add('OTHER1', { siteId: other.id });
  for (const [permit, startedAt] of [
    [used, '2026-11-03T01:00:00.000Z'],
    [before, '2026-08-01T01:00:00.000Z'],
  ] as const) {
    await api.visit({ permitId: permit.id, plate: 'X', status: 'completed', startedAt, endedAt: startedAt });
  }
  const unused = async (query: string) => {
    const { body } = await api.call('GET', `/reports/permits?${query}`);
    return PermitReportSchema.parse(body).unused.map(({ plate, customer, lastMonth }) => [
      customer?.name ?? null,
      plate,
      lastMonth,
    ]);
  };
  const november = 'date.from=2026-11-01&date.to=2026-11-30';
  expect(await unused(november)).toEqual([
    ['Bakery', 'BAKER1', null],
    [null, 'USED2', '2026-08'],
    [null, 'NEVER1', null],
    [null, 'GONE1', null],
    [null, 'OTHER1', null],
  ]);
  expect((await unused(`${november}&siteId=${other.id}`)).map(([, plate]) => plate)).toEqual(['OTHER1']);
  // Permits of a customer's account have an end.
  const december = await unused('date.from=2026-12-01&date.to=2026-12-31');
  expect(december.map(([, plate]) => plate)).toEqual(['USED1', 'USED2', 'NEVER1', 'LATER1', 'OTHER1']);
  // Before they were made there were none.
  expect(await unused('date.from=2026-10-01&date.to=2026-10-31')).toEqual([]);
});
