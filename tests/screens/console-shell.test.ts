import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, startConsole } from './console-page.ts';

describe.skipIf(!CHROMIUM_IS_HERE)('the console', () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage?.stop());

  const logIn = async (page: Page, password: string) => {
    await page.getByLabel('Mail address or name').fill(stage.operated.operatorLogin.id);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  };

  it('lets a person in at the address they came to, and out again', async () => {
    const page = await stage.open('all/zones', { login: null });
    const mistakes: string[] = [];
    page.on('pageerror', (error) => mistakes.push(String(error)));
    await logIn(page, 'wrong');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Wrong id or password');
    await logIn(page, stage.operated.operatorLogin.password);
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/all/zones');
    await page.getByText('Live', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(mistakes).toEqual([]);
    await page.context().close();
  });

  it('shows the login where the session was ended elsewhere, and goes on at the same place', async () => {
    const page = await stage.open('all/zones');
    await page.getByText('Live', { exact: true }).waitFor();
    const headers = { Origin: stage.address };
    expect((await page.request.delete(`${stage.address}/session`, { headers })).status()).toBe(204);
    await page.getByLabel('Password').waitFor();
    await logIn(page, stage.operated.operatorLogin.password);
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
    await page.context().close();
  });

  it('is walked by keys alone', async () => {
    const page = await stage.open('all/zones');
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Find/ }).waitFor();
    await page.keyboard.type('zon');
    await page.getByRole('option', { name: 'Zones' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.context().close();
  });
});
