import type { CameraReport } from '@hlid/cloud/integration/reports/camera-report';
import type { DeviceReport } from '@hlid/cloud/integration/reports/device-report';
import type { OccupancyHours } from '@hlid/cloud/integration/reports/occupancy-report';
import type { Overview, OverviewSpan } from '@hlid/cloud/integration/reports/overview-report';
import type { overviewRoutes } from '@hlid/cloud/integration/reports/overview-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { reviewRoutes } from '@hlid/cloud/stays/review/review-routes';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';
import { createDrawing } from './draw-screen.ts';

const REVIEW = { waiting: 0, oldestOn: null, reviewers: [], cameras: [], disagreements: [] };

const WEEK = 'from=2026-11-17&to=2026-11-23';

/** Seven days with figures that differ by a factor. */
function spanOf(from: string, factor: number): OverviewSpan {
  const part = (day: number) => {
    const arrivals = Math.round((180 + 40 * Math.sin(day)) * factor);
    return {
      income: [{ currency: 'ISK', amount: arrivals * 850, invoices: arrivals, tips: 0 }],
      stays: {
        arrivals,
        departures: arrivals - 2,
        inside: arrivals / 5,
        stayMinutes: 95 + day,
        automatic: arrivals - 4,
        permitStays: Math.round(arrivals / 4),
        exits: arrivals - 2,
        doubtfulExits: 3,
        deviceFaults: day % 3,
        deviceDownMinutes: 75 * (day % 3),
      },
    };
  };
  const periods = Array.from({ length: 7 }, (_, day) => {
    const date = dayAfter(from, day);
    return { key: date, from: date, to: date, ...part(day) };
  });
  const total = part(3);
  return {
    from,
    to: dayAfter(from, 6),
    ...total,
    payments: [
      { paymentType: 'kiosk', amounts: total.income },
      { paymentType: 'online', amounts: [] },
    ],
    periods,
  };
}

const OVERVIEW: Overview = {
  by: 'day',
  now: spanOf('2026-11-17', 1),
  before: {
    week: spanOf('2026-11-10', 0.8),
    month: spanOf('2026-10-17', 1.1),
    year: spanOf('2025-11-17', 0.5),
  },
  devices: { devices: 14, failing: 1 },
};

const HOURS: OccupancyHours = {
  siteId: SITE.id,
  timeZone: 'Atlantic/Reykjavik',
  capacity: 120,
  zones: [{ id: 'z1', name: 'Cellar', capacity: 60 }],
  hours: Array.from({ length: 24 }, (_, hour) => {
    const inside = 40 + 30 * Math.sin(hour / 4);
    const counts = { arrivals: hour, departures: hour, inside, most: Math.ceil(inside) };
    return {
      from: utcTime(Date.parse('2026-11-23T00:00:00.000Z') + hour * HOUR_MS),
      site: counts,
      zones: [{ ...counts, inside: inside / 2 }],
    };
  }),
};

const CAMERAS: CameraReport = {
  cameras: ['In 1', 'Out 1'].map((name, at) => {
    const counts = { reads: 100, unread: 3 + 9 * at, corrected: 1, judged: 90, matched: 88 - 9 * at };
    return {
      siteId: SITE.id,
      laneId: name,
      id: name,
      remoteId: name,
      name,
      location: at === 0 ? 'entrance' : 'exit',
      total: counts,
      before: { ...counts, unread: 2 },
      hours: Array.from({ length: 24 }, (_, hour) => ({ ...counts, unread: hour % 9 })),
      advice: at === 0 ? null : 'clean-lens',
    };
  }),
};

const DEVICES: DeviceReport = {
  total: { devices: 2, faults: 4, downMinutes: 545 },
  devices: [
    {
      siteId: SITE.id,
      site: SITE.name,
      kind: 'gate',
      id: 'in-1',
      name: 'In 1',
      state: 'unreachable',
      downSince: '2026-11-23T09:00:00.000Z',
      faults: 3,
      downMinutes: 500,
    },
    {
      siteId: SITE.id,
      site: SITE.name,
      kind: 'camera',
      id: 'out-1',
      name: null,
      state: null,
      downSince: null,
      faults: 1,
      downMinutes: 45,
    },
  ],
};

