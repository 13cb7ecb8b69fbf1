import type { Db } from '@hlid/cloud/platform/db/db';
import { incomeTable } from '@hlid/cloud/records/invoices/income-table';
import { invoiceTable } from '@hlid/cloud/records/invoices/invoice-table';
import {
  onlinePaymentTable,
  onlineRefundTable,
} from '@hlid/cloud/records/online-payments/online-payment-table';
import { paymentTable } from '@hlid/cloud/records/payments/payment-table';
import { visitTable } from '@hlid/cloud/records/visits/visit-table';
import { integrationEventTable } from '@hlid/cloud/records/webhooks/integration-event-table';
import { ChangeBatchSchema } from '@hlid/protocol/site-link/envelope';
import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Network } from '../harness/network.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

async function readBooks(db: Db) {
  return await db.read(async (q) => {
    const payments = await q.select().from(paymentTable);
    const online = new Map((await q.select().from(onlinePaymentTable)).map((row) => [row.id, row]));
    return {
      payments: payments.map((row) => ({ ...row, online: online.get(row.id) ?? null })),
      refunds: await q.select().from(onlineRefundTable),
      invoices: await q.select().from(invoiceTable),
      visits: await q.select().from(visitTable),
      events: await q.select().from(integrationEventTable),
    };
  });
}
type Books = Awaited<ReturnType<typeof readBooks>>;

/** Payments and refunds that a cloud still has something to do about. */
export async function countOpenWork(db: Db): Promise<number> {
  const [row] = await db.read(
    async (q) =>
      await q.all<{ open: number }>(sql`SELECT
      (SELECT count(*) FROM payment WHERE terminal_id IS NULL
        AND (state IN ('created', 'sent', 'unknown', 'approved') OR settled_twice))
      + (SELECT count(*) FROM online_refund WHERE state = 'ordered') AS open`),
  );
  return row?.open ?? Number.NaN;
}

/** The feed of a site, from its beginning. */
export async function changesFor({
  site,
  cloud,
}: Pick<Network, 'site' | 'cloud'>): Promise<SiteChangeBody[]> {
  const headers = { authorization: `Bearer ${site.siteId}.${site.secret}` };
  const feed: z.infer<typeof ChangeBatchSchema>['changes'] = [];
  for (;;) {
    const path = `/edge/changes?after=${feed.at(-1)?.n ?? 0}`;
    const answer = await fetch(new URL(path, cloud.httpUrl()), { headers });
    const { changes } = ChangeBatchSchema.parse(await answer.json());
    if (changes.length === 0) return feed.map(({ change }) => change);
    feed.push(...changes);
  }
}

/**
 * Checks the books after healing: provider, journal, invoices, visits, the feed of the site and events agree
 * to the króna, no driver has paid twice, and no outcome is unknown.
 *
 * @param takenMinor the amount that the providers have taken and not given back
 * @param changes the changes of the site's feed
 * @returns the number of online payments that ended in each state
 */
export async function checkOnlineBooks(
  db: Db,
  takenMinor: number,
  changes: readonly SiteChangeBody[],
): Promise<Record<string, number>> {
  const books = await readBooks(db);
  const { payments, invoices } = books;
  const left = payments.filter(
    ({ state, needsPerson }) => needsPerson || ['created', 'sent', 'unknown', 'approved'].includes(state),
  );
  expect(left, 'payments without an outcome').toEqual([]);
  // A refund that the provider has refused gave nothing back, as the sums below show.
  expect(books.refunds.filter(({ state }) => !['refunded', 'not-possible'].includes(state))).toEqual([]);

  const settled = payments.filter(({ state }) => state === 'settled');
  const refundsOf = (id: string) =>
    books.refunds.filter(({ paymentId, state }) => paymentId === id && state === 'refunded');
  const journal = settled.map(({ id, amountMinor, online }) =>
    online === null ? 0 : amountMinor - sum(refundsOf(id).map((refund) => refund.amountMinor)),
  );
  expect(sum(journal), 'journal and provider').toBe(takenMinor);
  const billed = invoices.filter(({ paymentType }) => paymentType === 'online');
  const paid = billed.filter(({ status }) => status === 'paid');
  expect(sum(paid.map(({ amountMinor }) => amountMinor)), 'invoices and provider').toBe(takenMinor);
  expect(billed.filter(({ status }) => status === 'draft' || status === 'incomplete')).toEqual([]);

  for (const { id, plate, endedAt, unitsMet } of books.visits) {
    const standing = settled.filter(({ visitId }) => visitId === id);
    expect(standing.length, `${plate}: payments that stand`).toBeLessThanOrEqual(1);
    const bills = invoices.filter(
      ({ visitId, status, amountMinor }) => visitId === id && status === 'paid' && amountMinor > 0,
    );
    // A visit that is over stays over, also where its money went back.
    if (endedAt === null) expect(unitsMet, `${plate}: units and invoices`).toBe(bills.length);
    expect(bills.length, `${plate}: invoices and units`).toBeLessThanOrEqual(unitsMet);
  }
  checkFeed(books, changes);
  checkEvents(books);
  const ends: Record<string, number> = {};
  for (const { state, online } of payments) if (online !== null) ends[state] = (ends[state] ?? 0) + 1;
  return ends;
}

