import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { linesOfSites } from '../../money/invoices/vat-of-sites.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { claimMovements, principalsOf } from '../../records/books/claim-movements.ts';
import { type BookPeriod, daysOf } from './book-period.ts';
import { type BookScope, dayIn, isIn, spanOf } from './book-scope.ts';
import { claimedBefore, entriesOfClaim, sharesOf } from './claim-entries.ts';
import { compareEntries, type Entry } from './entry.ts';
import {
  bankEntriesOf,
  batchesOf,
  gatewaysOf,
  invoicesById,
  invoicesIssued,
  invoicesPaid,
  notesOf,
} from './entry-store.ts';
import { entriesOfBank, entriesOfBatch } from './file-entries.ts';
import {
  type BookedInvoice,
  type Chain,
  chainOf,
  entriesOfInvoice,
  entriesOfPayment,
  type GatewayOf,
} from './invoice-entries.ts';

/** The entries of a period, day by day, each day in its fixed order. */
export async function* readEntries(db: Db, scope: BookScope, period: BookPeriod): AsyncGenerator<Entry[]> {
  for (const day of daysOf(period)) {
    const entries = await db.read((q) => entriesOfDay(q, scope, day), { manyRows: true });
    yield entries.toSorted(compareEntries);
  }
}

async function entriesOfDay(q: Queries, scope: BookScope, day: string): Promise<Entry[]> {
  const span = spanOf(scope, day);
  const dayOf = dayIn(scope);
  const issued = await chainsOf(q, await invoicesIssued(q, span));
  const paid = await invoicesPaid(q, span);
  const paidIds = paid.map(({ id }) => id);
  const notes = await notesOf(q, paidIds);
  const principals = await principalsOf(q, paidIds);
  const gatewayOf = await gatewaysFor(q, [...issued.flatMap((chain) => chain.at(-1) ?? []), ...paid]);
  const { accounts } = scope;
  const days = { from: day, to: day };
  const all = [
    ...issued.flatMap((chain) => entriesOfInvoice(chain, gatewayOf, dayOf)),
    ...paid.flatMap((one) =>
      entriesOfPayment(
        one,
        {
          notes: notes.filter(({ creditOf }) => creditOf === one.id),
          claimedMinor: claimedBefore(
            principals.filter(({ invoiceId }) => invoiceId === one.id),
            one,
          ),
        },
        gatewayOf,
        dayOf,
      ),
    ),
    ...(await claimEntries(q, day)),
    ...(await batchesOf(q, days, accounts)).flatMap(entriesOfBatch),
    ...(await bankEntriesOf(q, days, accounts)).flatMap(entriesOfBank),
  ];
  return all.filter((entry) => entry.day === day && isIn(scope, entry.siteId));
}

/** The payments of claims on a day of the bank, and their reversals. */
async function claimEntries(q: Queries, day: string): Promise<Entry[]> {
  const movements = await claimMovements(q, { from: day, before: dayAfter(day, 1) });
  const found = await invoicesById(
    q,
    movements.map(({ invoiceId }) => invoiceId),
  );
  const invoices = new Map(found.map((one) => [one.id, one]));
  return movements.flatMap((movement) => {
    const invoice = invoices.get(movement.invoiceId);
    return invoice === undefined ? [] : entriesOfClaim(movement, invoice, sharesOf(linesOfSites(invoice)));
  });
}

/** Each with what it takes back, and what that takes back. */
async function chainsOf(q: Queries, invoices: readonly BookedInvoice[]): Promise<Chain[]> {
  const known = new Map<string, BookedInvoice>();
  const load = async (ids: readonly (string | null)[]) => {
    const unknown = ids.flatMap((id) => (id === null || known.has(id) ? [] : [id]));
    for (const one of await invoicesById(q, unknown)) known.set(one.id, one);
  };
  await load(invoices.map(({ creditOf }) => creditOf));
  await load([...known.values()].map(({ creditOf }) => creditOf));
  return invoices.map((invoice) => chainOf(invoice, known));
}

async function gatewaysFor(q: Queries, invoices: readonly BookedInvoice[]): Promise<GatewayOf> {
  const ids = invoices.flatMap(({ id, paymentType, paymentId }) => [
    ...(paymentType === 'online' ? [id] : []),
    ...(paymentId === null ? [] : [paymentId]),
  ]);
  const gateways = await gatewaysOf(q, ids);
  return (paymentId) => gateways.get(paymentId);
}
