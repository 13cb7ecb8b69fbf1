import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { OccupancyHoursSchema, OccupancyReportSchema } from './occupancy-report.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

async function occupancyAt(at: string) {
  const { status, body } = await api.call('GET', `/reports/occupancy?siteId=${api.site.id}&at=${at}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return OccupancyReportSchema.parse(body);
}

async function addZone(name: string, lanes: string[]): Promise<string> {
  return (await api.made('/zones', { name, settings: { capacity: 10, lanes }, siteId: api.site.id })).id;
}

/** Cars by different lanes, one every 7 minutes for a stay of 20 to 119; the first of five stays, the last is voided. */
async function fillDay(): Promise<void> {
  for (let n = 0; n < 40; n++) {
    const startedAt = utcTime(NOON + n * 7 * MINUTE_MS);
    const endedAt = n % 5 === 0 ? null : utcTime(NOON + (n * 7 + 20 + n) * MINUTE_MS);
    await api.visit({
      plate: `AB${100 + n}`,
      startedAt,
      endedAt,
      status: endedAt === null ? 'new' : 'completed',
      entryLaneId: `in-${1 + (n % 3)}`,
      paymentStatus: n % 11 === 0 ? 'void' : null,
    });
  }
}

it('at any moment are the visits that were open then, in zones by the lane of their entry', async () => {
  const [one, rest] = [await addZone('One', ['in-1']), await addZone('Rest', [])];
  await fillDay();
  for (const minutes of [-1, 0, 3, 44, 90, 137, 200, 400]) {
    const at = utcTime(NOON + minutes * MINUTE_MS);
    const { body } = await api.call('GET', `/visits?insideAt=${at}&siteId=${api.site.id}`);
    const { data } = z.looseObject({ data: z.array(z.unknown()) }).parse(body);
    const report = await occupancyAt(at);
    expect([minutes, report.counted]).toEqual([minutes, data.length]);
    expect(report.zones.map(({ id }) => id)).toEqual([one, rest]);
    expect(report.zones.reduce((sum, zone) => sum + zone.counted, 0)).toBe(report.counted);
  }
});

it('has what people had corrected by then, and not what they corrected later', async () => {
  const zone = await addZone('One', ['in-1']);
  await api.visit({ startedAt: '2026-11-21T08:00:00.000Z' });
  const before = api.now();
  api.wait(HOUR_MS);
  await api.call('PUT', `/zones/${zone}/occupancy`, { body: { inside: 5, reason: 'counted' } });
  expect((await occupancyAt(before)).zones.map(({ inside, counted }) => [inside, counted])).toEqual([[1, 1]]);
  expect((await occupancyAt(api.now())).zones.map(({ inside, counted }) => [inside, counted])).toEqual([
    [5, 1],
  ]);
});

it('by hour adds up to the moments between', async () => {
  await addZone('One', ['in-1']);
  await fillDay();
  const query = `siteId=${api.site.id}&date.from=2026-11-20&date.to=2026-11-21`;
  const { body } = await api.call('GET', `/reports/occupancy/hours?${query}`);
  const { hours, zones } = OccupancyHoursSchema.parse(body);
  expect(zones.map(({ name }) => name)).toEqual(['One']);
  // The present hour is the last one.
  expect(hours).toHaveLength(24 + 13);
  let inside = 0;
  for (const { from, site } of hours) {
    inside += site.arrivals - site.departures;
    const end = utcTime(Date.parse(from) + HOUR_MS - 1);
    if (end < api.now()) expect([from, (await occupancyAt(end)).counted]).toEqual([from, inside]);
    expect(site.inside).toBeLessThanOrEqual(site.most);
  }
  const noon = hours.find(({ from }) => from === '2026-11-20T12:00:00.000Z');
  let sum = 0;
  for (let second = 0; second < 3600; second += 60) {
    sum += (await occupancyAt(utcTime(NOON + second * 1000))).counted;
  }
  expect(noon?.site.inside).toBeCloseTo(sum / 60, 1);
});

it('is of the sites of its caller, and of at most a month', async () => {
  const token = await api.account('operator', { siteIds: [(await api.addSite('Airport')).id] });
  const path = `/reports/occupancy?siteId=${api.site.id}`;
  expect((await api.call('GET', path, { token })).status).toBe(400);
  const days = `siteId=${api.site.id}&date.from=2026-10-01&date.to=2026-11-01`;
  expect((await api.call('GET', `/reports/occupancy/hours?${days}`)).status).toBe(400);
});
