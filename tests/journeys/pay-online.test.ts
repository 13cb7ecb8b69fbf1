import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedCard } from '@hlid/cloud/card-gateways/testing2/scripted-gateway';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPayPage } from '../harness/build-pages.ts';
import { type OperatedCloud, startOperatedCloud } from '../harness/cloud-program.ts';
import { addDefaultProducts, createSite } from '../harness/provision.ts';
import { CHROMIUM_IS_HERE, startChromium } from '../screens/chromium.ts';

const PHONE = { width: 390, height: 844 };
const CONFIG = `testGateways: true
cardGateways:
  - kind: testing2
`;

describe.skipIf(!CHROMIUM_IS_HERE)('a driver pays by telephone, at a cloud that runs', () => {
  let folder: string;
  let operated: OperatedCloud;
  let browser: Browser;
  let page: Page;
  let siteId: string;

  beforeAll(async () => {
    await buildPayPage(console.warn);
    folder = mkdtempSync(join(tmpdir(), 'hlid-pay-'));
    writeFileSync(join(folder, 'cloud.yaml'), CONFIG);
    operated = await startOperatedCloud({ folder });
    const { operator } = operated;
    ({ siteId } = await createSite(operator, {
      name: 'Harbour',
      timeZone: 'Atlantic/Reykjavik',
      currency: 'ISK',
      settings: {},
    }));
    await addDefaultProducts(operator);
    browser = await startChromium();
    const context = await browser.newContext({
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      locale: 'en-GB',
    });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await operated?.cloud.stop();
    rmSync(folder, { recursive: true });
  });

  async function toCard(plate: string): Promise<void> {
    const startedOn = new Date(Date.now() - 3_600_000).toISOString();
    const { operator, cloud } = operated;
    const made = await operator.ask('POST', '/visits', { plate, startedOn, siteId });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(400);
    await page.goto(`${cloud.httpUrl()}/pay/${siteId}`);
    await page.getByLabel('Number plate').fill(plate);
    await page.getByRole('button', { name: 'Find my car' }).click();
    await page.getByRole('button', { name: /^Pay / }).click();
  }
  async function payBy(number: string): Promise<void> {
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Valid until').fill('1235');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: /^Pay / }).click();
  }
  const paid = () => page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();

  it('declined, then paid, with a receipt', async () => {
    await toCard('ABX12');
    await payBy(scriptedCard('security'));
    await page.getByText('The bank declined the card. Nothing was charged.').waitFor();
    await payBy(scriptedCard('approve'));
    await paid();
    const receipt = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Show the receipt' }).click();
    await (await receipt).getByText('1111').first().waitFor();
  });

  it('with the bank’s challenge in its frame', async () => {
    await toCard('MKJ45');
    await payBy(scriptedCard('form-challenge'));
    await paid();
  });

  it('over a lost answer of the provider and a reload, once', async () => {
    await toCard('XYZ99');
    await payBy(scriptedCard('timeout-after-booking'));
    await page.getByRole('heading', { name: /We are checking your payment|Paid/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: /We are checking your payment|Paid|number plate/ }).waitFor();
    const settlement = async () => {
      const visits = await operated.operator.visits();
      return visits.find(({ plate }) => plate === 'XYZ99')?.paymentStatus ?? null;
    };
    await expect.poll(settlement, { timeout: 30_000 }).not.toBeNull();
  });
});
