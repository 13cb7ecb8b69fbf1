import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { createDrawing } from './draw-screen.ts';
import { typefaceFiles } from './typeface-files.ts';

/** The cache is not part of the repository. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const BUILT = join(CACHE, 'hlid-ui-gallery');
const BUILD = fileURLToPath(new URL('../../kiosk/ui/gallery/build.mjs', import.meta.url));
/** The origin at which the browser loads the gallery's files from its folder. */
const ORIGIN = 'http://gallery.example/';
const LETTERS = 'ÐÞÆÖÁÉÍÓÚÝðþæöáéíóúýŁŻłżÜÑØÅß0123456789';
const ROWS = { console: 24, kiosk: 48, phone: 48 };
type Density = keyof typeof ROWS;

describe.skipIf(!CHROMIUM_IS_HERE)('the parts that kiosk, payment page and console share', () => {
  let browser: Browser;
  let page: Page;
  let draw: (name: string) => Promise<void>;
  const complaints: string[] = [];

  beforeAll(async () => {
    const { status, stderr } = spawnSync(process.execPath, [BUILD, BUILT], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 1080, height: 1920 }, reducedMotion: 'reduce' });
    draw = await createDrawing(page, 'ui');
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.route(`${ORIGIN}**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(BUILT, pathname === '/' ? 'index.html' : pathname) });
    });
    await page.clock.install();
  });
  afterAll(() => browser.close());
  beforeEach(() => page.emulateMedia({ colorScheme: 'light' }));

  const open = async (density: Density) => {
    await page.goto(`${ORIGIN}?density=${density}`);
    await page.getByRole('heading', { name: 'Dialogs' }).waitFor();
  };
  const list = (name: string | RegExp) => page.getByRole('combobox', { name });
  const options = () => page.getByRole('option');
  const chosen = () => page.getByRole('option', { selected: true }).allTextContents();

  /** Checks with axe in light and in dark. */
  async function isClean(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const rules = colorScheme === 'light' ? 'all' : 'colours';
      expect.soft(await axeFaults(page, rules), `${name} in ${colorScheme}`).toEqual([]);
      await draw(`${name}-${colorScheme}`);
    }
  }

  test.each(['console', 'kiosk', 'phone'] as const)(
    'are accessible at the density of the %s',
    async (density) => {
      await open(density);
      await isClean(density);
      await list('One chosen').click();
      expect((await options().first().boundingBox())?.height).toBe(ROWS[density]);
      await isClean(`${density}-list`);
      await page.keyboard.press('Escape');
      await list('From a server').click();
      await page.clock.runFor(10);
      await options().first().waitFor();
      await isClean(`${density}-search`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Open an urgent dialog' }).click();
      await page.getByRole('alertdialog', { name: 'Void this visit?' }).waitFor();
      await isClean(`${density}-dialog`);
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  test('the document chooses light or dark over the system', async () => {
    await open('console');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark';
    });
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).toBe(dark);
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'light';
    });
    expect(await ground()).toBe(light);
  });

  test('all letters come from the typeface, in both weights, and figures have one width', async () => {
    await open('console');
    const foreign = await page.evaluate(async (letters) => {
      const context = document.createElement('canvas').getContext('2d');
      const found: string[] = [];
      for (const weight of [400, 600]) {
        await document.fonts.load(`${weight} 40px Inter`, letters);
        for (const letter of letters) {
          const widths = ['monospace', 'serif'].map((fallback) => {
            if (context) context.font = `${weight} 40px Inter, ${fallback}`;
            return context?.measureText(letter).width;
          });
          if (widths[0] !== widths[1]) found.push(`${letter} ${weight}`);
        }
      }
      return found;
    }, LETTERS);
    expect(foreign).toEqual([]);
    expect(await typefaceFiles(page)).toEqual(['loaded', 'loaded']);
    const [ones, eights] = await page.locator('.figures').all();
    expect((await ones?.boundingBox())?.width).toBe((await eights?.boundingBox())?.width);
  });

  test('a doubtful letter is marked, and read aloud once', async () => {
    await open('console');
    const plate = page.locator('.plate', { hasText: 'doubtful' });
    await expect.poll(() => plate.locator('u').allTextContents()).toEqual(['0', 'O']);
    expect(await plate.ariaSnapshot()).toBe('- text: B0O81 The letters 0 and O are doubtful.');
  });

  test('a list draws few of many rows, and finds by keys', async () => {
    await open('console');
    await list('One chosen').focus();
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).toEqual(['Car 5000']);
    await expect.poll(() => options().count()).toBeLessThan(60);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => list('One chosen').textContent()).toBe('Car 9999');
    await page.keyboard.type('car 12');
    await page.getByRole('option', { name: 'Car 12', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => list('One chosen').textContent()).toBe('Car 12');
    await list('One chosen').click();
    await page.locator('.select-list').evaluate((element) => element.scrollTo(0, 24 * 7000));
    await page.clock.runFor(40);
    await page.getByRole('option', { name: 'Car 7003', exact: true }).click();
    await expect.poll(() => list('One chosen').textContent()).toBe('Car 7003');
  });

  test('a list of several takes no more than its most', async () => {
    await open('kiosk');
    await list('At most three').click();
    for (const name of ['Car 3', 'Car 4', 'Car 1'])
      await page.getByRole('option', { name, exact: true }).click();
    expect(await chosen()).toEqual(['Car 2', 'Car 3']);
    await page.getByRole('heading', { name: 'Lists' }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  });

  test('a list of a server asks 500 ms after the last key, and says how it goes', async () => {
    await open('console');
    const searches = () => page.evaluate(() => document.documentElement.dataset['searches']);
    await page.evaluate(() => {
      document.documentElement.dataset['searches'] = '';
    });
    await list('From a server').click();
    await page.clock.runFor(1);
    await options().first().waitFor();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5000);
    await page.keyboard.type('99');
    await page.clock.runFor(400);
    await page.keyboard.type('7');
    await page.clock.runFor(499);
    expect(await searches()).toBe('[]');
    await page.clock.runFor(2);
    await page.getByRole('option', { name: 'Car 997', exact: true }).waitFor();
    expect(await searches()).toBe('[][997]');
    await page.clock.resume();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => list('From a server').textContent()).toBe('Car 1997');
    expect(await list('From a server').evaluate((element) => element === document.activeElement)).toBe(true);
    for (const [text, says] of [
      ['fail', 'The search failed. Try again.'],
      ['nowhere', 'Nothing found.'],
    ] as const) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(text);
      await page.clock.runFor(501);
      await page.getByRole('status').getByText(says).waitFor();
      await isClean(`search-${text}`);
      await page.keyboard.press('Escape');
    }
  });
});
