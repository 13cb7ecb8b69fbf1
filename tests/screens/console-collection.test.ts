import type {
  CollectableSchema,
  CollectionFileSchema,
  WholeCollectionFileSchema,
} from '@hlid/cloud/books/reminders/collection';
import type { collectionRoutes } from '@hlid/cloud/books/reminders/collection-routes';
import type { ListedReminderSchema } from '@hlid/cloud/books/reminders/reminder';
import type { reminderRoutes } from '@hlid/cloud/books/reminders/reminder-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';
import { createDrawing } from './draw-screen.ts';

const AT = '2026-11-21T12:00:00.000Z';

const WARNING: z.infer<typeof ListedReminderSchema> = {
  id: 'warning',
  invoiceId: 'invoice',
  invoiceNumber: 1041,
  siteId: SITE.id,
  customer: { id: 'customer', name: 'Æðey & synir ehf.' },
  payerName: 'Æðey & synir ehf.',
  step: 'warning',
  open: 12_400,
  charge: 1_178,
  currency: 'ISK',
  writtenOn: AT,
  state: 'delivered',
  deliveredOn: AT,
  chargeInvoice: null,
  next: { step: 'letter', on: '2026-12-04', charge: 3_700 },
  stopped: null,
  collectableOn: null,
};
const CONTESTED = {
  ...WARNING,
  id: 'contested',
  invoiceId: 'other',
  invoiceNumber: 1043,
  state: 'paper',
  deliveredOn: null,
  charge: 0,
  next: null,
  stopped: 'contested',
} as const;
const LAST = {
  ...WARNING,
  id: 'last',
  invoiceId: 'third',
  invoiceNumber: 1044,
  step: 'letter',
  next: null,
  stopped: 'last-step',
  collectableOn: '2026-12-15',
} as const;

const READY: z.infer<typeof CollectableSchema> = {
  invoiceId: 'invoice',
  number: 1041,
  siteId: SITE.id,
  creditor: 'Bílastæði ehf.',
  creditorId: '5501012020',
  debtor: 'Æðey & synir ehf.',
  debtorId: '5305750209',
  currency: 'ISK',
  principal: 12_400,
  charges: 1_178,
  chargeInvoices: [{ id: 'charge', number: 1042, open: 1_178 }],
  issuedOn: '2026-10-22',
  dueOn: '2026-11-05',
  interestFrom: '2026-11-05',
  notices: [{ step: 'warning', deliveredOn: '2026-11-12', proof: 'mail', reference: 'mail', at: AT }],
};
const FILE: z.infer<typeof CollectionFileSchema> = {
  id: 'file',
  siteId: SITE.id,
  day: '2026-11-29',
  invoices: 1,
  total: 13_578,
  currency: 'ISK',
  createdOn: AT,
  createdBy: 'account:clerk',
};
const CHANGED: z.infer<typeof WholeCollectionFileSchema> = {
  ...FILE,
  items: [
    {
      ...READY,
      link: 'https://console.example/console/all/money/invoices/invoice',
      change: { open: 1_178, paid: 10_400, credited: 2_000, contestedOn: '2026-11-30', answeredOn: null },
    },
    {
      ...READY,
      invoiceId: 'other',
      number: 1043,
      link: 'https://console.example/console/all/money/invoices/other',
      change: null,
    },
  ],
};

describe.skipIf(!CHROMIUM_IS_HERE)('reminders and files for collectors', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  let ready: z.infer<typeof CollectableSchema>[];
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    cloud = new ConsoleStandIn({ permissions: ['money'] });
    ready = [READY, { ...READY, invoiceId: 'other', number: 1043 }];
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    const reminders = cloud.answering<typeof reminderRoutes>();
    reminders('$get', '/sites/:id/reminders', () => ({
      isOn: true,
      fromDay: '2026-10-01',
      warningDays: 7,
      warningCharge: 950,
      letters: 1,
      letterDays: 10,
      letterCharge: 5_900,
    }));
    reminders('$get', '/reminders', ({ path }) =>
      wholeList(path.includes('state=failed') ? [] : [WARNING, CONTESTED, LAST]),
    );
    const collection = cloud.answering<typeof collectionRoutes>();
    collection('$get', '/collectable-invoices', () => ({ data: ready, hasMore: false }));
    collection('$get', '/collection-files', () => wholeList([FILE]));
    collection('$get', '/collection-files/:id', () => CHANGED);
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });
  const open = (path: string, locale = 'en-GB') => cloud.open(browser, `${SITE.id}/${path}`, locale);

  it('are listed with the next step, or what stops the clock, and lead to invoice and customer', async () => {
    page = await open('money?tab=reminders');
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await row('1041').getByText('Letter of collection on').waitFor();
    await row('1043').getByText('Somebody contests it').waitFor();
    await row('1044').getByText('To a collector from').waitFor();
    expect(await row('1041').getByRole('link', { name: 'Æðey' }).getAttribute('href')).toContain(
      'customers/customer',
    );
    expect(await page.locator('a[href*="money/invoices/other"]').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Reminders: on' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.goto(`https://console.example/console/${SITE.id}/money?tab=reminders&state=failed`);
    await page.getByText('No reminder is in this state').waitFor();
    expect(cloud.callsOf('GET', '/reminders').at(-1)?.path).toContain('state=failed');
  });

  it('invoices are chosen and handed over by keys, after a warning; what the cloud refuses is shown', async () => {
    let refusals = 1;
    const changed = { code: 'not-collectable', path: [], params: { number: '1041' } };
    cloud.answering<typeof collectionRoutes>()('$post', '/collection-files', () =>
      refusals-- > 0
        ? new Refused(
            400,
            [changed],
            ['Invoice no. 1041 may not be handed to a collector now: load the list again.'],
          )
        : CHANGED,
    );
    page = await open('money/collection');
    const row = page.getByRole('row').filter({ hasText: '1041' });
    await row.press(' ');
    await page.getByRole('button', { name: 'Hand over 1 invoice' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Hand over 1 invoice' });
    await dialog.getByText('1 invoice, together ISK 13,578').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Hand over 1 invoice' }).press('Enter');
    await dialog.getByText('Invoice no. 1041 may not be handed to a collector now').waitFor();
    await dialog.getByRole('button', { name: 'Hand over 1 invoice' }).press('Enter');
    await page.getByText('Tell the collector: 1 invoice has changed since.').waitFor();
    const sent = cloud.callsOf('POST', '/collection-files');
    expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ invoiceIds: ['invoice'] }));
    await page.getByText(/contested since .* the collector has to stop/).waitFor();
  });

  it('an empty list says why', async () => {
    ready = [];
    page = await open('money/collection');
    await page.getByText('No invoice may be handed over now').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  it.each(['en-GB', 'is-IS'])('fit in every width: %s', async (locale) => {
    page = await open('money?tab=reminders', locale);
    const draw = await createDrawing(page, 'console');
    for (const [name, path, text] of [
      ['reminders', 'money?tab=reminders', /1041/],
      ['collection', 'money/collection', /1043/],
      ['collection-file', 'money/collection/file', /1043/],
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
