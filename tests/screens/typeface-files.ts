import type { Page } from 'playwright-core';

/** Whether the files of the typeface are loaded: western letters, and those of central Europe. */
export function typefaceFiles(page: Page): Promise<string[]> {
  return page.evaluate(() => [...document.fonts].map(({ status }) => status));
}
