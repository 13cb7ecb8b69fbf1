import { readFileSync } from 'node:fs';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { PayStandIn, type Stay } from './pay-page-stand-in.ts';

const TRANSLATOR = readFileSync(new URL('../fixtures/pages/translate-sim.js', import.meta.url), 'utf8');
const NEXT_QUESTION_MS = 5000;
const STAY: Stay = {
  stay: {
    key: 'key-of-MKJ45',
    plate: 'MKJ45',
    match: 'equal',
    ended: false,
    proved: false,
    startedAt: null,
    endedAt: null,
    hasPicture: false,
  },
  due: {
    amountMinor: 1450,
    lines: [{ rule: 'step', units: 3, minutes: 60, unitMinor: 400, amountMinor: 1450 }],
    dayPriceMinor: 3500,
  },
};

describe.skipIf(!CHROMIUM_IS_HERE)('the payment page in the hands of other programs', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let cloud: PayStandIn;
  let complaints: string[];

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    cloud = new PayStandIn([]);
    await cloud.start();
    cloud.stays = [STAY];
    complaints = [];
    context = await browser.newContext({ locale: 'is-IS', reducedMotion: 'reduce' });
    await context.clock.install();
    page = await context.newPage();
    page.setDefaultTimeout(deadline(10_000));
    page.on('pageerror', ({ message }) => complaints.push(message));
  });
  afterEach(async () => {
    await context.close();
    await cloud.stop();
  });

  const go = () => page.locator('.button.primary').click();
  /** The whole text of the page, as the driver sees it. */
  const shows = (text: string | RegExp) =>
    expect.poll(() => page.locator('#pay').innerText(), { timeout: deadline(10_000) }).toMatch(text);
  const type = async () => {
    await page.locator('[name=number]').fill('2223000010246699');
    await page.locator('[name=expire]').fill('12/35');
    await page.locator('[name=ccv]').fill('123');
  };

  test('a translated page shows each step, from a mistake to the receipt, and keeps plate and amount', async () => {
    await page.goto(`${cloud.url}/pay/hafnartorg`);
    await shows('Hvert er bílnúmerið?');
    await page.evaluate(TRANSLATOR);
    await shows('⟦Hvert er bílnúmerið?⟧');
    await go();
    await shows('⟦Sláðu inn allt bílnúmerið.⟧');
    await page.locator('input').fill('MKJ45');
    await go();
    await shows('⟦Til greiðslu⟧');
    // Amount and plate are as the cloud has them, and not in a translator's words.
    for (const kept of ['MKJ45', '1.450 kr.']) {
      const places = await page
        .getByText(kept.replace(' ', '\u00a0'))
        .evaluateAll((found) => found.map((place) => place.closest('[translate=no]') !== null));
      expect(places.length, kept).toBeGreaterThan(0);
      expect(places, kept).not.toContain(false);
    }
    await page.locator('.actions .button').nth(1).click();
    await shows('⟦Hversu marga daga?⟧');
    await shows(/1⟧? ⟦?dagur|⟦1⟧ ⟦dagur⟧/);
    await page.locator('.stepper .button').nth(1).click();
    await shows(/⟦dagar?⟧|daga/);
    await go();
    await go();
    await shows('⟦Sláðu inn allt kortanúmerið.⟧');
    await type();
    cloud.ends = { state: 'declined', reason: 'refused' };
    await go();
    await shows('⟦Bankinn hafnaði kortinu.');
    await type();
    cloud.ends = { state: 'unknown' };
    await go();
    await shows('⟦Við erum að athuga greiðsluna⟧');
    cloud.move({ state: 'settled', receipt: '/receipt/x' });
    await page.clock.fastForward(NEXT_QUESTION_MS);
    await shows('⟦Greitt. Takk fyrir!⟧');
    expect(complaints).toEqual([]);
  });

  test('a text that changes in a translated page is shown', async () => {
    cloud.stays = [{ ...STAY, due: { ...STAY.due, amountMinor: 1450 } }];
    await page.goto(`${cloud.url}/pay/hafnartorg`);
    await shows('Hvert er bílnúmerið?');
    await page.evaluate(TRANSLATOR);
    await page.locator('input').fill('MKJ45');
    await go();
    await shows('⟦Til greiðslu⟧');
    cloud.stays = [{ ...STAY, due: { ...STAY.due, amountMinor: 1900 } }];
    for (let times = 0; times < 4; times++) await page.clock.fastForward(NEXT_QUESTION_MS);
    await shows('⟦Verðið breyttist á meðan.');
    await shows('1.900\u00a0kr.');
    expect(await page.locator('#pay').innerText()).not.toContain('⟦Greiða 1.450');
    await page.getByRole('combobox').selectOption('en');
    await shows('⟦To pay⟧');
    expect(complaints).toEqual([]);
  });

  test('a page that cannot be drawn shows what to do, and loads again', async () => {
    const answer = JSON.stringify({ ...cloud.site, helpPhone: { not: 'a text' } });
    await page.route('**/pay/api/sites/hafnartorg', (route) =>
      route.fulfill({ contentType: 'application/json', body: answer }),
    );
    await page.goto(`${cloud.url}/pay/hafnartorg`);
    await shows('Eitthvað fór úrskeiðis');
    await page.unroute('**/pay/api/sites/hafnartorg');
    await go();
    await shows('Hvert er bílnúmerið?');
  });

  test.each(
    readFileSync(new URL('../fixtures/pages/autofill-expiry.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  )('an expiry date that the browser fills in as %s is of August 2027', async (filled) => {
    await page.goto(`${cloud.url}/pay/hafnartorg`);
    await page.locator('input').fill('MKJ45');
    await go();
    await shows('Til greiðslu');
    await go();
    await shows('Gildir til');
    await type();
    await page.locator('[name=expire]').fill('');
    await page.locator('[name=expire]').fill(filled);
    await go();
    await shows('Greitt. Takk fyrir!');
    expect(cloud.orders).toMatchObject([{ card: { expire: '08/27' } }]);
    expect(cloud.addresses).not.toContain(PAY_PATHS.cancel);
  });
});
