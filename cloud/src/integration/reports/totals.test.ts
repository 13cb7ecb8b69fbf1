import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { DecisionReason } from '@hlid/protocol/records/decision';
import type { Visit } from '@hlid/protocol/records/visit';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { passageEvent, readEvent } from '../../../test/sample-events.ts';
import type { Queries } from '../../platform/db/db.ts';
import { asc, sql } from '../../platform/db/sql.ts';
import { passageDecisionTable } from '../../records/passages/passage-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { letsOut } from '../../records/totals/let-out.ts';
import { readCounts } from '../../records/totals/read-counts.ts';
import { recountMonth, remakeDays } from '../../records/totals/recount.ts';
import {
  differenceOf,
  hourOf,
  monthOf,
  quarterTotal,
  type StayTotals,
  totalsOf,
} from '../../records/totals/stay-totals.ts';
import {
  cameraHourTable,
  permitMonthTable,
  siteDayTable,
  trafficTable,
} from '../../records/totals/traffic-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { applyEvent } from '../ingest/apply-event.ts';
import { IncomeReportSchema } from './income-report.ts';
import { OverviewSchema } from './overview-report.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

/** One thing that happens; numbers choose among what is there. */
const stepArbitrary = fc.record({
  what: fc.constantFrom<Step['what'][]>(
    'arrive',
    'arrive',
    'leave',
    'leave',
    'again',
    'edit',
    'void',
    'split',
    'join',
    'passage',
    'read',
    'correct',
    'fault',
  ),
  n: fc.nat(1000),
  minutes: fc.integer({ min: 1, max: 3 * 24 * 60 }),
});
interface Step {
  what:
    | 'arrive'
    | 'leave'
    | 'again'
    | 'edit'
    | 'void'
    | 'split'
    | 'join'
    | 'passage'
    | 'read'
    | 'correct'
    | 'fault';
  n: number;
  minutes: number;
}

/** A random history of one site: what its site reports, in and out of order, and what people change of it. */
class History {
  readonly #visits: Visit[] = [];
  readonly #reads: string[] = [];
  readonly #passages: string[] = [];
  /** Changes that were applied, by what they were. */
  readonly applied = new Map<string, number>();

  async take({ what, n, minutes }: Step): Promise<void> {
    const at = utcTime(NOW - minutes * MINUTE_MS);
    const visit = this.#visits[n % Math.max(1, this.#visits.length)];
    if (what === 'arrive') return await this.#arrive(n, at);
    if (what === 'passage') return await this.#pass(n, at);
    if (what === 'read') return await this.#read(n, at);
    if (what === 'fault') return await this.#fault(n, at);
    if (what === 'correct') return await this.#correct(n);
    if (visit === undefined) return;
    if (what === 'leave') return await this.#leave(visit, n);
    if (what === 'again') return await this.#report(visit);
    if (what === 'edit') return await this.#edit(visit, n, at);
    const reason = 'test';
    const other = this.#visits[(n + 1) % this.#visits.length] ?? visit;
    const [path, body] = {
      void: ['', { paymentStatus: 'void', reason }],
      split: ['/split', { at, reason }],
      join: ['/join', { visitId: other.id, reason }],
    }[what] as [string, object];
    await this.#call(what, path === '' ? 'PUT' : 'POST', `/visit/${visit.id}${path}`, body);
  }

