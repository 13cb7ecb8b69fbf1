import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { booksFile, booksRows, setAccounts } from '../../../test/bookkeeping.ts';
import { settle } from '../../../test/settlements.ts';
import { eq } from '../../platform/db/sql.ts';
import { dayCloseTable } from '../../records/books/day-close-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { packSnapshot } from '../day-close/close-snapshot.ts';
import { closedBooksRun } from './closed-books.ts';
import { type ClosedEntry, corrections } from './closed-entry.ts';
import { TrialBalanceSchema } from './trial-balance.ts';

let api: TestApi;
beforeEach(async () => {
  // 21 November 2026, noon.
  api = await createTestApi();
});
afterEach(() => api.close());

const work = async () =>
  await closedBooksRun(api.context).work({ now: api.now(), signal: new AbortController().signal });

/** Signs the close of a day without comparing it, and stores its books. */
async function close(day: string): Promise<void> {
  const nothing = { rows: [], differences: [], expected: [] };
  const id = randomUUID();
  await api.db.write(({ q }) =>
    q.insert(dayCloseTable).values({
      id,
      siteId: api.site.id,
      day,
      state: 'signed',
      revision: 1,
      columns: [],
      expected: [],
      arrived: [],
      snapshot: packSnapshot({ own: nothing, earlier: {} }),
      computedAt: api.now(),
      computedBy: 'test',
      signedAt: api.now(),
      signedBy: 'test',
    }),
  );
  await work();
}

const sell = (day: string, amountMinor: number) =>
  settle(api, { amountMinor, paidWith: 'cash', at: `${day}T10:00:00.000Z` });

async function closed(period: string): Promise<string> {
  const { status, bytes } = await booksFile(api, `/bookkeeping/${period}?closed=true`);
  expect(status).toBe(200);
  return bytes.toString();
}

const balance = async (period: string) =>
  TrialBalanceSchema.parse((await api.call('GET', `/bookkeeping/${period}`)).body);

/** Debit less credit, by role. */
function sumsOf(rows: readonly Record<string, string>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { role = '', debit, credit } of rows) {
    sums[role] = (sums[role] ?? 0) + Number(debit ?? 0) - Number(credit ?? 0);
  }
  return sums;
}

it('what was exported of closed days stays to the byte; later corrections stand in the next close', async () => {
  await setAccounts(api);
  await sell('2026-11-18', 1240);
  await sell('2026-11-19', 500);
  expect((await balance('2026-11')).openDays).toEqual([
    { day: '2026-11-18', siteId: api.site.id },
    { day: '2026-11-19', siteId: api.site.id },
  ]);
  expect(booksRows(Buffer.from(await closed('2026-11')))).toEqual([]);
  await close('2026-11-18');
  expect((await balance('2026-11')).openDays).toMatchObject([{ day: '2026-11-19' }]);
  const before = await closed('2026-11');
  expect(booksRows(Buffer.from(before)).map(({ date }) => date)).toEqual(Array(3).fill('2026-11-18'));

  // A sale of that day comes late, the accounts are others, and so is the code of the site.
  await sell('2026-11-18', 620);
  await api.call('PUT', '/bookkeeping-accounts', {
    body: { lines: [{ role: 'income', detail: null, account: '9999', vatCode: null }], datev: null },
  });
  await api.db.write(({ q }) =>
    q.update(siteTable).set({ code: 'OTHER' }).where(eq(siteTable.id, api.site.id)),
  );
  expect(await closed('2026-11')).toBe(before);
  expect(await closed('2026-11-18')).toBe(before);

  await setAccounts(api);
  await close('2026-11-19');
  const after = await closed('2026-11');
  expect(after.startsWith(before)).toBe(true);
  expect(await closed('2026-11-18')).toBe(before);
  const rows = booksRows(Buffer.from(after));
  const late = rows.filter(({ date, of_day: of }) => date === '2026-11-19' && of === '2026-11-18');
  expect(sumsOf(late)).toEqual({ received: 620, income: -500, vat: -120 });
  const { sums, openDays } = await balance('2026-11');
  expect(openDays).toEqual([]);
  expect(sumsOf(rows)).toEqual(
    Object.fromEntries(sums.map(({ role, debit, credit }) => [role, debit - credit])),
  );
  // It is booked once.
  await close('2026-11-20');
  expect(await closed('2026-11')).toBe(after);
});

it('a day is stored once, also by two at a time; DATEV has no closed days', async () => {
  await setAccounts(api);
  await sell('2026-11-18', 1240);
  await close('2026-11-18');
  await Promise.all([work(), work()]);
  expect(booksRows(Buffer.from(await closed('2026-11')))).toHaveLength(3);
  const { status, body } = await api.call('GET', '/bookkeeping/2026-11?closed=true&as=datev');
  expect([status, body['codes']]).toMatchObject([400, [{ code: 'closed-csv-only' }]]);
});

it('an account that was missing is named, and serves once it is set', async () => {
  await sell('2026-11-18', 1240);
  await close('2026-11-18');
  expect((await booksFile(api, '/bookkeeping/2026-11?closed=true')).status).toBe(409);
  await setAccounts(api);
  expect(sumsOf(booksRows(Buffer.from(await closed('2026-11'))))).toMatchObject({ received: 1240 });
});

const entryArbitrary = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c'),
    amountMinor: fc.integer({ min: -900, max: 900 }),
    account: fc.constantFrom('1000', '2000'),
  })
  .map(({ id, amountMinor, account }): ClosedEntry => {
    const leg = { vat: null, account, vatCode: null };
    return {
      kind: 'invoice',
      day: '2026-11-18',
      ofDay: '2026-11-18',
      siteId: 'site',
      id,
      number: id,
      creditOf: null,
      path: '',
      currency: 'ISK',
      code: 'S',
      link: '',
      legs: [
        { ...leg, use: { role: 'bank', details: [] }, amountMinor },
        { ...leg, use: { role: 'income', details: [] }, amountMinor: 0 - amountMinor },
      ],
    };
  });
const entriesArbitrary = fc.uniqueArray(entryArbitrary, { selector: ({ id }) => id });

it('corrections bring what was booked to what is there now, and add up to nothing', () => {
  const total = (entries: readonly ClosedEntry[], role: string) =>
    entries
      .flatMap(({ legs }) => legs)
      .reduce((sum, leg) => sum + (leg.use.role === role ? leg.amountMinor : 0), 0);
  fc.assert(
    fc.property(entriesArbitrary, entriesArbitrary, (booked, now) => {
      const found = corrections(booked, now, '2026-11-19');
      for (const role of ['bank', 'income']) {
        expect(total([...booked, ...found], role)).toBe(total(now, role));
      }
      for (const { legs, day, ofDay } of found) {
        expect(legs.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(0);
        expect([day, ofDay]).toEqual(['2026-11-19', '2026-11-18']);
      }
      expect(corrections([...booked, ...found], now, '2026-11-20')).toEqual([]);
    }),
  );
});
