import type { bankRoutes } from '@hlid/cloud/books/claims/bank-routes';
import type { ClaimWithMovementsSchema } from '@hlid/cloud/books/claims/claim';
import type { claimRoutes } from '@hlid/cloud/books/claims/claim-routes';
import type { InvoiceRemindersSchema } from '@hlid/cloud/books/reminders/reminder';
import type { reminderRoutes } from '@hlid/cloud/books/reminders/reminder-routes';
import type { InvoiceWithLinesSchema } from '@hlid/cloud/money/invoices/invoice';
import type { invoiceRoutes } from '@hlid/cloud/money/invoices/invoice-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';
import { createDrawing } from './draw-screen.ts';

type WholeClaim = z.infer<typeof ClaimWithMovementsSchema>;

const AT = '2026-11-21T12:00:00.000Z';

const paid = { discount: 0, interest: 0, costs: 0, bookedOn: '2026-11-20', valueOn: '2026-11-20' };

const CLAIM: WholeClaim = {
  id: 'claim',
  invoiceId: 'invoice',
  invoiceNumber: 1041,
  siteId: SITE.id,
  customer: { id: 'customer', name: 'Æðey & synir ehf.' },
  payerName: 'Æðey & synir ehf.',
  bankId: 'landsbanki',
  claimant: '5501012020',
  payer: '5305750209',
  account: '013366000123',
  dueOn: '2026-11-05',
  currency: 'ISK',
  terms: {
    amount: 12_400,
    finalDueOn: '2026-11-05',
    discount: null,
    defaultCharge: { days: 10, amount: 950 },
    interest: true,
    partPayments: true,
  },
  state: 'unpaid',
  collection: 'primary',
  paid: 0,
  due: 13_481,
  isContested: false,
  order: null,
  reason: null,
  detail: null,
  followedOn: AT,
  createdOn: AT,
  modifiedOn: AT,
  movements: [
    { ...paid, kind: 'payment', paid: 5_131, principal: 5_000, interest: 131, deposited: 5_131 },
    { ...paid, kind: 'reversal', paid: -5_131, principal: -5_000, interest: -131, deposited: -5_131 },
  ],
  actions: ['change', 'cancel'],
};

const INVOICE: z.infer<typeof InvoiceWithLinesSchema> = {
  id: 'invoice',
  number: 1041,
  seller: null,
  kind: 'invoice',
  credits: null,
  status: 'draft',
  paymentState: 'open',
  productId: null,
  price: { amount: 12_400, currency: 'ISK' },
  tip: 0,
  openRefund: 0,
  vat: [{ category: 'S', rate: 24, reasons: [], net: 10_000, vat: 2_400 }],
  paymentType: 'company-invoice',
  siteId: SITE.id,
  visitId: null,
  customer: { id: 'customer', name: 'Æðey & synir ehf.' },
  payer: { ssn: '5305750209', name: 'Æðey & synir ehf.' },
  invoiceEmail: null,
  language: 'is',
  receipt: null,
  settlement: null,
  period: null,
  publishStatus: null,
  remoteStatus: 'draft',
  createdOn: AT,
  issuedOn: AT,
  dueOn: '2026-11-05',
  refundedOn: null,
  lines: [],
  creditNotes: [],
  // A part of it was taken back.
  open: 11_000,
  openRefundReason: null,
  eInvoice: null,
  actions: [],
  needsApproval: [],
};

const REMINDER = {
  id: 'reminder',
  invoiceId: 'invoice',
  step: 'warning',
  open: 12_400,
  charge: 1_178,
  currency: 'ISK',
  writtenOn: AT,
  state: 'paper',
  deliveredOn: null,
  chargeInvoice: null,
} as const;

const UNDELIVERED: z.infer<typeof InvoiceRemindersSchema> = {
  next: null,
  stopped: 'undelivered',
  reminders: [REMINDER],
};

const WARNED: z.infer<typeof InvoiceRemindersSchema> = {
  next: { step: 'letter', on: '2026-12-04', charge: 3_700 },
  stopped: null,
  reminders: [
    { ...REMINDER, state: 'delivered', deliveredOn: AT, chargeInvoice: { id: 'charge', number: 1042 } },
  ],
};

const NO_PAYER = { code: 'claim-no-payer', path: ['invoiceId'], params: {} } satisfies AnyMistake;

const TERMS = {
  isOn: false,
  fromDay: null,
  warningDays: 7,
  warningCharge: 0,
  letters: 1,
  letterDays: 10,
  letterCharge: 0,
};

