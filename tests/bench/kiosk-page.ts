import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../screens/chromium.ts';
import { startKioskStandIn } from '../screens/kiosk-stand-in.ts';
import { portOf } from './port-of.ts';

/** How long a page took, and each of the keys that were pressed there; all ms. */
interface PageTimes {
  interactiveMs: number;
  keysMs: readonly number[];
}

export interface KioskPageTimes {
  kiosk: PageTimes;
  /** A page with one field and one button, written by hand. */
  floor: PageTimes;
  /** Scripts and styles, as they are and packed by gzip. */
  bundleKb: number;
  packedKb: number;
}

const ASSETS = fileURLToPath(new URL('../../kiosk/dist-page/assets/', import.meta.url));
const STARTS = 7;
const KEYS = 150;
const PLATE = 'ABCDEF';

const FLOOR_PAGE = `<!doctype html><html lang="is"><meta charset="utf-8"><title>-</title>
<button>Greiða fyrir stæði</button><p id="typed"></p><script>
const field = document.getElementById('typed');
addEventListener('keydown', ({ key }) => {
  field.textContent = key === 'Backspace' ? field.textContent.slice(0, -1) : field.textContent + key;
});
</script></html>`;

/** In the page: ms from its address to a button that is there and painted. */
const WATCH_FOR_BUTTON = `window.hlidReady = new Promise((resolve) => {
  const look = () => {
    const button = document.querySelector('main button, body > button');
    if (button && button.getBoundingClientRect().height > 0) {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    } else requestAnimationFrame(look);
  };
  look();
})`;

/** In the page: ms from each key's event to the end of the frame that shows it. */
const WATCH_KEYS = `window.hlidKeys = [];
addEventListener('keydown', ({ timeStamp }) => {
  requestAnimationFrame(() => setTimeout(() => hlidKeys.push(performance.now() - timeStamp)));
}, { capture: true });
undefined`;

/** The kiosk's page in Chromium, from the address to a button that can be touched, and from a key to its paint. */
export async function benchKioskPage(): Promise<KioskPageTimes> {
  const browser = await startChromium();
  const edge = await startKioskStandIn([]);
  const bare = http.createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(FLOOR_PAGE);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  try {
    return {
      floor: await pageTimes(browser, `http://127.0.0.1:${portOf(bare)}/`, async () => undefined),
      kiosk: await pageTimes(browser, `${edge.url}/kiosk/`, async (page) => {
        await page.getByRole('button', { name: 'Greiða fyrir stæði' }).click();
        await page.getByRole('heading', { name: 'Hvert er bílnúmerið?' }).waitFor();
      }),
      ...bundle(),
    };
  } finally {
    await browser.close();
    await edge.stop();
    bare.close();
  }
}

async function pageTimes(
  browser: Browser,
  url: string,
  begin: (page: Page) => Promise<void>,
): Promise<PageTimes> {
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    // Nothing is in its cache, as after a start of the machine.
    const context = await browser.newContext({ viewport: { width: 1080, height: 1920 } });
    const page = await context.newPage();
    await page.addInitScript(WATCH_FOR_BUTTON);
    await page.goto(url);
    starts.push(await page.evaluate<number>('window.hlidReady'));
    await context.close();
  }
  const page = await browser.newPage({ viewport: { width: 1080, height: 1920 } });
  await page.goto(url);
  await begin(page);
  await page.evaluate(WATCH_KEYS);
  for (let key = 0; key < KEYS; key++) {
    const at = key % (2 * PLATE.length);
    await page.keyboard.press(at < PLATE.length ? PLATE.charAt(at) : 'Backspace');
  }
  const keysMs = await page.evaluate<number[]>('window.hlidKeys');
  await page.close();
  return { interactiveMs: median(starts), keysMs: keysMs.toSorted((a, b) => a - b) };
}

function bundle(): { bundleKb: number; packedKb: number } {
  const files = readdirSync(ASSETS).map((file) => readFileSync(ASSETS + file));
  const kb = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) / 1024;
  return {
    bundleKb: kb(files.map(({ length }) => length)),
    packedKb: kb(files.map((content) => gzipSync(content).length)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
