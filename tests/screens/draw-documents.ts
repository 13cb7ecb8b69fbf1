import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { carPicture } from '../sim/car-picture.ts';
import { launchChromium } from './chromium.ts';
import { car } from './kiosk-cars.ts';
import { startKioskStandIn } from './kiosk-stand-in.ts';

// Draws the pictures of README and OPERATING again. Start the demo first and let it run for some minutes,
// then:
//   node --conditions=source --import tsx tests/screens/draw-documents.ts data/demo.json

const FOLDER = fileURLToPath(new URL('../../.github/screenshots/', import.meta.url));
const DemoSchema = z.object({
  edgeUrl: z.string(),
  consoleUrl: z.string(),
  operator: z.object({ id: z.string(), password: z.string() }),
});

const save = (name: string, picture: Uint8Array) => writeFileSync(join(FOLDER, `${name}.png`), picture);

/** Four steps at the kiosk beside each other, and the price on a wide screen in the dark. */
async function drawKiosk(browser: Browser): Promise<void> {
  const plates = ['MKJ45', 'MKR12', 'ABX12'];
  const noon = new Date('2026-06-20T12:00:00.000Z');
  const kiosk = await startKioskStandIn(plates.map((plate) => carPicture(plate, noon)));
  kiosk.parked = [car('MKJ45'), car('MKJ12', {}, 0.02), car('MKJ99', {}, 400)];
  const page = await browser.newPage({ viewport: { width: 1080, height: 1920 }, reducedMotion: 'reduce' });
  const steps: Buffer[] = [];
  const take = async () => void steps.push(await page.screenshot());
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  await page.goto(`${kiosk.url}/kiosk/`);
  await press('English');
  await press('Pay for parking');
  await page.keyboard.type('mkj');
  await page.getByRole('button', { name: /MKJ/ }).nth(2).waitFor();
  await page.waitForFunction(() => [...document.images].every((image) => image.naturalWidth > 0));
  await take();
  await page.getByRole('button', { name: /MKJ/ }).first().click();
  await page.getByRole('button', { name: /^Pay ISK/ }).waitFor();
  await take();
  await page.getByRole('button', { name: /^Pay ISK/ }).click();
  kiosk.move({ prompt: 'present-card' });
  await page.getByText('Hold your card').waitFor();
  await take();
  const paidUntil = new Date(Date.now() + 15 * 60_000).toISOString();
  kiosk.move({ state: 'settled', prompt: null, paidUntil });
  await page.getByText('Paid. Thank you!').waitFor();
  await press('Done');
  await page.getByText('Have a good journey!').waitFor();
  await take();

  const wide = await browser.newPage({
    viewport: { width: 1024, height: 768 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    deviceScaleFactor: 0.75,
  });
  await wide.goto(`${kiosk.url}/kiosk/`);
  await wide.getByRole('button', { name: 'Greiða fyrir stæði' }).click();
  await wide.keyboard.type('mkj');
  await wide.getByRole('button', { name: /MKJ/ }).first().click();
  await wide.getByRole('button', { name: /^Greiða 1/ }).waitFor();
  save('kiosk-dark', await wide.screenshot());
  save('kiosk-journey', await besideEachOther(page, steps));
  await kiosk.stop();
}

async function besideEachOther(page: Page, pictures: readonly Buffer[]): Promise<Buffer> {
  const images = pictures.map((one) => `<img src="data:image/png;base64,${one.toString('base64')}">`);
  await page.goto('about:blank');
  await page.setViewportSize({ width: 1350, height: 576 });
  await page.setContent(
    `<style>body{display:flex;gap:18px;margin:0;background:#fff}img{height:576px}</style>${images.join('')}`,
  );
  return await page.screenshot();
}

/** The lanes page of the site, and the console's first room, as the demo shows them. */
async function drawDemo(browser: Browser, file: string): Promise<void> {
  const demo = DemoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const viewport = { width: 1680, height: 900 };
  const lanes = await browser.newPage({ viewport, locale: 'en-GB' });
  await lanes.goto(demo.edgeUrl);
  // A car comes in or leaves while another waits at an exit, and the pictures of both are there.
  await lanes.waitForFunction(
    () => {
      const cards = [...document.querySelectorAll('article')].filter(
        (card) => (card.querySelector('img')?.naturalWidth ?? 0) > 0,
      );
      return cards.length > 1 && cards.some((card) => card.textContent?.includes('Waiting '));
    },
    undefined,
    { timeout: deadline(300_000) },
  );
  save('lanes', await lanes.screenshot());

  const { origin } = new URL(demo.consoleUrl);
  const room = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  await room.request.post(`${origin}/session`, { data: demo.operator, headers: { Origin: origin } });
  await room.goto(`${demo.consoleUrl}all/now`);
  save('console', await pictureOfWaiting(room));
}

/** The room while a car waits at a gate, with its picture. */
async function pictureOfWaiting(room: Page): Promise<Buffer> {
  const waiting = room.locator('.lane.waiting .picture img').first();
  for (let tries = 1; ; tries++) {
    await waiting.waitFor({ timeout: deadline(300_000) });
    const isComplete = () => [...document.images].every((image) => image.naturalWidth > 0);
    await room.waitForFunction(isComplete);
    const picture = await room.screenshot();
    // It may have paid meanwhile.
    if ((await waiting.isVisible()) || tries === MAX_TRIES) return picture;
  }
}
const MAX_TRIES = 30;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the demo.json of a demo that runs.');
const browser = await launchChromium();
try {
  await drawKiosk(browser);
  await drawDemo(browser, file);
} finally {
  await browser.close();
}
