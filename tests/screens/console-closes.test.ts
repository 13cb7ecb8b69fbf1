import type { dayCloseRoutes } from '@hlid/cloud/books/day-close/close-routes';
import type { WholeClose } from '@hlid/cloud/books/day-close/day-close';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import { PLAIN_BANK_MAPPING, TEYA_MAPPING } from '@hlid/cloud/test/books';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { createSite } from '../harness/provision.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';
import { Hands, MEANS } from './hands.ts';

const row = (
  thing: WholeClose['differences'][number]['rows'][number]['thing'],
  id: string,
  amount: number,
) => ({
  side: 'payments' as const,
  thing,
  id,
  label: null,
  amount,
  currency: 'ISK',
});

const difference = (n: number, more: Partial<WholeClose['differences'][number]>) => ({
  n,
  kind: 'visit-without-payment' as const,
  cause: null,
  ofClose: null,
  amount: -700,
  currency: 'ISK',
  rows: [row('visit', `v${n}`, 700)],
  decision: 'open' as const,
  reason: null,
  decidedBy: null,
  decidedOn: null,
  assigneeId: null,
  assignee: null,
  answer: null,
  ...more,
});

const WHOLE: WholeClose = {
  id: 'c1',
  siteId: SITE.id,
  day: '2026-11-20',
  state: 'open',
  revision: 3,
  columns: [
    { side: 'visits', currency: 'ISK', rows: 12, amount: 18_400 },
    { side: 'payments', currency: 'ISK', rows: 11, amount: 17_700 },
    { side: 'bank', currency: 'ISK', rows: 1, amount: 17_500 },
  ],
  open: 3,
  computedOn: '2026-11-21T08:00:00.000Z',
  signedOn: null,
  signedBy: null,
  differences: [
    difference(1, {}),
    difference(2, { amount: -300 }),
    difference(3, {
      kind: 'correction-of-earlier-day',
      cause: 'amount-differs',
      ofClose: { id: 'c0', day: '2026-11-19' },
      rows: [row('payment', 'p1', 400), row('settlement-row', 'f1 2', 400)],
    }),
  ],
  expected: [
    {
      kind: 'late',
      dueOn: '2026-11-26',
      currency: 'ISK',
      count: 9,
      amount: -14_000,
      rows: [row('payment', 'p2', 1500)],
      ofClose: null,
    },
  ],
  arrived: [{ ofClose: { id: 'c0', day: '2026-11-19' }, currency: 'ISK', count: 4, amount: 6000 }],
  approvalId: null,
  people: [{ id: 'clerk', name: 'Ben' }],
  actions: ['compute', 'decide'],
};

const ListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

describe.skipIf(!CHROMIUM_IS_HERE)('closes of days', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('show sides, differences by class and what is expected; each is decided, and the day is signed', async () => {
    const cloud = new ConsoleStandIn({ permissions: ['money'] });
    let close = WHOLE;
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    const answering = cloud.answering<typeof dayCloseRoutes>();
    answering('$get', '/day-closes', () => wholeList([close]));
    answering('$get', '/sites/:id/closing', () => ({ closesItself: false }));
    answering('$get', '/day-closes/:id', () => close);
    answering('$post', '/day-closes/:id/decisions', ({ body }) => {
      const numbers = new Set(z.looseObject({ differences: z.array(z.int()) }).parse(body).differences);
      const differences = close.differences.map((one) =>
        numbers.has(one.n)
          ? { ...one, decision: 'accepted' as const, reason: 'Seen', decidedBy: 'Anna' }
          : one,
      );
      const open = differences.filter(({ decision }) => decision === 'open').length;
      close = {
        ...close,
        differences,
        open,
        actions: open === 0 ? ['compute', 'decide', 'sign'] : close.actions,
      };
      return close;
    });
    answering('$post', '/day-closes/:id/sign', ({ body }) => {
      if (JSON.stringify(body) !== JSON.stringify({ revision: 3 })) {
        return new Refused(409, [{ code: 'day-close-changed', path: [], params: {} }]);
      }
      close = { ...close, state: 'signed', signedOn: WHOLE.computedOn, signedBy: 'Anna', actions: [] };
      return close;
    });
    const page = await cloud.open(browser, `${SITE.id}/money?tab=closes`);
    await page.getByRole('row', { name: /20\/11\/2026.*3 open/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('rowheader').first().click();
    await page.getByRole('heading', { name: 'Close of 20/11/2026' }).waitFor();
    await page.getByRole('rowheader', { name: 'Expected on 19/11/2026, and here now' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /Visit ISK\s700/ }).count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept all 2' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Visit without payment' });
    await dialog.getByLabel('Why it is right').fill('Seen');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Accept', exact: true }).press('Enter');
    const correction = page.getByRole('region', { name: 'Correction of an earlier day' });
    await correction.getByRole('button', { name: 'Accept', exact: true }).press('Enter');
    await page.getByRole('dialog').getByLabel('Why it is right').fill('Seen');
    await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Sign the day' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign the day' }).press('Enter');
    await page.getByText('The day is signed.').waitFor();
    await page.getByRole('button', { name: 'Compare again' }).waitFor({ state: 'detached' });
    expect(await axeFaults(page)).toEqual([]);
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });
});

