import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { createDrawing, FOR_PEOPLE } from './draw-screen.ts';
import { findMisfits, type Manner } from './kiosk-misfits.ts';

const MIN_TARGET = 44;

const TALL = { width: 1080, height: 1920 };
const WIDE = { width: 1024, height: 768 };
const LAPTOP = { width: 1366, height: 768 };
/** The smallest glass that kiosks have. */
const LOW = { width: 800, height: 480 };

const LARGE_ICELANDIC = { language: 'is', large: true } as const;
const OTHERS = LANGUAGES.filter((language) => language !== 'is' && language !== 'en');

/** Pictures of half the size take half the time. */
export const DRAWN_AT = FOR_PEOPLE ? 1 : 0.5;

/** A page on which each screen is checked without driving there again. */
export interface Inspector {
  readonly page: Page;
  /**
   * On glass of all sizes, in Icelandic, English and some of the other languages, with letters of twice the size too; drawn
   * in dark and in light. What axe says depends on structure and colours: it sees a screen in light, and its colours in the
   * dark. Of screens that are `alike` but for their words it sees none. With large letters each language is tried on the
   * smallest glass. What is read and touched next is in sight everywhere.
   */
  inspect(name: string, options?: { alike: boolean }): Promise<void>;
}

export async function createInspector(browser: Browser): Promise<Inspector> {
  const page = await browser.newPage({
    viewport: TALL,
    hasTouch: true,
    reducedMotion: 'reduce',
    colorScheme: 'light',
  });
  const draw = await createDrawing(page, 'kiosk');
  // The page's repeated work runs when a test advances the clock.
  await page.clock.install();
  let turn = 0;
  /** The next of the languages other than Icelandic and English. */
  const another = () => OTHERS[turn++ % OTHERS.length] ?? 'is';

  return {
    page,
    async inspect(name, { alike } = { alike: false }) {
      await page.setViewportSize(TALL);
      await fits(page, name, [{ language: 'en', large: false }]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await draw(`${name}-en-dark-${TALL.width}`);
      if (!alike) expect.soft(await axeFaults(page, 'colours'), `${name} in the dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      const icelandic = { language: 'is', large: false } as const;
      await fits(page, name, [LARGE_ICELANDIC, { language: another(), large: false }, icelandic]);
      if (!alike) expect.soft(await axeFaults(page), name).toEqual([]);

      await page.setViewportSize(WIDE);
      const english = { language: 'en', large: false } as const;
      await fits(page, name, [english, LARGE_ICELANDIC, { language: another(), large: true }, icelandic]);
      await draw(`${name}-is-light-${WIDE.width}`);

      await page.setViewportSize(LAPTOP);
      await fits(page, name, [LARGE_ICELANDIC, { language: 'de', large: true }, icelandic]);

      await page.setViewportSize(LOW);
      // On the smallest screen, words of any length fit.
      const large = LANGUAGES.toReversed().map((language) => ({ language, large: true }));
      const some: Language[] = FOR_PEOPLE ? LANGUAGES.toReversed() : [another(), another(), 'is'];
      await fits(page, name, [...large, ...some.map((language) => ({ language, large: false }))]);
      await draw(`${name}-is-light-${LOW.width}`);
      if (FOR_PEOPLE) await drawAll(page, draw, name);
    },
  };
}

/**
 * Draws both languages and schemes in all sizes; with large letters, in Icelandic, and on the smallest screen
 * in all languages.
 */
async function drawAll(page: Page, draw: (name: string) => Promise<void>, name: string): Promise<void> {
  for (const size of [TALL, WIDE, LOW]) {
    await page.setViewportSize(size);
    for (const large of size === LOW ? LANGUAGES : (['is'] as const)) {
      await fits(page, name, [{ language: large, large: true }]);
      await draw(`${name}-${large}-large-${size.width}`);
    }
    for (const language of ['en', 'is'] as const) {
      await fits(page, name, [{ language, large: false }]);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await draw(`${name}-${language}-${colorScheme}-${size.width}`);
      }
    }
  }
}

async function fits(page: Page, name: string, manners: readonly Manner[]): Promise<void> {
  const misfits = await page.evaluate(findMisfits, { least: MIN_TARGET, manners });
  expect.soft(misfits, `${name} ${page.viewportSize()?.width}`).toEqual([]);
}
