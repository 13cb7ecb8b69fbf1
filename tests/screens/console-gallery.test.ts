import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { fillConsole } from './console-data.ts';
import { type ConsoleStage, startConsole } from './console-page.ts';

/** Not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/hlid-screens/console/', import.meta.url));

/** Words, colours and sizes that differ most. Axe sees all of the first, and the colours of the second. */
const LOOKS = [
  { name: 'en-light', language: 'en', colorScheme: 'light', width: 1280, axe: 'all' },
  { name: 'is-dark', language: 'is', colorScheme: 'dark', width: 1280, axe: 'colours' },
  { name: 'is-small', language: 'is', colorScheme: 'light', width: 360, axe: 'none' },
  { name: 'en-wide', language: 'en', colorScheme: 'dark', width: 2560, axe: 'none' },
] as const;

describe.skipIf(!CHROMIUM_IS_HERE)('every room of the console', { timeout: 180_000 }, () => {
  let stage: ConsoleStage;
  let siteId: string;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    stage = await startConsole();
    siteId = await fillConsole(stage.operated.operator);
  });
  afterAll(() => stage?.stop());

  it.each(LOOKS)('is whole and readable: $name', async ({ name, language, colorScheme, width, axe }) => {
    const page = await stage.open(`${siteId}/`, {
      ...{ language, colorScheme, viewport: { width, height: width === 360 ? 740 : 1000 } },
    });
    const mistakes: string[] = [];
    page.on('pageerror', (error) => mistakes.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') mistakes.push(message.text());
    });
    await page.locator('nav a').first().waitFor({ state: 'attached' });
    const paths = await page
      .locator('nav a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) {
      const room = path.split('/').at(-1) ?? '';
      await page.goto(stage.address + path);
      await look(page, `${room}-${name}`, axe);
      // Detail pages have one column or two; the widest window shows nothing new of them.
      if (width === 2560 || !(await openFirstRow(page))) continue;
      await look(page, `${room}-one-${name}`, axe);
    }
    expect(mistakes).toEqual([]);
    await page.context().close();
  });
});

/** Waits until the room is there, draws it, and looks for what is wrong with it. */
async function look(page: Page, name: string, axe: (typeof LOOKS)[number]['axe']): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await expect.poll(() => page.locator('.skeleton').count(), { message: name }).toBe(0);
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(beyond, `${name} is wider than the window`).toBeLessThanOrEqual(0);
  expect.soft(await page.getByRole('heading', { name: /not be loaded|Ekki tókst/ }).count(), name).toBe(0);
  if (axe === 'none') return;
  expect.soft(await axeFaults(page, axe), name).toEqual([]);
}

/** Opens the first row of the room's table by keys. @returns whether there is one that leads to a page of its own */
async function openFirstRow(page: Page): Promise<boolean> {
  const row = page.locator('main table tbody tr').first();
  if ((await row.count()) === 0) return false;
  const before = page.url();
  await row.focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(50);
  return page.url() !== before;
}
