import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { DeviceState } from '@hlid/protocol/records/device';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { daySpan } from '../../platform/day-span.ts';
import { ingestDevice } from '../../sites/devices/ingest-device.ts';
import { DeviceReportSchema } from './device-report.ts';
import { OverviewSchema } from './overview-report.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const TODAY = 'date.from=2026-11-21&date.to=2026-11-21';

async function report(at: UtcTime, state: DeviceState, deviceId = 'in-1', more: { since?: UtcTime } = {}) {
  const change = { type: 'device.changed', kind: 'gate', deviceId, state, detail: '', since: at } as const;
  const place = { siteId: api.site.id, at, arrivedAt: api.now() };
  await api.db.write((tx) => ingestDevice(tx, place, { ...change, ...more }));
}

async function get<T>(schema: z.ZodType<T>, path: string): Promise<T> {
  const { status, body } = await api.call('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return schema.parse(body);
}
const devices = (query: string) => get(DeviceReportSchema, `/reports/devices?${query}`);

it('an outage counts on each of its days, and one that goes on counts until now', async () => {
  await report('2026-11-20T22:00:00.000Z', 'unreachable');
  await report('2026-11-20T23:00:00.000Z', 'failing');
  await report('2026-11-21T01:30:00.000Z', 'ok');
  await report('2026-11-21T02:00:00.000Z', 'silent', 'in-2');
  const minutes = Math.round((millis(api.now()) - millis('2026-11-21T02:00:00.000Z')) / MINUTE_MS);
  const today = await devices(TODAY);
  expect(today.devices).toMatchObject([
    { id: 'in-2', faults: 1, downMinutes: minutes, downSince: '2026-11-21T02:00:00.000Z', state: 'silent' },
    { id: 'in-1', faults: 0, downMinutes: 90, downSince: null, state: 'ok' },
  ]);
  expect(today.total).toEqual({ devices: 2, faults: 1, downMinutes: minutes + 90 });
  const before = await devices('date.from=2026-11-20&date.to=2026-11-20');
  expect(before.devices).toMatchObject([{ id: 'in-1', faults: 1, downMinutes: 120 }]);
});

it('a device that was removed keeps what was counted of it', async () => {
  await report('2026-11-21T01:00:00.000Z', 'failing');
  await report('2026-11-21T02:00:00.000Z', 'gone');
  expect((await devices(TODAY)).devices).toMatchObject([
    { id: 'in-1', state: null, faults: 1, downMinutes: 60 },
  ]);
});

it('a clock of a site that is wrong makes no outage of the future, and none of years', async () => {
  await report(api.now(), 'failing', 'in-1', { since: '2031-01-01T00:00:00.000Z' });
  await report(api.now(), 'ok', 'in-1', { since: '2032-01-01T00:00:00.000Z' });
  expect((await devices(TODAY)).total.downMinutes).toBe(0);
  await report(api.now(), 'failing', 'in-2', { since: '1970-01-01T00:00:00.000Z' });
  await report(api.now(), 'ok', 'in-2');
  const year = 'date.from=2025-11-21&date.to=2026-11-21';
  expect((await devices(year)).total.downMinutes).toBeLessThanOrEqual((366 * DAY_MS) / MINUTE_MS);
  expect((await devices('date.from=2024-11-21&date.to=2025-11-01')).total.downMinutes).toBe(0);
});

const changesArbitrary = fc.array(
  fc.record({
    afterMinutes: fc.integer({ min: 1, max: 1300 }),
    deviceId: fc.constantFrom('in-1', 'out-1'),
    state: fc.constantFrom<DeviceState[]>('ok', 'unknown', 'silent', 'failing', 'gone'),
  }),
  { minLength: 1, maxLength: 25 },
);

it('the report, its file and the overview have what random changes add up to, on the clock of the site', {
  timeout: 60_000,
}, async () => {
  const timeZone = 'America/New_York';
  const [from, to] = ['2026-10-28', '2026-11-06'] as const;
  const span = { from: millis(daySpan(from, timeZone).from), before: millis(daySpan(to, timeZone).before) };
  await fc.assert(
    fc.asyncProperty(changesArbitrary, async (changes) => {
      await api.close();
      api = await createTestApi();
      await api.call('PUT', `/sites/${api.site.id}`, { body: { timeZone } });
      const downSince = new Map<string, number>();
      let [expected, faults, at] = [0, 0, Date.parse('2026-10-27T12:00:00.000Z')];
      const count = (first: number, end: number) => {
        expected += Math.max(0, Math.min(end, span.before) - Math.max(first, span.from));
      };
      for (const { afterMinutes, deviceId, state } of changes) {
        at += afterMinutes * MINUTE_MS;
        await report(utcTime(at), state, deviceId);
        const since = downSince.get(deviceId);
        const isDown = state === 'silent' || state === 'failing';
        if (isDown && since === undefined) {
          downSince.set(deviceId, at);
          if (at >= span.from && at < span.before) faults++;
        }
        if (!isDown && since !== undefined) {
          count(since, at);
          downSince.delete(deviceId);
        }
      }
      for (const since of downSince.values()) count(since, millis(api.now()));
      const total = { downMinutes: Math.round(expected / MINUTE_MS), faults };
      const query = `date.from=${from}&date.to=${to}`;
      expect((await devices(query)).total).toMatchObject(total);
      const { now } = await get(OverviewSchema, `/reports/overview?${query}`);
      expect(now.stays).toMatchObject({ deviceDownMinutes: total.downMinutes, deviceFaults: faults });
      const days = now.periods.map(({ stays }) => stays?.deviceDownMinutes ?? 0);
      expect(days.reduce((sum, one) => sum + one, 0)).toBe(total.downMinutes);
      expect(Math.max(...days)).toBeLessThanOrEqual((2 * 25 * HOUR_MS) / MINUTE_MS);
      const file = await api.app.request(
        `/reports/devices/download?${query}&format=csv&separator=,&language=en`,
        { headers: { authorization: `Bearer ${api.operator}` } },
      );
      const [headers = [], ...rows] = z
        .array(z.array(z.string()))
        .parse(parse(Buffer.from(await file.arrayBuffer()), { bom: true }));
      const minutes = rows.map((row) => Number(row[headers.indexOf('Minutes down')]));
      expect(minutes.reduce((sum, one) => sum + one, 0)).toBe(total.downMinutes);
    }),
    { numRuns: 8 },
  );
});
