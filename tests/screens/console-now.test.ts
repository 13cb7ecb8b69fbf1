import { deadline } from '@hlid/protocol/test/deadline';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildConsole } from '../harness/build-pages.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { newSecret } from '../harness/new-secret.ts';
import { type OnvifDeviceSim, startOnvifDevice } from '../sim/onvif-device.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, showConsole, stageForGroup } from './console-page.ts';

const EVENT_TO_PIXEL_MS = 1000;
const BJARNI = { id: 'bjarni@example.is', password: newSecret() };

describe.skipIf(!CHROMIUM_IS_HERE)('the room where lanes are watched', () => {
  let network: Network;
  let stage: ConsoleStage;
  let device: OnvifDeviceSim;
  stageForGroup(
    async () => {
      await buildConsole(console.warn);
      device = await startOnvifDevice({ password: 'parking-1' });
      const { href: url } = new URL('/snapshot.jpg', device.url);
      network = await startNetwork({
        settings: { helpPhone: '555 1234' },
        snapshot: () => ({ url, user: 'hlid', password: 'parking-1' }),
      });
      stage = await showConsole(network, () => network.stop());
      await network.operator.ask('POST', '/accounts', {
        account: { role: 'operator', status: 'active', name: 'Bjarni' },
        authentication: { email: BJARNI.id, password: BJARNI.password },
      });
    },
    async () => {
      await stage?.stop();
      await device?.stop();
    },
  );

  const entrance = (page: Page) => page.locator('.lane').nth(0);
  const exit = (page: Page) => page.locator('.lane').nth(2);
  const open = async (login?: typeof BJARNI) => {
    const page = await stage.open(`${network.site.siteId}/now`, login ? { login } : {});
    await page.locator('.lane').nth(3).waitFor();
    return page;
  };
  /** A car that has been inside since yesterday stands at the exit and owes for it. */
  const waitsAtExit = async (plate: string) => {
    await network.lane('in-1').passes(plate);
    await network.settled();
    const [visit] = await network.operator.visits({ plate });
    const startedOn = new Date(Date.now() - 26 * 3_600_000).toISOString();
    await network.operator.ask('PUT', `/visit/${visit?.id}`, { startedOn, reason: 'came yesterday' });
    await network.settled();
    await network.lane('out-1').passes(plate);
    return visit?.id ?? '';
  };

  it('shows a car at once, and opens for it by keys alone with what it owes settled', async () => {
    const page = await open();
    await expect.poll(() => exit(page).textContent()).toContain('No car yet');
    await network.lane('in-1').passes('KEYS11');
    await entrance(page)
      .getByText('KEYS11')
      .first()
      .waitFor({ timeout: deadline(EVENT_TO_PIXEL_MS) });
    const id = await waitsAtExit('KEYS11');
    await exit(page)
      .getByText(/ISK.*due$/)
      .waitFor();
    await expect.poll(() => page.title()).toBe('(1 waiting) Now · Hlið');
    expect(await axeFaults(page)).toEqual([]);

    const before = network.lane('out-1').openings();
    await page.keyboard.press('3');
    await expect.poll(() => exit(page).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('o');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Open for KEYS11 · bill ISK/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('Paid');
    await dialog.getByRole('button', { name: /^Open for KEYS11 · ISK\s[\d,]+ paid elsewhere$/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('At the office');
    await page.keyboard.press('Enter');
    await page.locator('.toast').waitFor();
    expect(network.lane('out-1').openings()).toBe(before + 1);
    await network.settled();
    expect(await network.operator.visit(id)).toMatchObject({ paymentStatus: 'kiosk' });
    await page.context().close();
  });

  it('holds a lane until an end that the other operator sees, and opens for no other car than was meant', async () => {
    const [anna, bjarni] = [await open(), await open(BJARNI)];
    await bjarni.keyboard.press('2');
    await bjarni.keyboard.press('h');
    const hold = bjarni.getByRole('dialog');
    await hold.getByLabel('It ends').selectOption('after 30 minutes');
    await hold.getByLabel('Note').fill('Concert');
    await hold.getByRole('button', { name: /^Hold/ }).click();
    const held = anna.locator('.lane').nth(1);
    await held.getByText(/Held open by Bjarni until .* left\) – Event: Concert/).waitFor();
    await held.getByRole('button', { name: /^Release/ }).click();
    await anna
      .getByRole('dialog')
      .getByRole('button', { name: /^Release/ })
      .click();
    await expect.poll(() => bjarni.locator('.lane').nth(1).textContent()).not.toContain('Held open');

    await waitsAtExit('FIRST1');
    await exit(anna).getByRole('button', { name: 'Open for FIRST1' }).click();
    const dialog = anna.getByRole('dialog');
    const before = network.lane('out-1').openings();
    // It backs away, and another car comes before she presses.
    await waitsAtExit('SECND2');
    await dialog.getByText('Another car stands there now: SECND2.').waitFor();
    await dialog.getByLabel('Note').fill('Paid to me');
    await dialog.getByRole('button', { name: /^Open for FIRST1/ }).click();
    await dialog.getByRole('alert').getByText('SECND2. Nothing was done.').waitFor();
    expect(network.lane('out-1').openings()).toBe(before);
    await expect.poll(() => dialog.getByLabel('Note').inputValue()).toBe('Paid to me');
    await dialog.getByRole('button', { name: 'Open for SECND2 instead' }).click();
    await dialog.getByRole('button', { name: /^Open for SECND2 · bill/ }).click();
    await anna.locator('.toast', { hasText: 'is open' }).waitFor();
    expect(network.lane('out-1').openings()).toBe(before + 1);
    await expect.poll(() => exit(bjarni).textContent()).toContain('due · opened');
    await Promise.all([anna, bjarni].map((page) => page.context().close()));
  });

  it('shows what the camera of a lane sees now, and why it cannot, by a key and by its button', async () => {
    const page = await open();
    await page.keyboard.press('2');
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog');
    const picture = dialog.getByRole('button', { name: /^Enlarge: .* now$/ }).getByRole('presentation');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await device.stop();
    await entrance(page)
      .getByRole('button', { name: /^Picture now: / })
      .click();
    await dialog.getByRole('alert').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Take a picture' }).isEnabled()).toBe(true);
    await page.context().close();
  });

  it('lets one operator have a call, and takes it from the other', async () => {
    const [anna, bjarni] = [await open(), await open(BJARNI)];
    const id = '01980000-0000-7000-8000-000000000042';
    const url = new URL('/api/kiosk/help', network.edge.localUrl());
    const headers = { 'content-type': 'application/json', origin: url.origin };
    await network.lane('in-1').passes('CALL33');
    await network.settled();
    const [visit] = await network.operator.visits({ plate: 'CALL33' });
    const body = JSON.stringify({ id, visitId: visit?.id ?? null, language: 'pl' });
    expect((await fetch(url, { method: 'POST', headers, body })).ok).toBe(true);
    for (const page of [anna, bjarni]) {
      await page.locator('.call.ringing').getByText('Polski').waitFor();
      await expect.poll(() => page.title()).toContain('1 call');
    }
    await anna.locator('.call').getByText('CALL33').waitFor();
    expect(await axeFaults(anna)).toEqual([]);
    await bjarni.keyboard.press('a');
    await bjarni.locator('.call').getByText('You have this call').waitFor();
    await expect.poll(() => anna.locator('.call').count()).toBe(0);
    await bjarni.getByRole('button', { name: 'Close the call' }).click();
    await bjarni.getByRole('dialog').getByRole('button', { name: 'Close the call' }).click();
    await expect.poll(() => bjarni.locator('.call').count()).toBe(0);
    expect(await network.operator.ask('GET', `/call/${id}`)).toMatchObject({
      body: { state: 'closed', accepted: { name: 'Bjarni' }, closed: { done: 'explained' } },
    });
    await Promise.all([anna, bjarni].map((page) => page.context().close()));
  });

  it('shows a second tab the same, on one stream', async () => {
    const page = await open();
    const tab = await page.context().newPage();
    let streams = 0;
    tab.on('request', (request) => {
      if (request.url().includes('/events')) streams++;
    });
    await tab.goto(page.url());
    await tab.locator('.lane').nth(3).waitFor();
    await network.lane('in-2').passes('TABS22');
    for (const one of [page, tab]) await one.locator('.lane').nth(1).getByText('TABS22').first().waitFor();
    expect(streams).toBe(0);
    // The other leads when the first is gone.
    await page.close();
    await network.lane('in-1').passes('OTHER9');
    await entrance(tab).getByText('OTHER9').first().waitFor();
    await tab.context().close();
  });

  it('shows nothing as fresh while the site or the cloud is away, and heals by itself', async () => {
    const page = await open();
    const opens = exit(page).getByRole('button', { name: /^Open/ });
    await expect.poll(() => opens.isEnabled()).toBe(true);
    await network.edge.stop();
    await page.getByText(/has been offline for/).waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: /555 1234/ }).getAttribute('href'))
      .toBe('tel:5551234');
    await expect.poll(() => page.locator('.lane.old').count()).toBe(4);
    expect(await opens.isEnabled()).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    await network.edge.restart();
    await expect.poll(() => page.locator('.lane.old').count(), { timeout: deadline(30_000) }).toBe(0);
    await expect.poll(() => opens.isEnabled()).toBe(true);

    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await network.cloud.kill();
    await page.getByText(/No connection to the cloud/).waitFor();
    await expect.poll(() => page.locator('.lane.old').count()).toBe(4);
    expect(await opens.isEnabled()).toBe(false);
    await network.lane('in-1').passes('AWAY44');
    await network.cloud.start();
    await entrance(page).getByText('AWAY44').first().waitFor();
    await expect.poll(() => page.locator('.lane.old').count()).toBe(0);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    await page.context().close();
  });
});
