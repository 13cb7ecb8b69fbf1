import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createAppProtocol } from '@hlid/kiosk/main/app-protocol';
import { beatOf } from '@hlid/kiosk/preload/beat-of';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM_IS_HERE, STILL_KIOSK, startChromium } from './chromium.ts';
import { car } from './kiosk-cars.ts';
import { type KioskStandIn, startKioskStandIn } from './kiosk-stand-in.ts';

const folder = (path: string) => fileURLToPath(new URL(`../../kiosk/${path}`, import.meta.url));

/** The shell's own protocol over HTTP, since only Electron's Chromium supports `app:`. */
async function startShell(edgeUrl: string): Promise<{ url: string; server: Server }> {
  const handle = createAppProtocol({
    pageFolder: folder('dist-page'),
    helpFolder: folder('src/help'),
    edgeUrl,
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const { method = 'GET' } = request;
    const away = new AbortController();
    response.on('close', () => away.abort());
    const answer = await handle(
      new Request(`http://kiosk${request.url}`, {
        method,
        headers,
        signal: away.signal,
        ...(method === 'POST' && { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    const reader = answer.body?.getReader();
    try {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) break;
        response.write(value);
      }
    } catch {
      // The page listens no more.
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The shell does not listen.');
  return { url: `http://127.0.0.1:${address.port}`, server };
}

describe.skipIf(!CHROMIUM_IS_HERE)("the page in the kiosk's shell", () => {
  let browser: Browser;
  let edge: KioskStandIn;
  let shell: { url: string; server: Server };
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await startChromium();
    edge = await startKioskStandIn([]);
    shell = await startShell(edge.url);
    page = await browser.newPage(STILL_KIOSK);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    shell?.server.closeAllConnections();
    shell?.server.close();
    await edge?.stop();
  });

  /** The messages of the preload script to the shell. */
  const beat = () => page.evaluate<unknown>(`(${beatOf})(document)`);

  test('finds its files and the edge, and says how it does', async () => {
    edge.parked = [{ ...car('MKJ45'), visit: { ...car('MKJ45').visit, hasPicture: false } }];
    await page.goto(`${shell.url}/`);
    await page.getByText('Hafnartorg bílahús').first().waitFor();
    await expect.poll(beat).toEqual({ shows: true, idle: true });

    await page.getByRole('main').getByRole('button').first().click();
    await expect.poll(beat).toEqual({ shows: true, idle: false });
    await page.keyboard.type('MKJ45');
    await page.getByText('MK', { exact: false }).first().waitFor();
    expect(complaints).toEqual([]);

    // React leaves the page like this when a component throws.
    await page.evaluate(() => document.querySelector('#kiosk')?.replaceChildren());
    expect(await beat()).toMatchObject({ shows: false });
  });

  test('has a page of its own for when nothing works, in both languages', async () => {
    await page.goto(`${shell.url}/help.html`);
    await page.getByRole('heading', { name: 'Greiðsluvélin er biluð' }).waitFor();
    await page.getByRole('heading', { name: 'out of order' }).waitFor();
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe('rgb(16, 20, 24)');
  });
});
