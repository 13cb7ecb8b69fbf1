import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import { formatMoney } from '@hlid/protocol/base/money';
import { TariffShapeSchema } from '@hlid/protocol/tariff/tariff-shape';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';
import { TariffHands } from './tariff-hands.ts';

const hour = (priceMinor = 350, more: object = {}) => ({
  kind: 'each',
  priceMinor,
  everyMinutes: 60,
  ...more,
});
const upTo = (minutes: number, priceMinor: number) => ({ kind: 'up-to', minutes, priceMinor });
const band = (startTime: string, endTime: string, more: object = {}) => ({
  window: { startTime, endTime },
  steps: [hour()],
  ...more,
});
const always = (...steps: object[]) => [{ steps: steps.length > 0 ? steps : [hour()] }];
const dayAt = (priceMinor: number, more: object = {}) => ({
  kind: 'rolling',
  prices: [{ fromDay: 1, priceMinor }],
  ...more,
});
const isk = (amountMinor: number) => formatMoney({ amountMinor, currency: 'ISK' }, 'en');

interface Wrong {
  name: string;
  tariff: object;
  /** The place in the tariff, as its field or its note is named. */
  at: string;
  /** The sentence with its place, in the list above the fields. */
  line: string;
}

const WRONG: Wrong[] = [
  {
    name: 'nothing has a price',
    tariff: {},
    at: 'bands',
    line: 'Prices by time of day: Nothing has a price yet. Add a band, or give a day a price.',
  },
  {
    name: 'two windows that overlap',
    tariff: { bands: [band('08:00', '22:00'), band('20:00', '08:00')] },
    at: 'bands.1.window',
    line: 'Band 2: Band 1 is open too on Monday from 20:00 to 22:01, and counts there.',
  },
  {
    name: 'a gap between two windows',
    tariff: { bands: [band('08:00', '20:59'), band('22:00', '08:00')] },
    at: 'bands',
    line: 'Prices by time of day: No band is open on Monday from 21:00 to 22:00, so that time is free, and so are 6 more times of the week.',
  },
  {
    name: 'a night that starts on Sunday',
    tariff: {
      bands: [
        { window: { weekdays: [1, 2, 3, 4, 5], startTime: '22:00', endTime: '08:00' }, steps: [hour()] },
      ],
    },
    at: 'bands.0.window',
    line: 'Band 1: It is not open on Monday from 00:00 to 08:00: that night starts on Sunday, which is not one of its days.',
  },
  {
    name: 'a cap of a band below its step',
    tariff: { bands: [band('22:00', '08:00', { capMinor: 200 })] },
    at: 'bands.0.capMinor',
    line: `Band 1: This is less than one price costs (${isk(350)}), which would never count in full.`,
  },
  {
    name: 'a step above the price of a day',
    tariff: { bands: always(hour(2000)), day: dayAt(1750) },
    at: 'bands.0.steps.0.priceMinor',
    line: `Band 1, price 1: This is more than a day costs (${isk(1750)}), so it never counts in full.`,
  },
  {
    name: 'a band that is always open before another one',
    tariff: { bands: [...always(), band('08:00', '18:00')] },
    at: 'bands.0.window',
    line: 'Band 1: This band is always open, so the bands after it never count. Give it times, or move it to the end.',
  },
  {
    name: 'a band within the times of another one',
    tariff: { bands: [band('08:00', '18:00'), band('09:00', '17:00')] },
    at: 'bands.1.window',
    line: 'Band 2: The bands before this one are open at all of its times, so this band never counts.',
  },
  {
    name: 'a step without an end before another one',
    tariff: { bands: always(hour(), hour(100)) },
    at: 'bands.0.steps.0.minutes',
    line: 'Band 1, price 1: This price has no end, so the prices after it never count.',
  },
  {
    name: 'longer stays without a price',
    tariff: { bands: always(upTo(60, 500)) },
    at: 'bands.0.steps.0.minutes',
    line: 'Band 1, price 1: Longer stays have no price. Add a price for the rest of the day, or give a day a price.',
  },
  {
    name: 'a table whose lengths fall',
    tariff: { bands: always(upTo(120, 500), upTo(60, 900)), day: dayAt(1750) },
    at: 'bands.0.steps.1.minutes',
    line: 'Band 1, price 2: This has to be longer than the 120 minutes of the price before it.',
  },
  {
    name: 'a table whose prices fall',
    tariff: { bands: always(upTo(60, 900), upTo(120, 500)), day: dayAt(1750) },
    at: 'bands.0.steps.1.priceMinor',
    line: 'Band 1, price 2: A longer stay would cost less than a shorter one.',
  },
  {
    name: 'hours that do not divide the length of a step',
    tariff: { bands: always(hour(350, { minutes: 90 }), hour(200)) },
    at: 'bands.0.steps.0.minutes',
    line: 'Band 1, price 1: This has to be a multiple of 60 minutes.',
  },
  {
    name: 'a table after another step',
    tariff: { bands: always(hour(350, { minutes: 60 }), upTo(120, 900)), day: dayAt(1750) },
    at: 'bands.0.steps.1',
    line: 'Band 1, price 2: Prices “up to a length” have to come before the other prices.',
  },
  {
    name: 'a price without an end that is to be charged by minutes',
    tariff: {
      straddle: 'pro-rata',
      bands: [band('08:00', '22:00'), band('22:00', '08:00', { steps: [{ kind: 'flat', priceMinor: 900 }] })],
    },
    at: 'bands.1.steps.0.minutes',
    line: 'Band 2, price 1: A price without an end cannot be charged by minutes. Set how long it is for.',
  },
  {
    name: 'a most for a week without a day',
    tariff: { bands: always(), caps: { weekMinor: 5000 } },
    at: 'caps.weekMinor',
    line: 'Most that is paid: A most for a week needs the price of a day. Set it above.',
  },
  {
    name: 'a week of the calendar with days of 24 hours',
    tariff: { bands: always(), day: dayAt(1750), caps: { weekMinor: 5000, week: 'calendar' } },
    at: 'caps.week',
    line: 'Most that is paid: A week from Monday to Sunday needs days from midnight to midnight.',
  },
  {
    name: 'a most for a stay below the price of a day',
    tariff: { bands: always(), day: dayAt(1750), caps: { visitMinor: 1000 } },
    at: 'caps.visitMinor',
    line: `Most that is paid: This is less than the price of a day (${isk(1750)}), which would never count.`,
  },
  {
    name: 'a first price from the second day',
    tariff: { bands: always(), day: dayAt(1750, { prices: [{ fromDay: 2, priceMinor: 1750 }] }) },
    at: 'day.prices',
    line: 'Price of a day: The first price has to be from day 1.',
  },
  {
    name: 'days that cost their hours, which have no price',
    tariff: { day: dayAt(1750, { kind: 'calendar' }) },
    at: 'day.partial',
    line: 'Price of a day: Without bands an hour has no price. Let such a day cost a full day, or let it be free.',
  },
  {
    name: 'a flat rate without an end',
    tariff: { bands: always(), flatRates: [{ priceMinor: 900 }] },
    at: 'flatRates.0.exit',
    line: 'Flat rate 1: Nothing ends this flat rate. Set times for the exit, a time to be out by, a day or weekend, or a longest stay.',
  },
  {
    name: 'two flat rates for the same times',
    tariff: {
      bands: always(),
      flatRates: [
        { priceMinor: 900, within: 'day' },
        { priceMinor: 800, within: 'day' },
      ],
    },
    at: 'flatRates.1',
    line: 'Flat rate 2: A flat rate before this one is for the same times.',
  },
  {
    name: 'an entry and an exit that are too far apart',
    tariff: {
      bands: always(),
      flatRates: [
        {
          priceMinor: 900,
          entry: { startTime: '06:00', endTime: '08:59' },
          exit: { startTime: '15:00', endTime: '18:59' },
          withinMinutes: 120,
        },
      ],
    },
    at: 'flatRates.0.withinMinutes',
    line: 'Flat rate 1: From this entry to this exit it is always longer than 120 minutes.',
  },
  {
    name: 'a flat rate that is never the cheapest',
    tariff: { bands: always(), day: dayAt(1750), flatRates: [{ priceMinor: 1750, within: 'day' }] },
    at: 'flatRates.0.priceMinor',
    line: `Flat rate 1: A day costs no more than ${isk(1750)}, so this flat rate is never the cheapest.`,
  },
  {
    name: 'a class whose vehicles an earlier class has',
    tariff: {
      bands: always(),
      classes: [
        { seatsUpTo: 9, bands: always() },
        { seatsUpTo: 5, bands: always() },
      ],
    },
    at: 'classes.1',
    line: 'Class 2: A class before this one has all of its vehicles, so this class never counts.',
  },
  {
    name: 'a step above the price of a day, in a class',
    tariff: { bands: always(), classes: [{ category: 'heavy', bands: always(hour(900)), day: dayAt(800) }] },
    at: 'classes.0.bands.0.steps.0.priceMinor',
    line: `Class 1, Band 1, price 1: This is more than a day costs (${isk(800)}), so it never counts in full.`,
  },
  {
    name: 'holidays that are not listed',
    tariff: { bands: [{ window: { holidays: 'never' }, steps: [hour()] }] },
    at: 'holidays',
    line: 'Holidays: A band or a flat rate goes by holidays, but no holidays are listed.',
  },
  {
    name: 'dates of which one has a year',
    tariff: { bands: [{ window: { dates: [{ from: '2026-06-01', to: '08-31' }] }, steps: [hour()] }] },
    at: 'bands.0.window.dates.0.to',
    line: 'Band 1: Write the year in both dates, or in neither.',
  },
  {
    name: 'dates that end before they begin',
    tariff: {
      bands: [{ window: { dates: [{ from: '2026-06-01', to: '2026-05-31' }] }, steps: [hour()] }],
    },
    at: 'bands.0.window.dates.0.to',
    line: 'Band 1: The last day is before the first one.',
  },
  {
    name: 'minutes that are free twice',
    tariff: { bands: always(), free: { minutes: 15 }, entryGraceMinutes: 30 },
    at: 'entryGraceMinutes',
    line: 'Rules and fees: The first 15 minutes are free already. Leave out one of the two.',
  },
];

