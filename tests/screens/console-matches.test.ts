import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { matchingRun } from '@hlid/cloud/stays/matching/matching-run';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import { group } from '@hlid/cloud/test/sample-documents';
import { inside, unmatchedExit } from '@hlid/cloud/test/unmatched-exits';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { getRequestListener } from '@hono/node-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildConsole } from '../harness/build-pages.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { createDrawing } from './draw-screen.ts';
import { takePictures } from './kiosk-pictures.ts';

const VisitsSchema = z.object({
  data: z.array(
    z.looseObject({ id: z.string(), plate: z.string().nullable(), endedOn: z.string().nullable() }),
  ),
});

describe.skipIf(!CHROMIUM_IS_HERE)('missed exits in the room of review', () => {
  let api: TestApi;
  let browser: Browser;
  let address: string;
  const server = createServer();
  const pictures: Buffer[] = [];
  const cameras: Record<'entrance' | 'exit', string> = { entrance: '', exit: '' };

  beforeAll(async () => {
    await buildConsole(console.warn);
    api = await createTestApi();
    browser = await startChromium();
    pictures.push(...(await takePictures(browser)));
    server.on('request', getRequestListener(api.app.fetch));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://localhost:${(server.address() as AddressInfo).port}`;
    const product = { price: 500, currency: 'ISK', vehicleCategory: 'light', productCode: 'P' };
    await api.made('/products', { type: 'default', ...product });
    await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { matchesExits: true } } });
    for (const location of ['entrance', 'exit'] as const) {
      const camera = {
        name: location === 'exit' ? 'Way out' : 'Way in',
        location,
        remoteId: `cam-${location}`,
      };
      cameras[location] = (await api.made('/cameras', camera)).id;
    }
  });
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
    await api?.close();
  });

  /** A camera that posts straight to the cloud: the site has no edge daemon. */
  async function seen(location: 'entrance' | 'exit', plate: string, picture: number): Promise<void> {
    const document = { ...group(plate, api.now()), overview_jpeg: pictures[picture]?.toString('base64') };
    const path = `/photos/open-alpr?camera.id=${cameras[location]}`;
    expect((await api.call('POST', path, { body: document })).status).toBe(303);
    api.wait(MINUTE_MS);
  }

  async function open(language: 'en-GB' | 'is-IS', width: number): Promise<Page> {
    const context = await browser.newContext({ locale: language, viewport: { width, height: 900 } });
    // Time passes between two pages: a session would be over.
    const cookie = (await api.session('the-operator'))['cookie']?.split('=')[1] ?? '';
    const place = {
      domain: 'localhost',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    } as const;
    await context.addCookies([{ name: '__Host-hlid', value: cookie, ...place }]);
    const page = await context.newPage();
    await page.goto(`${address}/console/all/review?tab=matches`);
    return page;
  }

  const endOf = async (plate: string) => {
    const { data } = VisitsSchema.parse((await api.call('GET', `/visits?plate=${plate}`)).body);
    return data[0]?.endedOn ?? null;
  };

  it('says when none waits', async () => {
    const page = await open('en-GB', 1366);
    await page.getByRole('heading', { name: 'No pair waits for you' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('the solver proposes, a person accepts and undoes by keys, with both pictures', async () => {
    await seen('entrance', 'MKJ45', 0);
    await seen('entrance', 'MKR12', 1);
    await seen('entrance', 'AB123', 2);
    api.wait(2 * HOUR_MS);
    // Two characters of one are misread; the plate of another was read well, and its read came to no visit.
    await seen('exit', 'NKJA5', 0);
    api.wait(HOUR_MS);
    await matchingRun(api.db).work({ now: api.now(), signal: new AbortController().signal });

    const page = await open('en-GB', 1366);
    await page.getByRole('heading', { name: 'Is it the same car?' }).waitFor();
    await page.getByText('1 pair waits').waitFor();
    await page.getByRole('tab', { name: 'Missed exits (1)' }).waitFor();
    await page.getByRole('link', { name: 'Review 2 waiting' }).waitFor();
    const cars = page.locator('.match-car');
    expect(await cars.count()).toBe(2);
    await expect
      .poll(() =>
        cars
          .locator('img')
          .evaluateAll((all) => all.map((img) => img instanceof HTMLImageElement && img.naturalWidth > 1)),
      )
      .toEqual([true, true]);
    expect(await cars.locator('u').allTextContents()).toEqual(['M', '4', 'N', 'A']);
    await page.getByText('Way out').waitFor();
    await page.getByText('ISK 500').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await (await createDrawing(page, 'console-matches'))('pair-en-1366');

    await page.keyboard.press('a');
    await page.getByText('Accepted: the visit has ended at this exit.').waitFor();
    expect(await endOf('MKJ45')).not.toBeNull();
    await page.keyboard.press('z');
    await page.getByRole('heading', { name: 'Is it the same car?' }).waitFor();
    expect(await endOf('MKJ45')).toBeNull();

    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Show the skipped ones (1)' }).click();
    await page.getByRole('heading', { name: 'Is it the same car?' }).waitFor();
    await page.keyboard.press('n');
    await page.getByText('Rejected: nothing has changed.').waitFor();
    await page.getByRole('heading', { name: 'No pair waits for you' }).waitFor();
    expect(await endOf('MKJ45')).toBeNull();
    await page.keyboard.press('z');
    await page.getByRole('heading', { name: 'Is it the same car?' }).waitFor();
    await page.context().close();

    // One that is certain was settled without a person, and is taken back by its button.
    await inside(api, { plate: 'KZD82', at: '2026-11-21T09:00:00.000Z' });
    await unmatchedExit(api, { plate: 'KZD82', at: '2026-11-21T11:00:00.000Z' });
    await matchingRun(api.db).work({ now: api.now(), signal: new AbortController().signal });
    expect(await endOf('KZD82')).toBe('2026-11-21T11:00:00.000Z');
    const settled = await open('en-GB', 1366);
    await settled.getByRole('heading', { name: 'Settled without a person' }).waitFor();
    expect(await axeFaults(settled)).toEqual([]);
    await settled.getByRole('button', { name: 'Undo KZD82' }).click();
    await settled.getByText('Undone: as it was before').waitFor();
    expect(await endOf('KZD82')).toBeNull();
    await settled.context().close();

    const narrow = await open('is-IS', 390);
    await narrow.getByRole('heading', { name: 'Er þetta sami bíllinn?' }).waitFor();
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await axeFaults(narrow)).toEqual([]);
    await (await createDrawing(narrow, 'console-matches'))('pair-is-390');
    await narrow.context().close();
  });
});
