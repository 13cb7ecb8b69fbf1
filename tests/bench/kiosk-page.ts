import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../screens/chromium.ts';
import { startKioskStandIn } from '../screens/kiosk-stand-in.ts';
import { firstLoadOf, type PageSize } from '../screens/page-size.ts';
import { portOf } from './port-of.ts';

/** How long a page took, and each of the keys that were pressed there; all ms. */
interface PageTimes {
  interactiveMs: number;
  keysMs: readonly number[];
}

export interface KioskPageTimes {
  kiosk: PageTimes;
  /** A page of React with one button and what was typed, built by the same tools. */
  floor: PageTimes;
  size: PageSize;
}

const KIOSK = fileURLToPath(new URL('../../kiosk/', import.meta.url));
const EMPTY_PAGE = fileURLToPath(new URL('empty-page/', import.meta.url));
const PLATE = 'ABCDEF';

/** Runs in the page: measures the ms from its address to a button that is there and painted. */
const WATCH_FOR_BUTTON = `window.hlidReady = new Promise((resolve) => {
  const look = () => {
    const button = document.querySelector('main button');
    if (button && button.getBoundingClientRect().height > 0) {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    } else requestAnimationFrame(look);
  };
  look();
})`;

/** Runs in the page: measures the ms from each key's event to the end of the frame that shows it. */
const WATCH_KEYS = `window.hlidKeys = [];
addEventListener('keydown', ({ timeStamp }) => {
  requestAnimationFrame(() => setTimeout(() => hlidKeys.push(performance.now() - timeStamp)));
}, { capture: true });
undefined`;

/** The kiosk's page in Chromium, from the address to a button that can be touched, and from a key to its paint. */
export async function benchKioskPage(size: { starts: number; keys: number }): Promise<KioskPageTimes> {
  const browser = await launchChromium();
  const edge = await startKioskStandIn([]);
  const folder = await mkdtemp(join(tmpdir(), 'hlid-empty-page-'));
  const empty = serve(buildEmptyPage(folder));
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  try {
    return {
      floor: await pageTimes({ browser, size }, `http://127.0.0.1:${portOf(empty)}/`, async () => undefined),
      kiosk: await pageTimes({ browser, size }, `${edge.url}/kiosk/`, async (page) => {
        await page.getByRole('button', { name: 'Greiða fyrir stæði' }).click();
        await page.getByRole('heading', { name: 'Hvert er bílnúmerið?' }).waitFor();
      }),
      size: firstLoadOf(join(KIOSK, 'dist-page')),
    };
  } finally {
    await browser.close();
    await edge.stop();
    empty.close();
    await rm(folder, { recursive: true });
  }
}

/** @returns where it is */
function buildEmptyPage(folder: string): string {
  const options = ['--config', 'vite.config.ts', '--outDir', folder, '--logLevel', 'warn'];
  const { status, stderr } = spawnSync('npx', ['--no-install', 'vite', 'build', EMPTY_PAGE, ...options], {
    cwd: KIOSK,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the empty page cannot be built: ${stderr}`);
  return folder;
}

function serve(folder: string): http.Server {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => extname(file) !== '')
      .map((file) => [`/${file}`, readFileSync(join(folder, file))]),
  );
  return http.createServer(({ url = '/' }, response) => {
    const path = url === '/' ? '/index.html' : url;
    const type = extname(path) === '.js' ? 'text/javascript' : 'text/html; charset=utf-8';
    const content = files.get(path);
    response.writeHead(content ? 200 : 404, { 'content-type': type }).end(content);
  });
}

async function pageTimes(
  { browser, size }: { browser: Browser; size: { starts: number; keys: number } },
  url: string,
  begin: (page: Page) => Promise<void>,
): Promise<PageTimes> {
  const starts: number[] = [];
  for (let start = 0; start < size.starts; start++) {
    // Its cache is empty, as after a start of the machine.
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
  for (let key = 0; key < size.keys; key++) {
    const at = key % (2 * PLATE.length);
    await page.keyboard.press(at < PLATE.length ? PLATE.charAt(at) : 'Backspace');
  }
  await page.waitForFunction(`window.hlidKeys.length === ${size.keys}`);
  const keysMs = await page.evaluate<number[]>('window.hlidKeys');
  await page.close();
  return { interactiveMs: median(starts), keysMs: keysMs.toSorted((a, b) => a - b) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
