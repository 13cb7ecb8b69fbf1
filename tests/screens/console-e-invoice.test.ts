import type { Invoice, InvoiceWithLinesSchema } from '@hlid/cloud/money/invoices/invoice';
import type { invoiceRoutes } from '@hlid/cloud/money/invoices/invoice-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import type { sendRoutes } from '@hlid/cloud/paying/e-invoice-sending/send-routes';
import type { documentRoutes } from '@hlid/cloud/paying/invoice-document/document-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';
import { createDrawing } from './draw-screen.ts';

type Shown = z.infer<typeof InvoiceWithLinesSchema>;

const AT = '2026-11-21T12:00:00.000Z';

const ISSUED: Invoice = {
  id: 'invoice',
  number: 1041,
  seller: {
    name: 'Bílahúsið ehf.',
    ssn: '550101-2020',
    vatNumber: '12345',
    address: null,
    bankAccount: '0133-26-001234',
  },
  kind: 'invoice',
  credits: null,
  status: 'draft',
  paymentState: 'open',
  productId: null,
  price: { amount: 1240, currency: 'ISK' },
  tip: 0,
  openRefund: 0,
  vat: [{ category: 'S', rate: 24, reasons: [], net: 1000, vat: 240 }],
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
  publishStatus: 'failed',
  remoteStatus: 'draft',
  createdOn: AT,
  issuedOn: AT,
  dueOn: '2026-12-05',
  refundedOn: null,
};

const E_INVOICE: NonNullable<Shown['eInvoice']> = {
  state: 'refused',
  on: AT,
  accessPoint: 'http',
  receiver: '0196:5305750209',
  reference: null,
  reason: 'receiver-unknown',
  detail: '0196:5305750209 is not in the directory',
  attempts: 1,
};

const REFUSED: Shown = {
  ...ISSUED,
  lines: [],
  creditNotes: [],
  open: 1240,
  openRefundReason: null,
  eInvoice: E_INVOICE,
  actions: ['send'],
  needsApproval: [],
};

describe.skipIf(!CHROMIUM_IS_HERE)('an electronic invoice on the page of an invoice', () => {
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
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });
  const answers = (shown: () => Shown) =>
    cloud.answering<typeof invoiceRoutes>()('$get', '/invoice/:id', shown);
  const open = (locale = 'en-GB') => cloud.open(browser, `${SITE.id}/money/invoices/invoice`, locale);
  const card = (name = 'Electronic invoice') => page.getByRole('region', { name });

  it('that was refused says why and what to do, and is sent again by a key', async () => {
    let eInvoice = E_INVOICE;
    answers(() => ({ ...REFUSED, eInvoice }));
    cloud.answering<typeof sendRoutes>()('$post', '/invoice/:id/send', () => {
      eInvoice = { ...E_INVOICE, state: 'waiting', reason: null, detail: null, attempts: 2 };
      return { ...REFUSED, eInvoice };
    });
    page = await open();
    await card().getByText('Refused', { exact: true }).waitFor();
    await card().getByText('Ask the customer to register').waitFor();
    await card().getByText('0196:5305750209 is not in the directory').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await card().getByRole('button', { name: 'Send again' }).focus();
    await page.keyboard.press('Enter');
    await card().getByText('Waiting', { exact: true }).waitFor();
    expect(cloud.callsOf('POST', '/invoice/invoice/send')).toHaveLength(1);
  });

  it('waits where there is no access point, and says what to do', async () => {
    const waiting = { state: 'waiting', reason: 'no-access-point', detail: null } as const;
    answers(() => ({ ...REFUSED, eInvoice: { ...E_INVOICE, ...waiting }, actions: [] }));
    page = await open();
    await card().getByText('This site has no access point.').waitFor();
    expect(await card().getByRole('button').count()).toBe(0);
  });

  it('that cannot be made as XML names what is missing, on the page', async () => {
    answers(() => ({ ...REFUSED, eInvoice: null, actions: [] }));
    const lacks = { code: 'e-invoice-vat-mixed', path: [], params: {} };
    cloud.answering<typeof documentRoutes>()(
      '$get',
      '/invoice/:id/document',
      () => new Refused(409, [lacks]),
    );
    page = await open('is-IS');
    await page.getByRole('button', { name: 'XML fyrir forrit' }).click();
    await page.getByText('kreditfærðu annan hlutann').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'PDF' }).getAttribute('href'))
      .toContain('?as=pdf');
  });

  it.each([
    { locale: 'is-IS', name: 'Rafrænn reikningur' },
    { locale: 'en-GB', name: 'Electronic invoice' },
  ])('fits in every width: $locale', async ({ locale, name }) => {
    answers(() => REFUSED);
    page = await open(locale);
    const draw = await createDrawing(page, 'console');
    for (const width of [360, 1366, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await card(name).waitFor();
      await draw(`e-invoice-${locale}-${width}`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider).toBeLessThanOrEqual(0);
    }
    expect(await axeFaults(page)).toEqual([]);
  });
});
