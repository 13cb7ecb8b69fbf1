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
        stays: 2,
        stayMinutes: 180,
        lastMonth: '2026-11',
      },
    ],
  });
});
