import { fileURLToPath } from 'node:url';
import { hashPin } from '@hlid/edge/base/pin-hash';
import { createTestBoard } from '@hlid/edge/test/board';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLanesPage } from '../harness/build-pages.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { takePictures } from './kiosk-pictures.ts';
import { firstLoadOf } from './page-size.ts';

const PAGE = fileURLToPath(new URL('../../edge/page/dist-page/', import.meta.url));
const MAX_FIRST_LOAD = 105_000;

describe.skipIf(!CHROMIUM_IS_HERE)('the page of the lanes', () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let site: ReturnType<typeof createTestBoard>;
  let complaints: string[];
  let jpeg: Buffer | undefined;

  beforeAll(async () => {
    await buildLanesPage(console.warn);
    browser = await startChromium();
    [jpeg] = await takePictures(browser);
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
    await lane('Entrance 1').getByText('No car yet').waitFor();
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
    await exit.getByText('MKJ45', { exact: true }).waitFor();
    await exit.getByText('Kept closed').waitFor();
    await exit.getByText('Payment due').waitFor();

    // The driver has paid: the same passage, decided again.
    site.pass('out-1', { ...refused, open: true, reason: 'paid', gate: 'done' });
    site.moveGate('out-1', 'open');
    await exit.getByText('Opened').waitFor();
    await exit.getByText('Gate open').waitFor();
    await expect.poll(() => exit.getByText('MKJ45', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Exit 1: MKJ45, opened, Paid.');

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
    await lane('Entrance 1').getByText('Opening').waitFor();
    // Its gate answers late: it stays where it is.
    site.pass('in-1', { ...first, gate: 'unknown' });
    const earlier = lane('Entrance 1').getByRole('listitem').filter({ hasText: 'MKJ45' });
    await earlier.getByText('Should be open').waitFor();
  });

  test('a cloud that is away, and what waits for it', async () => {
    await page.goto(url);
    await page.getByText('Cloud connected').waitFor();
    site.moveLink({ connected: false, lastError: 'connect ECONNREFUSED', seq: 1241, acknowledged: 7 });
    await page.getByText('No connection to the cloud since 08:30').waitFor();
    await page.getByText('1,234 events waiting').waitFor();
    await page.getByText('connect ECONNREFUSED').waitFor();
  });

  test('a device that is not well, since when, and what to do about it', async () => {
    await page.goto(url);
    await page.getByText('All devices are in order').waitFor();
    expect(await page.getByRole('heading', { name: 'attention' }).count()).toBe(0);
    site.changeDevice('camera', 'cam-in-1', {
      state: 'silent',
      alarm: true,
      detail: 'nothing heard for 9 min',
      lastError: { detail: 'nothing heard for 9 min', at: '2026-11-21T08:30:00.000Z' },
    });
    await page.getByRole('heading', { name: '1 thing needs attention' }).waitFor();
    const concern = page.getByRole('listitem').filter({ hasText: 'Camera cam-in-1 (Entrance 1): silent' });
    await concern.getByText('since 08:30').waitFor();
    await concern.getByText('Check that the camera has power and network').waitFor();
    await page.getByText('All devices', { exact: true }).click();
    await page.getByText('last error 08:30: nothing heard for 9 min').waitFor();
    await page.getByRole('button', { name: 'Íslenska' }).click();
    await page.getByText('Myndavél cam-in-1 (Entrance 1): sendir ekkert').waitFor();
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
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('is');
    const pressed = page.getByRole('button', { name: 'Íslenska', pressed: true });
    await expect.poll(() => pressed.count()).toBe(1);
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
    expect(await page.locator('main img:not([hidden])').count()).toBe(0);
  });

  test('a lane where nothing happens is idle, whatever it did before', async () => {
    site.pass('in-1', { plate: 'MKJ45' });
    site.zones.push({ id: null, name: 'Bílastæðið', inside: 42, capacity: 60, free: 18 });
    await page.goto(url);
    const entrance = lane('Entrance 1');
    await entrance.getByText('Car now').waitFor();
    await page.getByText('42 cars inside · 18 free').waitFor();
    site.wait(10 * 60_000);
    await entrance.getByText('No car for 10 min').waitFor();
    await entrance.getByRole('listitem').filter({ hasText: 'MKJ45' }).getByText('Permit').waitFor();
    expect(await entrance.getByText('Car now').count()).toBe(0);
  });

  test('shows who waits, for what and how long, with the picture', async () => {
    const visitId = '0198c0de-0000-7000-8000-00000000000a';
    site.pass('out-1', { plate: 'MKJ45', open: false, reason: 'need-payment', visitId });
    const due = { amountMinor: 1450, currency: 'ISK' };
    site.knowCar('out-1', { due, enteredAt: '2026-11-21T06:10:00.000Z', ...(jpeg && { jpeg }) });
    site.wait(3 * 60_000);
    const alert = { laneId: 'in-1', alert: 'tailgating', plate: 'ABX12', passageId: null } as const;
    site.alerts.push({ ...alert, at: '2026-11-21T08:31:00.000Z' });
    await page.goto(url);
    const exit = lane('Exit 1');
    await exit.getByText('Waiting 3 min').waitFor();
    await exit.getByText('ISK\u00a01,450 due').waitFor();
    await exit.getByText('Inside for 2 h 23 min').waitFor();
    const picture = exit.getByRole('img', { name: 'MKJ45 at Exit 1' });
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    const first = page.locator('#waiting').getByRole('listitem').first();
    expect((await first.textContent())?.replaceAll('\u00a0', ' ')).toBe(
      'MKJ45Exit 1Payment dueISK 1,4503 min',
    );
    await page.getByText('A car followed another one through').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a person on site opens for the car that is seen, by keyboard, and not for another one', async () => {
    const { id: passageId } = site.pass('out-1', { plate: 'MKJ45', open: false, reason: 'need-payment' });
    await page.goto(url);
    const open = lane('Exit 1').getByRole('button', { name: 'Open for MKJ45' });
    await open.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Open Exit 1' }).getByText('MKJ45', { exact: true }).waitFor();
    // The car goes, another one comes.
    const { id: other } = site.pass('out-1', { plate: 'ABX12', open: false, reason: 'need-payment' });
    await page.getByLabel('Reason').focus();
    await page.keyboard.type('Guest');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a locksmith');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Another car stands there now: ABX12').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await lane('Exit 1').getByRole('button', { name: 'Hold open' }).click();
    await page.getByLabel('Reason').selectOption('works');
    await page.getByLabel('It ends').selectOption('15');
    await page.getByRole('dialog').getByRole('button', { name: 'Hold Exit 1 open' }).click();
    await page.getByRole('status').getByText('Exit 1 is held open').waitFor();
    const by = { by: 'on-site:loopback', name: 'on site', laneId: 'out-1' };
    expect(site.commands).toMatchObject([
      { ...by, action: 'open', passageId, reasonCode: 'guest', reason: 'a locksmith' },
      { ...by, action: 'hold', passageId: null, reasonCode: 'works', lapseMinutes: 15 },
    ]);
    expect(other).not.toBe(passageId);
  });

  test('the code of a driver who paid by phone is typed here, with the PIN where that has lapsed', async () => {
    const pin = await hashPin('482913');
    const typed: object[] = [];
    const shared = createTestBoard({
      onSite: { loopback: 'pin', pin },
      async acceptCode(call) {
        typed.push(call);
        return call.code === '7KQ2-M4XA' ? null : 'wrong-code';
      },
    });
    const { url: at } = await shared.api.start();
    shared.pass('out-1', { plate: 'MKJ45', open: false, reason: 'need-payment' });
    await page.goto(at);
    await page.getByText('A driver has a payment code').click();
    const form = page.locator('#code form');
    // The car that waits is most likely meant.
    await expect.poll(() => form.getByLabel('Plate').inputValue()).toBe('MKJ45');
    await form.getByLabel('Code', { exact: true }).fill('7KQ2-M4XB');
    await form.getByLabel('PIN').fill('482913');
    await page.keyboard.press('Enter');
    await form.getByText('That is no code of a payment for this car.').waitFor();
    expect(await form.getByLabel('PIN').count()).toBe(0);
    await form.getByLabel('Code', { exact: true }).fill('7KQ2-M4XA');
    await form.getByRole('button', { name: 'Accept the code' }).click();
    await page.getByRole('status').getByText('MKJ45 is paid.').waitFor();
    expect(typed).toEqual([
      { plate: 'MKJ45', code: '7KQ2-M4XB' },
      { plate: 'MKJ45', code: '7KQ2-M4XA' },
    ]);
    expect(await axeFaults(page)).toEqual([]);
    await shared.api.stop();
  });

  test('a site without a cloud has no such codes', async () => {
    const alone = createTestBoard({ withoutCloud: true });
    await page.goto((await alone.api.start()).url);
    await lane('Exit 1').waitFor();
    expect(await page.getByText('A driver has a payment code').isVisible()).toBe(false);
    await alone.api.stop();
  });

  test('shows the lanes to the network by the PIN', async () => {
    const pin = await hashPin('482913');
    const network = { host: '127.0.0.1', port: 0, names: [] };
    const shared = createTestBoard({ onSite: { loopback: 'open', pin, network } });
    await shared.api.start();
    shared.pass('in-1', { plate: 'MKJ45' });
    await page.goto(shared.api.networkUrl() ?? '');
    await page.getByLabel('PIN').fill('111111');
    await page.keyboard.press('Enter');
    await page.getByText('This PIN is wrong.').waitFor();
    expect(await page.getByText('MKJ45').count()).toBe(0);
    await page.getByLabel('PIN').fill('482913');
    await page.keyboard.press('Enter');
    await lane('Entrance 1').getByText('MKJ45').waitFor();
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByLabel('PIN').waitFor();
    await shared.api.stop();
  });

  test(`loads at most ${MAX_FIRST_LOAD} bytes by gzip before the lanes, in either language`, () => {
    const { bytes, gzipBytes } = firstLoadOf(PAGE, { languages: ['is', 'en'] });
    console.log(`Lanes page, first load: ${bytes} bytes, ${gzipBytes} by gzip.`);
    expect(gzipBytes).toBeLessThan(MAX_FIRST_LOAD);
  });

  test('nothing is cut off at any width, and axe finds nothing, light and dark', async () => {
    fill(site, jpeg);
    await page.goto(url);
    await page.getByText('All devices', { exact: true }).click();
    await page.getByText('A driver has a payment code').click();
    for (const width of [320, 360, 800, 1920, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await misfits(page), `${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 1200, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await axeFaults(page), colorScheme).toEqual([]);
      await lane('Exit 1').getByRole('button', { name: 'Hold open' }).click();
      expect(await axeFaults(page), `dialog, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 320, height: 800 });
    await lane('Exit 1').getByRole('button', { name: 'Hold open' }).click();
    expect(await misfits(page), 'the dialog').toEqual([]);
  });
});

