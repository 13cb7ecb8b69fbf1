import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { fillConsole } from './console-data.ts';
import { type ConsoleStage, ConsoleWalk, startConsole } from './console-page.ts';

/** Words of programs, which people do not use: ids, fields, acts of the audit log, routes. */
const MACHINE_WORDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['an id', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i],
  ['a field', /\b(?!iPhone|iPad|macOS|hCaptcha)[a-z]{2,}(?:[A-Z][a-z]+)+\b/],
  ['an act', /\b(?:visit|zone|invoice|customer|permit|whitelist|site|account|camera|quota)\.[a-z-]{4,}\b/],
  ['a route', /\/(?:visits?|zones|invoices?|customers?|sites|accounts)\/[\w{:-]+/],
  ['a time of the machine', /\d{4}-\d\d-\d\dT\d\d:\d\d/],
];

/**
 * The pages that are about texts of machines: addresses and types of events of webhooks, ids of devices to
 * configure.
 */
const FOR_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['an act', 'a route', 'a field'],
};

describe.skipIf(!CHROMIUM_IS_HERE)('the words of the console', () => {
  let stage: ConsoleStage;
  let siteId: string;
  beforeAll(async () => {
    stage = await startConsole();
    siteId = await fillConsole(stage.operated.operator);
  });
  afterAll(() => stage?.stop());

  it.each(['en', 'is'] as const)('are those of people in every room and dialog: %s', async (language) => {
    const page = await stage.open(`${siteId}/`, { language });
    const walk = new ConsoleWalk(page);
    const check = async (where: string, room: string) => {
      const text = (await page.locator('main, [role=dialog]').allInnerTexts()).join('\n');
      for (const [name, pattern] of MACHINE_WORDS) {
        if (FOR_PROGRAMS[room]?.includes(name)) continue;
        const found = pattern.exec(text);
        const around = found && text.slice(Math.max(0, found.index - 60), found.index + 80);
        expect.soft(around, `${where}: ${name}`).toBeNull();
      }
    };
    for (const path of await walk.rooms()) {
      const room = path.split('/').at(-1) ?? '';
      await walk.goTo(path);
      await check(path, room);
      const rows = await page.locator('main tr[data-opens]').count();
      for (let place = 0; place < Math.min(rows, room === 'audit' ? 12 : 2); place++) {
        const row = page.locator('main tr[data-opens]').nth(place);
        await row.waitFor();
        await row.press('Enter');
        await walk.settles(path);
        await check(`${path}, row ${place + 1}`, room);
        await closeRow(page);
        await walk.goTo(path);
      }
    }
    await page.context().close();
  });
});

/** A row is shown in a dialog, or on a separate page. */
async function closeRow(page: Page): Promise<void> {
  const dialogs = page.getByRole('dialog');
  while ((await dialogs.count()) > 0) {
    const last = await dialogs.last().elementHandle();
    await page.keyboard.press('Escape');
    await last?.waitForElementState('hidden');
  }
}
