import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildPayPage } from '../harness/build-pages.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { addDefaultProducts } from '../harness/provision.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

describe.skipIf(!CHROMIUM_IS_HERE)('stays that a customer contests', () => {
  let stage: ConsoleStage;
  let visitId: string;
  const anna = { id: 'anna@example.is', password: newSecret() };
  const made = async (path: string, body: object) =>
    (await stage.operated.operator.call(IdViewSchema, 'POST', path, body)).id;
  const card = (page: Page) => page.getByRole('region', { name: 'Contested' });

  stageForGroup(
    async () => {
      await buildPayPage(console.warn);
      stage = await startConsole();
      const siteId = await made('/sites', { name: 'Höfn', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' });
      const customerId = await made('/customers', { customer: { name: 'Póstur', language: 'is' } });
      const account = { role: 'customer', status: 'active', name: 'Anna', customerId };
      const authentication = { email: anna.id, password: anna.password };
      await made('/accounts', { account, authentication });
      await made('/custodians', { plate: 'CON01', customerId });
      // The customer of the visit depends on its start.
      const startedOn = new Date().toISOString();
      visitId = await made('/visits', { plate: 'CON01', startedOn, siteId });
    },
    () => stage?.stop(),
  );

  it('the customer writes why, the office answers from its list, and the customer reads the answer', async () => {
    const customer = await stage.open(`all/visits/${visitId}`, { login: anna });
    await customer.getByRole('button', { name: /Contest/ }).click();
    const form = customer.getByRole('dialog', { name: 'Contest the stay of CON01' });
    await form.getByLabel('What is wrong?').fill('The car was in Akureyri that day.');
    expect(await axeFaults(customer)).toEqual([]);
    await form.getByRole('button', { name: 'Send objection' }).click();
    await card(customer).getByText('Waits for an answer').waitFor();
    expect(await card(customer).getByRole('button').count()).toBe(0);

    const office = await stage.open('all/review');
    await office.getByRole('tab', { name: 'Contested (1)' }).click();
    await office
      .getByRole('row', { name: /Stay of CON01/ })
      .getByRole('rowheader')
      .waitFor();
    expect(await axeFaults(office)).toEqual([]);
    await office.getByRole('link', { name: 'Stay of CON01' }).click();
    await card(office).getByText('The car was in Akureyri that day.').waitFor();
    await card(office).getByRole('button', { name: 'Change the deadline' }).click();
    const deadline = office.getByRole('dialog', { name: 'Change the deadline' });
    await deadline.getByLabel('Answer by').fill('24/12/2035 12:00');
    await deadline.getByLabel('Why it changes').fill('The customer is abroad');
    expect(await axeFaults(office)).toEqual([]);
    await deadline.getByRole('button', { name: 'Save the deadline' }).click();
    await card(office)
      .getByText(/24.December.2035/)
      .waitFor();
    await card(office).getByRole('button', { name: 'Give up the charge' }).click();
    const answer = office.getByRole('dialog', { name: 'Answer: Stay of CON01' });
    await answer.getByText(/still inside.*the stay goes on/).waitFor();
    await answer.getByLabel('Answer', { exact: true }).fill('You are right, the camera read another plate.');
    expect(await axeFaults(office)).toEqual([]);
    await answer.getByRole('button', { name: 'Uphold and void the stay' }).click();
    await card(office).getByText('The stay was voided.').waitFor();

    await card(customer).getByText('You are right, the camera read another plate.').waitFor();
    const Visit = z.looseObject({ paymentStatus: z.string(), flags: z.array(z.string()) });
    const visit = await stage.operated.operator.call(Visit, 'GET', `/visit/${visitId}`);
    expect(visit).toMatchObject({ paymentStatus: 'void', flags: [] });

    await office.getByRole('button', { name: /Contest/ }).click();
    const letter = office.getByRole('dialog', { name: 'Contest the stay of CON01' });
    await letter.getByRole('combobox', { name: 'How it arrived' }).selectOption('letter');
    await letter.getByLabel('What is wrong?').fill('It was sold in May.');
    expect(await axeFaults(office)).toEqual([]);
    await letter.getByRole('button', { name: 'Send objection' }).click();
    await card(office).getByText('letter', { exact: true }).waitFor();
    await customer.context().close();
    await office.context().close();
  });

  it('a driver contests a stay on the telephone and adds a message, the office voids it, and the driver reads that', async () => {
    const siteId = await made('/sites', {
      name: 'Vík',
      timeZone: 'Atlantic/Reykjavik',
      currency: 'ISK',
    });
    await addDefaultProducts(stage.operated.operator);
    const startedOn = new Date(Date.now() - 3 * HOUR_MS).toISOString();
    const owed = await made('/visits', { plate: 'VIK01', startedOn, siteId });
    const ended = { status: 'need-payment' };
    await stage.operated.operator.call(z.unknown(), 'PUT', `/visit/${owed}`, ended);

    const phone = await stage.browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'en-GB',
    });
    const driver = await phone.newPage();
    await driver.goto(`${stage.address}/pay/${siteId}`);
    await driver.getByLabel('Number plate').fill('VIK01');
    await driver.getByRole('button', { name: 'Find my car' }).tap();
    await driver.getByRole('button', { name: 'Show picture and times' }).tap();
    await driver.getByLabel('Day').selectOption(startedOn.slice(0, 10));
    await driver.getByLabel('Time').fill(startedOn.slice(11, 16));
    await driver.getByRole('button', { name: 'Show', exact: true }).tap();
    await driver.getByRole('button', { name: /Contest this stay/ }).tap();
    await driver.getByLabel('What is wrong?').fill('I left at once.');
    await driver.getByLabel('E-mail address').fill('driver@example.is');
    expect(await axeFaults(driver)).toEqual([]);
    await driver.getByRole('button', { name: 'Send objection' }).tap();
    await driver.getByRole('link', { name: 'Your objection' }).tap();
    await driver.getByRole('heading', { name: 'Your objection' }).waitFor();
    await driver.getByText('I left at once.').waitFor();
    expect(await driver.evaluate(() => location.hash)).toBe('');
    await driver.getByLabel('Add a message').fill('I have a receipt.');
    await driver.getByRole('button', { name: 'Send message' }).click();
    await driver.getByRole('listitem').filter({ hasText: 'I have a receipt.' }).waitFor();
    expect(await axeFaults(driver)).toEqual([]);

    const office = await stage.open(`all/visits/${owed}`);
    await card(office).getByText('I have a receipt.').waitFor();
    const evidence = card(office).getByRole('region', { name: 'Evidence' });
    await evidence.getByText('Likelier plate').waitFor();
    await card(office).getByRole('button', { name: 'Answer' }).click();
    const answer = office.getByRole('dialog', { name: 'Answer: Stay of VIK01' });
    await answer.getByRole('combobox', { name: /Decision/ }).selectOption('void');
    await answer.getByText(/by now it costs.*500/).waitFor();
    await answer.getByLabel('Answer', { exact: true }).fill('You are right.');
    expect(await axeFaults(office)).toEqual([]);
    await answer.getByRole('button', { name: 'Uphold and void the stay' }).click();
    await card(office).getByText('The stay was voided.').waitFor();

    await driver.reload();
    await driver.getByText('We have upheld your objection.').waitFor();
    await driver.getByText('You are right.').waitFor();
    await driver.getByText('There is nothing to pay for the stay.').waitFor();
    expect(await axeFaults(driver)).toEqual([]);
    await driver.goto(`${stage.address}/pay/objection#not-a-link`);
    await driver.getByText('This link has ended.').waitFor();
    await phone.close();
    await office.context().close();
  });
});
