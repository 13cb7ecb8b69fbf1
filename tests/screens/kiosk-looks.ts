import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LANGUAGES, type Language } from '@hlid/protocol/language';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { findMisfits, type Manner } from './kiosk-misfits.ts';

/** Not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/hlid-screens/kiosk/', import.meta.url));
const MIN_TARGET = 44;

const TALL = { width: 1080, height: 1920 };
const WIDE = { width: 1024, height: 768 };
/** The smallest glass that kiosks have. */
const LOW = { width: 800, height: 480 };

const OTHERS = LANGUAGES.filter((language) => language !== 'is' && language !== 'en');

type Scheme = 'light' | 'dark';
const LIGHT_TO_DARK: readonly Scheme[] = ['light', 'dark'];
const DARK_TO_LIGHT: readonly Scheme[] = ['dark', 'light'];

/** Pictures at their full size, and of letters of twice the size too. Half the size is half the time. */
const FOR_PEOPLE = process.env['HLID_SCREENS'] === 'all';
export const DRAWN_AT = FOR_PEOPLE ? 1 : 0.5;

/** A page of which each screen is looked at without driving there again. */
export interface Inspector {
  readonly page: Page;
  open(url: string): Promise<void>;
  /**
   * At both sizes, in Icelandic and English, in light and in dark, each drawn; and with letters of twice the size. What
   * axe says depends on structure and colours: it sees a screen in light on tall glass, and its contrast in the dark on
   * wide glass. Of screens that are `alike` but for their words it sees one. Each other language is tried on some screens
   * of these sizes, and with large letters on all of them on the smallest glass. What is read and touched next
   * is in sight everywhere.
   */
  inspect(name: string, options?: { alike: boolean }): Promise<void>;
}

export async function createInspector(browser: Browser): Promise<Inspector> {
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({
    ...{ viewport: TALL, hasTouch: true, reducedMotion: 'reduce', colorScheme: 'light' },
  });
  const session = await page.context().newCDPSession(page);
  // What the page does every few seconds is done when a test wants it.
  await page.clock.install();
  let shown: Scheme = 'light';
  let turn = 0;
  /** Of the languages beside Icelandic and English, one after the other. */
  const another = () => OTHERS[turn++ % OTHERS.length] ?? 'is';

  return {
    page,
    async open(url) {
      await page.goto(url);
    },
    async inspect(name, { alike } = { alike: false }) {
      for (const size of [TALL, WIDE]) {
        await page.setViewportSize(size);
        for (const language of ['en', 'is'] as const) {
          await fits(page, name, [{ language, large: false }]);
          // English ends in the dark, Icelandic in light.
          const schemes = language === 'en' ? LIGHT_TO_DARK : DARK_TO_LIGHT;
          for (const scheme of FOR_PEOPLE ? schemes : schemes.slice(-1)) {
            if (scheme !== shown) await page.emulateMedia({ colorScheme: scheme });
            shown = scheme;
            await draw(session, `${name}-${language}-${size.width}-${scheme}`);
          }
          if (alike) continue;
          if (size === TALL && language === 'is') expect.soft(await axeFaults(page), name).toEqual([]);
          if (size === WIDE && language === 'en') {
            expect.soft(await axeFaults(page, 'colours'), `${name} in the dark`).toEqual([]);
          }
        }
        await fits(page, name, [
          { language: 'is', large: true },
          { language: another(), large: size === WIDE },
        ]);
      }
      await page.setViewportSize(LOW);
      // Where there is least room, words of any length fit.
      const large = LANGUAGES.toReversed().map((language) => ({ language, large: true }));
      const some: Language[] = FOR_PEOPLE ? LANGUAGES.toReversed() : [another(), another(), 'is'];
      const manners = [...large, ...some.map((language) => ({ language, large: false }))];
      if (!FOR_PEOPLE) return await fits(page, name, manners);
      for (const manner of manners) {
        await fits(page, name, [manner]);
        await draw(session, `${name}-${manner.language}-${manner.large ? 'large-' : ''}${LOW.width}`);
      }
    },
  };
}

async function fits(page: Page, name: string, manners: readonly Manner[]): Promise<void> {
  const misfits = await page.evaluate(findMisfits, { least: MIN_TARGET, manners });
  expect.soft(misfits, `${name} ${page.viewportSize()?.width}`).toEqual([]);
}

/** Without the care that a picture of a moving page needs. */
async function draw(session: CDPSession, name: string): Promise<void> {
  const format = FOR_PEOPLE ? 'png' : 'jpeg';
  const { data } = await session.send('Page.captureScreenshot', { format, optimizeForSpeed: true });
  await writeFile(`${FOLDER}${name}.${format}`, data, 'base64');
}
