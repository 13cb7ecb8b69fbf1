import { needsBlindReview } from '@hlid/cloud/stays/review/answer-case';
import { group } from '@hlid/cloud/test/sample-documents';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { createSite } from '../harness/provision.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, startConsole } from './console-page.ts';
import { takePictures } from './kiosk-pictures.ts';

const PhotoSchema = z.looseObject({ id: z.string(), status: z.string(), plate: z.string().nullable() });
const MIN_CASES = 18;
/** The cases that a person has at a time: one is shown, two are fetched ahead. */
const HELD = 3;
/** The case that is skipped, so that it is not shown again soon. */
const SKIPPED = 3;

describe.skipIf(!CHROMIUM_IS_HERE)('the room of review', () => {
  let stage: ConsoleStage;
  /** The cases in the order in which they wait. */
  const waiting: { id: string; plate: string }[] = [];
  let all: readonly { id: string; plate: string }[] = [];
  const birna = { id: 'birna@example.is', password: newSecret() };

  beforeAll(async () => {
    stage = await startConsole();
    const { operator } = stage.operated;
    const [picture] = await takePictures(stage.browser);
    const plan = { name: 'Hafnartorg', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
    const { siteId } = await createSite(operator, plan);
    const camera = { name: 'Entrance', location: 'entrance', remoteId: 'cam-in', siteId };
    const { id } = await operator.call(IdViewSchema, 'POST', '/cameras', camera);
    const account = { role: 'operator', status: 'active', name: 'Birna' };
    const authentication = { email: birna.id, password: birna.password };
    await operator.call(IdViewSchema, 'POST', '/accounts', { account, authentication });
    // One in twenty is for a second look.
    const hasBlindLook = () => waiting.some(({ id }, at) => at !== SKIPPED && needsBlindReview(id));
    for (let place = 10; !hasBlindLook() || place < 10 + MIN_CASES; place++) {
      const plate = `RV0${place}`;
      const document = {
        ...group(plate, new Date().toISOString(), { confidence: 40 }),
        overview_jpeg: picture?.toString('base64'),
        candidates: [
          { plate, confidence: 40 },
          { plate: `RVO${place}`, confidence: 30 },
        ],
      };
      const posted = await operator.call(PhotoSchema, 'POST', `/photos/open-alpr?camera.id=${id}`, document);
      waiting.push({ id: posted.id, plate });
    }
    all = [...waiting];
  });
  afterAll(() => stage?.stop());

  const photo = async (id: string) => await stage.operated.operator.call(PhotoSchema, 'GET', `/photo/${id}`);
  const plateOf = (page: Page) => page.locator('.case-plate .plate-letters > .unseen').first().textContent();
  const shows = (page: Page, plate: string | undefined) =>
    expect.poll(() => plateOf(page), { message: `shows ${plate}` }).toBe(plate);
  /** Whether the picture that is shown is there, not only its frame. */
  const isPictureThere = (page: Page) =>
    page
      .locator('.case-picture img:not([hidden])')
      .evaluate((img) => img instanceof HTMLImageElement && img.complete && img.naturalWidth > 1);
  /** Goes to another room, and waits until the cloud has the cases back: what is still on its way ends with the browser. */
  const leaves = async (page: Page) => {
    let released = 0;
    page.on('response', (response) => {
      if (response.request().method() === 'DELETE' && response.url().endsWith('/claim')) released++;
    });
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Permits', level: 1 }).waitFor();
    await expect.poll(() => released).toBeGreaterThanOrEqual(HELD);
    await page.context().close();
  };
  const next = () => {
    const first = waiting.shift();
    if (first === undefined) throw new Error('No case waits');
    return first;
  };

  it('is worked by keys alone: ten pictures, one answer taken back, without a connection too', async () => {
    const page = await stage.open('all/zones');
    await page.getByRole('link', { name: `Review ${waiting.length} waiting` }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await shows(page, waiting[0]?.plate);
    await expect.poll(() => page.locator('.case-facts').textContent()).toContain('0 may be O');
    expect(await axeFaults(page)).toEqual([]);

    await page.keyboard.press(' ');
    await page.locator('.case-picture button[aria-pressed="true"]').waitFor();
    await page.keyboard.press(' ');
    const first = next();
    await page.keyboard.press('1');
    await shows(page, waiting[0]?.plate);
    await expect.poll(async () => (await photo(first.id)).status).toBe('reviewed');
    await page.keyboard.press('z');
    await shows(page, first.plate);
    await expect.poll(async () => (await photo(first.id)).status).toBe('need-review');
    await page.keyboard.press('2');
    await expect.poll(async () => (await photo(first.id)).plate).toBe(first.plate.replace('V0', 'VO'));

    const typed = next();
    await shows(page, typed.plate);
    await page.keyboard.press('t');
    await page.keyboard.type('ab-x 12');
    await expect.poll(() => page.getByLabel('Another plate').inputValue()).toBe('ABX12');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await photo(typed.id)).plate).toBe('ABX12');

    let last = typed;
    for (const key of ['n', 's', '1', '1', '1', '1']) {
      last = next();
      await shows(page, last.plate);
      await page.keyboard.press(key);
    }

    // All of them are sent before the connection goes.
    await expect.poll(async () => (await photo(last.id)).status).toBe('reviewed');
    const [away, after] = [next(), waiting[0]];
    await shows(page, away.plate);
    await expect.poll(() => page.locator('.case-picture img').count()).toBe(3);
    await page.context().setOffline(true);
    await page.keyboard.press('t');
    await page.keyboard.type('away1');
    await page.keyboard.press('Enter');
    await shows(page, after?.plate);
    await page.getByText('1 answer waits').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.type('kept');
    await page.context().setOffline(false);
    await expect.poll(async () => (await photo(away.id)).plate).toBe('AWAY1');
    await expect.poll(() => page.getByLabel('Another plate').inputValue()).toBe('KEPT');
    await page.context().close();
  });

  it('shows the next picture before any answer of the cloud', async () => {
    const page = await stage.open('all/review');
    await shows(page, waiting[0]?.plate);
    await expect.poll(() => page.locator('.case-picture img').count()).toBe(3);
    await expect
      .poll(() =>
        page
          .locator('.case-picture img')
          .evaluateAll((all) => all.every((img) => img instanceof HTMLImageElement && img.complete)),
      )
      .toBe(true);
    const held: Route[] = [];
    let isHeld = true;
    await page.route(/\/(review|photo)\//, (route) => {
      if (isHeld) held.push(route);
      else void route.continue();
    });
    const answered = [next(), next()];
    for (const plate of [answered[1]?.plate, waiting[0]?.plate]) {
      await page.keyboard.press('1');
      await shows(page, plate);
      expect(await isPictureThere(page)).toBe(true);
    }
    expect(held.filter((route) => route.request().url().includes('/picture'))).toEqual([]);
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await expect.poll(() => page.locator('.case-picture img').count()).toBe(3);
    // The second answer is sent after the first has come back; what is still on its way ends with the browser.
    for (const { id } of answered) await expect.poll(async () => (await photo(id)).status).toBe('reviewed');
    await page.context().close();
  });

  it('gives two people different pictures, and those of one who leaves to the other', async () => {
    const mine = await stage.open('all/review');
    await shows(mine, waiting[0]?.plate);
    // It has fetched two more; those are not for others either.
    await expect.poll(() => mine.locator('.case-picture img').count()).toBe(3);
    const theirs = await stage.open('all/review', { login: birna });
    // The first person skipped one; it is left to others.
    await shows(theirs, all[SKIPPED]?.plate);
    await theirs.keyboard.press('s');
    await shows(theirs, waiting[3]?.plate);
    await leaves(mine);
    await theirs.reload();
    await shows(theirs, waiting[0]?.plate);
    await leaves(theirs);
  });

  it('shows a picture that a person has decided like any other; a third answer decides where two differ', async () => {
    const { operator } = stage.operated;
    for (const { id, plate } of all) {
      const answer = { answer: 'plate', plate };
      const isDecided = async () => {
        await operator.ask('POST', `/photo/${id}/answer`, answer);
        return (await photo(id)).status === 'reviewed';
      };
      if ((await photo(id)).status === 'need-review') await expect.poll(isDecided).toBe(true);
    }
    const page = await stage.open('all/review', {
      login: birna,
      viewport: { width: 360, height: 740 },
      language: 'is',
    });
    await page.locator('.choice').first().waitFor();
    await page.getByText('Óviss lestur').waitFor();
    await expect.poll(() => page.locator('.choice').count()).toBe(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('t');
    await page.keyboard.type('other1');
    // The page goes on before the cloud has the answer.
    const isSent = page.waitForResponse((response) => response.url().endsWith('/answer'));
    await page.keyboard.press('Enter');
    await page.locator('.last-answer').waitFor();
    await isSent;
    await page.context().close();

    const own = await stage.open('all/review?tab=quality');
    const row = own.getByRole('row', { name: /OTHER1/ });
    await row.waitFor();
    await own.getByRole('img', { name: /Entrance: misread rate by hour/ }).waitFor();
    expect(await axeFaults(own)).toEqual([]);
    await row.focus();
    await own.keyboard.press('Enter');
    await own.getByRole('button', { name: 'It shows OTHER1' }).click();
    await own.locator('.toast', { hasText: 'Decided: OTHER1' }).waitFor();
    await own.getByText('No two people see a picture differently').waitFor();
    await own.getByRole('tab', { name: 'Pictures' }).click();
    await own.getByRole('heading', { name: 'No picture waits for you' }).waitFor();
    expect(await axeFaults(own)).toEqual([]);
    await own.context().close();
  });
});
