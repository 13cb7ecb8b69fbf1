import { createServer, request as requestOf } from 'node:http';
import { createTestBoard } from '@hlid/edge/test/board';
import { listen } from '@hlid/node/listen';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLanesPage } from '../harness/build-pages.ts';
import { CHROMIUM_IS_HERE, STILL_KIOSK, startChromium } from './chromium.ts';
import { fillConsole } from './console-data.ts';
import { type ConsoleStage, startConsole } from './console-page.ts';
import { car } from './kiosk-cars.ts';
import { type KioskStandIn, startKioskStandIn } from './kiosk-stand-in.ts';
import { PayStandIn } from './pay-page-stand-in.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Fields that may get further words, by the pages that show them. */
const WORDS = [
  'standing',
  'prompt',
  'connection',
  'rule',
  'capOf',
  'type',
  'match',
  'cardInput',
  'kind',
  'reason',
];

/**
 * An answer as a later program sends it: with fields that this page does not have and, for `word`, a new
 * word.
 */
function later(value: Json, word: string | null): Json {
  if (Array.isArray(value)) return value.map((each) => later(each, word));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]): [string, Json] => [
    name,
    name === word && typeof each === 'string' ? 'word-of-tomorrow' : later(each, word),
  ]);
  // A map, such as amounts by currency, has no fields.
  if (Object.keys(value).every((name) => /^[A-Z]{3}$/.test(name))) return Object.fromEntries(fields);
  return { ...Object.fromEntries(fields), addedLater: { since: '0.9', list: [1, 'two'] } };
}

/** Stands between a page and its program, which is newer. */
function newerProgram(word: string | null = null, version = 'newer') {
  return async (route: Route) => {
    const response = await route.fetch();
    const headers: Record<string, string> = { ...response.headers(), 'hlid-version': version };
    if (!headers['content-type']?.includes('json')) return await route.fulfill({ response, headers });
    const text = await response.text();
    const body = text === '' ? '' : JSON.stringify(later(JSON.parse(text), word));
    return await route.fulfill({ response, headers, body });
  };
}

/**
 * The same in front of a gate computer with a stream of events that the page reads. `now` describes the
 * program; it may be changed while the page is open.
 */
