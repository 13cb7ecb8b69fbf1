import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** The folder is not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/hlid-screens/', import.meta.url));

/** More pictures than show what changes most, and without loss. */
export const FOR_PEOPLE = process.env['HLID_SCREENS'] === 'all';

/** Draws what a page shows, without the care that a picture of a moving page needs, which takes longer than the picture. */
export async function createDrawing(page: Page, screens: string): Promise<(name: string) => Promise<void>> {
  const folder = `${FOLDER}${screens}/`;
  mkdirSync(folder, { recursive: true });
  const session = await page.context().newCDPSession(page);
  const format = FOR_PEOPLE ? 'png' : 'jpeg';
  return async (name) => {
    const { data } = await session.send('Page.captureScreenshot', { format, optimizeForSpeed: true });
    await writeFile(`${folder}${name}.${format}`, data, 'base64');
  };
}
