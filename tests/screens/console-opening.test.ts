import type { SessionView } from '@hlid/cloud/people/sessions/session-view';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { cameraRoutes } from '@hlid/cloud/sites/cameras/camera-routes';
import type { Opening } from '@hlid/cloud/sites/opening/opening';
import type { openingRoutes } from '@hlid/cloud/sites/opening/opening-routes';
import { openingSteps } from '@hlid/cloud/sites/opening/opening-rule';
import type { siteRoutes } from '@hlid/cloud/sites/sites/change/site-routes';
import type { visitRoutes } from '@hlid/cloud/stays/visits/list/visit-routes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';
import { createDrawing, FOR_PEOPLE } from './draw-screen.ts';

const NOW = new Date().toISOString();
const CODE = { expiresOn: new Date(Date.now() + 3_600_000).toISOString(), usedOn: null };
/** Long, as people and makers write them. */
const LONG = 'Bílastæðið við Reykjavíkurhöfn, neðri hæð, vestari innkeyrsla';

const FACTS: Opening['facts'] = {
  connected: true,
  zones: 2,
  code: CODE,
  cameras: [
    { id: 'cam-in-1', cameraId: 'c1', name: LONG, location: 'entrance', state: 'ok', lastReadOn: NOW },
    { id: 'cam-out-1', cameraId: null, name: null, location: null, state: 'unreachable', lastReadOn: null },
    { id: 'cam-out-2', cameraId: 'c3', name: 'Exit 2', location: 'exit', state: null, lastReadOn: null },
  ],
  lanes: [
    { id: 'in-1', name: LONG, direction: 'entry', hasGate: true, gate: 'ok', triedOn: NOW },
    { id: 'out-1', name: 'Exit 1', direction: 'exit', hasGate: true, gate: 'unreachable', triedOn: null },
  ],
  terminals: [{ id: 'kiosk-1', name: null, state: 'unreachable' }],
  kiosks: [{ id: 'site', name: LONG, state: 'ok' }],
  products: [
    {
      id: 'p1',
      name: { is: 'Sólarhringur', en: 'One day' },
      vatRate: 24,
      vatCategory: 'S',
      vatReason: null,
      isFeeVatOpen: false,
      isOwn: false,
    },
  ],
  testVisit: null,
};

/** A site of which some steps are done, one is left out, and devices do not work. */
function openingWith(connected: boolean): Opening {
  const answered = { by: 'account:anna', byName: 'Anna', on: NOW };
  const answers = { terminal: 'skipped', 'test-car': 'begun' } as const;
  const steps = openingSteps({
    ...FACTS,
    isVatOpen: false,
    now: NOW,
    address: 'Geirsgata 1',
    openingHours: null,
    capacity: 40,
    permitsOnly: false,
    seller: { vatNumber: null },
    edge: connected ? { connected } : null,
    terminals: [],
    products: 1,
    isInUse: false,
    answers: new Map([
      ['edge', 'with-edge'],
      ['terminal', answers.terminal],
      ['test-car', answers['test-car']],
    ]),
  });
  const shown = steps.map((step) => {
    const answer = Object.entries(answers).find(([name]) => name === step.step)?.[1];
    return { ...step, answered: answer === undefined ? null : { ...answered, answer } };
  });
  return { siteId: SITE.id, steps: shown, facts: FACTS };
}

const VIEWS = [
  { language: 'en', width: 1366, colorScheme: 'light', axe: 'all' },
  { language: 'is', width: 390, colorScheme: 'dark', axe: 'all' },
  { language: 'is', width: 360, colorScheme: 'light', axe: null },
  { language: 'en', width: 2560, colorScheme: 'dark', axe: 'colours' },
] as const;

