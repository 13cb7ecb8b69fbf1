import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '@hlid/cloud/platform/db/libsql-db';
import { chargeTable } from '@hlid/cloud/records/invoices/charge-table';
import { ACCOUNTS, booksRows } from '@hlid/cloud/test/bookkeeping';
import { oracleJars } from '@hlid/cloud/test/oracles/oracle-jars';
import { brokenRules } from '@hlid/cloud/test/oracles/peppol-rules';
import { startSmtpServer } from '@hlid/cloud/test/smtp-server';
import { BOOK_ROLES } from '@hlid/protocol/base/book-roles';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { formatMoney } from '@hlid/protocol/base/money';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { billToEnd } from '../faults/billed-customers.ts';
import { buildConsole } from '../harness/build-pages.ts';
import { startOperatedCloud } from '../harness/cloud-program.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { addDefaultProducts, createSite } from '../harness/provision.ts';
import { mailedFiles } from '../harness/read-mail.ts';
import { waitFor } from '../harness/wait.ts';
import { axeFaults } from '../screens/axe-faults.ts';
import { CHROMIUM_IS_HERE } from '../screens/chromium.ts';
import { type ConsoleStage, showConsole, stageForGroup } from '../screens/console-page.ts';
import { createDrawing } from '../screens/draw-screen.ts';
import { Hands, type Means } from '../screens/hands.ts';
import { IobwsBankServer } from '../sim/iobws-bank.ts';

const SELLER = {
  name: 'Bílahúsið ehf.',
  ssn: '550101-2020',
  vatNumber: '12345',
  street: 'Þórsgata 1',
  postcode: '101',
  city: 'Reykjavík',
};
const AGREEMENT = {
  owner: '5501012020',
  branch: '0133',
  templateCode: 'HLI',
  licence: null,
  interest: true,
  defaultCharge: { days: 10, amount: 950 },
  partPayments: true,
};
const PLACE = { street: 'Hafnarstræti 5', postcode: '600', city: 'Akureyri', country: 'IS' };
/** Three stays of 500 kr. */
const WHOLE = 1500;
const SHORT = 900;
/** Charges of that day are of a month that has ended. */
const LAST_MONTH_MS = 32 * DAY_MS;

/** What the clerk reads, in either language. */
const WORDS = {
  en: {
    claim: 'Claim at a bank',
    make: 'Make a claim',
    ask: 'Ask the bank now',
    unpaid: 'Unpaid',
    inPart: 'Paid in part',
    paid: 'Paid',
    stillToPay: 'Still to pay',
    takenBack: /^The bank took (.*) back on /,
    movements: 'Payments and reversals',
    receivables: 'Receivables',
  },
  is: {
    claim: 'Krafa í banka',
    make: 'Stofna kröfu',
    ask: 'Spyrja bankann núna',
    unpaid: 'Ógreidd',
    inPart: 'Greidd að hluta',
    paid: 'Greidd',
    stillToPay: 'Eftir að greiða',
    takenBack: /^Bankinn bakfærði (.*) þann /,
    movements: 'Greiðslur og bakfærslur',
    receivables: 'Viðskiptakröfur',
  },
} as const;
type Language = keyof typeof WORDS;

const InvoicesSchema = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), number: z.int(), price: z.looseObject({ amount: z.int() }) }),
  ),
});
const ReceivablesSchema = z.looseObject({
  rows: z.array(z.looseObject({ customerId: z.string().nullable(), total: z.int() })),
});

