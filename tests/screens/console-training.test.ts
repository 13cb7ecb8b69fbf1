import type { firstStepsRoutes } from '@hlid/cloud/integration/first-steps/first-steps-routes';
import { firstSteps } from '@hlid/cloud/integration/first-steps/first-steps-rule';
import { stepsOf } from '@hlid/cloud/integration/training/lesson-rule';
import type { trainingRoutes } from '@hlid/cloud/integration/training/training-routes';
import { LESSONS } from '@hlid/cloud/platform/trainer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';
import { createDrawing, FOR_PEOPLE } from './draw-screen.ts';

const STARTED = '2026-11-28T10:00:00.000Z';

/** The first lesson is done, the second has begun, with a misread plate; the others are new. */
const LESSON_VIEWS = LESSONS.map((lesson, place) => ({
  lesson,
  startedOn: place < 2 ? STARTED : null,
  steps: stepsOf(lesson).map((step, at) => ({ ...step, done: place === 0 || (place === 1 && at === 0) })),
  done: place === 0,
  siteId: SITE.id,
  plate: place < 2 ? 'KZD82' : null,
  readAs: place === 1 ? 'KZD8' : null,
  otherPlate: null,
  device: null,
  visitId: null,
  invoiceId: null,
  paymentId: null,
}));

const STEPS = firstSteps({
  hasSecondFactor: true,
  mail: 'untried',
  backup: 'failing',
  site: null,
  hasProduct: false,
  hasAccessPoint: null,
  hasColleague: false,
});

const VIEWS = [
  { language: 'en', width: 1366, colorScheme: 'light', axe: 'all' },
  { language: 'is', width: 390, colorScheme: 'dark', axe: 'all' },
  { language: 'is', width: 360, colorScheme: 'light', axe: null },
  { language: 'en', width: 2560, colorScheme: 'dark', axe: 'colours' },
] as const;

describe.skipIf(!CHROMIUM_IS_HERE)('training and first steps', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium(FOR_PEOPLE ? {} : { drawnAt: 0.5 });
  });
  afterAll(() => browser?.close());

  function trainingCloud(): ConsoleStandIn {
    const cloud = new ConsoleStandIn();
    cloud.isTraining = true;
    cloud.answering<typeof trainingRoutes>()('$get', '/training', () => ({
      isTraining: true,
      trainerAnswers: true,
      lessons: LESSON_VIEWS,
    }));
    return cloud;
  }

  function newCloud(): ConsoleStandIn {
    const cloud = new ConsoleStandIn({ permissions: ['devices', 'lanes', 'people', 'tariffs'] });
    let putAway = false;
    cloud.answering<typeof firstStepsRoutes>()('$get', '/first-steps', () => ({
      steps: STEPS,
      siteId: null,
      putAway,
    }));
    cloud.answering<typeof firstStepsRoutes>()('$post', '/first-steps/put-away', () => {
      putAway = true;
      return {};
    });
    cloud.answering<typeof firstStepsRoutes>()('$delete', '/first-steps/put-away', () => {
      putAway = false;
      return {};
    });
    return cloud;
  }

  it.each(VIEWS)('are whole and readable at $width px in $language, $colorScheme', async (view) => {
    const { language, width, colorScheme, axe } = view;
    const locale = language === 'is' ? 'is-IS' : 'en-GB';
    const rooms = [
      ['training', trainingCloud(), 'all/training'],
      ['training-elsewhere', new ConsoleStandIn(), 'all/training'],
      ['first-steps', newCloud(), 'all/first-steps'],
    ] as const;
    for (const [name, cloud, path] of rooms) {
      if (name === 'training-elsewhere') {
        const real = { isTraining: false, trainerAnswers: false, lessons: [] };
        cloud.answering<typeof trainingRoutes>()('$get', '/training', () => real);
      }
      const page = await cloud.open(browser, path, locale);
      await page.setViewportSize({ width, height: width < 500 ? 800 : 1000 });
      await page.emulateMedia({ colorScheme });
      await page.locator('.checklist, .training-elsewhere').first().waitFor();
      const drawn = `${name}-${language}-${colorScheme}-${width}`;
      await (await createDrawing(page, 'console'))(drawn);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(beyond, `${drawn} is wider than the window`).toBeLessThanOrEqual(0);
      if (axe) expect.soft(await axeFaults(page, axe), drawn).toEqual([]);
      expect.soft(await page.locator('#training-mark').count(), drawn).toBe(name === 'training' ? 1 : 0);
      await page.context().close();
    }
  });

  it('marks stand over the bar and the menu, and hide nothing of them', async () => {
    const page = await trainingCloud().open(browser, 'all/training', 'en-GB');
    await page.setViewportSize({ width: 1366, height: 700 });
    await page.getByRole('complementary', { name: 'Training – not a real car park' }).waitFor();
    await page.mouse.wheel(0, 2000);
    const tops = await page.evaluate(() =>
      ['#training-mark', 'header.bar', 'nav.rooms'].map((one) => {
        const { top, bottom } = document.querySelector(one)?.getBoundingClientRect() ?? new DOMRect();
        return { top: Math.round(top), bottom: Math.round(bottom) };
      }),
    );
    const [mark, bar, menu] = tops;
    expect(mark?.top).toBe(0);
    expect(bar?.top).toBe(mark?.bottom);
    expect(menu?.top).toBeGreaterThanOrEqual(bar?.bottom ?? 0);
    await page.context().close();
  });

  it('an installation without a site begins with its first steps, until they are put away, by keys', async () => {
    const cloud = newCloud();
    const page = await cloud.open(browser, '', 'en-GB');
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
    const items = page.getByRole('list', { name: 'First steps' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(STEPS.length);
    await expect
      .poll(() => items.filter({ hasText: 'Add the first site' }).getByRole('link').count())
      .toBe(1);
    // Without a site it has no seller, and what is done needs no link.
    expect(await items.filter({ hasText: 'Name the seller' }).getByRole('link').count()).toBe(0);
    expect(await items.filter({ hasText: 'second factor' }).getByRole('link').count()).toBe(0);
    await press(page, 'Put the list away');
    await page.getByText('The list is not shown on your start page.').waitFor();
    await page.getByRole('link', { name: 'Now', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    expect(await page.getByText('First steps:').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill('first steps');
    await page.keyboard.press('Enter');
    await press(page, 'Show the list again');
    await page.getByRole('link', { name: 'Now', exact: true }).press('Enter');
    await page.getByText('First steps: 1 of 8 are done.').waitFor();
    await page.context().close();
  });
});

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).press('Enter');
}
