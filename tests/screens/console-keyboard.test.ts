import { deadline } from '@hlid/protocol/test/deadline';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { fillConsole } from './console-data.ts';
import { type ConsoleStage, ConsoleWalk, startConsole } from './console-page.ts';

/** The most Tabs from the beginning of a page to the first row of its list: the link to it, and Enter. */
const MAX_TABS_BY_LINK = 1;
/** The same without the link: menu, actions of the page, filters and columns come before. */
const MAX_TABS = 30;
/** A dialog in which something was typed asks once more; nothing is typed here. */
const MAX_ESCAPES = 2;
const NATIVE_FIELDS = 'input[type=date], input[type=datetime-local], input[type=time], input[type=month]';

describe.skipIf(!CHROMIUM_IS_HERE)('the keyboard in every room of the console', () => {
  let stage: ConsoleStage;
  let siteId: string;
  beforeAll(async () => {
    stage = await startConsole();
    siteId = await fillConsole(stage.operated.operator);
  });
  afterAll(() => stage?.stop());

  async function walkFrom(path: string) {
    const page = await stage.open(path);
    return { page, walk: new ConsoleWalk(page) };
  }

  const hasFocus = (one: Locator) => one.evaluate((element) => element === document.activeElement);
  const firstRow = (page: Page) => page.locator('main table[role=grid] > tbody > tr').first();
  const focused = (page: Page) =>
    page.evaluate(() => {
      const { activeElement: active } = document;
      return active === null || active === document.body ? null : (active.textContent ?? '').trim();
    });

  /** Presses Tab until something has the focus. @returns how often */
  async function tabsTo(page: Page, target: Locator, most: number): Promise<number> {
    for (let count = 1; count <= most; count++) {
      await page.keyboard.press('Tab');
      if (await hasFocus(target)) return count;
    }
    return Number.POSITIVE_INFINITY;
  }

  it('reaches the first row of every list at once, walks it, and opens rows as links', async () => {
    const { page, walk } = await walkFrom(`${siteId}/`);
    await loadNoOthers(page);
    let lists = 0;
    for (const path of await walk.rooms()) {
      await walk.goTo(path);
      const row = firstRow(page);
      if ((await row.count()) === 0) continue;
      lists += 1;
      const link = page.getByRole('button', { name: 'To the list' });
      await walk.beginAtTop();
      expect
        .soft(await tabsTo(page, link, MAX_TABS_BY_LINK), `${path}: link`)
        .toBeLessThanOrEqual(MAX_TABS_BY_LINK);
      await page.keyboard.press('Enter');
      expect.soft(await hasFocus(row), `${path}: row`).toBe(true);

      await walk.beginAtTop();
      expect.soft(await tabsTo(page, row, MAX_TABS), `${path}: Tabs`).toBeLessThanOrEqual(MAX_TABS);

      await walk.beginAtTop();
      await page.keyboard.press('j');
      expect.soft(await hasFocus(row), `${path}: J`).toBe(true);
      const rows = page.locator('main table[role=grid]').first().locator('> tbody > tr');
      if ((await rows.count()) > 1) {
        await page.keyboard.press('j');
        expect.soft(await hasFocus(rows.nth(1)), `${path}: J J`).toBe(true);
        await page.keyboard.press('k');
        expect.soft(await hasFocus(row), `${path}: K`).toBe(true);
      }
      // A modifier makes the keys the browser's.
      await page.keyboard.press('Shift+J');
      await page.keyboard.press('Alt+j');
      expect.soft(await hasFocus(row), `${path}: modifiers`).toBe(true);

      const box = row.locator('> .choose input');
      if ((await box.count()) > 0) {
        await page.keyboard.press('x');
        expect.soft(await box.isChecked(), `${path}: X`).toBe(true);
        await page.keyboard.press('x');
        expect.soft(await box.isChecked(), `${path}: X X`).toBe(false);
      }

      const name = row.locator('a.row-link');
      if ((await name.count()) === 0) continue;
      const href = await name.getAttribute('href');
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.keyboard.press('Control+Enter'),
      ]);
      await tab.waitForURL((url) => href !== null && url.href.includes(href));
      await tab.close();
      for (const press of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
        const [opened] = await Promise.all([
          page.context().waitForEvent('page'),
          row.locator('> td:not(.choose, :empty):not(:has(button, a, input))').last().click(press),
        ]);
        await opened.waitForURL((url) => href !== null && url.href.includes(href));
        await opened.close();
      }
      expect.soft(new URL(page.url()).pathname, `${path}: stays`).toBe(path);
    }
    expect(lists).toBeGreaterThan(5);
    await page.context().close();
  });

  it('sorts every column that says so, and shows how', async () => {
    const { page, walk } = await walkFrom(`${siteId}/`);
    let columns = 0;
    for (const path of await walk.rooms()) {
      await walk.goTo(path);
      const heads = page.locator('main table[role=grid] thead th[aria-sort]');
      for (let place = 0; place < (await heads.count()); place++) {
        const head = heads.nth(place);
        const before = await page.locator('main table[role=grid] > tbody > tr').allTextContents();
        const first = await head.getAttribute('aria-sort');
        await head.getByRole('button').click();
        await expect.poll(() => head.getAttribute('aria-sort'), { message: path }).not.toBe(first);
        await walk.settles(path);
        await expect
          .poll(
            async () =>
              (await page.locator('main table[role=grid] > tbody > tr').allTextContents()).toSorted(),
            { message: `${path}: the same rows` },
          )
          .toEqual(before.toSorted());
        columns += 1;
      }
    }
    expect(columns).toBeGreaterThan(15);
    await page.context().close();
  });

  it('gives the focus to the first field of every dialog, and back to what opened it', async () => {
    const { page, walk } = await walkFrom(`${siteId}/`);
    let dialogs = 0;
    // Some buttons act at once, without a dialog.
    let done = 0;
    page.on('download', () => done++);
    page.on('request', (request) => {
      if (request.method() !== 'GET') done++;
    });
    const tryDialogs = async (where: string) => {
      const acts = page.locator('main .page-actions button:not(:disabled)');
      for (let place = 0; place < (await acts.count()); place++) {
        const act = acts.nth(place);
        const name = `${where}: ${await act.textContent()}`;
        const [path, doneBefore] = [page.url(), done];
        await act.focus();
        await page.keyboard.press('Enter');
        const dialog = page.locator('[role=dialog]').last();
        await expect
          .poll(async () => done > doneBefore || page.url() !== path || (await dialog.isVisible()), {
            message: name,
          })
          .toBe(true);
        if (!(await dialog.isVisible())) {
          await walk.goTo(new URL(path).pathname);
          continue;
        }
        dialogs += 1;
        await expect.poll(() => dialog.locator('.skeleton').count(), { message: name }).toBe(0);
        const fields = dialog.locator('form :is(input, select, textarea):visible');
        if ((await fields.count()) > 0) {
          await expect
            .poll(() => dialog.locator(':is(input, select, textarea, button):focus').count(), {
              message: name,
            })
            .toBe(1);
        }
        expect.soft(await dialog.locator(NATIVE_FIELDS).count(), name).toBe(0);
        // The page under a dialog has no keys.
        const before = await page.locator('[role=dialog]').count();
        await page.keyboard.press('Control+k');
        expect.soft(await page.locator('[role=dialog]').count(), name).toBe(before);
        for (let press = 0; press < MAX_ESCAPES && (await dialog.count()) > 0; press++) {
          await page.keyboard.press('Escape');
          // The first Escape may close no more than a list within the dialog: then another one is pressed.
          await dialog.waitFor({ state: 'detached', timeout: deadline(1500) }).catch(() => {});
        }
        await expect.poll(() => focused(page), { message: name }).toBe((await act.textContent())?.trim());
      }
    };
    for (const path of await walk.rooms()) {
      await walk.goTo(path);
      expect.soft(await page.locator(NATIVE_FIELDS).count(), path).toBe(0);
      await tryDialogs(path);
      await walk.goTo(path);
      const row = firstRow(page);
      if ((await row.locator('a.row-link').count()) === 0) continue;
      const href = (await row.locator('a.row-link').getAttribute('href')) ?? '';
      await walk.goTo(href);
      expect.soft(await page.locator(NATIVE_FIELDS).count(), href).toBe(0);
      await tryDialogs(`${path} one`);
    }
    expect(dialogs).toBeGreaterThan(12);
    await page.context().close();
  });

  it('acts by the palette, lists all keys, and has none while a person types', async () => {
    const page = await stage.open(`${siteId}/visits`);
    await firstRow(page).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.waitFor();
    const listed = await keys.locator('kbd').allTextContents();
    for (const key of ['j', 'k', 'x', 'n', '/', '?', 'Ctrl K', 'Enter', 'Escape'])
      expect(listed).toContain(key);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });

    await page.getByLabel('Plate', { exact: true }).fill('');
    await page.getByLabel('Plate', { exact: true }).press('j');
    await expect.poll(() => page.getByLabel('Plate', { exact: true }).inputValue()).toBe('j');
    expect(await hasFocus(firstRow(page))).toBe(false);
    await page.getByLabel('Plate', { exact: true }).fill('');

    const byPalette = async (text: string, name: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(text);
      await page.getByRole('option', { name }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    // Each act of the account's menu is found here by its name there.
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem').first().waitFor();
    const menu = (await page.getByRole('menuitem').allTextContents()).map((text) => text.trim());
    expect(menu).toContain('Log out');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    for (const name of menu) {
      await page.getByRole('dialog').getByRole('combobox').fill(name);
      await page
        .getByRole('option', { name: new RegExp(`${name}$`, 'i') })
        .first()
        .waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await byPalette('dark', /^Dark$/);
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await byPalette('new permit', /^New permit$/);
    await page.getByRole('heading', { name: 'Permits', level: 1 }).waitFor();
    await page.getByRole('dialog').getByLabel('Plate').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await byPalette('new permit', /^New permit$/);
    await page.getByRole('dialog').getByLabel('Plate').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await byPalette('colleague', /^Invite a person$/);
    const invites = page.getByRole('dialog').getByLabel('Send an invitation by mail instead');
    await invites.waitFor();
    await expect.poll(() => invites.isChecked()).toBe(true);
    await page.context().close();
  });
});

/** Lets other tabs reach their address and load nothing there. */
async function loadNoOthers(page: Page): Promise<void> {
  await page
    .context()
    .route('**/console/**', (route) =>
      route.request().isNavigationRequest()
        ? route.fulfill({ contentType: 'text/html', body: '' })
        : route.fallback(),
    );
}
