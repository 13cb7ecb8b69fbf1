import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listOf } from '../harness/cloud-views.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { fillConsole } from './console-data.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

const InvoiceSchema = z.looseObject({ id: z.string(), status: z.string(), remoteStatus: z.string() });
const ProductSchema = z.looseObject({
  id: z.string(),
  price: z.int(),
  category: z.string().nullable(),
  config: z.looseObject({ tariff: z.unknown() }),
});

describe.skipIf(!CHROMIUM_IS_HERE)('the rooms about money', () => {
  let stage: ConsoleStage;
  let siteId: string;
  const operator = () => stage.operated.operator;
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
  const invoiceOf = async (plate: string) => {
    const list = await operator().call(listOf(InvoiceSchema), 'GET', `/invoices?plate=${encodeURI(plate)}`);
    return list.data[0];
  };

  stageForGroup(
    async () => {
      stage = await startConsole();
      siteId = await fillConsole(operator());
    },
    () => stage?.stop(),
  );

  it('settles unpaid visits together, and says before what it comes to', async () => {
    const page = await stage.open(`${siteId}/money?tab=unpaid`);
    await page.getByRole('row', { name: /JÓN01/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    for (const plate of [/JÓN01/, /ÞÓR55/]) {
      await page.getByRole('row', { name: plate }).getByRole('checkbox').check();
    }
    await page.getByRole('button', { name: 'Settle 2 visits' }).click();
    const form = dialog(page, 'Settle 2 visits');
    await form.getByLabel('How').selectOption('void');
    const submit = form.getByRole('button', { name: 'Settle 2 visits, ISK 1,500' });
    // Giving money up needs a reason.
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await form.getByLabel('How').selectOption('kiosk');
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await form.getByLabel('Received as').selectOption('transfer');
    expect(await axeFaults(page)).toEqual([]);
    await submit.click();
    await page.getByText('2 of 2 done').waitFor();
    expect(await dialog(page, 'Settle 2 visits').textContent()).not.toContain('failed');
    await dialog(page, 'Settle 2 visits').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row', { name: /JÓN01/ }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('finds an invoice by its plate, marks it, and takes the mark back', async () => {
    const page = await stage.open(`${siteId}/money?tab=invoices`);
    await page.getByLabel('Plate').fill('jón01');
    await expect.poll(() => new URL(page.url()).searchParams.get('plate')).toBe('jón01');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('rowheader').first().click();
    await page.getByRole('heading', { name: /^Invoice \d+$/, level: 1 }).waitFor();
    await page.getByRole('cell', { name: 'JÓN01' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const [paper] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('d')]);
    await paper.getByRole('rowheader', { name: /JÓN01.*Hafnartorg/ }).waitFor();
    expect(await axeFaults(paper)).toEqual([]);
    await paper.close();
    await page.getByRole('button', { name: 'Mark for accounting' }).click();
    const form = dialog(page, 'Mark for accounting');
    await form.getByLabel('Accounting').selectOption('failed');
    await form.getByRole('button', { name: 'Accounting: Refused' }).click();
    await toast(page, 'Accounting: Refused').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await invoiceOf('JÓN01'))?.remoteStatus).toBe('draft');
    await page.context().close();
  });

  it('says what each answer to a payment in doubt does, and keeps what was typed when it is refused', async () => {
    const page = await stage.open(`${siteId}/money/payments/none`);
    await page.getByText('This payment is not here').waitFor();
    // Only a silent provider makes such a payment, so the browser gets one that the cloud does not have.
    await page.route('**/payments?*', (route) => route.fulfill({ json: paymentList(siteId) }));
    await page.route('**/payments', (route) => route.fulfill({ json: paymentList(siteId) }));
    const [inDoubt] = paymentList(siteId).data;
    await page.route('**/payments/in-doubt', (route) =>
      route.request().resourceType() === 'document' ? route.fallback() : route.fulfill({ json: inDoubt }),
    );
    await page.goto(`${stage.address}/console/${siteId}/money`);
    await page.getByRole('row', { name: /Provider: not certain/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('rowheader').first().click();
    await page.getByRole('heading', { name: 'Payment of ISK 1,450' }).waitFor();
    await page.getByRole('radio', { name: /never charged/ }).press(' ');
    await page.getByLabel('How do you know?').fill('Portal, 4711');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Record ISK 1,450 as not charged' }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('How do you know?').inputValue()).toBe('Portal, 4711');
    await page.context().close();
  });

  it('reports income in a sentence, a chart that keys read, a table and a file', async () => {
    const page = await stage.open(`${siteId}/reports?tab=income`);
    await page.getByText(/came in from/).waitFor();
    const chart = page.getByRole('slider', { name: /^Income/ });
    await chart.focus();
    await page.keyboard.press('End');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/before: ISK\s0$/);
    await expect.poll(() => page.getByRole('table', { name: 'By kind of payment' }).count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Visits' }).click();
    await page.getByText(/visits began/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Visits as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^visits-.*\.csv$/);
    await page.getByLabel('Period').selectOption('today');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).not.toBeNull();
    await page.context().close();
  });

  it('reports the hours of the week in a sentence, a table and a file', async () => {
    // Two hours ago, in a quarter of an hour that is over.
    const startedOn = new Date(Date.now() - 2 * 3_600_000).toISOString();
    await operator().ask('POST', '/visits', { plate: 'HOUR12', siteId, startedOn, reason: 'by hand' });
    const page = await stage.open(`${siteId}/reports?tab=hours`);
    const table = page.getByRole('table', { name: /^Arrivals per hour/ });
    await table.locator('td.most').first().waitFor();
    await page.getByText(/^Most cars come on \w+days from \d\d:00 to \d\d:00: [\d.]+ on average\./).waitFor();
    await expect.poll(() => table.getByRole('row').count()).toBe(25);
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Show').selectOption('Cars inside');
    await page.getByRole('table', { name: /^Cars inside/ }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Hours as Excel' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^traffic-.*\.xlsx$/);
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByText(/added up at once/).waitFor();
    await page.context().close();
  });

  it('prices stays while a tariff is typed, and names the mistakes that the cloud finds', async () => {
    const page = await stage.open(`${siteId}/products`);
    await page.getByRole('button', { name: 'Add a product' }).click();
    await page.getByLabel('Product code').fill('HOURLY');
    await page.getByLabel('Kind').selectOption('visit');
    await page.getByLabel('Price', { exact: true }).fill('0');
    await page.getByRole('combobox', { name: /^VAT/ }).selectOption('Z');
    await page.getByText('Tariff as JSON').first().click();
    const json = page.getByRole('textbox', { name: 'Tariff as JSON' });
    await json.fill('{ "bands": ');
    await page.getByText(/This is not JSON/).waitFor();
    const band = { steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] };
    await json.fill(JSON.stringify({ bands: [band], straddle: 'never' }));
    await page.getByText('The fields cannot show what is typed here.').waitFor();
    await page.getByRole('row', { name: /^4 h ISK 1,400/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the product' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('straddle');
    await expect.poll(() => json.inputValue()).toContain('never');
    await json.fill(JSON.stringify({ bands: [band] }));
    await page.getByRole('button', { name: 'Create the product' }).click();
    await toast(page, 'The product is created').waitFor();

    // Another operator changes it while it is open: both are shown, and typed text stays.
    await page.getByRole('button', { name: 'Save the product' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByLabel('Category').fill('Cellar');
    await operator().ask('PUT', `/products/${id}`, { category: 'Basement' });
    await page.getByRole('button', { name: 'Save the product' }).click();
    await page.getByRole('cell', { name: 'Basement' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save the product' }).click();
    await toast(page, 'Saved').waitFor();
    const saved = await operator().call(ProductSchema, 'GET', `/products/${id}`);
    expect(saved).toMatchObject({ price: 0, category: 'Cellar', config: { tariff: { bands: [band] } } });
    await page.context().close();
  });
});

function paymentList(siteId: string) {
  const payment = {
    id: 'in-doubt',
    siteId,
    visitId: 'a-visit',
    terminalId: null,
    state: 'unknown',
    problem: 'provider',
    chargebacks: [],
    reason: null,
    card: { type: 'visa', lastFour: '4242' },
    price: { amount: 1450, currency: 'ISK' },
    tip: 0,
    actions: ['booked', 'not-booked', 'given-back'],
    refunds: [],
    createdOn: '2026-11-21T11:00:00.000Z',
    changedOn: '2026-11-21T11:00:30.000Z',
  };
  return { next: null, previous: null, total: 1, extra: { totalIs: 'exact' }, data: [payment] };
}
