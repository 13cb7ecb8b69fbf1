import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { zoneRoutes } from '@hlid/cloud/sites/zones/zone-routes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';

const ZONE = {
  id: '7b0c6c0e-8f0b-4f0e-9a51-0d5c6c1f7a11',
  name: 'Cellar',
  siteId: SITE.id,
  settings: { capacity: 120, lanes: ['in-1'] },
  capacity: 120,
  occupancy: 87,
  createdOn: '2026-11-21T12:00:00.000Z',
  modifiedOn: '2026-11-21T12:00:00.000Z',
};
const OCCUPANCY = {
  id: ZONE.id,
  capacity: 120,
  inside: 87,
  counted: 87,
  corrections: [],
  actions: ['correct' as const],
};
/** A zone on its own, for a person who may change it. */
const ONE_ZONE = { ...ZONE, actions: ['edit' as const, 'delete' as const] };

describe.skipIf(!CHROMIUM_IS_HERE)('a dialog of the console', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    cloud = new ConsoleStandIn();
    cloud.answering<typeof zoneRoutes>()('$get', '/zones', () => wholeList([]));
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });

  async function openNewZone(): Promise<void> {
    page = await cloud.open(browser, `${SITE.id}/zones`);
    await page.getByRole('button', { name: 'New zone' }).click();
    await dialog().getByLabel('Name').fill('Cellar');
    await dialog().getByLabel('Capacity').fill('120');
    await dialog().getByLabel('Entrances').fill('in-1\n\n in-2 ');
  }

  it('beside the title says what the room is for, and goes again', async () => {
    page = await cloud.open(browser, `${SITE.id}/zones`);
    const button = page.getByRole('button', { name: 'What this page is for' });
    await button.press('Enter');
    await page.getByText('Parts of a car park with spaces of their own').waitFor();
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
    expect(await axeFaults(page)).toEqual([]);
    await button.press('Enter');
    expect(await page.getByText('Parts of a car park with spaces of their own').isVisible()).toBe(false);
  });

  it('for a new zone sends what is typed, closes at the answer, and reads the list again', async () => {
    cloud.answering<typeof zoneRoutes>()('$post', '/zones', () => ONE_ZONE);
    await openNewZone();
    cloud.answering<typeof zoneRoutes>()('$get', '/zones', () => wholeList([ZONE]));
    await button('Create Cellar').click();
    await page.getByRole('row', { name: /Cellar/ }).waitFor();
    expect(await dialog().count()).toBe(0);
    expect(cloud.callsOf('POST', '/zones').map(({ body }) => body)).toEqual([
      { siteId: SITE.id, name: 'Cellar', settings: { capacity: 120, lanes: ['in-1', 'in-2'] } },
    ]);
  });

  it('for a new zone shows a refusal, keeps what was typed, and repeats the same request under the same key', async () => {
    cloud.answering<typeof zoneRoutes>()(
      '$post',
      '/zones',
      () => new Refused(503, [], ['The database is away.']),
    );
    await openNewZone();
    await button('Create Cellar').click();
    await dialog().getByRole('alert').waitFor();
    await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe('Cellar');
    await button('Create Cellar').click();
    await expect.poll(() => cloud.callsOf('POST', '/zones').length).toBe(2);
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Name').fill('Attic');
    await button('Create Attic').click();
    await expect.poll(() => cloud.callsOf('POST', '/zones').length).toBe(3);
    const [first, again, other] = cloud
      .callsOf('POST', '/zones')
      .map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('for the count of a zone needs a reason, and sends the count of a person', async () => {
    zonesOfOne();
    cloud.answering<typeof zoneRoutes>()('$put', '/zones/:id/occupancy', () => ({
      ...OCCUPANCY,
      inside: 90,
    }));
    page = await cloud.open(browser, `${SITE.id}/zones/${ZONE.id}`);
    await page.getByRole('button', { name: 'Correct' }).click();
    await dialog().getByLabel('Cars inside, as counted').fill('90');
    await dialog().getByLabel('Reason').fill('  ');
    const submit = button('Set Cellar to 90 inside');
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await dialog().getByLabel('Reason').fill(' Counted on site ');
    await submit.click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('The count is corrected').waitFor();
    expect(cloud.callsOf('PUT', `/zones/${ZONE.id}/occupancy`).map(({ body }) => body)).toEqual([
      { inside: 90, reason: 'Counted on site' },
    ]);
  });

  it('for deleting a zone says what becomes of its cars, and leads back to the list', async () => {
    zonesOfOne();
    cloud.answering<typeof zoneRoutes>()('$delete', '/zones/:id', () => ({}));
    page = await cloud.open(browser, `${SITE.id}/zones/${ZONE.id}`);
    await page.getByRole('button', { name: 'Delete zone' }).click();
    await dialog().getByText('Its cars are counted with the other zones from then on.').waitFor();
    await button('Delete Cellar').click();
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
    expect(cloud.callsOf('DELETE', `/zones/${ZONE.id}`)).toHaveLength(1);
  });

  function zonesOfOne(): void {
    cloud.answering<typeof zoneRoutes>()('$get', '/zones/:id', () => ONE_ZONE);
    cloud.answering<typeof zoneRoutes>()('$get', '/zones/:id/occupancy', () => OCCUPANCY);
  }
});