const SITE_OF_ACCOUNTANT = { timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
const SETTLEMENT = { ...TEYA_MAPPING, kinds: { PURCHASE: 'sale', CHARGEBACK: 'chargeback' } };

describe.skipIf(!CHROMIUM_IS_HERE)('an accountant', () => {
  let stage: ConsoleStage;
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  stageForGroup(
    async () => {
      stage = await startConsole();
    },
    () => stage?.stop(),
  );

  /** A site with an account of a bank and one of a provider that pays into it. */
  async function siteWithAccounts(name: string): Promise<{ siteId: string; bank: string; provider: string }> {
    const { operator } = stage.operated;
    const { siteId } = await createSite(operator, { ...SITE_OF_ACCOUNTANT, name });
    const accounts = { name: 'CSV', siteId };
    const { id: bank } = await operator.call(IdViewSchema, 'POST', '/money-accounts', {
      ...accounts,
      kind: 'bank',
      reference: `B-${name}`,
      mapping: PLAIN_BANK_MAPPING,
    });
    const { id: provider } = await operator.call(IdViewSchema, 'POST', '/money-accounts', {
      ...accounts,
      kind: 'settlement',
      reference: `M-${name}`,
      paysIntoId: bank,
      mapping: SETTLEMENT,
    });
    return { siteId, bank, provider };
  }

  async function importFile(page: Page, path: string, account: string, text: string): Promise<void> {
    const status = await page.evaluate(
      async ([url, body]) => (await fetch(url ?? '', { method: 'POST', body: body ?? '' })).status,
      [`/${path}?name=${account}.csv&account=${account}`, text],
    );
    expect(status).toBe(200);
  }

  it.each(MEANS)('closes a day with four planted differences and signs it, by %s', async (means) => {
    const { siteId, bank, provider } = await siteWithAccounts(means);
    const page = await stage.open(`${siteId}/money?tab=closes`);
    const hands = new Hands(page, means);
    await page.getByText('No day is closed yet').waitFor();
    await importFile(
      page,
      'settlement-files',
      provider,
      `date,payout_date,type,reference,gross,commission\n${yesterday},${yesterday},PURCHASE,${means}-1,900,9\n` +
        `${yesterday},${yesterday},CHARGEBACK,${means}-2,200,0\n`,
    );
    await importFile(
      page,
      'bank-statements',
      bank,
      `date,amount,reference,text\n${yesterday},650,${means}-1,payout ${yesterday}\n${yesterday},4321,${means}-2,gift\n`,
    );
    await hands.press(page.getByRole('button', { name: 'Close a day' }));
    await page.getByRole('heading', { name: /^Close of / }).waitFor();
    await expect
      .poll(() => page.getByRole('heading', { level: 3 }).allTextContents())
      .toEqual([
        'Booked by the terminal or provider, not by us',
        'Chargeback',
        'Payout failed, short or carried forward',
        'Bank credit without reference',
      ]);
    expect(await axeFaults(page)).toEqual([]);
    await expect.poll(() => page.getByRole('button', { name: 'Ask a person' }).count()).toBe(4);
    const decide = async (kind: string, button: string, field: string) => {
      const section = page.getByRole('region', { name: kind });
      await hands.press(section.getByRole('button', { name: button, exact: true }));
      await hands.type(page.getByRole('dialog').getByLabel(field), 'Asked the bank');
      await hands.press(page.getByRole('dialog').getByRole('button', { name: button, exact: true }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await decide('Booked by the terminal or provider, not by us', 'Accept', 'Why it is right');
    await decide('Chargeback', 'Write off', 'Why it is written off');
    await decide('Payout failed, short or carried forward', 'Write off', 'Why it is written off');
    await decide('Bank credit without reference', 'Accept', 'Why it is right');
    await hands.press(page.getByRole('button', { name: 'Sign the day' }));
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Sign the day' }));
    await page.getByText('The day is signed.').waitFor();
    const signed = `/day-closes?siteId=${siteId}&state=signed`;
    const list = await stage.operated.operator.call(ListSchema, 'GET', signed);
    expect(list.data.length).toBe(1);
    await page.context().close();
  });
});