describe.skipIf(!CHROMIUM_IS_HERE)('a tariff that contradicts itself', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    const cloud = new ConsoleStandIn({ permissions: ['tariffs'] });
    cloud.answering<typeof productRoutes>()('$get', '/products', () => wholeList([]));
    page = await cloud.open(browser, `${SITE.id}/products/new`);
  });
  afterAll(() => browser?.close());

  /** Takes away what the test before this one has typed. */
  async function beginAgain(): Promise<void> {
    await page.getByLabel('Product code').fill('P1');
    const remove = page.getByRole('button', { name: 'Remove the tariff' });
    if ((await remove.count()) === 0) return;
    await remove.click();
    await remove.click();
  }

  it.each(WRONG)('is explained in words, at its place: $name', async ({ tariff, at, line }) => {
    await beginAgain();
    await new TariffHands(page, 'ISK').type(TariffShapeSchema.parse(tariff));
    const listed = page.locator('.findings').getByRole('button', { name: line, exact: true });
    await listed.click();
    const place = `config.tariff.${at}`;
    const focused = page.locator(':focus');
    const sentence = line.slice(line.indexOf(': ') + 2);
    // The keyboard goes on at the place, and the sentence stands there.
    await expect.poll(() => focused.evaluate(placeOf)).toBe(place);
    const around = focused.locator(
      'xpath=ancestor-or-self::*[contains(@class, "field") or @data-place][last()]/..',
    );
    await expect.poll(() => around.innerText()).toContain(sentence);
  });

  it('takes no holiday that is no day', async () => {
    await beginAgain();
    await page.getByRole('button', { name: 'By the hour', exact: true }).click();
    const holidays = page.getByRole('group', { name: 'Holidays', exact: true });
    const add = holidays.getByRole('button', { name: 'Add the day' });
    await holidays.getByLabel('Day', { exact: true }).fill('31.2.');
    await holidays.getByText('This is not a day.').waitFor();
    await expect.poll(() => add.isDisabled()).toBe(true);
    await holidays.getByLabel('Day', { exact: true }).fill('17.6.');
    await add.click();
    await holidays.getByRole('button', { name: 'Remove 17.6.' }).waitFor();
  });
});

/** The place at which an element is. A field for a number has its name at a hidden input behind it. */
function placeOf(element: Element): string | null | undefined {
  const hidden = element.closest('.field')?.nextElementSibling;
  return element.getAttribute('name') ?? element.getAttribute('data-place') ?? hidden?.getAttribute('name');
}
