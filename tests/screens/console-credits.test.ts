import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '@hlid/cloud/platform/db/libsql-db';
import { chargeTable } from '@hlid/cloud/records/invoices/charge-table';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { billToEnd } from '../faults/billed-customers.ts';
import { buildConsole } from '../harness/build-pages.ts';
import { startOperatedCloud } from '../harness/cloud-program.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { addDefaultProducts, createSite } from '../harness/provision.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, showConsole, stageForGroup } from './console-page.ts';
import { Hands, MEANS, type Means } from './hands.ts';

const PRICE = 500;
const InvoiceSchema = z.looseObject({
  id: z.string(),
  number: z.int().nullable(),
  kind: z.enum(['invoice', 'credit-note']),
  credits: z.looseObject({ invoiceId: z.string() }).nullable(),
  price: z.looseObject({ amount: z.int() }),
  customer: z.looseObject({ id: z.string() }).nullable(),
});
const InvoicesSchema = z.looseObject({ data: z.array(InvoiceSchema) });

describe.skipIf(!CHROMIUM_IS_HERE)('a clerk credits half an invoice, and a manager approves', () => {
  let stage: ConsoleStage;
  let folder: string;
  let siteId: string;
  const clerk = { id: 'clerk@example.is', password: newSecret() };
  const manager = { id: 'manager@example.is', password: newSecret() };
  const made = async (path: string, body: object) =>
    (await stage.operated.operator.call(IdViewSchema, 'POST', path, body)).id;

  stageForGroup(
    async () => {
      folder = mkdtempSync(join(tmpdir(), 'hlid-credits-'));
      await buildConsole(console.warn);
      const operated = await startOperatedCloud({ folder });
      stage = await showConsole(operated, async () => {
        await operated.cloud.stop();
        rmSync(folder, { recursive: true });
      });
      const { operator } = operated;
      ({ siteId } = await createSite(operator, {
        name: 'Höfn',
        timeZone: 'Atlantic/Reykjavik',
        currency: 'ISK',
        settings: { entryGraceMinutes: 0 },
      }));
      await addDefaultProducts(operator);
      for (const [login, name] of [
        [clerk, 'Birna'],
        [manager, 'Davíð'],
      ] as const) {
        const account = { role: 'operator', status: 'active', name, permissions: ['visits', 'money'] };
        await made('/accounts', { account, authentication: { email: login.id, password: login.password } });
      }
      await operator.call(z.unknown(), 'PUT', `/sites/${siteId}/approval-limits`, { credit: PRICE / 2 });
    },
    () => stage?.stop(),
  );

  /** An invoice to a company for the stays of these cars, which ended yesterday. */
  async function billedInvoice(company: string, plates: readonly string[]) {
    const { operator } = stage.operated;
    const customer = { name: company, language: 'is', options: { billingMethod: 'daily' } };
    const customerId = await made('/customers', { customer });
    for (const plate of plates) {
      await made('/custodians', { plate, customerId });
      // The customer of a visit depends on its start.
      const startedOn = new Date().toISOString();
      const visit = await made('/visits', { plate, startedOn, siteId });
      await operator.settle(visit, 'company-invoice', 'Billed to the company');
    }
    const db = await openDb(join(folder, 'cloud.db'));
    const at = new Date(Date.now() - DAY_MS).toISOString();
    await db.write(({ q }) =>
      q.update(chargeTable).set({ at }).where(eq(chargeTable.customerId, customerId)),
    );
    await db.close();
    await billToEnd(operator);
    const invoice = (await invoicesOf(customerId)).find(({ kind }) => kind === 'invoice');
    if (invoice === undefined) throw new Error(`${company} was not billed.`);
    expect(invoice.price.amount).toBe(plates.length * PRICE);
    return { ...invoice, customerId };
  }

  async function invoicesOf(customerId: string) {
    const { data } = await stage.operated.operator.call(
      InvoicesSchema,
      'GET',
      `/invoices?customer=${customerId}`,
    );
    return data;
  }

  async function as(login: typeof clerk, path: string, means: Means) {
    const page = await stage.open(path, { login });
    return { page, hands: new Hands(page, means) };
  }

  it.each(MEANS)('by %s', async (means) => {
    const plates = means === 'mouse' ? ['KRE01', 'KRE02'] : ['KRE03', 'KRE04'];
    const invoice = await billedInvoice(`Félag ${means}`, plates);
    const office = await as(clerk, `${siteId}/money/invoices/${invoice.id}`, means);
    await office.hands.press(office.page.getByRole('button', { name: 'Correct by line' }));
    const dialog = office.page.getByRole('dialog');
    await dialog.getByText(/second person/).waitFor();
    await office.hands.check(dialog.getByRole('checkbox', { name: new RegExp(`^${plates[0]}`) }));
    await office.hands.choose(dialog.getByRole('combobox', { name: /^What the visits owe/ }), 'Is given up');
    await office.hands.type(dialog.getByLabel('Reason'), 'The car was in the workshop');
    expect(await axeFaults(office.page)).toEqual([]);
    await office.hands.press(dialog.getByRole('button', { name: /^Take .*500 back$/ }));
    await dialog.waitFor({ state: 'detached' });
    // Nothing is issued before the manager has decided.
    expect(await invoicesOf(invoice.customerId)).toHaveLength(1);

    const chief = await as(manager, `${siteId}/approvals`, means);
    await chief.page.getByText('The car was in the workshop').waitFor();
    await chief.hands.open(chief.page.getByRole('row', { name: /The car was in the workshop/ }));
    await chief.hands.press(chief.page.getByRole('button', { name: 'Approve', exact: true }));
    const approving = chief.page.getByRole('dialog');
    await chief.hands.press(approving.getByRole('button', { name: /^Approve: Credit of an invoice, .*500/ }));
    await chief.page.getByText('Approved and done.').waitFor();
    expect(await axeFaults(chief.page)).toEqual([]);

    // The clerk's page shows the note by itself.
    await office.page.getByText('Taken back by').waitFor();
    const [note] = (await invoicesOf(invoice.customerId)).filter(({ kind }) => kind === 'credit-note');
    expect(note).toMatchObject({ credits: { invoiceId: invoice.id }, price: { amount: -PRICE } });
    await office.hands.press(office.page.getByRole('link', { name: `Credit note ${note?.number}` }));
    await office.page.getByRole('heading', { level: 1, name: `Credit note ${note?.number}` }).waitFor();
    expect(await axeFaults(office.page)).toEqual([]);
    await office.page.context().close();
    await chief.page.context().close();
  });
});
