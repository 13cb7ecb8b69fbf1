import { randomUUID } from 'node:crypto';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildConsole } from '../harness/build-pages.ts';
import { IdViewSchema, listOf } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { newSecret } from '../harness/new-secret.ts';
import { addQuota, addZone } from '../harness/provision.ts';
import { axeFaults } from '../screens/axe-faults.ts';
import { CHROMIUM_IS_HERE } from '../screens/chromium.ts';
import { type ConsoleStage, showConsole } from '../screens/console-page.ts';
import { Hands, MEANS } from '../screens/hands.ts';

const InvoicesSchema = listOf(
  z.looseObject({ status: z.string(), price: z.looseObject({ amount: z.int() }) }),
);

/** More of the control room is in `control-room.test.ts` and `console-now.test.ts`. */
describe.skipIf(!CHROMIUM_IS_HERE)('at the console,', () => {
  let network: Network;
  let stage: ConsoleStage;
  /** Each run has different plates: similar plates on one lane would be one car. */
  const tags = ['KMR', 'TVW', 'XYH', 'JNP', 'AEU', 'FKT', 'MRV', 'WXP'];
  beforeAll(async () => {
    await buildConsole(console.warn);
    network = await startNetwork();
    await addZone(network.operator, network.site.siteId, 'Ground level');
    stage = await showConsole(network, () => network.stop());
  });
  afterAll(() => stage?.stop());

  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {});
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
  const invoiceOf = async (plate: string) =>
    (await network.operator.call(InvoicesSchema, 'GET', `/invoices?plate=${plate}`)).data[0];

  /** A car that has been inside since yesterday. @returns its visit */
  async function parks(plate: string): Promise<string> {
    await network.lane('in-1').passes(plate);
    await network.settled();
    const [visit] = await network.operator.visits({ plate });
    const startedOn = new Date(Date.now() - 26 * 3_600_000).toISOString();
    const edit = { startedOn, reason: 'came yesterday' };
    await network.operator.ask('PUT', `/visit/${visit?.id}`, edit);
    // The exit asks for money only when the site has the edited visit.
    await network.settled();
    return visit?.id ?? '';
  }

  it.each(MEANS)(
    'control room, by %s: a call, the car, its gate and its money, a hold, a count',
    async (means) => {
      const { operator } = network;
      const tag = tags.shift() ?? '';
      const plate = `${tag}B1`;
      // The other car has another exit: a car that comes while a gate is still open follows the one before
      // it.
      const [exitId, exit] = means === 'mouse' ? (['out-1', 2] as const) : (['out-2', 3] as const);
      const id = await parks(plate);
      await network.lane(exitId).passes(plate);
      const page = await stage.open(`${network.site.siteId}/now`);
      const hands = new Hands(page, means);
      const lane = (n: number) => page.locator('.lane').nth(n);
      await lane(exit)
        .getByText(/ISK.*due$/)
        .waitFor();

      const help = new URL('/api/kiosk/help', network.edge.localUrl());
      const call = { id: randomUUID(), visitId: null, language: 'en' };
      const headers = { 'content-type': 'application/json', origin: help.origin };
      expect((await fetch(help, { method: 'POST', headers, body: JSON.stringify(call) })).ok).toBe(true);
      await hands.press(page.locator('.call.ringing').getByRole('button', { name: /^Accept/ }));
      await page.locator('.call').getByText('You have this call').waitFor();

      // The plate as the driver gives it on the telephone.
      await hands.find(`${tag}BI`, page.getByRole('option', { name: new RegExp(plate) }));
      await heading(page, `Visit of ${plate}`).waitFor();
      await page.getByText('If it left now').waitFor();
      await hands.goTo('Now');

      const before = network.lane(exitId).openings();
      await hands.press(lane(exit).getByRole('button', { name: `Open for ${plate}` }));
      const opening = dialog(page);
      await hands.choose(opening.getByLabel('The amount due'), 'Paid elsewhere');
      await hands.type(opening.getByLabel('Note'), 'Paid at the office');
      await hands.press(opening.getByRole('button', { name: /paid elsewhere$/ }));
      await toast(page, 'is open').waitFor();
      expect(network.lane(exitId).openings()).toBe(before + 1);
      await hands.press(page.locator('.call').getByRole('button', { name: 'Close the call' }));
      await hands.press(dialog(page).getByRole('button', { name: 'Close the call' }));
      await expect.poll(() => page.locator('.call').count()).toBe(0);
      // The kiosk reads the call's state while the driver waits.
      const atKiosk = async () => (await fetch(`${help}/${call.id}`)).text();
      await expect.poll(atKiosk).toContain('"closed"');

      await hands.press(lane(1).getByRole('button', { name: /^Hold open/ }));
      await hands.choose(dialog(page).getByLabel('It ends'), 'after 30 minutes');
      await hands.type(dialog(page).getByLabel('Note'), 'Delivery');
      await hands.press(dialog(page).getByRole('button', { name: /^Hold/ }));
      await lane(1)
        .getByText(/Held open by .* left\)/)
        .waitFor();
      await hands.press(lane(1).getByRole('button', { name: /^Release/ }));
      await hands.press(dialog(page).getByRole('button', { name: /^Release/ }));
      await expect.poll(() => lane(1).textContent()).not.toContain('Held open');

      await hands.press(page.getByRole('button', { name: 'Correct the count of Ground level' }));
      await hands.type(dialog(page).getByLabel('Cars inside, as counted'), '7');
      await hands.type(dialog(page).getByLabel('Reason'), 'Counted');
      await hands.press(dialog(page).getByRole('button', { name: 'Set Ground level to 7 inside' }));
      await page.getByText('7 cars inside').first().waitFor();

      await network.settled();
      expect(await operator.visit(id)).toMatchObject({ paymentStatus: 'kiosk' });
      await page.context().close();
    },
  );

  it.each(MEANS)('back office, by %s: who paid and is billed, permits from a file', async (means) => {
    const tag = tags.shift() ?? '';
    const [read, plate, guest, bad] = [`${tag}B1`, `${tag}D7`, `${tag}E4`, `${tag}F9`];
    const id = await parks(read);
    const visit = () => network.operator.visit(id);
    const page = await stage.open('all/visits');
    const hands = new Hands(page, means);

    // The plate as it is spoken on the telephone, and as the camera read it.
    await hands.find(`${tag}BI`, page.getByRole('option', { name: new RegExp(read) }));
    await heading(page, `Visit of ${read}`).waitFor();
    await hands.press(page.getByRole('button', { name: /^Edit/ }));
    await hands.type(dialog(page, 'Edit').getByLabel('Plate'), plate);
    await hands.type(dialog(page, 'Edit').getByLabel('Reason'), 'Seen in the picture');
    await hands.press(dialog(page, 'Edit').getByRole('button', { name: 'Save' }));
    await heading(page, `Visit of ${plate}`).waitFor();
    // The site's report would count as a concurrent change at the next edit.
    await network.settled();

    await hands.press(page.getByRole('button', { name: /^Void/ }));
    await hands.type(dialog(page, 'Void').getByLabel('Reason'), 'Paid at the kiosk');
    await hands.press(dialog(page, 'Void').getByRole('button', { name: /^Void/ }));
    await hands.press(toast(page, 'is voided').getByRole('button', { name: 'Undo' }));
    await toast(page, 'Undone').waitFor();
    expect(await visit()).toMatchObject({ status: 'new', paymentStatus: null });
    await network.settled();
    await hands.press(page.getByRole('button', { name: /^Settle/ }));
    await hands.choose(dialog(page, 'Settle').getByLabel('Received as'), 'Cash');
    await hands.type(dialog(page, 'Settle').getByLabel('Reason'), 'Paid in cash');
    await hands.press(dialog(page, 'Settle').getByRole('button', { name: /^Settle ISK/ }));
    await toast(page, 'is settled').waitFor();
    expect(await visit()).toMatchObject({ plate, paymentStatus: 'kiosk' });
    // The timeline names each of it.
    for (const reason of ['Seen in the picture', 'Paid at the kiosk', 'Paid in cash']) {
      await page.getByRole('listitem').filter({ hasText: reason }).first().waitFor();
    }

    await hands.goTo('Money');
    await hands.tab('Invoices');
    await hands.type(page.getByLabel('Plate'), plate);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await hands.open(page.getByRole('row').last());
    await heading(page, /^Invoice \d+$/).waitFor();
    const amount = (await invoiceOf(plate))?.price.amount ?? 0;
    await hands.press(page.getByRole('button', { name: /^Refund/ }));
    const refund = dialog(page, /Refund/);
    await hands.type(refund.getByRole('textbox').first(), '50');
    await hands.type(refund.getByRole('textbox').last(), 'The gate did not open');
    // Only the whole amount can be refunded.
    await page.keyboard.press('Enter');
    await refund.getByText(/^The amount is ISK/).waitFor();
    expect((await invoiceOf(plate))?.status).toBe('paid');
    await hands.type(refund.getByRole('textbox').first(), String(amount));
    await hands.press(refund.getByRole('button', { name: /^Refund ISK/ }));
    await toast(page, 'refunded').waitFor();
    expect((await invoiceOf(plate))?.status).toBe('refunded');

    await hands.goTo('Permits');
    await hands.press(page.getByRole('button', { name: 'Import …' }));
    const csv = `plate,reason,weekdays,hours\r\n${guest},Staff,,\r\n${bad},,8,late\r\n`;
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    const form = dialog(page, 'Import permits');
    await form.getByLabel('File').setInputFiles(file);
    await form.getByRole('cell', { name: /weekdays/ }).waitFor();
    await expect.poll(() => form.getByRole('row').last().textContent()).toContain(`${bad},,8,late`);
    if (means === 'mouse') expect(await axeFaults(page)).toEqual([]);
    await hands.press(form.getByRole('button', { name: 'Add 1 permit' }));
    await toast(page, '1 permit was added').waitFor();
    await page.getByRole('row', { name: new RegExp(guest) }).waitFor();
    expect(await page.getByRole('row', { name: new RegExp(bad) }).count()).toBe(0);
    await network.settled();
    expect(await network.lane('in-2').passes(guest)).toMatchObject({ open: true, reason: 'permit' });
    await page.context().close();
  });

  it.each(MEANS)('a technician, by %s: what is out of order, since when, and a code', async (means) => {
    const page = await stage.open(`${network.site.siteId}/now`);
    const hands = new Hands(page, means);
    await hands.goTo('Devices');
    const link = page.getByRole('row', { name: /Link to the cloud/ });
    await expect.poll(() => link.textContent()).toContain('in order');
    await network.edge.stop();
    try {
      await expect
        .poll(() => link.textContent(), { timeout: deadline(30_000) })
        .toContain('Check the internet connection');
      // Devices that need a person come first.
      await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('Link to the cloud');
      await hands.open(link);
      await heading(page, /Link to the cloud/).waitFor();
      await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    } finally {
      await network.edge.start();
    }
    await network.settled();
    await hands.goTo('Devices');
    await expect.poll(() => link.textContent(), { timeout: deadline(30_000) }).toContain('in order');
    await hands.tab('Connection');
    await hands.press(page.getByRole('button', { name: 'Make a code' }));
    const made = dialog(page, 'Enrol a computer');
    await made.getByText(/hlid enrol \w{4}-\w{4} --cloud http/).waitFor();
    await expect.poll(() => made.getByRole('timer').textContent()).toMatch(/Valid for \d+:\d\d/);
    await page.keyboard.press('Escape');
    await page.context().close();
  });

  it.each(MEANS)(
    'a customer on a telephone, by %s: its own cars, guests, visits and units',
    async (means) => {
      const { operator } = network;
      const tag = tags.shift() ?? '';
      const [mine, other, guest] = [`${tag}A1`, `${tag}C2`, `${tag}E4`];
      const login = { email: `${tag}@example.is`, password: newSecret() };
      const customer = { name: `Fyrirtæki ${tag}`, language: 'is' };
      const { id: customerId } = await operator.call(IdViewSchema, 'POST', '/customers', { customer });
      const account = { role: 'customer', status: 'active', name: 'Anna', customerId };
      await operator.call(IdViewSchema, 'POST', '/accounts', { account, authentication: login });
      const dateFrom = new Date(Date.now() - 30 * 3_600_000).toISOString();
      await operator.call(IdViewSchema, 'POST', '/custodians', { plate: mine, customerId, dateFrom });
      await network.settled();
      const others = await parks(other);
      await operator.settle(others, 'kiosk', 'Cash');
      await parks(mine);

      const page = await stage.open('all/vehicles', {
        login: { id: login.email, password: login.password },
        viewport: { width: 360, height: 740 },
        language: 'is',
      });
      const hands = new Hands(page, means);
      const isOwn = async () => {
        expect(await page.getByText(other).count()).toBe(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
        if (means === 'mouse') expect(await axeFaults(page)).toEqual([]);
      };
      await page.getByRole('row', { name: new RegExp(mine) }).waitFor();
      await isOwn();

      await hands.goTo('Heimildir');
      await hands.press(page.getByRole('button', { name: 'Ný heimild' }));
      const form = dialog(page, 'Ný heimild');
      await hands.type(form.getByLabel('Bílnúmer'), guest);
      await hands.type(form.getByLabel('Ástæða'), 'Gestur');
      // Blocking is the operator's.
      expect(await form.getByLabel('Áhrif').count()).toBe(0);
      await hands.press(form.getByRole('button', { name: `Bæta við heimild fyrir ${guest}` }));
      await page.getByRole('row', { name: new RegExp(guest) }).waitFor();
      await isOwn();
      await network.settled();
      expect(await network.lane('in-2').passes(guest)).toMatchObject({ open: true, reason: 'permit' });

      await hands.goTo('Dvalir');
      await hands.open(page.getByRole('row', { name: new RegExp(mine) }));
      await heading(page, `Dvöl ${mine}`).waitFor();
      await page.getByText('Ef hann færi núna').waitFor();
      await page.getByRole('button', { name: 'Heimild frá þessari stundu' }).waitFor();
      for (const name of ['Gera upp', 'Fella niður', 'Breyta']) {
        expect(await page.getByRole('button', { name }).count(), name).toBe(0);
      }
      await isOwn();

      await hands.goTo('Fjármál');
      await page.getByText('Engir reikningar').waitFor();
      await expect
        .poll(() => page.getByRole('tab').allTextContents())
        .toEqual(['Reikningar', 'Ógreiddar dvalir', 'Andmæli']);
      await isOwn();
      await hands.tab('Ógreiddar dvalir');
      await page.getByRole('row', { name: new RegExp(mine) }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await isOwn();
      await addQuota(operator, customerId, 20);
      await hands.goTo('Kvótar');
      await page.getByRole('row').nth(1).waitFor();
      expect(await page.getByRole('button', { name: 'Nýr kvóti' }).count()).toBe(0);
      await isOwn();
      await page.goto(`${stage.address}/console/all/visits/${others}`);
      await page.getByRole('heading', { name: 'Ekki tókst að sækja þetta' }).waitFor();
      await page.context().close();
    },
  );
});
