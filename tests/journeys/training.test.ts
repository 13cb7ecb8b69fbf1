import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Demo, startDemo } from '../demo/demo.ts';
import { demoFiles } from '../demo/demo-files.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { waitFor } from '../harness/wait.ts';
import { CHROMIUM_IS_HERE, startChromium } from '../screens/chromium.ts';

const START_TIMEOUT_MS = 240_000;
const FREE_PORTS = { HLID_CLOUD_PORT: 0, HLID_MQTT_PORT: 0, HLID_EDGE_PORT: 0, HLID_CAMERA_PORT: 0 };

const LessonSchema = z.looseObject({
  lesson: z.string(),
  steps: z.array(z.looseObject({ step: z.string(), done: z.boolean() })),
  done: z.boolean(),
  plate: z.string().nullable(),
  visitId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  paymentId: z.string().nullable(),
  siteId: z.string().nullable(),
});
const TrainingSchema = z.looseObject({ isTraining: z.literal(true), lessons: z.array(LessonSchema) });
const PaymentSchema = z.looseObject({ price: z.looseObject({ amount: z.int() }) });

const CloseSchema = z.looseObject({
  id: z.string(),
  revision: z.int(),
  differences: z.array(z.looseObject({ n: z.int(), decision: z.string() })),
});

/** Closes today at a site, as a person does: what changes meanwhile is seen before it is signed. */
async function closeToday(operator: Operator, siteId: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const trySigning = async () => {
    const { id, ...made } = await operator.call(CloseSchema, 'POST', '/day-closes', { siteId, day });
    const differences = made.differences.filter(({ decision }) => decision === 'open').map(({ n }) => n);
    const decision = { decision: 'accepted', differences, reason: 'Part of the lesson' };
    const { revision } =
      differences.length === 0
        ? made
        : await operator.call(CloseSchema, 'POST', `/day-closes/${id}/decisions`, decision);
    const signing = operator.call(z.unknown(), 'POST', `/day-closes/${id}/sign`, { revision });
    return await signing.then(
      () => true,
      () => null,
    );
  };
  await waitFor(trySigning, { what: 'the day to be signed', withinMs: 60_000 });
}

/** The time of the lessons in the browser, which wait for a site to report its terminal, and that it works again. */
const LIMIT_MS = 900_000;

