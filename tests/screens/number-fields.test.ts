import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { zoneRoutes } from '@hlid/cloud/sites/zones/zone-routes';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';

const LANGUAGES = [
  {
    locale: 'is-IS',
    words: {
      code: 'Vörunúmer',
      vat: /^VSK/,
      rate: 'VSK í prósentum',
      hourly: 'Tímagjald',
      freeFor: 'Ókeypis í',
      unit: 'Eining: Ókeypis í',
      samples: 'Hvað dvöl kostar',
      newZone: 'Nýtt svæði',
      name: 'Heiti',
      capacity: 'Stæði',
      noNumber: 'Þetta er ekki tala. Skrifaðu hana eins og 1.234,5.',
      noWhole: 'Þetta er ekki tala. Skrifaðu 1234 eða 1.234.',
      whole: 'Skrifaðu heila tölu.',
      tooLarge: 'Mest 100.',
      tooMany: 'Mest 2 aukastafir.',
    },
    typed: '11,5',
    other: '11.5',
    hours: '2,5',
    pasted: '1.234',
    long: '1.234,5',
    fine: '11,555',
  },
  {
    locale: 'en-GB',
    words: {
      code: 'Product code',
      vat: /^VAT/,
      rate: 'VAT in percent',
      hourly: 'By the hour',
      freeFor: 'Free for',
      unit: 'Unit of: Free for',
      samples: 'What stays cost',
      newZone: 'New zone',
      name: 'Name',
      capacity: 'Capacity',
      noNumber: 'This is not a number. Write it as 1,234.5.',
      noWhole: 'This is not a number. Write 1234 or 1,234.',
      whole: 'Write a whole number.',
      tooLarge: 'At most 100.',
      tooMany: 'At most 2 decimals.',
    },
    typed: '11.5',
    other: '11,5',
    hours: '2.5',
    pasted: '1,234',
    long: '1,234.5',
    fine: '11.555',
  },
] as const;

describe.skipIf(!CHROMIUM_IS_HERE).each(LANGUAGES)('a field for a number, in $locale', (language) => {
  const { locale, words } = language;
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  const press = (keys: string) => page.keyboard.type(keys);
  const saidAt = (field: Locator) =>
    field.evaluate((input) => input.closest('.field')?.querySelector('.mistake')?.textContent ?? '');

  async function openProduct(): Promise<void> {
    cloud = new ConsoleStandIn({ permissions: ['tariffs'] });
    cloud.answering<typeof productRoutes>()('$get', '/products', () => wholeList([]));
    // Only what is sent counts here.
    cloud.answering<typeof productRoutes>()('$post', '/products', () => new Refused(503, [], ['Away.']));
    page = await cloud.open(browser, `${SITE.id}/products/new`, locale);
    await page.getByLabel(words.code).fill('P1');
    await page.getByRole('combobox', { name: words.vat }).first().selectOption('S');
    await page.getByRole('button', { name: words.hourly, exact: true }).click();
  }

  async function openZone(): Promise<void> {
    cloud = new ConsoleStandIn();
    cloud.answering<typeof zoneRoutes>()('$get', '/zones', () => wholeList([]));
    cloud.answering<typeof zoneRoutes>()('$post', '/zones', () => new Refused(503, [], ['Away.']));
    page = await cloud.open(browser, `${SITE.id}/zones`, locale);
    await page.getByRole('button', { name: words.newZone }).first().click();
    await page.getByRole('dialog').getByLabel(words.name, { exact: true }).fill('Cellar');
  }

  it('is read by the marks of the language, and sent by Enter as it stands there', async () => {
    await openProduct();
    const rate = page.getByLabel(words.rate);
    await rate.click();
    await press(language.typed);
    await expect.poll(() => rate.inputValue()).toBe(language.typed);
    await rate.press('Enter');
    await expect.poll(() => cloud.callsOf('POST', '/products').length).toBe(1);
    expect(cloud.callsOf('POST', '/products')[0]?.body).toMatchObject({ vatRate: 11.5 });
  });

  it('says at once that a text is no number, keeps it, and sends nothing', async () => {
    await openProduct();
    const rate = page.getByLabel(words.rate);
    await rate.click();
    for (const [keys, said] of [
      [language.other, words.noNumber],
      ['much', words.noNumber],
      [language.fine, words.tooMany],
      ['115', words.tooLarge],
    ] as const) {
      await rate.press('Control+a');
      await press(keys);
      await expect.poll(() => saidAt(rate)).toBe(said);
      await expect.poll(() => rate.getAttribute('aria-invalid')).toBe('true');
      await rate.press('Enter');
      await rate.blur();
      await expect.poll(() => rate.inputValue()).toBe(keys);
      expect(await saidAt(rate)).toBe(said);
    }
    expect(await axeFaults(page)).toEqual([]);
    expect(cloud.callsOf('POST', '/products')).toEqual([]);
    await rate.fill(language.typed);
    await expect.poll(() => saidAt(rate)).toBe('');
  });

  it('counts for the prices while it is typed', async () => {
    await openProduct();
    await page.getByLabel(words.unit).selectOption('hours');
    const free = page.getByLabel(words.freeFor, { exact: true });
    await free.click();
    await page.keyboard.press('Control+a');
    const prices = page.getByRole('table', { name: words.samples }).locator('tbody td.number');
    const costs = async () => (await prices.allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')));
    await press('2');
    // Of the samples of two and four hours, one is free.
    await expect.poll(async () => (await costs()).slice(4, 6).map((cost) => cost > 0)).toEqual([false, true]);
    await press(language.hours.slice(1));
    await expect.poll(() => free.inputValue()).toBe(language.hours);
    await page.keyboard.press('Control+a');
    await press('4');
    await expect
      .poll(async () => (await costs()).slice(4, 6).map((cost) => cost > 0))
      .toEqual([false, false]);
    expect(await free.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('takes a pasted number with marks, and only a whole one where nothing else makes sense', async () => {
    await openZone();
    const capacity = page.getByRole('dialog').getByLabel(words.capacity, { exact: true });
    await capacity.click();
    for (const [pasted, said] of [
      [language.long, words.whole],
      ['1e3', words.noWhole],
      [language.pasted, ''],
    ] as const) {
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(pasted);
      await expect.poll(() => capacity.inputValue()).toBe(pasted);
      await expect.poll(() => saidAt(capacity)).toBe(said);
    }
    await capacity.press('ArrowUp');
    await capacity.press('Enter');
    await expect.poll(() => cloud.callsOf('POST', '/zones').length).toBe(1);
    expect(cloud.callsOf('POST', '/zones')[0]?.body).toMatchObject({ settings: { capacity: 1235 } });
  });
});