/** The site has each settlement that stands once, and what went back of a car that is inside. */
function checkFeed({ payments, visits }: Books, changes: readonly SiteChangeBody[]): void {
  const items = changes.flatMap((change) =>
    change.kind === 'settlement' && change.op === 'put' ? [change.item] : [],
  );
  for (const { id, state, online } of payments) {
    const times = items.filter((item) => item.id === id).length;
    if (state === 'settled' && online !== null) expect(times, `settlements of ${id} in the feed`).toBe(1);
    if (state === 'declined' || state === 'cancelled') expect(times, `${id} in the feed`).toBe(0);
  }
  for (const { id, endedAt, unitsMet } of visits) {
    // Payments of the site's own terminal come from the site.
    const own = payments.filter(
      ({ visitId, online, state }) => visitId === id && online === null && state === 'settled',
    );
    const units = [...items.filter(({ visitId }) => visitId === id), ...own].map((item) => item.units);
    if (endedAt === null) expect(sum(units), `units of ${id} in the feed`).toBe(unitsMet);
  }
}

/** Checks that the events contain the outcome of each payment. */
function checkEvents({ payments, events }: Books): void {
  for (const { id, state, online } of payments) {
    if (online === null) continue;
    const types = events.filter(({ subjectId }) => subjectId === id).map(({ type }) => type);
    const ends = types.filter((type) => type === 'payment.settled' || type === 'payment.reversed');
    const isMoney = state === 'settled' || state === 'reversed';
    expect(ends.at(-1) ?? null, `${id}: events`).toBe(isMoney ? `payment.${state}` : null);
    expect(new Set(ends).size, `${id}: each event once`).toBe(ends.length);
  }
}

/**
 * Checks the invoices by themselves. Their numbers have no gap or repeat, each standing payment has one paid
 * invoice, and no visit is settled twice. Income and events amount to the same as the invoices.
 */
export async function checkInvoices(db: Db): Promise<void> {
  const { payments, invoices, events } = await readBooks(db);
  const issued = invoices.filter(({ number }) => number !== null);
  checkNumbers(invoices);
  const settled = payments.filter(({ state }) => state === 'settled');
  const byCard = issued.filter(
    ({ paymentType, status }) => ['kiosk', 'online'].includes(paymentType) && status === 'paid',
  );
  expect(
    byCard.map(({ id, visitId, amountMinor }) => ({ id, visitId, amountMinor })).toSorted(byId),
    'paid invoices and payments',
  ).toEqual(settled.map(({ id, visitId, amountMinor }) => ({ id, visitId, amountMinor })).toSorted(byId));
  const visits = settled.map(({ visitId }) => visitId);
  expect(visits.length, 'visits settled once').toBe(new Set(visits).size);
  const reported = events.filter(({ type }) => type === 'invoice.issued').map(({ subjectId }) => subjectId);
  expect(reported.toSorted(), 'events').toEqual(issued.map(({ id }) => id).toSorted());
  const income = await db.read((q) => q.select({ amountMinor: incomeTable.amountMinor }).from(incomeTable));
  const standing = issued.filter(({ status }) => status !== 'refunded');
  expect(sum(income.map(({ amountMinor }) => amountMinor)), 'income').toBe(
    sum(standing.map(({ amountMinor }) => amountMinor)),
  );
  // Invoices that were taken back stand there too, with their credit notes.
  expect(sum(issued.map(({ amountMinor }) => amountMinor)), 'invoices less credit notes').toBe(
    sum(standing.map(({ amountMinor }) => amountMinor)),
  );
  for (const { id, creditOf } of issued) {
    if (creditOf !== null)
      expect(
        issued.some((one) => one.id === creditOf),
        `${id} names`,
      ).toBe(true);
  }
}

const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);

/** The numbers of issued invoices: none twice, and none left out. @returns how many there are */
export async function checkInvoiceNumbers(db: Db): Promise<number> {
  return checkNumbers((await readBooks(db)).invoices);
}

function checkNumbers(invoices: readonly { number: number | null }[]): number {
  const numbers = invoices.flatMap(({ number }) => number ?? []).toSorted((a, b) => a - b);
  expect(numbers, 'numbers').toEqual(numbers.map((_, at) => at + 1));
  return numbers.length;
}
