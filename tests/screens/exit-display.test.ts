import type { InstructionView } from '@hlid/edge/display/lane-display';
import { phonePayment } from '@hlid/edge/display/phone-payment';
import { createTestBoard } from '@hlid/edge/test/board';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLanesPage } from '../harness/build-pages.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { createDrawing } from './draw-screen.ts';
import { readQr } from './read-qr.ts';

const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1080, height: 1920 },
  { width: 800, height: 480 },
  { width: 480, height: 800 },
];
const NOTHING: InstructionView = {
  code: 'wait',
  reason: null,
  since: '2026-11-21T08:30:00.000Z',
  text: { is: 'Augnablik', en: 'One moment, please' },
  why: null,
  plate: null,
  due: null,
  helpPhone: null,
  payOnline: null,
  payByPhone: null,
};
const OWES: InstructionView = {
  ...NOTHING,
  code: 'pay-online',
  reason: 'need-payment',
  text: {
    is: 'Vinsamlegast greiddu með símanum, eða hringdu eftir aðstoð',
    en: 'Please pay with your phone, or call for help',
  },
  plate: 'ÞÓR12',
  due: {
    amountMinor: 1_234_500,
    currency: 'ISK',
    text: { is: '1.234.500\u00a0kr.', en: 'ISK\u00a01,234,500' },
  },
  helpPhone: '+354 555 1234',
  payOnline: 'https://hlid.example/pay/7KWM',
  payByPhone: phonePayment('https://hlid.example/pay/7KWM', 'ÞÓR12'),
};

describe.skipIf(!CHROMIUM_IS_HERE)('a screen beside an exit', () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let site: ReturnType<typeof createTestBoard>;
  let complaints: string[];

  beforeAll(async () => {
    await buildLanesPage(console.warn);
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = createTestBoard();
    ({ url } = await site.api.start());
    page = await browser.newPage();
    page.setDefaultTimeout(deadline(10_000));
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${url}/display.html?lane=out-1`);
    await page.getByText('Bílastæðið').waitFor();
  });
  afterEach(async () => {
    await page.close();
    await site.api.stop();
    expect(complaints).toEqual([]);
  });

  test('shows who owes what is due, for which plate, and a code that a phone pays by, until he may go', async () => {
    site.instruct('out-1', OWES);
    await page.getByRole('heading', { name: /greiddu með símanum/ }).waitFor();
    await page.getByText('Please pay with your phone').waitFor();
    const draw = await createDrawing(page, 'display');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const name = `${size.width}×${size.height}`;
      expect(await readQr(page.locator('.qr')), name).toBe(
        'https://hlid.example/pay/7KWM#plate=%C3%9E%C3%93R12',
      );
      for (const text of ['ÞÓR12', '1.234.500\u00a0kr.', 'hlid.example/pay/7KWM', '+354 555 1234']) {
        const box = await page.getByText(text, { exact: true }).boundingBox();
        expect(box, `${text} ${name}`).not.toBeNull();
        const isInside =
          box !== null &&
          box.x >= 0 &&
          box.y >= 0 &&
          box.x + box.width <= size.width &&
          box.y + box.height <= size.height;
        expect(isInside, `${text} ${name}`).toBe(true);
      }
      await draw(`owes-${size.width}`);
    }
    expect(await axeFaults(page)).toEqual([]);
    site.instruct('out-1', {
      ...NOTHING,
      code: 'drive-on',
      text: { is: 'Aktu áfram', en: 'Please drive on' },
    });
    await page.getByRole('heading', { name: 'Aktu áfram' }).waitFor();
    expect(await page.locator('.qr, .plate, .due').count()).toBe(0);
    site.instruct('out-1', null);
    await page.getByText('Bílastæðið').waitFor();
  });

  test('shows no code while the cloud is away, and of another lane nothing', async () => {
    site.instruct('out-1', { ...OWES, payByPhone: null });
    await page.getByText('ÞÓR12').waitFor();
    expect(await page.locator('.qr').count()).toBe(0);
    site.instruct('out-1', null);
    site.instruct('in-1', OWES);
    await page.getByText('Bílastæðið').waitFor();
    expect(await page.getByText('ÞÓR12').count()).toBe(0);
  });
});
