import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

const QuotaSchema = z.looseObject({ total: z.number(), free: z.number() });

describe.skipIf(!CHROMIUM_IS_HERE)('the rooms of customers, vehicles and quotas', () => {
  let stage: ConsoleStage;
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const undo = async (page: Page, text: string) => {
    await toast(page, text).getByRole('button', { name: 'Undo' }).click();
    await toast(page, text).waitFor({ state: 'detached' });
  };
  const pick = async (page: Page, label: string, typed: string) => {
    await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
    await page.getByRole('combobox', { name: 'Search by name' }).fill(typed);
    await page.getByRole('option', { name: typed }).click();
  };
  const made = async (path: string, body: object) =>
    (await stage.operated.operator.call(IdViewSchema, 'POST', path, body)).id;

  stageForGroup(
    async () => {
      stage = await startConsole();
    },
    () => stage?.stop(),
  );

  it('creates a customer, changes its billing beside another person, and takes that back', async () => {
    const { operator } = stage.operated;
    const page = await stage.open('all/customers');
    await page.getByText('No customers match').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Bílaleigan ehf.');
    const form = page.getByRole('dialog', { name: 'New customer' });
    await form.getByLabel('National ID', { exact: true }).fill('123');
    await form.getByRole('button', { name: 'Create Bílaleigan ehf.' }).click();
    await form.getByRole('alert').waitFor();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Bílaleigan ehf.');
    await form.getByLabel('National ID', { exact: true }).fill('530575-0209');
    await form.getByRole('combobox', { name: /Invoices/ }).selectOption('One invoice a month');
    expect(await axeFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create Bílaleigan ehf.' }).click();
    await page.getByRole('heading', { name: 'Bílaleigan ehf.', level: 1 }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    const path = `/customer/${new URL(page.url()).pathname.split('/').at(-1)}`;
    await page.keyboard.press('e');
    const edit = page.getByRole('dialog', { name: 'Edit customer' });
    await edit.getByLabel('Discount, in percent').fill('10');
    await page.keyboard.press('Tab');
    await operator.ask('PUT', path, { phone: '555 1234' });
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByRole('cell', { name: '555 1234' }).waitFor();
    await edit.getByRole('button', { name: 'Save' }).click();
    const Options = z.looseObject({ phone: z.string(), options: z.looseObject({ discount: z.number() }) });
    const stored = () => operator.call(Options, 'GET', path);
    await undo(page, 'is changed');
    await expect.poll(async () => (await stored()).options.discount).toBe(0);
    expect((await stored()).phone).toBe('555 1234');
    await page.context().close();
  });

  it('gives a vehicle into custody, corrects it and releases it', async () => {
    await made('/customers', { customer: { name: 'Póstur', language: 'is' } });
    const page = await stage.open('all/vehicles');
    await page.getByRole('button', { name: 'Add a vehicle' }).click();
    await page.getByRole('dialog').getByLabel('Plate').fill('van01');
    await pick(page, 'Customer', 'Póstur');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add VAN01' }).click();
    await toast(page, 'VAN01 is in custody now').waitFor();
    await page.getByRole('row', { name: /VAN01/ }).getByRole('rowheader').click();
    await page.getByRole('heading', { name: 'Vehicle VAN01' }).waitFor();
    await page.getByRole('rowheader', { name: 'Póstur' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Correct' }).click();
    await page.getByRole('dialog').getByLabel('Colour').fill('Yellow');
    await page.keyboard.press('Enter');
    await page.getByText('Yellow (register: –)').waitFor();
    await undo(page, 'VAN01 is corrected');
    await page.getByText('Nothing is corrected.').waitFor();

    await page.getByRole('button', { name: 'Release from Póstur' }).click();
    await expect.poll(() => page.getByRole('row', { name: /Póstur/ }).textContent()).toContain('Ended');
    await undo(page, 'VAN01 is released');
    await page.getByRole('button', { name: 'Release from Póstur' }).waitFor();
    await page.context().close();
  });

  it('adds a quota, removes what is left of it and takes that back', async () => {
    const { operator } = stage.operated;
    const siteId = await made('/sites', { name: 'Höfn', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' });
    const product = { type: 'quota', price: 500, currency: 'ISK', vehicleCategory: 'light' };
    await made('/products', { ...product, productCode: 'Q', name: { en: 'Days', is: 'Dagar' }, siteId });
    await made('/customers', { customer: { name: 'Veitur', language: 'is' } });
    const page = await stage.open('all/quotas');
    await page.getByText('No quotas').waitFor();
    await page.keyboard.press('n');
    await pick(page, 'Customer', 'Veitur');
    await page.getByRole('dialog').getByLabel('Units of 24 hours').fill('30');
    await page.keyboard.press('Tab');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add 30 units' }).click();
    await page
      .getByRole('row', { name: /Days|Dagar/ })
      .getByRole('rowheader')
      .click();
    await page.getByRole('button', { name: 'Remove the 30 units left' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const path = `/quotas/${new URL(page.url()).pathname.split('/').at(-1)}`;
    const quota = () => operator.call(QuotaSchema, 'GET', path);
    await page.getByRole('button', { name: 'Remove the 30 units left' }).click();
    await toast(page, 'Nothing is left').waitFor();
    expect((await quota()).free).toBe(0);
    await undo(page, 'Nothing is left');
    await expect.poll(async () => (await quota()).free).toBe(30);
    await page.context().close();
  });

  it('shows a customer its own, on a telephone', async () => {
    const { operator } = stage.operated;
    const mine = await made('/customers', { customer: { name: 'Mitt fyrirtæki', language: 'is' } });
    const login = { email: 'anna@example.is', password: newSecret() };
    const account = { role: 'customer', status: 'active', name: 'Anna', customerId: mine };
    await operator.call(IdViewSchema, 'POST', '/accounts', { account, authentication: login });
    const page = await stage.open('all/customers', {
      login: { id: login.email, password: login.password },
      viewport: { width: 360, height: 740 },
      language: 'is',
    });
    await page.getByRole('heading', { name: 'Mitt fyrirtæki', level: 1 }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Breyta' }).click();
    const edit = page.getByRole('dialog', { name: 'Breyta viðskiptavini' });
    await edit.getByLabel('Sími').fill('555 4321');
    expect(await edit.getByLabel('Afsláttur í prósentum').count()).toBe(0);
    await edit.getByRole('button', { name: 'Vista' }).click();
    await page.getByText('555 4321').waitFor();
    await page.context().close();
  });
});
