import { fileURLToPath } from 'node:url';
import { LANGUAGE_NAMES, LANGUAGES } from '@hlid/protocol/base/language';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { CHROMIUM_IS_HERE, STILL_KIOSK, startChromium } from './chromium.ts';
import { car, chooseHours } from './kiosk-cars.ts';
import { takePictures } from './kiosk-pictures.ts';
import { type KioskStandIn, startKioskStandIn } from './kiosk-stand-in.ts';
import { firstLoadOf } from './page-size.ts';
import { typefaceFiles } from './typeface-files.ts';

const PAGE = fileURLToPath(new URL('../../kiosk/dist-page/', import.meta.url));
/** The bytes for which a driver waits when the kiosk starts; React alone is 190 KB. */
const MAX_FIRST_LOAD = 508 * 1024;

describe.skipIf(!CHROMIUM_IS_HERE)('paying at the kiosk', () => {
  let browser: Browser;
  let pictures: Buffer[];
  let edge: KioskStandIn;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await startChromium();
    pictures = await takePictures(browser);
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    edge = await startKioskStandIn(pictures);
    edge.parked = [car('MKJ45'), car('MKJ12', { standing: 'whitelisted' }, 30), car('AB123')];
    page = await browser.newPage(STILL_KIOSK);
    // A step that cannot be taken is named by its own failure, before the test's time is over.
    page.setDefaultTimeout(deadline(10_000));
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('409')) complaints.push(message.text());
    });
  });
  afterEach(async () => {
    await page.close();
    await edge.stop();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const plateShows = (plate: string) => page.locator('.typed').getByText(plate, { exact: true }).waitFor();

  /** Chooses a language in the menu, which has the name of the one before. */
  async function speak(from: string, to: string): Promise<void> {
    await page.getByRole('button', { name: new RegExp(`^${from}\\. `) }).tap();
    await page.locator('.language-menu').getByRole('button', { name: to }).tap();
  }

  async function begin(): Promise<void> {
    await page.goto(`${edge.url}/kiosk/`);
    await button('Greiða fyrir stæði').tap();
  }

  async function order(): Promise<void> {
    await begin();
    for (const key of 'MKJ4') await button(key).tap();
    await page.getByRole('button', { name: /MKJ4/ }).tap();
    await button(/^Greiða 1\.450\skr\.$/).tap();
    await waitFor(() => edge.orders.length > 0, { what: 'the order' });
    await heading('Greiddu í posanum');
  }

  test('works by touch, from the plate to the gate', async () => {
    await order();
    expect(edge.orders[0]?.order).toEqual({
      visitId: edge.parked[0]?.visit.id,
      amountMinor: 1450,
      language: 'is',
    });
    edge.move({ prompt: 'present-card' });
    await page.getByText('Leggðu kort eða síma að posanum').waitFor();
    await speak('Íslenska', 'English');
    await page.getByText('Hold your card or phone to the terminal').waitFor();
    edge.move({ prompt: 'enter-pin' });
    await page.getByText('Enter your PIN on the terminal').waitFor();
    const paidUntil = new Date(Date.now() + 15 * 60_000).toISOString();
    edge.move({ state: 'settled', prompt: null, paidUntil });
    await heading('Paid. Thank you!');
    await page.getByText('Visa ···· 4242').waitFor();
    await page.getByRole('img', { name: 'Scan with your phone' }).waitFor();
    await button('Send by e-mail').tap();
    for (const key of 'ab@') await button(key).tap();
    await button('@gmail.com').tap();
    await button('Send').tap();
    await heading('Have a good journey!');
    await page.getByText('You have 15 minutes to drive out').waitFor();
    await page.getByText(`until ${paidUntil.slice(11, 16)}`).waitFor();
    expect(edge.mails).toEqual([{ email: 'ab@gmail.com', language: 'en' }]);
    await button('Done').tap();
    await button('Greiða fyrir stæði').waitFor();
    expect(edge.orders).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  // It was eight: the last two letters of the plate, and the button that finds the car, are not needed any more.
  test('five touches from the cold screen to the terminal', async () => {
    edge.parked = [car('MKJ45'), car('AB123')];
    let touches = 0;
    await page.exposeFunction('touched', () => touches++);
    await page.addInitScript("addEventListener('pointerdown', () => touched(), { capture: true })");
    await begin();
    for (const key of 'MKJ') await button(key).tap();
    const suggestion = page.getByRole('listitem');
    // The plate of the car stands beside the price.
    await suggestion.getByRole('img').waitFor();
    await suggestion.getByText('MKJ').waitFor();
    await suggestion.getByText(/Kom inn/).waitFor();
    await button(/^Greiða 1\.450\skr\.$/).tap();
    await heading('Greiddu í posanum');
    await waitFor(() => edge.orders.length > 0, { what: 'the order' });
    expect(edge.orders[0]?.order).toMatchObject({
      visitId: edge.parked[0]?.visit.id,
      amountMinor: 1450,
    });
    await waitFor(() => touches >= 5, { what: 'the touches' });
    expect(touches).toBe(5);
    expect(complaints).toEqual([]);
  });

  test('works in every language, from the first screen on', async () => {
    await page.goto(`${edge.url}/kiosk/`);
    const list = page.getByRole('group', { name: 'Tungumál' });
    const names = Object.values(LANGUAGE_NAMES);
    await expect.poll(() => list.getByRole('button').allTextContents()).toEqual(names);
    await expect.poll(() => list.locator('[aria-pressed=true]').allTextContents()).toEqual(['Íslenska']);
    // The letters of Polish load too, before a driver chooses it: the edge may be gone by then.
    await expect.poll(() => typefaceFiles(page)).toEqual(['loaded', 'loaded']);
    await button('Polski').tap();
    await button('Zapłać za parking').tap();
    await page.keyboard.type('mkj45');
    await page.keyboard.press('Enter');
    await heading('Do zapłaty');
    await page.getByText('3 × 1 godzina').waitFor();
    // Keys work, too: in, along, and out without a choice.
    const menu = page.getByRole('button', { name: /^Polski\. / });
    await menu.press('Enter');
    await page.locator('.language-menu').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.language-menu').waitFor({ state: 'hidden' });
    await menu.press('Enter');
    await page.locator('.language-menu').getByRole('button', { name: 'Deutsch' }).press('Enter');
    await heading('Zu zahlen');
    expect(await page.locator('.language-menu').isVisible()).toBe(false);
    await button(/^1\.450\sISK zahlen$/).tap();
    await waitFor(() => edge.orders.length > 0, { what: 'the order' });
    expect(edge.orders[0]?.order.language).toBe('de');
    expect(complaints).toEqual([]);
  });

  test('the language returns to the site’s when a driver leaves', async () => {
    edge.site = { ...edge.site, language: 'da' };
    await page.clock.install();
    await page.goto(`${edge.url}/kiosk/`);
    await button('Betal for parkering').waitFor();
    await button('Español').tap();
    await button('Pagar el aparcamiento').waitFor();
    await page.clock.fastForward(20_000);
    await expect.poll(() => button('Pagar el aparcamiento').count()).toBe(1);
    await page.clock.fastForward(30_000);
    await button('Betal for parkering').waitFor();
  });

  test('starts with one language, and has all of them when the edge is gone', async () => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    let isCut = true;
    await page.route(/\/assets\/pl-/, (route) => (isCut ? route.abort() : route.continue()));
    await page.goto(`${edge.url}/kiosk/`);
    await button('Polski').tap();
    // The kiosk works in the previous language until the new words have loaded.
    await button('Greiða fyrir stæði').waitFor();
    isCut = false;
    await button('Zapłać za parking').waitFor();
    await waitFor(() => LANGUAGES.every((one) => scripts.some((url) => url.includes(`/assets/${one}-`))), {
      what: 'all languages',
    });
    await page.waitForLoadState('networkidle');
    await edge.stop();
    await page.getByText('Straciliśmy łączność').waitFor();
    await speak('Polski', 'Dansk');
    await page.getByText('Vi har mistet kontakten').waitFor();
  });

  test('works by phone: the code leads to the stay, and the kiosk goes on when it is paid', async () => {
    await begin();
    await page.keyboard.type('mkj45');
    await page.keyboard.press('Enter');
    await button('Greiða með símanum').tap();
    await page.getByRole('img', { name: 'Skannaðu með símanum' }).waitFor();
    const [mine] = edge.parked;
    if (!mine) throw new Error('The car is not there.');
    const paidUntil = new Date(Date.now() + 15 * 60_000).toISOString();
    mine.due = { standing: 'paid', paidUntil };
    await heading('Greitt. Takk fyrir!');
    await page.getByText('Þú hefur 15 mínútur').waitFor();
    expect(edge.orders).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('offline: no code leads to a page that the site does not learn of, and the code of a payment opens the exit', async () => {
    edge.site = { ...edge.site, cloudConnected: false, takesCodes: true };
    edge.goodCode = 'K0T4A1GQ0BH7XJ9';
    await page.goto(`${edge.url}/kiosk/`);
    await button('Greiða fyrir stæði').waitFor();
    const codes = page.getByRole('img', { name: 'Skannaðu með símanum' });
    expect(await codes.count()).toBe(0);
    await button('Aðstoð').tap();
    await page.getByText('555 1234').waitFor();
    expect(await codes.count()).toBe(0);
    await page.keyboard.press('Escape');
    await begin();
    await page.keyboard.type('mkj45');
    await page.keyboard.press('Enter');
    await button('Ég greiddi með símanum').tap();
    await heading('Sláðu inn kóðann');
    // O is read as 0, and L as 1; what is not typed right is found before it is sent.
    await page.keyboard.type('kot4algqobh7xj8');
    await expect.poll(() => button('Nota þennan kóða').isDisabled()).toBe(true);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('9');
    await button('Nota þennan kóða').tap();
    await heading('Greitt. Takk fyrir!');
    expect(edge.codes).toEqual([edge.goodCode]);
    // A scanner types what the phone's QR code has, where the price is shown and where the code is typed.
    for (const opens of [false, true]) {
      edge.parked = [car('MKJ45')];
      await begin();
      await page.keyboard.type('mkj45');
      await page.keyboard.press('Enter');
      await heading('Til greiðslu');
      if (opens) await button('Ég greiddi með símanum').tap();
      await page.keyboard.type('K0T4A-1GQ0B-H7XJ9');
      await page.keyboard.press('Enter');
      await heading('Greitt. Takk fyrir!');
    }
    expect(edge.codes).toEqual([edge.goodCode, edge.goodCode, edge.goodCode]);
    expect(edge.orders).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('without a terminal that works, paying by phone comes first', async () => {
    edge.site = { ...edge.site, terminal: { id: 'posi-1', connection: 'DISCONNECTED' } };
    edge.refusePayLink = 'cloud-away';
    await begin();
    await page.keyboard.type('mkj45');
    await page.keyboard.press('Enter');
    await button('Greiða með símanum').tap();
    await page.getByText('Ekki næst í netið núna.').waitFor();
    expect(await button('Greiða með korti hér').count()).toBe(0);
    edge.refusePayLink = null;
    await page.getByRole('img', { name: 'Skannaðu með símanum' }).waitFor();
  });

  test('a price of another car leads back to the plate', async () => {
    await begin();
    await page.keyboard.type('mkj45');
    await page.keyboard.press('Enter');
    await heading('Til greiðslu');
    await button('Ekki bíllinn þinn?').tap();
    await plateShows('MKJ45');
  });

  test('declined, and then with another card: another order', async () => {
    await order();
    edge.move({ state: 'declined', reason: 'card-expired', prompt: null });
    await heading('Greiðslunni var hafnað');
    await page.getByText('Kortið er útrunnið.').waitFor();
    await page.getByText('Ekkert var gjaldfært.').waitFor();
    // The keyboard presses it: a second tap at the same place this soon would be the end of a double tap.
    await button('Reyna aftur').press('Enter');
    await waitFor(() => edge.orders.length === 2, { what: 'the second order' });
    expect(new Set(edge.orders.map(({ key }) => key)).size).toBe(2);
    edge.move({ state: 'settled', prompt: null });
    await heading('Greitt. Takk fyrir!');
  });

  test('cancelling is a request: what the terminal does counts', async () => {
    await order();
    await button('Hætta við').tap();
    await button('Hætti við …').waitFor();
    await waitFor(() => edge.cancels.length > 0, { what: 'the request' });
    edge.move({ state: 'settled', prompt: null });
    await heading('Greitt. Takk fyrir!');
  });

  test('an outcome that is not known is not tried again, and is followed up', async () => {
    await order();
    edge.move({ state: 'unknown', prompt: null });
    await page.getByText('Ekki greiða aftur.').waitFor();
    expect(await button('Reyna aftur').count()).toBe(0);
    edge.move({ state: 'settled' });
    await heading('Greitt. Takk fyrir!');
  });

  test('another price meanwhile is shown before anything is taken', async () => {
    edge.refuseOrder = 'amount-changed';
    await begin();
    await page.keyboard.type('mkj45');
    await page.getByRole('button', { name: /MKJ45/ }).tap();
    const [parked] = edge.parked;
    await button(/^Greiða 1\.450/).waitFor();
    if (parked) parked.due = { ...parked.due, amountMinor: 1950 };
    await button(/^Greiða 1\.450/).tap();
    await page.getByRole('alert').getByText('Verðið breyttist').waitFor();
    await button(/^Greiða 1\.950/).waitFor();
  });

  test('a page that is loaded again in the middle goes on with the same order', async () => {
    await order();
    await page.reload();
    await heading('Greiddu í posanum');
    edge.move({ state: 'settled', prompt: null });
    await heading('Greitt. Takk fyrir!');
    expect(edge.orders).toHaveLength(1);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('an edge that is gone is waited for, with all as it was', async () => {
    await begin();
    await page.keyboard.type('mkj45');
    await plateShows('MKJ45');
    await edge.stop();
    await page.getByText('Greiðsluvélin nær ekki sambandi').waitFor();
    await edge.start();
    await plateShows('MKJ45');
  });

  test('an edge that is gone while it takes money gets the same order again', async () => {
    await order();
    await edge.stop();
    await page.getByText('Við erum að athuga greiðsluna. Ekki greiða aftur.').waitFor();
    await edge.start();
    await heading('Greiddu í posanum');
    edge.move({ state: 'settled', prompt: null });
    await heading('Greitt. Takk fyrir!');
    expect(edge.orders).toHaveLength(1);
  });

  test('leaves nothing behind when the driver has gone', async () => {
    await page.clock.install();
    await begin();
    await speak('Íslenska', 'English');
    await page.keyboard.type('mkj45');
    await plateShows('MKJ45');
    await page.clock.runFor(42_000);
    const notice = page.getByRole('alertdialog');
    await notice.getByText(/Going back to the start in 1[234] seconds/).waitFor();
    await notice.getByRole('button', { name: 'I am still here' }).tap();
    await notice.waitFor({ state: 'detached' });
    await plateShows('MKJ45');
    await page.clock.runFor(56_000);
    await button('Greiða fyrir stæði').waitFor();
    expect(await page.getByText('MKJ45').count()).toBe(0);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  });

  test('the last word stands for as long as its countdown says', async () => {
    await page.clock.install();
    edge.parked = [car('MKJ45')];
    await begin();
    await page.keyboard.type('mkj45');
    await page.clock.runFor(500);
    await page.getByRole('button', { name: /MKJ45/ }).tap();
    await button(/^Greiða 1\.450/).tap();
    await waitFor(() => edge.orders.length > 0, { what: 'the order' });
    edge.move({ state: 'settled', prompt: null, paidUntil: new Date(Date.now() + 900_000).toISOString() });
    await button(/Ljúka|Engin kvittun/).tap();
    await heading('Góða ferð!');
    const left = page.locator('.seconds-left');
    expect(await left.count()).toBe(0);
    await page.clock.runFor(9000);
    await left.getByText(/^1[345]$/).waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.clock.runFor(15_000);
    await button('Greiða fyrir stæði').waitFor();
  });

  test('no driver is sent away from a terminal at work', async () => {
    await page.clock.install();
    await begin();
    await page.keyboard.type('mkj45');
    await page.clock.runFor(500);
    await page.getByRole('button', { name: /MKJ45/ }).tap();
    await button(/^Greiða 1\.450/).tap();
    await heading('Greiddu í posanum');
    await page.clock.runFor(300_000);
    await heading('Greiddu í posanum');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  test('the second tap of a double tap does nothing more, but two keys are two keys', async () => {
    await begin();
    const box = await button('A').boundingBox();
    if (!box) throw new Error('There is no key.');
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2, { delay: 70 });
    await plateShows('AA');
    await button('Hreinsa').tap();
    await page.keyboard.type('zzz');
    await page.getByText('Ekkert bílnúmer hér byrjar á ZZZ.').waitFor();
    // The place of “Find” has “Call us” on the next screen.
    await button('Finna bílinn').dblclick();
    await heading('Við finnum ekki ZZZ');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('holding the erase key empties the field', async () => {
    await begin();
    await page.keyboard.type('mkj45');
    await plateShows('MKJ45');
    await button('Eyða síðasta staf').dispatchEvent('pointerdown', { button: 0 });
    await waitFor(async () => (await page.locator('.typed [aria-live]').textContent()) === '', {
      what: 'an empty field',
    });
    await button('Eyða síðasta staf').dispatchEvent('pointerup', { button: 0 });
    await page.keyboard.type('X');
    await page.keyboard.press('Backspace');
    // The event of an Icelandic keyboard; the test's own keyboard has no such key.
    await page.locator('body').dispatchEvent('keydown', { key: 'Þ' });
    await page.keyboard.type('1');
    await plateShows('Þ1');
  });

  test('a car without a plate is found by its picture, and named', async () => {
    const unread = car(null, { standing: 'need-plate', amountMinor: 500 }, 0.01);
    edge.parked = [unread];
    await page.goto(`${edge.url}/kiosk/`);
    await button('Ég veit ekki bílnúmerið').tap();
    await chooseHours(page, edge.parked);
    await page.getByRole('button', { name: /Ólesið númer/ }).tap();
    await heading('Hvert er númer þessa bíls?');
    for (const key of 'NÝR75') await button(key).tap();
    await button('Staðfesta númerið').tap();
    await heading('Til greiðslu');
    await page.getByText('NÝR75').waitFor();
    expect(unread.plate).toBe('NÝR75');
  });

  test('the list of hours keeps its measures, and takes three at most', async () => {
    await page.goto(`${edge.url}/kiosk/`);
    await button('Ég veit ekki bílnúmerið').tap();
    await page.getByRole('combobox', { name: /Klukkan/ }).tap();
    const rows = page.getByRole('option');
    // It opens where it is now: few have been here since the small hours.
    const now = await page.locator('.clock').textContent();
    await expect
      .poll(() => page.locator('.select-row.active').textContent())
      .toContain(`${now?.slice(0, 2)}:00–`);
    expect((await rows.first().boundingBox())?.height).toBe(48);
    await expect.poll(() => rows.count()).toBeLessThan(24);
    await expect.poll(() => rows.first().getAttribute('aria-setsize')).toBe('24');
    await page.keyboard.press('Home');
    await page.keyboard.type('08');
    for (const step of ['Enter', 'ArrowDown', 'Enter', 'ArrowDown', 'Enter', 'ArrowDown', 'Enter']) {
      await page.keyboard.press(step);
    }
    const chosen = page.getByRole('option', { selected: true });
    await expect.poll(() => chosen.allTextContents()).toEqual(['07:00–08:00', '08:00–09:00', '09:00–10:00']);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  });

  test('a list that is chosen from asks the edge 500 ms after the last touch', async () => {
    await page.clock.install();
    // Today, whatever the time is.
    edge.parked = [car('MKJ45', {}, 0.01)];
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/kiosk/entries')) asked++;
    });
    await page.goto(`${edge.url}/kiosk/`);
    await button('Ég veit ekki bílnúmerið').tap();
    expect(asked).toBe(0);
    await chooseHours(page, edge.parked);
    await page.getByRole('list', { name: 'Bílar sem komu inn þá' }).waitFor();
    await page.clock.pauseAt(Date.now() + 5000);
    const before = asked;
    await page.getByRole('combobox', { name: /Dagur/ }).tap();
    await page.getByRole('option', { name: 'Í gær' }).tap();
    await page.getByText('Leita …').waitFor();
    await page.clock.runFor(499);
    expect(asked).toBe(before);
    await page.clock.runFor(2);
    await waitFor(() => asked === before + 1, { what: 'the question for yesterday' });
  });

  test('an order that the edge keeps failing to take ends with a way back and help', async () => {
    await page.clock.install();
    edge.refuseOrder = 'failed';
    await begin();
    await page.keyboard.type('mkj45');
    await page.getByRole('button', { name: /MKJ45/ }).tap();
    await button(/^Greiða 1\.450/).tap();
    await page.getByText('Tengist posanum …').waitFor();
    await waitFor(
      async () => {
        await page.clock.runFor(2000);
        return await page.getByRole('heading', { name: 'Ekki tókst að hefja greiðslu' }).isVisible();
      },
      { what: 'the end of it' },
    );
    await button('Til baka').tap();
    await button(/^Greiða 1\.450/).waitFor();
  });

  test('what the keyboard is at can be seen', async () => {
    await begin();
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
      return { outlineStyle, wide: Number.parseFloat(outlineWidth) >= 3 };
    });
    expect(outline).toEqual({ outlineStyle: 'solid', wide: true });
    expect(await page.evaluate(() => getComputedStyle(document.body).userSelect)).toBe('none');
  });

  test('nothing of a browser comes up', async () => {
    await begin();
    const stopped = await page.evaluate(() => {
      const isStopped = (event: Event) => !document.body.dispatchEvent(event);
      const options = { bubbles: true, cancelable: true };
      return [
        isStopped(new MouseEvent('contextmenu', options)),
        isStopped(new Event('selectstart', options)),
        isStopped(new WheelEvent('wheel', { ...options, ctrlKey: true })),
        isStopped(new KeyboardEvent('keydown', { ...options, key: '+', ctrlKey: true })),
        isStopped(new KeyboardEvent('keydown', { ...options, key: 'F5' })),
      ];
    });
    expect(stopped).toEqual([true, true, true, true, true]);
  });

  test('the page is small', () => {
    // The speech code loads when a driver starts it.
    const { bytes, gzipBytes } = firstLoadOf(PAGE, {
      isLoaded: (name) => !name.startsWith('assets/screen-speaker-'),
    });
    console.log(`Kiosk page, first load: ${bytes} bytes, ${gzipBytes} by gzip.`);
    expect(bytes).toBeLessThan(MAX_FIRST_LOAD);
  });
});
