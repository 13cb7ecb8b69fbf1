import type { paymentRoutes } from '@hlid/cloud/money/payments/payment-routes';
import type { ShownApproval } from '@hlid/cloud/paying/approvals/approval';
import type { approvalRoutes } from '@hlid/cloud/paying/approvals/approval-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';

type Shown = Omit<ShownApproval, 'requested' | 'problems'> & {
  requested: Record<string, string | number | null>;
  problems: never[];
};

const WAITING: Shown = {
  id: 'first',
  kind: 'refund',
  state: 'waiting',
  siteId: SITE.id,
  visitId: 'visit',
  invoiceId: 'invoice',
  paymentId: 'payment',
  disputeId: null,
  plate: 'ABX12',
  invoiceNumber: 1041,
  price: { amount: 24_000, currency: 'ISK' },
  reason: 'The barrier did not open',
  requested: { reason: 'The barrier did not open' },
  requestedBy: 'Anna',
  isOwn: false,
  requestedOn: '2026-11-21T12:00:00.000Z',
  expiresOn: '2026-11-28T12:00:00.000Z',
  decidedBy: null,
  decidedOn: null,
  answer: null,
  problems: [],
  actions: ['approve', 'refuse'],
};

const LIMITS = {
  kind: 'limits',
  price: null,
  visitId: null,
  invoiceId: null,
  paymentId: null,
  requested: { refund: 30_000, waiver: null },
} as const;

const PAYMENT = {
  id: 'payment',
  siteId: SITE.id,
  visitId: 'visit',
  invoiceId: null,
  purchaseId: null,
  terminalId: null,
  state: 'settled' as const,
  problem: null,
  chargebacks: [],
  reason: null,
  finding: null,
  siteLostOn: null,
  card: null,
  price: { amount: 24_000, currency: 'ISK' },
  tip: 0,
  actions: [],
  refunds: [],
  needsApproval: [],
  createdOn: '2026-11-21T11:00:00.000Z',
  changedOn: '2026-11-21T11:00:30.000Z',
};

describe.skipIf(!CHROMIUM_IS_HERE)('requests for the approval of a second person', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  let shown: Shown;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    shown = WAITING;
    cloud = new ConsoleStandIn({ permissions: ['money'] });
    cloud.answering<typeof approvalRoutes>()('$get', '/approvals', () => wholeList([shown]));
    cloud.answering<typeof approvalRoutes>()('$get', '/approval/:id', () => shown);
    cloud.answering<typeof approvalRoutes>()('$post', '/approval/:id/approve', ({ body }) => {
      if (JSON.stringify(body) !== JSON.stringify({ amount: 20_000 })) {
        shown = { ...WAITING, price: { amount: 20_000, currency: 'ISK' } };
        return new Refused(
          409,
          [{ code: 'approval-amount-changed', path: [], params: {} }],
          ['Another amount'],
        );
      }
      shown = { ...shown, state: 'done', decidedBy: 'Ben', decidedOn: WAITING.requestedOn, actions: [] };
      return shown;
    });
    cloud.answering<typeof approvalRoutes>()('$post', '/approval/:id/refuse', () => {
      shown = { ...WAITING, state: 'refused', answer: 'It did open', actions: [] };
      return shown;
    });
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  it('are counted in the menu, listed with what, who and why, and approved by the amount that is shown now', async () => {
    page = await cloud.open(browser, `${SITE.id}/approvals`);
    await page
      .getByRole('link', { name: 'Invoice no. 1041' })
      .or(page.getByText('Invoice no. 1041'))
      .first()
      .waitFor();
    await page.getByText('The barrier did not open').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByText('Invoice no. 1041').first().click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Approve: Refund, .*24,000/ }).click();
    await dialog.getByText('Another amount').waitFor();
    await dialog.getByRole('button', { name: /^Approve: Refund, .*20,000/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Approved', { exact: true }).waitFor();
  });

  it('stand on the page of their payment, with who, why and the decision', async () => {
    cloud.answering<typeof paymentRoutes>()('$get', '/payments/:id', () => PAYMENT);
    page = await cloud.open(browser, `${SITE.id}/money/payments/payment`);
    const card = page.getByRole('region', { name: 'Approval by a second person' });
    await card.getByText('The barrier did not open').waitFor();
    expect(cloud.callsOf('GET', '/approvals').map(({ path }) => path)).toContain(
      '/approvals?paymentId=payment',
    );
    await card.getByText(/^Anna, /).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await card.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Approve: Refund, .*24,000/ }).click();
    await dialog.getByText('Another amount').waitFor();
    await dialog.getByRole('button', { name: /^Approve: Refund, .*20,000/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await card.getByText('Approved', { exact: true }).waitFor();
    await card.getByText(/^Ben, /).waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
  });

  it('are shown to whoever asked, who withdraws them', async () => {
    cloud.answering<typeof paymentRoutes>()('$get', '/payments/:id', () => PAYMENT);
    cloud.answering<typeof approvalRoutes>()('$post', '/approval/:id/withdraw', () => {
      shown = { ...shown, state: 'withdrawn', actions: [] };
      return shown;
    });
    shown = { ...WAITING, isOwn: true, actions: ['withdraw'] };
    page = await cloud.open(browser, `${SITE.id}/money/payments/payment`);
    const card = page.getByRole('region', { name: 'Approval by a second person' });
    await card.getByText('You asked for it yourself').waitFor();
    await card.getByRole('button', { name: 'Withdraw' }).click();
    await card.getByText('Withdrawn', { exact: true }).waitFor();
  });

  it('for other limits show them as money of the site', async () => {
    shown = { ...WAITING, ...LIMITS };
    page = await cloud.open(browser, `${SITE.id}/approvals/first`);
    await page.getByText(/^Refunds above: .*30,000.* · Waivers of stays above: never$/).waitFor();
  });

  it('are refused with a reason', async () => {
    page = await cloud.open(browser, `${SITE.id}/approvals/first`);
    await page.getByRole('button', { name: 'Refuse', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('It did open');
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('It did open').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  });
});