describe.skipIf(!CHROMIUM_IS_HERE)('the reports of managers', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    cloud = new ConsoleStandIn({ permissions: ['money', 'visits'] });
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    cloud.answering<typeof reviewRoutes>()('$get', '/review/summary', () => REVIEW);
    const answering = cloud.answering<typeof overviewRoutes>();
    answering('$get', '/reports/overview', () => OVERVIEW);
    answering('$get', '/reports/occupancy/hours', () => HOURS);
    answering('$get', '/reports/occupancy', () => ({
      siteId: SITE.id,
      at: '2026-11-23T12:00:00.000Z',
      capacity: 120,
      inside: 87,
      counted: 86,
      zones: [{ id: 'z1', name: 'Cellar', capacity: 60, inside: 42, counted: 42 }],
    }));
    answering('$get', '/reports/cameras', () => CAMERAS);
    answering('$get', '/reports/devices', () => DEVICES);
    answering('$get', '/reports/permits', () => ({
      total: { permits: 2, stays: 50, stayMinutes: 12_000 },
      permits: [
        {
          permitId: 'p1',
          plate: 'ABX12',
          reason: 'Staff',
          customer: null,
          stays: 40,
          stayMinutes: 9600,
          lastMonth: '2026-11',
        },
        {
          permitId: 'p2',
          plate: null,
          reason: null,
          customer: null,
          stays: 10,
          stayMinutes: 2400,
          lastMonth: '2026-10',
        },
      ],
      unused: [
        {
          permitId: 'p3',
          plate: 'KLM34',
          reason: 'Staff',
          customer: { id: 'c1', name: 'Bakery' },
          siteId: null,
          createdOn: '2025-02-01T09:00:00.000Z',
          expireOn: null,
          lastMonth: null,
        },
      ],
      hasMoreUnused: false,
    }));
  });
  afterEach(async () => {
    await page?.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  it('are where a person begins who manages, and has no lanes', async () => {
    page = await cloud.open(browser, '');
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/reports$/);
    await page.getByRole('row', { name: /^Arrivals/ }).waitFor();
    // Seven days, of which the last is over.
    const [call] = cloud.callsOf('GET', '/reports/overview');
    const asked = new URLSearchParams(call?.path.split('?')[1]);
    const [first, last] = [asked.get('date.from') ?? '', asked.get('date.to') ?? ''];
    expect(dayAfter(first, 6)).toBe(last);
    expect(last < utcTime(Date.now()).slice(0, 'YYYY-MM-DD'.length)).toBe(true);
  });

  it('show each figure beside the same days a week, a month and a year before', async () => {
    page = await cloud.open(browser, `${SITE.id}/reports?${WEEK}`);
    const row = page.getByRole('row', { name: /^Arrivals/ });
    const { now, before } = OVERVIEW;
    const shown = [now, before.week, before.month, before.year].map((span) => String(span?.stays?.arrivals));
    const text = (await row.textContent()) ?? '';
    for (const number of shown) expect(text).toContain(number);
    expect(text).toContain('+24.8%');
    await page.getByText('1 of 14 devices fail now.').waitFor();
  });

  it('show one of them as a chart that keys read, as a table and as files; the address has the choice', async () => {
    page = await cloud.open(browser, `${SITE.id}/reports?${WEEK}`);
    await page.getByLabel('Show').selectOption('Cars inside on average');
    await expect.poll(() => new URL(page.url()).searchParams.get('show')).toBe('inside');
    const chart = page.getByRole('slider', { name: /^Cars inside on average/ });
    await chart.focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(/^23\sNovember: 33\.8; before: 27$/);
    await expect.poll(() => page.getByRole('row', { name: /^17\sNovember/ }).count()).toBe(1);
    for (const format of ['Excel', 'CSV']) {
      await expect.poll(() => page.getByRole('button', { name: `Overview as ${format}` }).count()).toBe(1);
    }
    // A colleague who opens the address sees the same.
    const address = new URL(page.url());
    await page.context().close();
    page = await cloud.open(browser, `${SITE.id}/reports${address.search}`);
    await page.getByRole('slider', { name: /^Cars inside on average/ }).waitFor();
  });

  it('show how long devices were down, and which permits nobody used', async () => {
    page = await cloud.open(browser, `${SITE.id}/reports?tab=devices&${WEEK}`);
    await page.getByText('Devices were down for 9 h 5 min, after 4 failures: 2 devices').waitFor();
    const gate = await page.getByRole('row', { name: /In 1/ }).textContent();
    expect(gate).toContain('8 h 20 min');
    await expect.poll(() => page.getByRole('row', { name: /out-1/ }).textContent()).toContain('Removed');
    await expect.poll(() => page.getByRole('button', { name: 'Devices as CSV' }).count()).toBe(1);
    await page.getByRole('tab', { name: 'Permits' }).click();
    const unused = page.getByRole('table', { name: /^Permits without a stay/ });
    await expect
      .poll(() => unused.getByRole('row', { name: /KLM34/ }).textContent())
      .toBe('BakeryKLM34StaffNever');
  });

  it('advise to clean a lens', async () => {
    page = await cloud.open(browser, `${SITE.id}/reports?tab=cameras&${WEEK}`);
    await page.getByText('Clean the lens of Out 1').waitFor();
    const row = page.getByRole('row', { name: /^Out 1/ });
    await expect.poll(() => row.textContent()).toContain('Clean the lens');
  });

  it('ask for a site where the cars of one are counted', async () => {
    page = await cloud.open(browser, `all/reports?tab=occupancy&${WEEK}`);
    await page.getByRole('heading', { name: 'Choose a site' }).waitFor();
  });

  it.each(['overview', 'occupancy', 'cameras', 'devices', 'permits'])(
    '%s can be used by everybody, at any width, in both languages, light and dark',
    { timeout: 60_000 },
    async (tab) => {
      for (const locale of ['en-GB', 'is-IS']) {
        page = await cloud.open(browser, `${SITE.id}/reports?tab=${tab}&${WEEK}`, locale);
        const draw = await createDrawing(page, 'console-reports');
        await page.getByRole('table').first().waitFor();
        for (const width of [360, 1366, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await draw(`${tab}-${locale}-${width}-${colorScheme}`);
            const isFirst = width === 360 && colorScheme === 'light';
            expect(await axeFaults(page, isFirst ? 'all' : 'colours')).toEqual([]);
          }
        }
        if (locale === 'en-GB') await page.context().close();
      }
    },
  );
});