describe.skipIf(!CHROMIUM_IS_HERE)('claims and reminders', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    cloud = new ConsoleStandIn({ permissions: ['money'] });
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    cloud.answering<typeof reminderRoutes>()('$get', '/sites/:id/reminders', () => TERMS);
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });
  const open = (path: string, locale = 'en-GB') => cloud.open(browser, `${SITE.id}/${path}`, locale);
  const answersClaim = (claim: () => WholeClaim) => {
    const { movements: _movements, actions: _actions, ...listed } = claim();
    cloud.answering<typeof claimRoutes>()('$get', '/claims', () => wholeList([listed]));
    cloud.answering<typeof claimRoutes>()('$get', '/claim/:id', claim);
  };

  it('are listed by state and age, and one shows what the bank says and what was taken back', async () => {
    answersClaim(() => CLAIM);
    page = await open('money?tab=claims');
    await page.getByRole('row', { name: /1041.*Unpaid/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Status').selectOption({ label: 'Unpaid' });
    await page.getByLabel('Overdue by').selectOption({ label: '30 days or more' });
    await page.waitForURL(/state=unpaid.*age=30|age=30.*state=unpaid/);
    await expect
      .poll(() => cloud.callsOf('GET', '/claims').at(-1)?.path)
      .toMatch(/state=unpaid.*dueBefore=\d{4}-\d\d-\d\d/);
    await page.getByRole('rowheader').first().click();
    await page.getByRole('heading', { name: 'Claim for invoice no. 1041' }).waitFor();
    await page.getByRole('rowheader', { name: 'Reversal' }).waitFor();
    await page.getByText('ISK 13,481 – With interest and costs.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  it('one of unknown outcome says that it is asked about, and not to be made by hand', async () => {
    const order = { kind: 'create', step: 'unknown', terms: null } as const;
    answersClaim(() => ({
      ...CLAIM,
      state: 'new',
      order,
      reason: 'not-reached',
      movements: [],
      actions: [],
    }));
    page = await open('money/claims/claim');
    await page.getByText('Do not make the claim by hand meanwhile.').waitFor();
    await page.getByText('If it lasts a day, call the bank.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the claim' }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('one is changed and cancelled by keys, with a reason', async () => {
    answersClaim(() => CLAIM);
    const answering = cloud.answering<typeof claimRoutes>();
    answering('$put', '/claim/:id', () => CLAIM);
    answering('$post', '/claim/:id/cancel', () => CLAIM);
    page = await open('money/claims/claim');
    await page.getByRole('button', { name: 'Change' }).press('Enter');
    await page.getByLabel('Final due date').fill('10/12/2026');
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).press('Enter');
    await page.getByText('The change is on its way to the bank.').waitFor();
    // Something was paid: the amount is not sent.
    expect(cloud.callsOf('PUT', '/claim/claim')[0]?.body).toEqual({ finalDueOn: '2026-12-10' });
    await page.getByRole('button', { name: 'Cancel the claim' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Paid by transfer');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel the claim' }).press('Enter');
    await page.getByText('The cancellation is on its way to the bank.').waitFor();
    expect(cloud.callsOf('POST', '/claim/claim/cancel')[0]?.body).toEqual({ reason: 'Paid by transfer' });
  });

  it('a claim is made from an unpaid invoice, which shows its reminders and the next step', async () => {
    cloud.answering<typeof invoiceRoutes>()('$get', '/invoice/:id', () => INVOICE);
    const answering = cloud.answering<typeof reminderRoutes>();
    answering('$get', '/invoice/:id/reminders', () => UNDELIVERED);
    const letter = { subject: 'Innheimtuviðvörun', text: 'Góðan dag.' };
    answering('$get', '/reminder/:id', () => ({ ...REMINDER, letter }));
    answering('$post', '/reminder/:id/deliver', () => ({ ...REMINDER, letter }));
    let refusals = 1;
    cloud.answering<typeof claimRoutes>()('$post', '/claims', () =>
      refusals-- > 0 ? new Refused(400, [NO_PAYER], ['The national id of the payer is not known.']) : CLAIM,
    );
    page = await open('money/invoices/invoice');
    const claims = page.getByRole('region', { name: 'Claim at a bank' });
    await claims.getByRole('button', { name: 'Make a claim' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Make a claim of ISK 11,000' });
    await dialog.getByRole('button', { name: 'Make a claim' }).press('Enter');
    await dialog.getByText('The national id of the payer is not known.').waitFor();
    await dialog.getByRole('button', { name: 'Make a claim' }).press('Enter');
    await page.getByText('The claim is on its way to the bank.').waitFor();
    const reminders = page.getByRole('region', { name: 'Reminders' });
    await reminders.getByText('it does not count yet').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await reminders.getByRole('button', { name: 'Show the letter' }).press('Enter');
    await page.getByRole('dialog', { name: 'Innheimtuviðvörun' }).getByText('Góðan dag.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'It was delivered' }).press('Enter');
    await page.getByText('Noted.').waitFor();
    expect(cloud.callsOf('POST', '/reminder/reminder/deliver')).toHaveLength(1);
  });

  it('the agreement of a bank and the reminders of a site are set', async () => {
    let agreement: typeof AGREEMENT | null = null;
    const bank = () => ({ id: 'landsbanki', isConfigured: true, agreement, modifiedOn: null });
    const answering = cloud.answering<typeof bankRoutes>();
    answering('$get', '/banks', () => wholeList([bank()]));
    answering('$put', '/bank/:id', () => {
      agreement = AGREEMENT;
      return bank();
    });
    cloud.answering<typeof reminderRoutes>()('$post', '/sites/:id/reminders', () => TERMS);
    page = await open('money?tab=claims');
    await page.getByRole('button', { name: 'Reminders: off' }).press('Enter');
    const terms = page.getByRole('dialog', { name: 'Reminders of Harbour' });
    await terms.getByText('Remind of unpaid invoices').click();
    await terms.getByLabel('Charge for the warning, before VAT').fill('951');
    await terms.getByText('950').waitFor();
    await terms.getByLabel('Charge for the warning, before VAT').fill('950');
    expect(await axeFaults(page)).toEqual([]);
    await terms.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    const { fromDay: _from, ...sent } = TERMS;
    expect(cloud.callsOf('POST', `/sites/${SITE.id}/reminders`)[0]?.body).toEqual({
      ...sent,
      isOn: true,
      warningCharge: 950,
    });
    await page.getByRole('link', { name: 'Agreements with banks' }).press('Enter');
    await page.getByText('Nothing was agreed').waitFor();
    await page.getByRole('button', { name: 'Set the agreement' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Agreement with landsbanki' });
    await dialog.getByLabel('National id of the company').fill(AGREEMENT.owner);
    await dialog.getByLabel('Branch').fill(AGREEMENT.branch);
    await dialog.getByLabel('Code of the contract').fill('hli');
    await dialog.getByLabel('Charge for late payment').fill('950');
    await dialog.getByLabel('Days until the charge').fill('10');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save the agreement' }).press('Enter');
    await page.getByText('5501012020').waitFor();
    expect(cloud.callsOf('PUT', '/bank/landsbanki')[0]?.body).toEqual(AGREEMENT);
  });

  it.each(['en-GB', 'is-IS'])('fit in every width: %s', async (locale) => {
    const order = { kind: 'change', step: 'unknown', terms: CLAIM.terms } as const;
    answersClaim(() => ({ ...CLAIM, order }));
    cloud.answering<typeof invoiceRoutes>()('$get', '/invoice/:id', () => INVOICE);
    cloud.answering<typeof reminderRoutes>()('$get', '/invoice/:id/reminders', () => WARNED);
    const bank = { id: 'landsbanki', isConfigured: true, agreement: AGREEMENT, modifiedOn: AT };
    cloud.answering<typeof bankRoutes>()('$get', '/banks', () => wholeList([bank]));
    page = await open('money?tab=claims', locale);
    const draw = await createDrawing(page, 'console');
    for (const [name, path, text] of [
      ['claims', 'money?tab=claims', /1041/],
      ['claim', 'money/claims/claim', /1041/],
      ['claim-invoice', 'money/invoices/invoice', /Letter of collection|Milliinnheimtubréf/],
      ['claim-banks', 'money/banks', /landsbanki/],
    ] as const) {
      await page.goto(`https://console.example/console/${SITE.id}/${path}`);
      for (const width of [390, 1366, 2560]) {
        await page.setViewportSize({ width, height: 1100 });
        await page.getByText(text).first().waitFor();
        await draw(`${name}-${locale}-${width}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(wider, `${name} ${width}`).toBeLessThanOrEqual(0);
      }
      expect(await axeFaults(page)).toEqual([]);
    }
  });
});

const AGREEMENT = {
  owner: '5501012020',
  branch: '0133',
  templateCode: 'HLI',
  licence: null,
  interest: true,
  defaultCharge: { days: 10, amount: 950 },
  partPayments: false,
};
