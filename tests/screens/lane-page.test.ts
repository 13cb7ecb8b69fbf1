import { createTestBoard } from '@hlid/edge/test/board';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';

describe.skipIf(!CHROMIUM_IS_HERE)('the page of the lanes', () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let site: ReturnType<typeof createTestBoard>;
  let complaints: string[];

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    site = createTestBoard();
    ({ url } = await site.api.start());
    page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1200, height: 800 } });
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  });
  afterEach(async () => {
    await page.close();
    await site.api.stop();
  });

  const lane = (name: string) =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) });

  test('a quiet site says so, lane by lane, and how the cloud is', async () => {
    await page.goto(url);
    await lane('Entrance 1').getByText('No cars yet').waitFor();
    await lane('Exit 1').getByText('Gate closed').waitFor();
    await page.getByText('Cloud connected').waitFor();
    await page.getByText('nothing waiting').waitFor();
    expect(await page.title()).toBe('Bílastæðið – Lanes');
    expect(complaints).toEqual([]);
  });

  test('what happens at the gates shows at once', async () => {
    await page.goto(url);
    await lane('Exit 1').waitFor();
    const refused = site.pass('out-1', { plate: 'MKJ45', open: false, reason: 'need-payment' });
    const exit = lane('Exit 1');
    await exit.getByText('MKJ45').waitFor();
    await exit.getByText('Kept closed').waitFor();
    await exit.getByText('Payment due').waitFor();

    // The driver has paid: the same passage, decided again.
    site.pass('out-1', { ...refused, open: true, reason: 'paid' });
    site.moveGate('out-1', 'open');
    await exit.getByText('Opened').waitFor();
    await exit.getByText('Gate open').waitFor();
    expect(await exit.getByText('MKJ45').count()).toBe(1);
    expect(await page.getByRole('status').textContent()).toBe('Exit 1: MKJ45, Opened, Paid.');

    site.pass('out-1', { plate: null, reason: 'no-visit', flags: ['uncertain-plate'] });
    await exit.getByText('No plate').waitFor();
    await exit.getByText('Plate uncertain').waitFor();
    await exit.getByRole('listitem').filter({ hasText: 'MKJ45' }).getByText('Paid').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a gate that did not answer is not shown as opened', async () => {
    await page.goto(url);
    await lane('Entrance 1').waitFor();
    site.pass('in-1');
    site.moveGate('in-1', 'unknown', 'unreachable');
    await lane('Entrance 1').getByText('The gate cannot be reached.').waitFor();
    await lane('Entrance 1').getByText('Should be open').waitFor();
  });

  test('a gate that said no to a car is not shown as opened, whatever it does for the next one', async () => {
    await page.goto(url);
    await lane('Entrance 1').waitFor();
    const first = site.pass('in-1', { plate: 'MKJ45', gate: 'refused' });
    await lane('Entrance 1').getByText('Did not open').waitFor();
    site.pass('in-1', { at: '2026-11-21T08:31:00.000Z', gate: 'wanted' });
    await lane('Entrance 1').getByText('Opened').waitFor();
    // Its gate answers late: it stays where it is.
    site.pass('in-1', { ...first, gate: 'unknown' });
    const earlier = lane('Entrance 1').getByRole('listitem').filter({ hasText: 'MKJ45' });
    await earlier.getByText('Should be open').waitFor();
  });

  test('a cloud that is away, and what waits for it', async () => {
    await page.goto(url);
    await page.getByText('Cloud connected').waitFor();
    site.moveLink({ connected: false, lastError: 'connect ECONNREFUSED', seq: 1241, acknowledged: 7 });
    await page.getByText('No connection to the cloud since 08:30:00').waitFor();
    await page.getByText('1,234 events waiting').waitFor();
    await page.getByText('connect ECONNREFUSED').waitFor();
  });

  test('a device that is not well, since when, and what to do about it', async () => {
    await page.goto(url);
    await page.getByText('All devices are in order').waitFor();
    expect(await page.getByRole('heading', { name: 'attention' }).count()).toBe(0);
    site.changeDevice('camera', 'cam-in-1', {
      ...{ state: 'silent', alarm: true, detail: 'nothing heard for 9 min' },
      lastError: { detail: 'nothing heard for 9 min', at: '2026-11-21T08:30:00.000Z' },
    });
    await page.getByRole('heading', { name: '1 thing needs attention' }).waitFor();
    const concern = page.getByRole('listitem').filter({ hasText: 'Camera cam-in-1 (Entrance 1): silent' });
    await concern.getByText('since 08:30:00').waitFor();
    await concern.getByText('Look whether the camera has power and network').waitFor();
    await page.getByText('All devices', { exact: true }).click();
    await page.getByText('last error 08:30:00: nothing heard for 9 min').waitFor();
    await page.getByRole('button', { name: 'Íslenska' }).click();
    await page.getByText('Myndavél cam-in-1 (Entrance 1): þögul').waitFor();
    site.changeDevice('camera', 'cam-in-1', { state: 'ok', alarm: false, detail: '' });
    await concern.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('Icelandic at a touch, and still after the page is loaded again', async () => {
    site.pass('in-1', { reason: 'welcome' });
    await page.goto(url);
    await page.getByRole('button', { name: 'Íslenska' }).click();
    await lane('Entrance 1').getByText('Gestur').waitFor();
    await page.reload();
    await lane('Entrance 1').getByText('Innkeyrsla').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('is');
    const pressed = page.getByRole('button', { name: 'Íslenska', pressed: true });
    expect(await pressed.count()).toBe(1);
  });

  test('a daemon that is gone is said to be gone, and found again', async () => {
    await page.goto(url);
    await lane('Entrance 1').waitFor();
    await site.api.stop();
    await page.getByRole('alert').getByText('No connection to the gate computer since').waitFor();

    const again = createTestBoard({ port: Number(new URL(url).port) });
    await again.api.start();
    again.pass('in-1', { plate: 'SNÆR' });
    await lane('Entrance 1').getByText('SNÆR').waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await again.api.stop();
  });

  test('a plate is text, whatever a camera made of it', async () => {
    site.pass('in-1', { plate: '<IMG SRC=X>' });
    await page.goto(url);
    await lane('Entrance 1').getByText('<IMG SRC=X>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test.each([320, 360, 800, 1920])('nothing is cut off at %i pixels', async (width) => {
    site.pass('in-1', {
      plate: 'VN8512AAXY',
      flags: ['blocklist-lookalike', 'lost-exit', 'uncertain-plate'],
    });
    site.pass('in-1', { plate: 'VN8512AAXY', reason: 'permits-only', flags: ['blocklist-lookalike'] });
    site.changeDevice('gate', 'out-1', {
      ...{ state: 'failing', alarm: true, detail: 'x'.repeat(120) },
      lastError: { detail: 'x'.repeat(120), at: '2026-11-20T08:30:00.000Z' },
    });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(url);
    await lane('Entrance 1').getByText('VN8512AAXY').first().waitFor();
    await page.getByText('All devices', { exact: true }).click();
    const tooNarrow = await page.evaluate(() =>
      [
        document.documentElement,
        ...document.querySelectorAll('.lane, .lane *:not(svg *, .unseen), .concern, .devices, .devices *'),
      ]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} > ${clientWidth}`),
    );
    expect(tooNarrow).toEqual([]);
  });
});
