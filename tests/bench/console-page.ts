import { group } from '@hlid/cloud/test/sample-documents';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { takePictures } from '../screens/kiosk-pictures.ts';
import { type BenchCloud, newVisit } from './bench-cloud.ts';

/** The slowdown of the processor, so that it is as fast as an old laptop's. */
const SLOWER = 4;
/** A second press of a key this soon is no answer to the next case. */
const BETWEEN_CASES_MS = 400;

// Code that runs in the page has no named functions: the loader of the benchmark would mark them there.

/** A page of the console in a separate browser, with the operator logged in. */
export async function openConsole(
  browser: Browser,
  cloud: BenchCloud,
  path: string,
  prepare?: (context: BrowserContext) => Promise<void>,
): Promise<Page> {
  const address = `http://localhost:${new URL(cloud.url).port}`;
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  await prepare?.(context);
  const page = await context.newPage();
  const opened = await page.request.post(`${address}/session`, {
    data: cloud.operator,
    headers: { Origin: address },
  });
  if (!opened.ok()) throw new Error(`The login was refused: ${await opened.text()}`);
  await page.goto(`${address}/console/${path}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/**
 * The time from the last key of each text in the palette to its results on the screen, on a slower processor.
 */
export async function timeFinding(page: Page, texts: readonly string[]): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox');
  const times: number[] = [];
  for (const text of texts) {
    await field.fill('');
    await field.pressSequentially(text.slice(0, -1));
    await page.evaluate(() => {
      const status = document.querySelector('.find-box [role=status]');
      const painted = new Promise((resolve) => {
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const seen = new MutationObserver(() => {
              // It is empty while the results of another text are shown.
              if (status?.textContent === '') return;
              seen.disconnect();
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)));
            });
            if (status) seen.observe(status, { childList: true, characterData: true, subtree: true });
          },
          { once: true, capture: true },
        );
      });
      Reflect.set(window, 'painted', painted);
    });
    await page.keyboard.press(text.at(-1) ?? '');
    times.push(Number(await page.evaluate("window['painted']")));
  }
  await page.keyboard.press('Escape');
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  return times;
}

/**
 * The acts of a person all day, as the browser measures them: from each press to the next paint (Event
 * Timing).
 */
export async function timeInteractions(page: Page, rounds: number): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(window, 'interactions', times);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Number(Reflect.get(entry, 'interactionId')) > 0) times.push(entry.duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const rooms = page.getByRole('navigation', { name: 'Rooms' });
  const room = (name: string) => rooms.getByRole('link', { name }).click();
  const shows = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  for (let round = 0; round < rounds; round++) {
    await room('Visits');
    await shows('Visits');
    const row = page.locator('main tbody tr').first();
    await row.getByRole('rowheader').click();
    await page.getByRole('heading', { name: /^Visit of/, level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Edit/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('dialog').waitFor();
    // The dialog is empty: it asks before it loses typed text.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('KZD');
    await page.keyboard.press('Escape');
    for (const name of ['Permits', 'Money', 'Now']) {
      await room(name);
      await shows(name);
    }
  }
  return z.array(z.number()).parse(await page.evaluate("window['interactions']"));
}

/** Pictures that need a person. */
export async function addCases(browser: Browser, cloud: BenchCloud, cases: number): Promise<void> {
  const [picture] = await takePictures(browser);
  for (let place = 0; place < cases; place++) {
    const plate = `RV${100 + place}`;
    const document = {
      ...group(plate, new Date().toISOString(), { confidence: 40 }),
      overview_jpeg: picture?.toString('base64'),
      candidates: [{ plate, confidence: 40 }],
    };
    const status = await cloud.ask('POST', `/photos/open-alpr?camera.id=${cloud.cameraId}`, document);
    if (status >= 400) throw new Error(`A picture was answered with ${status}`);
  }
}

/** The time from the answer to a case to the picture of the next one on the screen. */
export async function timeCases(page: Page, cases: number): Promise<number[]> {
  await page.locator('.case-picture img:not([hidden])').waitFor();
  const times: number[] = [];
  for (let done = 0; done < cases; done++) {
    await page.waitForTimeout(BETWEEN_CASES_MS);
    await page.evaluate(() => {
      const before = document.querySelector('.case-plate')?.textContent;
      const painted = new Promise((resolve) => {
        addEventListener(
          'keydown',
          async ({ timeStamp }) => {
            for (let isThere = false; !isThere; ) {
              await new Promise(requestAnimationFrame);
              const picture = document.querySelector<HTMLImageElement>('.case-picture img:not([hidden])');
              isThere =
                document.querySelector('.case-plate')?.textContent !== before &&
                picture?.complete === true &&
                picture.naturalWidth > 1;
            }
            setTimeout(() => resolve(performance.now() - timeStamp));
          },
          { once: true, capture: true },
        );
      });
      Reflect.set(window, 'painted', painted);
    });
    await page.keyboard.press('1');
    times.push(Number(await page.evaluate("window['painted']")));
  }
  return times;
}

/**
 * Heap of the page in the first and in the last hour of a shift, MB: some cars come, and the page's own clock
 * goes on. The arrivals keep the stream alive, as its heartbeats do in real time. Each figure is the mean of
 * an hour's second half. The heap goes up and down with the rows that wait to be shown, and code that runs
 * for the first time is compiled and stays.
 */
export async function heapOverShift(
  page: Page,
  cloud: BenchCloud,
  { cars, carsOfHour, carsOfStep, stepMs }: Shift,
): Promise<{ first: number; last: number }> {
  const heaps: Record<'first' | 'last', number[]> = { first: [], last: [] };
  for (let car = 1; car <= cars; car++) {
    await cloud.ask('POST', '/visits', newVisit(`SHIFT${car}`));
    if (car % carsOfStep === 0) await page.clock.fastForward(stepMs);
    const isSecondHalf = car % carsOfHour === 0 || car % carsOfHour > carsOfHour / 2;
    if (!isSecondHalf || car % (carsOfHour / 20) !== 0) continue;
    if (car <= carsOfHour) heaps.first.push(await heapMb(page));
    if (car > cars - carsOfHour) heaps.last.push(await heapMb(page));
  }
  return { first: mean(heaps.first), last: mean(heaps.last) };
}

interface Shift {
  cars: number;
  carsOfHour: number;
  carsOfStep: number;
  stepMs: number;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}