describe.skipIf(!CHROMIUM_IS_HERE)('the page that opens a site', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium(FOR_PEOPLE ? {} : { drawnAt: 0.5 });
  });
  afterAll(() => browser?.close());

  function standIn(
    opening: () => Opening,
    permissions: SessionView['permissions'] = ['devices', 'lanes', 'visits'],
  ): ConsoleStandIn {
    const cloud = new ConsoleStandIn({ permissions });
    cloud.answering<typeof openingRoutes>()('$get', '/sites/:id/opening', opening);
    cloud.answering<typeof siteRoutes>()('$get', '/sites/:id', () => ({ ...SITE, actions: [] }));
    cloud.answering<typeof siteRoutes>()('$get', '/sites/:id/devices', () => wholeList([]));
    cloud.answering<typeof cameraRoutes>()('$get', '/cameras', () => wholeList([]));
    cloud.answering<typeof visitRoutes>()('$get', '/visits', () => wholeList([]));
    return cloud;
  }

  it.each(VIEWS)('is whole and readable at $width px in $language, $colorScheme', async (view) => {
    const { language, width, colorScheme, axe } = view;
    const opening = openingWith(true);
    const cloud = standIn(() => opening);
    const page = await cloud.open(browser, `${SITE.id}/opening`, language === 'is' ? 'is-IS' : 'en-GB');
    await page.setViewportSize({ width, height: width < 500 ? 800 : 1000 });
    await page.emulateMedia({ colorScheme });
    const draw = await createDrawing(page, 'console');
    for (const { step } of opening.steps) {
      await openStep(page, step);
      const name = `opening-${step}-${language}-${colorScheme}-${width}`;
      await draw(name);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(beyond, `${name} is wider than the window`).toBeLessThanOrEqual(0);
      if (axe) expect.soft(await axeFaults(page, axe), name).toEqual([]);
    }
    await page.context().close();
  });

  it.each(VIEWS)('makes a price in its step at $width px in $language, $colorScheme', async (view) => {
    const { language, width, colorScheme, axe } = view;
    const cloud = standIn(() => openingWith(true), ['tariffs']);
    const page = await cloud.open(
      browser,
      `${SITE.id}/opening?step=tariff`,
      language === 'is' ? 'is-IS' : 'en-GB',
    );
    await page.setViewportSize({ width, height: width < 500 ? 800 : 1000 });
    await page.emulateMedia({ colorScheme });
    const panel = page.locator('#step-tariff');
    await panel
      .getByRole('button', { name: /^(New price from a template|Nýtt verð eftir sniðmáti)$/ })
      .click();
    const kinds = panel.locator('form select').first();
    await kinds.waitFor();
    const values = await kinds
      .locator('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
    expect(values.length).toBe(10);
    for (const value of values) {
      await kinds.selectOption(value);
      // Each kind has numbers that people change, and prices for the twelve stays.
      await expect.poll(() => panel.locator('table tbody tr').count()).toBeGreaterThanOrEqual(12);
      expect.soft(await panel.locator('.minor-field input').count(), value).toBeGreaterThan(0);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(beyond, `${value} is wider than the window`).toBeLessThanOrEqual(0);
    }
    const draw = await createDrawing(page, 'console');
    await draw(`opening-new-price-${language}-${colorScheme}-${width}`);
    if (axe) expect.soft(await axeFaults(page, axe)).toEqual([]);
    await page.context().close();
  });

  async function openStep(page: Page, step: string): Promise<void> {
    const head = page.locator(`button[aria-controls="step-${step}"]`);
    await head.waitFor();
    if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click();
    await page.locator(`#step-${step} > p`).first().waitFor();
  }

  it('stays where the person is while a step gets done elsewhere, and goes on by its button', async () => {
    let connected = false;
    const cloud = standIn(() => openingWith(connected));
    const page = await cloud.open(browser, `${SITE.id}/opening?step=enrolment`);
    const panel = page.locator('#step-enrolment');
    await panel.getByText('A code is valid. Waiting for the computer.').waitFor();
    // Only the page that made the code has it.
    await panel.getByText('was shown where it was made').waitFor();
    await expect.poll(() => panel.getByRole('timer').textContent()).toMatch(/^Valid for \d+:\d\d$/);
    connected = true;
    await panel.getByText('Everything is there.').waitFor();
    await expect.poll(() => panel.isVisible()).toBe(true);
    await panel.getByRole('button', { name: 'Go on: Cameras' }).click();
    const cameras = page.getByRole('button', { name: /^Cameras/ });
    await expect.poll(() => cameras.evaluate((head) => head === document.activeElement)).toBe(true);
    await expect.poll(() => cameras.getAttribute('aria-expanded')).toBe('true');
    // A step far down is scrolled to, as far as it needs.
    await page.setViewportSize({ width: 1280, height: 600 });
    await openStep(page, 'tariff');
    const bottom = () =>
      page.locator('#step-tariff').evaluate((panel) => panel.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBeLessThanOrEqual(600);
    await page.context().close();
  });

  it('keeps what is typed into a step that is folded meanwhile', async () => {
    const cloud = standIn(() => openingWith(true), ['devices', 'lanes', 'visits', 'tariffs']);
    const page = await cloud.open(browser, `${SITE.id}/opening?step=tariff`);
    const panel = page.locator('#step-tariff');
    await panel.getByRole('button', { name: 'New price from a template' }).click();
    const code = panel.getByLabel('Product code', { exact: true });
    await code.fill('WHARF');
    await openStep(page, 'cameras');
    expect(await panel.isVisible()).toBe(false);
    await openStep(page, 'tariff');
    await expect.poll(() => code.inputValue()).toBe('WHARF');
    await page.context().close();
  });
});