/** Something of everything that the page shows. */
function fill(site: ReturnType<typeof createTestBoard>, jpeg: Buffer | undefined): void {
  const since = '2026-11-21T08:20:00.000Z';
  site.pass('in-1', { plate: 'VN8512AAXY', flags: ['blocklist-lookalike', 'lost-exit', 'uncertain-plate'] });
  site.pass('in-1', { plate: 'MKJ45', gate: 'refused' });
  site.pass('in-1', { plate: 'VN8512AAXY', reason: 'permits-only', flags: ['blocklist-lookalike'] });
  site.pass('out-1', { plate: null, reason: 'need-plate', gate: 'unknown' });
  site.pass('out-1', {
    plate: 'VN8512AAXY',
    open: false,
    reason: 'need-payment',
    flags: ['uncertain-plate'],
  });
  site.knowCar('out-1', {
    due: { amountMinor: 145_000, currency: 'ISK' },
    enteredAt: since,
    ...(jpeg && { jpeg }),
  });
  const override = { mode: 'held-open', since, by: 'on-site:network', name: 'on site' } as const;
  site.moveGate('in-1', 'held-open', null, {
    ...override,
    reasonCode: 'event',
    reason: 'a concert',
    lapsesAt: null,
    confirmed: false,
  });
  site.alerts.push({ laneId: 'in-1', alert: 'wrong-way', plate: 'VN8512AAXY', passageId: null, at: since });
  site.zones.push({ id: null, name: 'Bílastæðið', inside: 1042, capacity: 1042, free: 0 });
  site.zones.push({ id: 'deck', name: 'Efra þilfar', inside: 4, capacity: 10, free: 6 });
  site.changeDevice('gate', 'out-1', {
    state: 'failing',
    alarm: true,
    detail: 'x'.repeat(120),
    lastError: { detail: 'x'.repeat(120), at: '2026-11-20T08:30:00.000Z' },
  });
}

/** The elements that are wider than their place. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll(
        '#top *, .lane, .lane *:not(svg *, .unseen), .waits *, .code *, .concern, .devices, .devices *, dialog, dialog *',
      ),
    ]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .filter(({ className, tagName }) => className !== 'unseen' && !/^(SELECT|INPUT)$/i.test(tagName))
      .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} > ${clientWidth}`),
  );
}