describe.skipIf(!CHROMIUM_IS_HERE)('a company receives its monthly invoice, and pays its claim short', () => {
  let stage: ConsoleStage;
  let folder: string;
  let siteId: string;
  let bank: IobwsBankServer;
  let mailServer: Awaited<ReturnType<typeof startSmtpServer>>;
  const clerk = { id: 'clerk@example.is', password: newSecret() };
  /** The electronic invoices that came by mail. */
  const electronic = new Map<string, string>();
  const today = new Date().toISOString().slice(0, 10);
  const operator = () => stage.operated.operator;
  const made = async (path: string, body: object) =>
    (await operator().call(IdViewSchema, 'POST', path, body)).id;

  stageForGroup(
    async () => {
      folder = mkdtempSync(join(tmpdir(), 'hlid-company-'));
      bank = new IobwsBankServer();
      await bank.start();
      mailServer = await startSmtpServer();
      const file = join(folder, 'cloud.yaml');
      writeFileSync(file, stringify({ banks: [{ kind: 'iobws', url: bank.origin, token: bank.token }] }));
      await buildConsole(console.warn);
      const env = {
        HLID_CLOUD_CONFIG: file,
        HLID_SMTP_URL: mailServer.url,
        HLID_MAIL_FROM: 'Hlið <hlid@example.is>',
      };
      const operated = await startOperatedCloud({ folder, env });
      stage = await showConsole(operated, async () => {
        await operated.cloud.stop();
        rmSync(folder, { recursive: true });
      });
      ({ siteId } = await createSite(operator(), {
        name: 'Höfn',
        timeZone: 'Atlantic/Reykjavik',
        currency: 'ISK',
        settings: { entryGraceMinutes: 0, seller: SELLER },
      }));
      await addDefaultProducts(operator());
      await operator().call(z.unknown(), 'PUT', '/bank/bank', AGREEMENT);
      const lines = BOOK_ROLES.map((role) => ({
        role,
        detail: null,
        account: ACCOUNTS[role] ?? '',
        vatCode: null,
      }));
      await operator().call(z.unknown(), 'PUT', '/bookkeeping-accounts', { lines, datev: null });
      const account = {
        role: 'operator',
        status: 'active',
        name: 'Birna',
        permissions: ['visits', 'money'],
      };
      await made('/accounts', { account, authentication: { email: clerk.id, password: clerk.password } });
    },
    async () => {
      await stage?.stop();
      await Promise.all([bank?.stop(), mailServer?.stop()]);
    },
  );

  /** A company whose three stays of last month were billed today. */
  async function billedCompany(name: string, ssn: string, plates: readonly string[]) {
    const options = { billingMethod: 'monthly', sendInvoicesToEmail: true, ...PLACE };
    const email = `${plates[0]?.toLowerCase()}@example.is`;
    const customer = { name, ssn, email, language: 'is', options };
    const customerId = await made('/customers', { customer });
    for (const plate of plates) {
      await made('/custodians', { plate, customerId });
      // The customer of a visit depends on its start.
      const visit = await made('/visits', { plate, startedOn: new Date().toISOString(), siteId });
      await operator().settle(visit, 'company-invoice', 'Billed to the company');
    }
    const db = await openDb(join(folder, 'cloud.db'));
    const at = new Date(Date.now() - LAST_MONTH_MS).toISOString();
    await db.write(({ q }) =>
      q.update(chargeTable).set({ at }).where(eq(chargeTable.customerId, customerId)),
    );
    await db.close();
    await billToEnd(operator());
    const { data } = await operator().call(InvoicesSchema, 'GET', `/invoices?customer=${customerId}`);
    const [invoice, ...more] = data;
    if (invoice === undefined || more.length > 0) throw new Error(`${name} has ${data.length} invoices.`);
    expect(invoice.price.amount).toBe(WHOLE);
    return { customerId, email, invoice };
  }

  async function mailedTo(address: string) {
    const mail = () => mailServer.received.find(({ to }) => to.includes(address));
    await waitFor(async () => mail() !== undefined, { what: `the mail to ${address}` });
    return mailedFiles(mail()?.raw ?? '');
  }

  /** What the company owes, by the report and by the account of receivables, which agree. */
  async function owes(customerId: string): Promise<number> {
    const report = await operator().call(
      ReceivablesSchema,
      'GET',
      `/reports/receivables?asOf=${today}&siteId=${siteId}`,
    );
    const total = report.rows.reduce((sum, row) => sum + row.total, 0);
    const rows = booksRows(await operator().bytes(`/bookkeeping/${today.slice(0, 7)}?as=csv&open=true`));
    const receivables = rows
      .filter(({ account }) => account === ACCOUNTS['receivables'])
      .reduce((sum, { debit, credit }) => sum + Number(debit) - Number(credit), 0);
    expect(total).toBe(receivables);
    return report.rows.find((row) => row.customerId === customerId)?.total ?? 0;
  }

  it.each([
    { means: 'mouse', language: 'en', plates: ['FEL01', 'FEL02', 'FEL03'], ssn: '5305750209' },
    { means: 'keyboard', language: 'is', plates: ['FEL04', 'FEL05', 'FEL06'], ssn: '4902697399' },
  ] as const satisfies readonly { means: Means; language: Language; plates: string[]; ssn: string }[])(
    'by $means, in $language',
    async ({ means, language, plates, ssn }) => {
      const words = WORDS[language];
      const money = (amountMinor: number) => formatMoney({ amountMinor, currency: 'ISK' }, language);
      const { customerId, email, invoice } = await billedCompany(`Félag ${means}`, ssn, plates);

      const files = await mailedTo(email);
      expect(files.map(({ type }) => type).sort()).toEqual(['application/pdf', 'application/xml']);
      const contentOf = (type: string) => files.find((one) => one.type === type)?.content ?? Buffer.alloc(0);
      expect(contentOf('application/pdf').toString('latin1')).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
      const ubl = contentOf('application/xml').toString();
      expect(ubl).toContain(`<cbc:PayableAmount currencyID="ISK">${WHOLE}</cbc:PayableAmount>`);
      electronic.set(`invoice-${invoice.number}`, ubl);

      const page = await stage.open(`${siteId}/money?tab=invoices`, { login: clerk, language });
      const hands = new Hands(page, means);
      await hands.open(page.getByRole('row', { name: new RegExp(`Félag ${means}`) }));
      const card = page.getByRole('region', { name: words.claim });
      await hands.press(card.getByRole('button', { name: words.make }));
      const dialog = page.getByRole('dialog');
      expect(await axeFaults(page)).toEqual([]);
      await hands.press(dialog.getByRole('button', { name: words.make }));
      await card.getByText(words.unpaid, { exact: true }).waitFor();
      const claim = [...bank.claims.values()].find(({ payorId }) => payorId === ssn);
      expect(claim).toMatchObject({ amount: WHOLE, currency: 'ISK' });
      const { claimId = '' } = claim ?? {};

      /** The clerk asks the bank, and sees what is still to pay of the invoice. */
      const asks = async (state: string, left: number | null) => {
        await hands.press(card.getByRole('button', { name: words.ask }));
        await card.getByText(state, { exact: true }).waitFor();
        if (left === null) await fact(page, words.stillToPay).waitFor({ state: 'detached' });
        else
          await fact(page, words.stillToPay)
            .filter({ hasText: money(left) })
            .waitFor();
        expect(await axeFaults(page)).toEqual([]);
      };
      const draw = await createDrawing(page, 'console');
      const looksAt = async (name: string) => {
        for (const width of [390, 1366]) {
          await page.setViewportSize({ width, height: 1000 });
          await draw(`${name}-${language}-${width}`);
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect(wider, `${name} ${width}`).toBeLessThanOrEqual(0);
        }
      };

      bank.pay(claimId, { principal: SHORT, bookedOn: today });
      await asks(words.inPart, WHOLE - SHORT);
      await looksAt('claim-paid-short');
      expect(await owes(customerId)).toBe(WHOLE - SHORT);

      bank.reverse(claimId, today);
      await asks(words.unpaid, null);
      await card
        .getByText(words.takenBack)
        .filter({ hasText: money(SHORT) })
        .waitFor();
      await looksAt('claim-taken-back');
      expect(await owes(customerId)).toBe(WHOLE);

      bank.pay(claimId, { bookedOn: today });
      await asks(words.paid, null);
      expect(await owes(customerId)).toBe(0);

      bank.reverse(claimId, today);
      await asks(words.unpaid, null);
      // Asked once more, the bank says the same, and nothing is booked twice.
      const answers = () => bank.calls.filter((call) => call === 'history').length;
      const before = answers();
      await hands.press(card.getByRole('button', { name: words.ask }));
      await expect.poll(answers).toBeGreaterThan(before);
      expect(await owes(customerId)).toBe(WHOLE);

      await hands.press(card.getByRole('link'));
      const movements = page.getByRole('table', { name: words.movements });
      await expect.poll(() => movements.getByRole('row').count()).toBe(1 + 4);
      expect(await axeFaults(page)).toEqual([]);
      await looksAt('claim-movements');
      await hands.press(page.getByRole('link', { name: new RegExp(`${invoice.number}$`) }));
      await page.getByRole('heading', { level: 1, name: new RegExp(`${invoice.number}$`) }).waitFor();

      await hands.press(page.locator('a.back-link').first());
      await hands.tab(words.receivables);
      const owed = page.getByRole('row', { name: new RegExp(`Félag ${means}`) });
      await owed.filter({ hasText: money(WHOLE) }).waitFor();
      expect(bank.complaints).toEqual([]);
      await page.context().close();
    },
  );

  const jars = oracleJars();
  if (!jars.ok) it.skip(`its electronic invoices keep to EN 16931 and Peppol: ${jars.missing}`);
  else {
    it('its electronic invoices keep to EN 16931, Peppol and the Icelandic rules', async () => {
      expect(electronic.size).toBe(2);
      const broken = await brokenRules(jars.folder, electronic);
      expect([...broken]).toEqual([...electronic.keys()].map((name) => [name, []]));
    });
  }
});

/** What stands beside a name among the facts of a record. */
function fact(page: Page, name: string) {
  return page.locator(`dt:text-is("${name}") + dd`);
}
