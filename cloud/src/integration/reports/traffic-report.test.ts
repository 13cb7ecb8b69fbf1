import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { eq } from '../../platform/db/sql.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { type TrafficReport, TrafficReportSchema } from './traffic-report.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function report(query: string): Promise<TrafficReport> {
  const { status, body } = await api.call('GET', `/reports/traffic?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return TrafficReportSchema.parse(body);
}

async function edit(id: string, body: object): Promise<void> {
  const { status, body: answer } = await api.call('PUT', `/visit/${id}`, {
    body: { ...body, reason: 'test' },
  });
  expect(status, JSON.stringify(answer)).toBe(303);
}

const STEP_MS = 5 * MINUTE_MS;

/** The same from the stored visits, five minutes by five on the wall of the site. */
async function counted(siteId: string, timeZone: string, from: string, to: string) {
  const rows = await api.db.read(
    async (q) => await q.select().from(visitTable).where(eq(visitTable.siteId, siteId)),
  );
  const stays = rows
    .filter(({ paymentStatus }) => paymentStatus !== 'void')
    .map(({ startedAt, endedAt }) => ({
      startMs: millis(startedAt),
      endMs: endedAt === null ? null : millis(endedAt),
    }));
  const week = Array.from({ length: 168 }, () => ({ steps: 0, arrivals: 0, departures: 0, inside: 0 }));
  const firstMs = Math.min(...stays.map(({ startMs }) => startMs));
  const begin = Math.floor(firstMs / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
  for (let ms = begin; ms < millis(`${to}T23:00:00.000Z`) + 24 * HOUR_MS; ms += STEP_MS) {
    const { day, time } = siteWall(new Date(ms), timeZone);
    if (day < from || day > to) continue;
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    const cell = week[weekday * 24 + Number(time.slice(0, 2))];
    if (cell === undefined) throw new Error(`${day} ${time}`);
    cell.steps++;
    cell.arrivals += stays.filter(({ startMs }) => startMs === ms).length;
    cell.departures += stays.filter(({ endMs }) => endMs === ms).length;
    cell.inside += stays.filter(
      ({ startMs, endMs }) => startMs <= ms && (endMs === null || endMs > ms),
    ).length;
  }
  const average = (sum: number, steps: number, among = steps) =>
    steps === 0 ? null : Math.round((sum / among) * 100) / 100;
  // An hour that has only begun is one hour.
  const hoursOf = (steps: number) => Math.max(steps / 12, 1);
  return week.map(({ steps, arrivals, departures, inside }, at) => ({
    weekday: Math.floor(at / 24) + 1,
    hour: at % 24,
    arrivals,
    departures,
    arrivalsPerHour: average(arrivals, steps, hoursOf(steps)),
    departuresPerHour: average(departures, steps, hoursOf(steps)),
    inside: average(inside, steps),
  }));
}

describe('GET /reports/traffic', () => {
  it.each([
    ['Europe/Berlin', '2026-10-24', '2026-10-26'],
    ['America/St_Johns', '2026-03-07', '2026-03-09'],
  ])(
    'counts what the visits say, whatever is changed of them, also when clocks change: %s',
    async (timeZone, from, to) => {
      const { id: siteId } = await api.addSite('Abroad', timeZone);
      const beganMs = millis(`${from}T00:00:00.000Z`) - 6 * HOUR_MS;
      const steps = (max: number) => fc.integer({ min: 1, max: max / 5 }).map((n) => n * 5);
      const stays = fc.sample(
        fc.record({
          start: steps(4 * 24 * 60),
          minutes: fc.option(steps(2000)),
          change: fc.constantFrom('none', 'start', 'end', 'void', 'reopened', 'stale'),
          by: steps(300),
        }),
        { numRuns: 40, seed: 11 },
      );
      const at = (minutes: number) => utcTime(beganMs + minutes * MINUTE_MS);
      for (const [n, { start, minutes, change, by }] of stays.entries()) {
        const plate = `TR${100 + n}`;
        const visit = await api.visit({ plate, startedAt: at(start) }, { siteId });
        const ended = {
          ...visit,
          ...(minutes !== null && { status: 'need-payment' as const, endedAt: at(start + minutes) }),
        };
        if (minutes !== null && change !== 'end') await api.visit(ended, { siteId });
        if (change === 'start') await edit(visit.id, { startedOn: at(start - by) });
        if (change === 'end' && minutes !== null) {
          await edit(visit.id, {
            status: 'completed',
            paymentStatus: 'whitelisted',
            endedOn: at(start + minutes + by),
          });
          await api.visit(ended, { siteId });
        }
        if (change === 'void' || change === 'reopened') await edit(visit.id, { paymentStatus: 'void' });
        if (change === 'reopened') await edit(visit.id, { status: 'new', endedOn: null });
        if (change === 'stale') {
          await edit(visit.id, { startedOn: at(start - by) });
          // The site has not applied that yet.
          await api.visit(ended, { siteId });
        }
      }
      const { hours } = await report(`date.from=${from}&date.to=${to}&siteId=${siteId}`);
      expect(hours).toEqual(await counted(siteId, timeZone, from, to));
      expect(hours.some(({ arrivalsPerHour }) => arrivalsPerHour === null)).toBe(true);
    },
  );

  it('begins with the first car of a site, ends with the last full quarter, and adds up sites', async () => {
    const other = await api.addSite('Airport');
    // Now is Saturday, 12:00. The site has been seen for half an hour only, and its cars are not doubled.
    for (const [plate, startedAt] of [
      ['AAA11', '2026-11-21T11:30:00.000Z'],
      ['BBB22', '2026-11-21T11:59:59.000Z'],
      ['CCC33', '2026-11-21T12:00:00.000Z'],
    ] as const) {
      await api.visit({ plate, startedAt });
    }
    await api.visit({ plate: 'DDD44', startedAt: '2026-11-21T11:00:00.000Z' }, { siteId: other.id });
    const days = 'date.from=2026-11-01&date.to=2026-11-30';
    const saturday = ({ hours }: TrafficReport) => hours[5 * 24 + 11];
    const one = await report(`${days}&siteId=${api.site.id}`);
    expect(one.total).toEqual({ arrivals: 2, departures: 0 });
    expect(saturday(one)).toMatchObject({ weekday: 6, hour: 11, arrivals: 2, arrivalsPerHour: 2, inside: 1 });
    expect(one.hours[0]).toMatchObject({ arrivals: 0, arrivalsPerHour: null, inside: null });
    expect(saturday(await report(days))).toMatchObject({ arrivals: 3, arrivalsPerHour: 3, inside: 2 });
  });

  it('is a file for a spreadsheet, and refuses more days than a year', async () => {
    await api.visit({ plate: 'AAA11', startedAt: '2026-11-21T11:30:00.000Z' });
    const days = 'date.from=2026-11-21&date.to=2026-11-21';
    const response = await api.app.request(`/reports/traffic/download?${days}&format=csv`, {
      headers: { authorization: `Bearer ${api.operator}` },
    });
    const lines = (await response.text()).split('\r\n');
    expect(lines).toHaveLength(170);
    expect(lines).toContain('laugardagur;11:00;1;0;"1,00";"0,00";"1,00"');
    expect(response.headers.get('Content-Disposition')).toContain('traffic-2026-11-21-2026-11-21.csv');
    const long = await api.call('GET', '/reports/traffic?date.from=2025-01-01&date.to=2026-11-21');
    expect(long).toMatchObject({ status: 400, body: { codes: [{ code: 'too-many-days' }] } });
  });
});
