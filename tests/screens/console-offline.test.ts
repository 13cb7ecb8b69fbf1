import { deadline } from '@hlid/protocol/test/deadline';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type FaultyLine, startFaultyLine } from '../faults/faulty-line.ts';
import { buildConsole } from '../harness/build-pages.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, showConsole, stageForGroup } from './console-page.ts';

/** The console gives a command up after ten seconds. */
const GIVEN_UP_MS = 30_000;

describe.skipIf(!CHROMIUM_IS_HERE)('the console without its network', () => {
  let network: Network;
  let stage: ConsoleStage;
  let line: FaultyLine;
  /** The cloud through the line. */
  let address: string;
  stageForGroup(
    async () => {
      await buildConsole(console.warn);
      network = await startNetwork();
      stage = await showConsole(network, () => network.stop());
      line = await startFaultyLine();
      address = line.to(network.cloud.httpUrl()).replace('mqtt://127.0.0.1', 'http://localhost');
    },
    async () => {
      await stage?.stop();
      await line?.stop();
    },
  );

  const openings = () => network.lane('out-1').openings();
  const openThroughLine = async (path: string): Promise<Page> => {
    const page = await stage.open('', { login: null });
    const data = network.operatorLogin;
    await page.request.post(`${address}/session`, { data, headers: { Origin: address } });
    await page.goto(`${address}/console/${path}`);
    return page;
  };
  const askToOpen = async (page: Page) => {
    await page.locator('.lane').nth(2).getByRole('button', { name: /^Open/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Waved through');
    return dialog;
  };

  it('sends no command later that was pressed while there was no network, and keeps what was typed', async () => {
    const page = await openThroughLine(`${network.site.siteId}/now`);
    const dialog = await askToOpen(page);
    const before = openings();
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: /^Open/ }).click();
    await dialog.getByRole('alert').getByText('nothing is sent later').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await page.context().setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: deadline(GIVEN_UP_MS) });
    await network.settled();
    expect([openings(), sent]).toEqual([before, []]);
    await expect.poll(() => dialog.getByLabel('Note').inputValue()).toBe('Waved through');
    await dialog.getByRole('button', { name: /^Open/ }).click();
    await page.locator('.toast', { hasText: 'is open' }).waitFor();
    expect(openings()).toBe(before + 1);
    await page.context().close();
  });

  it('moves no gate where the network delivers a command after a person has given it up', async () => {
    const page = await openThroughLine(`${network.site.siteId}/now`);
    const dialog = await askToOpen(page);
    const before = openings();
    line.stall();
    await dialog.getByRole('button', { name: /^Open/ }).click();
    await dialog
      .getByRole('alert')
      .getByText('did not answer in time')
      .waitFor({ timeout: deadline(GIVEN_UP_MS) });
    line.heal();
    await page.getByText('Live', { exact: true }).waitFor({ timeout: deadline(GIVEN_UP_MS) });
    await network.settled();
    expect(openings()).toBe(before);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it.each(['Cancel', 'Close'])(
    '%s leaves a dialog whose call gets no answer, and says what that means',
    async (name) => {
      const page = await openThroughLine('all/zones');
      await page.getByRole('button', { name: 'New zone' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Roof');
      line.stall();
      await dialog.getByRole('button', { name: 'Create Roof' }).click();
      await dialog.getByRole('button', { name }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.toast', { hasText: 'It may have been done' }).waitFor();
      line.heal();
      await page.context().close();
    },
  );

  it('says at once that a list cannot be read, and reads it when the network is back', async () => {
    const page = await openThroughLine('all/zones');
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Sites' }).click();
    await page.getByRole('alert').waitFor({ timeout: deadline(GIVEN_UP_MS) });
    await page.context().setOffline(false);
    await expect.poll(() => page.getByRole('alert').count(), { timeout: deadline(GIVEN_UP_MS) }).toBe(0);
    await page.context().close();
  });
});
