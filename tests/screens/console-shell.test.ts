import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
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

  const endElsewhere = async (page: Page) => {
    const headers = { Origin: stage.address };
    const cookies = await page.context().cookies();
    expect((await page.request.delete(`${stage.address}/session`, { headers })).status()).toBe(204);
    // The session ends as if in another browser: this one still has its cookie.
    await page.context().addCookies(cookies);
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
    await endElsewhere(page);
    await page.getByLabel('Password').waitFor();
    await logIn(page, stage.operated.operatorLogin.password);
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
    await page.context().close();
  });

  it('keeps what was typed where the session ends meanwhile, and says why it ended', async () => {
    const page = await stage.open('all/zones');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New zone' }).click();
    await page.getByLabel('Name').fill('Under the roof');
    await endElsewhere(page);
    await page.getByText('This login was ended, here or elsewhere').waitFor();
    await page.getByText('What you typed is still here').waitFor();
    await logIn(page, stage.operated.operatorLogin.password);
    await expect.poll(() => page.getByLabel('Password').count()).toBe(0);
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Under the roof');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().close();
  });

  it('asks before what was typed is lost: in a page, in a dialog, and by the browser', async () => {
    const page = await stage.open('all/products/new');
    await page.getByLabel('Name in English').fill('Night rate');
    await page.getByRole('link', { name: 'Zones' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await expect.poll(() => page.getByLabel('Name in English').inputValue()).toBe('Night rate');
    await page.getByRole('link', { name: 'Zones' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'New zone' }).click();
    const dialog = page.getByRole('dialog', { name: 'New zone' });
    await dialog.getByLabel('Name').fill('Cellar');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await dialog.getByText('Press Escape once more').waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Cellar');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('sends a link to who has forgotten the password, and looks like the rest where that leads', async () => {
    const page = await stage.open('', { login: null });
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByLabel('Mail address').fill('nobody@example.is');
    await page.keyboard.press('Enter');
    await page.getByText('a mail is on its way').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.goto(`${stage.address}/recover?token=old&lang=en`);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Password').waitFor();
    await page.context().close();
  });

  it('says by plain http what is missing, and does not fail', async () => {
    const browser = await startChromium({ hosts: 'MAP console.lan 127.0.0.1' });
    const page = await browser.newPage({ locale: 'en-GB' });
    const mistakes: string[] = [];
    page.on('pageerror', (error) => mistakes.push(String(error)));
    await page.goto(`${stage.address.replace('localhost', 'console.lan')}/console/`);
    await page.getByRole('heading', { name: 'This address is not secure' }).waitFor();
    expect(mistakes).toEqual([]);
    await browser.close();
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