async function startNewerDaemon(url: string, now: { word: string | null; version: string }) {
  const rewrite = (text: string) => JSON.stringify(later(JSON.parse(text), now.word));
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url: path } = incoming;
    const onward = requestOf(new URL(path ?? '/', url), { method, headers }, (answer) => {
      const { 'content-length': _length, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, { ...kept, 'hlid-version': now.version });
      const type = kept['content-type'] ?? '';
      if (!/json|event-stream/.test(type)) return void answer.pipe(outgoing);
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
        if (type.includes('json')) return;
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) {
          outgoing.write(`${line.replace(/^data: (.*)$/, (_, data: string) => `data: ${rewrite(data)}`)}\n`);
        }
      });
      answer.on('end', () => outgoing.end(type.includes('json') && text !== '' ? rewrite(text) : undefined));
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const address = await listen(server, { host: '127.0.0.1', port: 0 }, 'nobody');
  return {
    url: `http://${address}`,
    /** Drops all connections, as a restart of the program does. */
    drop: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(!CHROMIUM_IS_HERE)('a page that is older than its program', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    await buildLanesPage(console.warn);
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ ...STILL_KIOSK, locale: 'is-IS' });
    page = await context.newPage();
    page.setDefaultTimeout(deadline(10_000));
    complaints = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
  });
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    expect(complaints).toEqual([]);
  });

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

  describe('at the kiosk', () => {
    let edge: KioskStandIn;
    beforeEach(async () => {
      edge = await startKioskStandIn([Buffer.from('no picture')]);
      edge.parked = [car('MKJ45')];
    });
    afterEach(() => edge.stop());

    async function toDue(): Promise<void> {
      await page.goto(`${edge.url}/kiosk/`);
      await press('Greiða fyrir stæði');
      for (const letter of 'MKJ4') {
        await page.getByRole('button', { name: letter, exact: true }).first().click();
      }
      await press(/MKJ4/);
    }

    test('goes from the plate to the receipt over answers with more in them', async () => {
      await page.route('**/api/kiosk/**', (route) =>
        route.request().url().endsWith('/events') ? route.abort() : newerProgram()(route),
      );
      await toDue();
      await press(/^Greiða \d/);
      await heading('Greiddu í posanum');
      await expect.poll(() => edge.orders.length).toBe(1);
      edge.move({ state: 'settled' });
      await heading('Greitt. Takk fyrir!');
    });

    test.each(WORDS)('shows something, and takes no money twice, for a new word as %s', async (word) => {
      await page.route('**/api/kiosk/**', (route) =>
        route.request().url().endsWith('/events') ? route.abort() : newerProgram(word)(route),
      );
      await toDue();
      await page.getByRole('heading', { name: /Til greiðslu|Ekki er hægt að sýna þessa dvöl hér/ }).waitFor();
      if (word !== 'standing') {
        await press(/^Greiða \d|Greiða með síma/);
        await page.getByRole('heading', { level: 1 }).waitFor();
      }
    });

    test('loads itself again once no driver stands there, and not before', async () => {
      let version = 'first';
      await page.route('**/api/kiosk/site', (route) => newerProgram(null, version)(route));
      await page.goto(`${edge.url}/kiosk/`);
      await page.evaluate(() => Object.assign(window, { isFirst: true }));
      const isFirst = () => page.evaluate(() => 'isFirst' in window);
      await press('Greiða fyrir stæði');
      await heading('Hvert er bílnúmerið?');
      const seen = page.waitForResponse((response) => response.headers()['hlid-version'] === 'second');
      version = 'second';
      await seen;
      expect(await isFirst()).toBe(true);
      await press('Byrja aftur');
      await expect.poll(isFirst, { timeout: deadline(15_000) }).toBe(false);
    });
  });

  describe('of the lanes', () => {
    const lane = (name: string) =>
      page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) });
    let site: ReturnType<typeof createTestBoard>;
    let now: { word: string | null; version: string };
    let daemon: Awaited<ReturnType<typeof startNewerDaemon>>;
    beforeEach(async () => {
      site = createTestBoard();
      now = { word: null, version: 'first' };
      daemon = await startNewerDaemon((await site.api.start()).url, now);
      await page.setViewportSize({ width: 1200, height: 900 });
      site.pass('out-1', { plate: 'MKJ45', open: false, reason: 'need-payment', flags: ['uncertain-plate'] });
      const order = { since: '2026-11-21T08:30:00.000Z', by: 'technician', name: null, reasonCode: 'works' };
      const override = { ...order, mode: 'held-open', reason: '', lapsesAt: null, confirmed: true } as const;
      site.moveGate('in-1', 'held-open', null, { ...override, reasonCode: 'works' });
      site.changeDevice('gate', 'out-1', { state: 'failing', alarm: true, detail: 'no answer' });
    });
    afterEach(async () => {
      await daemon.stop();
      await site.api.stop();
    });

    test('shows who waits, and opens for him, over answers with more in them', async () => {
      await page.goto(`${daemon.url}/?lang=en`);
      await lane('Exit 1').getByText('MKJ45', { exact: true }).waitFor();
      await page.getByRole('heading', { name: 'Waiting at a closed gate' }).waitFor();
      await lane('Exit 1').getByRole('button', { name: 'Open for MKJ45' }).click();
      await page.getByLabel('Reason').selectOption('guest');
      await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
      await page.getByRole('status').getByText('Exit 1 is open').waitFor();
      expect(site.commands).toMatchObject([{ action: 'open', laneId: 'out-1', reasonCode: 'guest' }]);
      site.pass('in-1', { plate: 'ABX12' });
      await lane('Entrance 1').getByText('ABX12', { exact: true }).waitFor();
    });

    const words = ['reason', 'state', 'kind', 'mode', 'direction', 'gate', 'picture', 'reasonCode', 'alert'];
    test.each(words)('shows the lanes for a new word as %s, and takes the next event', async (word) => {
      now.word = word;
      await page.goto(`${daemon.url}/?lang=en`);
      await lane('Exit 1').getByText('MKJ45', { exact: true }).first().waitFor();
      site.pass('in-1', { plate: 'ABX12' });
      await lane('Entrance 1').getByText('ABX12', { exact: true }).first().waitFor();
      expect(await page.locator('body').innerText()).not.toMatch(/undefined|\[object/);
    });

    test('loads itself again after its program, once nothing is typed into it', async () => {
      await page.goto(`${daemon.url}/?lang=en`);
      await lane('Exit 1').waitFor();
      await page.evaluate(() => Object.assign(window, { isFirst: true }));
      const isFirst = () => page.evaluate(() => 'isFirst' in window);
      await page.getByText('A driver has a payment code').click();
      const code = page.locator('#code').getByLabel('Code', { exact: true });
      await code.fill('7KQ2');
      now.version = 'second';
      const seen = page.waitForResponse((response) => response.headers()['hlid-version'] === 'second');
      daemon.drop();
      await seen;
      // The lanes are shown again, and what is typed is still there.
      site.pass('in-1', { plate: 'ABX12' });
      await lane('Entrance 1').getByText('ABX12', { exact: true }).waitFor();
      expect([await isFirst(), await code.inputValue()]).toEqual([true, '7KQ2']);
      await page.getByText('A driver has a payment code').click();
      await expect.poll(isFirst, { timeout: deadline(15_000) }).toBe(false);
    });
  });

  describe('on a telephone', () => {
    let cloud: PayStandIn;
    beforeEach(async () => {
      cloud = new PayStandIn([]);
      await cloud.start();
      const none = { startedAt: null, endedAt: null, hasPicture: false };
      cloud.stays = [
        {
          stay: { ...none, key: 'key-of-MKJ45', plate: 'MKJ45', match: 'equal', ended: false, proved: false },
          due: {
            amountMinor: 1450,
            lines: [{ rule: 'cap', units: 3, capOf: 'visit', amountMinor: 1450 }],
            dayPriceMinor: 3500,
          },
        },
      ];
    });
    afterEach(() => cloud.stop());

    async function toDue(): Promise<void> {
      await page.goto(`${cloud.url}/pay/hafnartorg`);
      await page.getByLabel('Bílnúmer').fill('MKJ45');
      await press('Finna bílinn');
    }
    async function pay(): Promise<void> {
      await press(/^Greiða 1\.450/);
      await page.getByLabel('Kortanúmer').fill('2223000010246699');
      await page.getByLabel('Gildir til').fill('12/35');
      await page.getByLabel('Öryggisnúmer').fill('123');
      await press(/^Greiða 1\.450/);
    }

    test('goes from the plate to the receipt over answers with more in them', async () => {
      await page.route('**/pay/api/**', newerProgram());
      await toDue();
      await pay();
      await heading('Greitt. Takk fyrir!');
      expect(cloud.orders).toHaveLength(1);
    });

    test('shows something for a new standing, and for a new rule of the price', async () => {
      await page.route('**/pay/api/**', newerProgram('standing'));
      await toDue();
      await heading('Ekki er hægt að sýna þessa dvöl hér');
      await page.unrouteAll({ behavior: 'wait' });
      await page.route('**/pay/api/**', newerProgram('rule'));
      await toDue();
      await heading('Til greiðslu');
      await page.getByText('1.450\u00a0kr.').first().waitFor();
    });

    test('takes an outcome that it does not know for one that is being checked', async () => {
      await page.route('**/pay/api/**', newerProgram());
      cloud.ends = { state: 'sent' };
      await toDue();
      await page.unrouteAll({ behavior: 'wait' });
      await page.route('**/pay/api/**', newerProgram('state'));
      await pay();
      await heading('Við erum að athuga greiðsluna');
    });

    test('sends no card where it does not know how the site takes them', async () => {
      await page.route('**/pay/api/**', newerProgram('cardInput'));
      await toDue();
      await page.getByText('Ekki er hægt að greiða með korti hér sem stendur.').waitFor();
      expect(cloud.orders).toEqual([]);
    });

    test('cancels at a step that it does not know, and nothing is charged', async () => {
      cloud.begins = { next: cloud.bankForm() };
      await page.route('**/pay/api/**', newerProgram('kind'));
      await toDue();
      await pay();
      await page.getByText('Ekkert var gjaldfært. Þú getur reynt aftur.').waitFor();
      expect(cloud.finished).toEqual([]);
    });
  });

  describe('in the console', () => {
    let stage: ConsoleStage;
    let siteId: string;
    let desk: Page;
    beforeAll(async () => {
      stage = await startConsole();
      siteId = await fillConsole(stage.operated.operator);
    });
    afterAll(() => stage?.stop());
    afterEach(async () => {
      await desk.context().unrouteAll({ behavior: 'ignoreErrors' });
      await desk.context().close();
    });

    /** Every answer of a later cloud; its stream of events is not passed on, and the page goes on without. */
    async function showLater(version: () => string): Promise<void> {
      await desk.context().route(
        ({ pathname }) => !pathname.startsWith('/console'),
        (route) =>
          route.request().url().includes('/events') ? route.abort() : newerProgram(null, version())(route),
      );
    }

    test('shows its rooms, and adds a permit, over answers with more in them', async () => {
      desk = await stage.open(`${siteId}/visits`);
      desk.on('pageerror', ({ message }) => complaints.push(message));
      await showLater(() => 'later');
      await desk.reload();
      const row = desk.locator('main tbody > tr', { hasText: 'ABC12' });
      await row.waitFor();
      await row.press('Enter');
      await desk.getByRole('heading', { name: 'Visit of ABC12' }).waitFor();
      for (const room of ['permits', 'money', 'devices', 'audit', 'sites', 'reports']) {
        await desk.goto(`${stage.address}/console/${siteId}/${room}`);
        await desk.getByRole('heading', { level: 1 }).waitFor();
        await expect.poll(() => desk.locator('.skeleton').count(), { message: room }).toBe(0);
        expect(await desk.getByRole('heading', { name: 'This could not be loaded' }).count(), room).toBe(0);
      }
      await desk.goto(`${stage.address}/console/${siteId}/permits`);
      await desk.locator('main tbody > tr').first().waitFor();
      await desk.keyboard.press('n');
      await desk.getByRole('dialog').getByLabel('Plate').fill('LATER1');
      await desk.getByRole('dialog').getByLabel('Reason').fill('Guest');
      await desk.keyboard.press('Enter');
      await desk.locator('main tbody > tr', { hasText: 'LATER1' }).waitFor();
    });

    test('loads itself again once it is not in use, and keeps what is typed until then', async () => {
      desk = await stage.open(`${siteId}/zones`);
      let version = 'first';
      await showLater(() => version);
      await desk.clock.install();
      await desk.reload();
      await desk.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
      await desk.evaluate(() => Object.assign(window, { isFirst: true }));
      const isFirst = () => desk.evaluate(() => 'isFirst' in window);
      version = 'second';
      await desk.getByRole('link', { name: 'Permits' }).click();
      await desk.getByRole('heading', { name: 'Permits', level: 1 }).waitFor();
      await desk.locator('main tbody > tr').first().waitFor();
      await desk.keyboard.press('n');
      const plate = desk.getByRole('dialog').getByLabel('Plate');
      await plate.fill('LATER2');
      await desk.clock.fastForward('10:00');
      expect(await isFirst()).toBe(true);
      await expect.poll(() => plate.inputValue()).toBe('LATER2');

      await desk.keyboard.press('Escape');
      await desk.getByRole('dialog').getByRole('alert').waitFor();
      await desk.keyboard.press('Escape');
      await plate.waitFor({ state: 'detached' });
      await desk.clock.fastForward('10:00');
      await expect.poll(isFirst, { timeout: deadline(15_000) }).toBe(false);
    });
  });
});