  async #arrive(n: number, startedAt: string): Promise<void> {
    this.#visits.push(
      await api.visit({
        plate: n % 7 === 0 ? null : `AB${100 + (n % 40)}`,
        status: n % 7 === 0 ? 'need-plate' : 'new',
        startedAt,
        createdAt: startedAt,
        entryLaneId: ['in-1', 'in-2', null][n % 3] ?? null,
        entryReadId: n % 5 === 0 ? null : randomUUID(),
        permitId: n % 4 === 0 ? `permit-${n % 3}` : null,
      }),
    );
  }

  async #leave(visit: Visit, n: number): Promise<void> {
    const endedAt = utcTime(Math.min(NOW, Date.parse(visit.startedAt) + (n + 1) * MINUTE_MS));
    Object.assign(visit, {
      endedAt,
      status: 'completed',
      plate: visit.plate ?? 'NEW01',
      exitLaneId: ['out-1', 'out-2', null][n % 3] ?? null,
      exitFoundBy: (['equal', 'near', null] as const)[n % 3] ?? null,
    });
    await this.#report(visit, n % 2 === 0 ? 'kiosk' : 'lane:in-1');
  }

  /** The site's word, as it was when the site last knew of edits: late, perhaps. */
  async #report(visit: Visit, by = 'lane:in-1'): Promise<void> {
    const step = { from: null, to: visit.status, reason: 'test', by, at: api.now() };
    await api.visit(visit, { step });
    this.#count('report');
  }

  async #edit({ id }: Visit, n: number, at: string): Promise<void> {
    const edits = [
      { plate: `CD${100 + (n % 40)}` },
      { startedOn: at },
      { endedOn: at },
      { status: 'completed' },
    ];
    await this.#call('edit', 'PUT', `/visit/${id}`, { ...edits[n % edits.length], reason: 'test' });
  }

  async #pass(n: number, at: string): Promise<void> {
    const known = n % 3 === 0 ? this.#passages[n % Math.max(1, this.#passages.length)] : undefined;
    const passageId = known ?? randomUUID();
    this.#passages.push(passageId);
    const reasons: DecisionReason[] = ['paid', 'no-visit', 'need-payment', 'visit-ended', 'welcome'];
    const reason = reasons[n % reasons.length] ?? 'paid';
    const body = passageEvent({
      passageId,
      laneId: n % 2 === 0 ? 'out-1' : 'out-2',
      direction: reason === 'welcome' ? 'entry' : 'exit',
      decision: {
        open: reason !== 'need-payment',
        reason,
        visit: reason === 'paid' ? { kind: 'end', visitId: randomUUID(), settled: true } : { kind: 'none' },
        settlement: null,
        flags: n % 11 === 0 ? ['uncertain-plate'] : [],
      },
    });
    await this.#event(body, at);
  }

  async #read(n: number, receivedAt: string): Promise<void> {
    const id = n % 6 === 0 ? (this.#reads[0] ?? randomUUID()) : randomUUID();
    this.#reads.push(id);
    const standing = (['counts', 'counts', 'low-score', 'parked', 'late'] as const)[n % 5] ?? 'counts';
    const body = readEvent({ id, receivedAt, standing, plate: n % 9 === 0 ? null : 'ABX12' });
    await this.#event(body, receivedAt);
  }

  async #correct(n: number): Promise<void> {
    const id = this.#reads[n % Math.max(1, this.#reads.length)];
    if (id !== undefined) await this.#call('correct', 'PUT', `/photo/${id}`, { plate: `EF${100 + (n % 3)}` });
  }

  async #fault(n: number, at: string): Promise<void> {
    const state = n % 2 === 0 ? ('ok' as const) : ('unreachable' as const);
    const device = { kind: 'gate' as const, deviceId: 'in-1', detail: '', since: at };
    await this.#event({ type: 'device.changed', ...device, state }, at);
  }

  async #event(body: SiteEventBody, at: string): Promise<void> {
    const place = { siteId: api.site.id, eventId: `${randomUUID()}-1`, at, arrivedAt: api.now() };
    expect(await api.db.write((tx) => applyEvent(tx, place, body))).toBeNull();
    this.#count(body.type);
  }

  async #call(what: string, method: string, path: string, body: object): Promise<void> {
    const { status } = await api.call(method, path, { body });
    // A refused call changes nothing.
    expect([303, 200, 204, 400, 409]).toContain(status);
    if (status < 400) this.#count(what);
  }

  #count(what: string): void {
    this.applied.set(what, (this.applied.get(what) ?? 0) + 1);
  }
}

/** All totals without rows of nothing. */
async function storedTotals() {
  return await api.db.read(async (q) => ({
    quarters: filled(await q.select().from(trafficTable), 'quarter'),
    days: filled(await q.select().from(siteDayTable)),
    hours: filled(await q.select().from(cameraHourTable), 'hour'),
    permits: filled(await q.select().from(permitMonthTable), 'month'),
  }));
}

function filled(rows: readonly Record<string, unknown>[], key = ''): string[] {
  return rows
    .filter((row) =>
      Object.entries(row).some(([name, value]) => name !== key && typeof value === 'number' && value !== 0),
    )
    .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort();
}

/** The sums of all visits, decisions and reads that are stored, by the rules alone. */
async function sumsFromRows(q: Queries) {
  const stays = (await q.select().from(visitTable)).map(totalsOf);
  const first = new Map<string, typeof passageDecisionTable.$inferSelect>();
  for (const row of await q.select().from(passageDecisionTable).orderBy(asc(sql`rowid`))) {
    if (row.open && !first.has(row.passageId)) first.set(row.passageId, row);
  }
  const exits = [...first.values()].flatMap((row) => {
    const out = letsOut(row);
    if (out === null) return [];
    return [quarterTotal(row.laneId, row.at, { exits: 1, doubtfulExits: out === 'in-doubt' ? 1 : 0 })];
  });
  const nothing: StayTotals = { quarters: [], matches: [], permits: [] };
  const sums = differenceOf(nothing, {
    quarters: [...stays.flatMap(({ quarters }) => quarters), ...exits],
    matches: stays.flatMap(({ matches }) => matches),
    permits: stays.flatMap(({ permits }) => permits),
  });
  const reads = new Map<string, { reads: number; unread: number; corrected: number }>();
  for (const photo of await q.select().from(photoTable)) {
    const key = `${hourOf(photo.receivedAt)} ${photo.laneId} ${photo.cameraId}`;
    const sum = reads.get(key) ?? { reads: 0, unread: 0, corrected: 0 };
    const counts = readCounts(photo);
    sum.reads += counts.reads;
    sum.unread += counts.unread;
    sum.corrected += counts.corrected;
    reads.set(key, sum);
  }
  return { ...sums, reads };
}

