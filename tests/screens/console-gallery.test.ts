import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { fillConsole } from './console-data.ts';
import { type ConsoleStage, ConsoleWalk, startConsole } from './console-page.ts';
import { createDrawing, FOR_PEOPLE } from './draw-screen.ts';

const WIDTHS = [1280, 360, 2560] as const;
const SCHEMES = ['light', 'dark'] as const;

interface View {
  width: (typeof WIDTHS)[number];
  colorScheme: (typeof SCHEMES)[number];
  axe?: 'all' | 'colours';
}

/**
 * The views that differ most. What axe reports depends on structure, which one language shows, and on
 * colours.
 */
const VIEWS: Record<'en' | 'is', readonly View[]> = {
  en: [
    { width: 1280, colorScheme: 'light', axe: 'all' },
    { width: 2560, colorScheme: 'dark' },
  ],
  is: [
    { width: 1280, colorScheme: 'dark', axe: 'colours' },
    { width: 360, colorScheme: 'light' },
  ],
};

describe.skipIf(!CHROMIUM_IS_HERE)('every room of the console', () => {
  let stage: ConsoleStage;
  let siteId: string;
  beforeAll(async () => {
    stage = await startConsole({ drawnAt: FOR_PEOPLE ? 1 : 0.5 });
    siteId = await fillConsole(stage.operated.operator);
  });
  afterAll(() => stage?.stop());

  it.each(['en', 'is'] as const)('is whole and readable in every size and colour: %s', async (language) => {
    const page = await stage.open(`${siteId}/`, {
      language,
      viewport: sizeOf(1280),
      reducedMotion: 'reduce',
    });
    const walk = new ConsoleWalk(page);
    const mistakes: string[] = [];
    page.on('pageerror', (error) => mistakes.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') mistakes.push(message.text());
    });
    const draw = await createDrawing(page, 'console');
    const views = [...VIEWS[language], ...(FOR_PEOPLE ? othersOf(VIEWS[language]) : [])];

    /** Looks at one screen, which ends in the size in which rooms have a menu. */
    const look = async (screen: string) => {
      await walk.settles(screen);
      expect.soft(await page.getByRole('heading', { name: /not be loaded|Ekki tókst/ }).count()).toBe(0);
      for (const { width, colorScheme, axe } of views) {
        const name = `${screen}-${language}-${colorScheme}-${width}`;
        await page.setViewportSize(sizeOf(width));
        await page.emulateMedia({ colorScheme });
        await draw(name);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect.soft(beyond, `${name} is wider than the window`).toBeLessThanOrEqual(0);
        if (axe) expect.soft(await axeFaults(page, axe), name).toEqual([]);
      }
      await page.setViewportSize(sizeOf(1280));
    };

    const links = page.locator('nav a');
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) {
      const room = path.split('/').at(-1) ?? '';
      // The first of them is where one arrives.
      if (!page.url().endsWith(path)) await goes(page, () => page.locator(`nav a[href="${path}"]`).click());
      await look(room);
      const row = page.locator('main tr[data-opens]').first();
      if ((await row.count()) === 0) continue;
      await goes(page, () => row.press('Enter'));
      await look(`${room}-one`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    expect(mistakes).toEqual([]);
    await page.context().close();
  });
});

const sizeOf = (width: number) => ({ width, height: width === 360 ? 740 : 1000 });

function othersOf(views: readonly View[]): View[] {
  const all = WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme })));
  return all.filter(
    (one) => !views.some(({ width, colorScheme }) => one.width === width && one.colorScheme === colorScheme),
  );
}

const TRIES = 3;

/** Takes a step within the page, and waits for the screen or dialog that it leads to. */
async function goes(page: Page, step: () => Promise<void>): Promise<void> {
  const before = page.url();
  await page
    .locator('main h1')
    .first()
    .evaluate((heading) => heading.setAttribute('data-before', ''));
  const arrived = page.locator('main h1:not([data-before]), [role=dialog]').first();
  // A list that is drawn again just then may lose a key: a person presses it again.
  for (let tries = 1; ; tries++) {
    await step();
    try {
      return await arrived.waitFor({ timeout: 10_000 });
    } catch (error) {
      // The page may keep its heading, or have drawn it before it was marked.
      if (page.url() !== before) return await page.locator('main h1').first().waitFor();
      if (tries === TRIES) throw error;
    }
  }
}