/** The programs of `npm start`, without traffic. */
describe('the lessons of a training installation', () => {
  let folder: string;
  let demo: Demo;
  const printed: string[] = [];
  let operator: Operator;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-lessons-'));
    demo = await startDemo({
      folder,
      files: demoFiles(folder),
      ports: FREE_PORTS,
      carsPerMinute: 0,
      print: (text) => printed.push(text),
      onDeath: (program, how) => console.error(`The ${program.name} has ended: ${how}`, program.tail(20)),
    });
    const { cloudUrl, apiKey, operator: login } = demo.description;
    operator = await logIn({ cloudUrl, apiKey, ...login });
    if (CHROMIUM_IS_HERE) browser = await startChromium();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
    rmSync(folder, { recursive: true });
  });

  const lesson = async (name: string) => {
    const { lessons } = await operator.call(TrainingSchema, 'GET', '/training');
    return lessons.find((one) => one.lesson === name) ?? expect.fail(name);
  };
  /** Waits until a step is done: a site looks at its terminal about once a minute. */
  const step = (name: string, wanted: string) =>
    waitFor(
      async () => {
        const found = await lesson(name);
        return found.steps.find((one) => one.step === wanted)?.done ? found : null;
      },
      { what: `${name}: ${wanted}`, withinMs: 180_000, detail: () => printed.slice(-5).join('\n') },
    );
  const begin = (name: string) => operator.call(TrainingSchema, 'POST', `/training/lessons/${name}/start`);

  it('teaches to correct a plate, to refund, and to close a day, by what is done in the ordinary calls', async () => {
    for (const name of ['misread-plate', 'refund', 'closing-day']) await begin(name);

    const { visitId, plate } = await step('misread-plate', 'misread');
    expect((await operator.visit(visitId ?? '')).plate).toBe(plate?.slice(0, -1));
    await operator.call(z.unknown(), 'PUT', `/visit/${visitId}`, { plate, reason: 'As in the picture' });

    const { invoiceId } = await step('refund', 'paid');
    await operator.call(z.unknown(), 'POST', `/invoice/${invoiceId}/refund`, { reason: 'Paid by mistake' });

    const { visitId: unpaid, paymentId, siteId } = await step('closing-day', 'prepared');
    await operator.settle(unpaid ?? '', 'void', 'The exit was held open');
    const path = `/payments/${paymentId}`;
    const { price } = await operator.call(PaymentSchema, 'GET', path);
    const reference = `TRAINING-${paymentId?.slice(0, 8)}`;
    const lost = { reference, amount: price.amount, reasonCode: '10.4', state: 'lost' };
    await operator.call(z.unknown(), 'POST', `${path}/chargeback`, lost);
    await closeToday(operator, siteId ?? '');

    for (const name of ['misread-plate', 'refund', 'closing-day']) {
      await waitFor(async () => (await lesson(name)).done, { what: `${name} to be done`, withinMs: 60_000 });
    }
  });

  it('marks every answer of its cloud and of its site', async () => {
    const { cloudUrl, edgeUrl } = demo.description;
    for (const url of [`${cloudUrl}/ping`, `${edgeUrl}/api/kiosk/site`, `${edgeUrl}/api/access`]) {
      expect((await fetch(url)).headers.get('hlid-training'), url).toBe('yes');
    }
  });

  it.skipIf(!CHROMIUM_IS_HERE)(
    'is marked on each of its pages, also before anybody has logged in, in the language of the page',
    async () => {
      const { consoleUrl, payUrl, driver, edgeUrl, kioskUrl } = demo.description;
      const exit = demo.lanes.find(({ direction }) => direction === 'exit')?.id;
      const page = await browser.newPage({ locale: 'de-DE' });
      for (const url of [consoleUrl, payUrl, driver.url, kioskUrl, `${edgeUrl}/display.html?lane=${exit}`]) {
        await page.goto(url);
        await page.locator('#training-mark').waitFor();
        const language = await page.evaluate(() => document.documentElement.lang);
        const text = { de: 'Übung – kein echter Parkplatz', is: 'Æfing – ekki raunverulegt bílastæði' }[
          language
        ];
        expect(await page.locator('#training-mark').innerText(), url).toBe(text);
        // It takes room of its own: nothing of the page is below it, or out of reach.
        const mark = await page.locator('#training-mark').boundingBox();
        const rest = await page.locator('.frame, #pay, .login, .name').first().boundingBox();
        expect(rest?.y, url).toBeGreaterThanOrEqual(mark?.height ?? 0);
        const height = page.viewportSize()?.height ?? 0;
        if (url === kioskUrl) expect((rest?.y ?? 0) + (rest?.height ?? 0)).toBeLessThanOrEqual(height);
      }
      await page.context().close();
    },
  );

  it.skipIf(!CHROMIUM_IS_HERE)(
    'teaches the first car, a driver without money, and a device that is down, by what the learner does in the rooms',
    async () => {
      const page = await logInTo(browser, demo);
      const openLesson = async (title: string) => {
        await page.getByRole('link', { name: 'Training', exact: true }).click();
        const card = page.getByRole('region', { name: title });
        const head = card.getByRole('button', { name: title });
        if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click();
        return card;
      };
      const beginIn = async (title: string) => {
        const card = await openLesson(title);
        await card.getByRole('button', { name: 'Begin the lesson' }).click();
        await card.getByRole('list', { name: title }).waitFor();
        return card;
      };
      const isDone = async (title: string) => {
        const card = await openLesson(title);
        await card.getByRole('button', { name: /Done$/ }).waitFor();
      };

      // A site reports a device after a minute without an answer: the other lessons go on meanwhile.
      await beginIn('A device is down');

      const first = await beginIn('The first car');
      const plate = await first.locator('.plate').innerText();
      await step('first-car', 'arrived');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find/ }).fill(plate);
      await page
        .getByRole('option', { name: new RegExp(plate) })
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Permits', exact: true }).click();
      await page.getByRole('button', { name: 'New permit' }).click();
      const form = page.getByRole('dialog', { name: 'New permit' });
      await form.getByLabel('Plate').fill(plate);
      await form.getByLabel('Reason').fill('A guest');
      await form.getByRole('button', { name: `Add permit of ${plate}` }).click();
      await form.waitFor({ state: 'hidden' });
      await step('first-car', 'left');
      await isDone('The first car');

      await beginIn('A driver without money');
      const { plate: poor } = await step('no-money', 'at-exit');
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      await page.getByRole('button', { name: `Open for ${poor}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: new RegExp(`${poor}.*later`) }).click();
      await step('no-money', 'left');
      await isDone('A driver without money');

      await step('device-down', 'down');
      await page.goto(`${demo.description.consoleUrl}${demo.site.siteId}/devices/terminal/pos-1`);
      await page.getByRole('button', { name: 'Try again' }).click();
      await step('device-down', 'works');
      await isDone('A device is down');
      await page.context().close();
    },
    LIMIT_MS,
  );
});

async function logInTo(browser: Browser, { description }: Demo): Promise<Page> {
  const { consoleUrl, operator } = description;
  const { origin } = new URL(consoleUrl);
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1366, height: 900 } });
  const page = await context.newPage();
  const opened = await page.request.post(`${origin}/session`, {
    data: operator,
    headers: { Origin: origin },
  });
  expect(opened.ok()).toBe(true);
  await page.goto(consoleUrl);
  return page;
}