it('totals are the sums of what is stored, whatever happened to it', { timeout: 120_000 }, async () => {
  const applied = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 30, maxLength: 60 }), async (steps) => {
      await api.close();
      api = await createTestApi();
      await api.made('/products', {
        type: 'default',
        price: 500,
        vehicleCategory: 'light',
        productCode: 'P',
      });
      const history = new History();
      for (const step of steps) await history.take(step);
      for (const [what, times] of history.applied) applied.set(what, (applied.get(what) ?? 0) + times);
      const sums = await api.db.read(sumsFromRows);
      const siteId = api.site.id;
      const stored = await api.db.read(async (q) => ({
        quarters: await q.select().from(trafficTable),
        hours: await q.select().from(cameraHourTable),
        permits: await q.select().from(permitMonthTable),
      }));
      const quarters = stored.quarters.map(({ deviceFaults: _, ...row }) => row);
      expect(filled(quarters, 'quarter')).toEqual(
        filled(
          sums.quarters.map(({ laneId, quarter, counters: { deviceFaults: _, ...counters } }) => ({
            siteId,
            laneId,
            quarter,
            ...counters,
          })),
          'quarter',
        ),
      );
      const matches = sums.matches.map((one) => ({
        siteId,
        cameraId: '',
        reads: 0,
        unread: 0,
        corrected: 0,
        ...one,
      }));
      const reads = [...sums.reads].map(([key, counts]) => {
        const [hour = '', laneId, cameraId] = key.split(' ');
        return { siteId, hour: Number(hour), laneId, cameraId, judged: 0, matched: 0, ...counts };
      });
      expect(filled(stored.hours, 'hour')).toEqual(filled([...matches, ...reads], 'hour'));
      expect(filled(stored.permits, 'month')).toEqual(
        filled(
          sums.permits.map((one) => ({ siteId, ...one })),
          'month',
        ),
      );
      // Counting again changes nothing, and neither does a time zone that is the same.
      const before = await storedTotals();
      await api.db.write(async ({ q }) => {
        for (const month of new Set([monthOf(utcTime(NOW - 40 * DAY_MS)), monthOf(utcTime(NOW))])) {
          await recountMonth(q, { siteId, month });
        }
        await remakeDays(q, siteId, 'Atlantic/Reykjavik');
      });
      expect(await storedTotals()).toEqual(before);
    }),
    { numRuns: 6 },
  );
  // The random histories did change things.
  for (const what of ['report', 'edit', 'void', 'passage.decided', 'read.stored', 'device.changed']) {
    expect(applied.get(what) ?? 0, what).toBeGreaterThan(0);
  }
});

it('what retention takes off a visit changes no total', async () => {
  const entryReadId = randomUUID();
  const visit = await api.visit({ startedAt: '2026-11-20T08:00:00.000Z', entryReadId });
  const automatic = async () => {
    const days = await api.db.read(async (q) => await q.select().from(siteDayTable));
    return days.reduce((sum, day) => sum + day.automatic, 0);
  };
  expect(await automatic()).toBe(1);
  const lost = { status: 'completed', plate: null, entryReadId: null, endedAt: api.now() } as const;
  const step = { from: 'new', to: 'completed', reason: 'lost-exit', by: 'retention', at: api.now() } as const;
  await api.visit({ ...visit, ...lost }, { step });
  expect(await automatic()).toBe(1);
});

it('days follow the time zone of their site', async () => {
  await api.visit({ startedAt: '2026-11-20T23:30:00.000Z' });
  const days = async () => {
    const { body } = await api.call('GET', '/reports/overview?date.from=2026-11-20&date.to=2026-11-21');
    return OverviewSchema.parse(body).now.periods.map(({ stays }) => stays?.arrivals);
  };
  expect(await days()).toEqual([1, 0]);
  await api.call('PUT', `/sites/${api.site.id}`, { body: { timeZone: 'Europe/Berlin' } });
  expect(await days()).toEqual([0, 1]);
});

it('the overview has the income of the report on income', async () => {
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' });
  const { id } = await api.visit({ status: 'need-payment', startedAt: '2026-11-21T08:00:00.000Z' });
  await api.call('PUT', `/visit/${id}`, {
    body: { paymentStatus: 'kiosk', paidWith: 'cash', reason: 'paid' },
  });
  const query = 'date.from=2026-11-20&date.to=2026-11-21';
  const income = IncomeReportSchema.parse((await api.call('GET', `/reports/income?${query}&by=day`)).body);
  const overview = OverviewSchema.parse((await api.call('GET', `/reports/overview?${query}`)).body);
  expect(overview.now.income).toEqual(income.total.amounts);
  expect(overview.now.periods.map(({ income }) => income)).toEqual(
    income.total.periods.map(({ amounts }) => amounts),
  );
});
