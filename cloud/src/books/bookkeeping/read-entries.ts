import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { wallClock } from '@hlid/protocol/base/site-time';
import { linesOfSites } from '../../money/invoices/vat-of-sites.ts';
import { daySpan } from '../../platform/day-span.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { claimMovements, principalsOf } from '../../records/books/claim-movements.ts';
import { type BookPeriod, daysOf } from './book-period.ts';
import { entriesOfClaim, sharesOf } from './claim-entries.ts';
import { compareEntries, type Entry } from './entry.ts';
import {
  bankEntriesOf,
  batchesOf,
  gatewaysOf,
  invoicesById,
  invoicesIssued,
  invoicesPaid,
  type NamedAccount,
  notesOf,
  type Span,
} from './entry-store.ts';
import { entriesOfBank, entriesOfBatch } from './file-entries.ts';
import {
  type BookedInvoice,
  type Chain,
  type DayOf,
  entriesOfInvoice,
  entriesOfPayment,
  type GatewayOf,
} from './invoice-entries.ts';

/** The books of some sites. */
export interface BookScope {
  /** The time zone of each site. */
  zones: ReadonlyMap<string, string>;
  /** What is of no single site counts too. */
  hasShared: boolean;
  /** The accounts with providers and banks, by their ids. */
  accounts: ReadonlyMap<string, NamedAccount>;
}

/** The clock by which the days of no site go. */
const NO_ZONE = 'UTC';

/** The entries of a period, day by day, each day in its fixed order. */
export async function* readEntries(db: Db, scope: BookScope, period: BookPeriod): AsyncGenerator<Entry[]> {
  for (const day of daysOf(period)) {
    const entries = await db.read((q) => entriesOfDay(q, scope, day), { manyRows: true });
    yield entries.toSorted(compareEntries);
  }
}

async function entriesOfDay(q: Queries, scope: BookScope, day: string): Promise<Entry[]> {
  const span = spanOf(scope, day);
  const dayOf: DayOf = (siteId, at) => wallClock(at, zoneOf(scope, siteId)).date;
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
          claimedMinor: claimedBefore(principals, one),
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

/** The part of an invoice that claims had paid when it was paid otherwise. */
function claimedBefore(
  principals: Awaited<ReturnType<typeof principalsOf>>,
  { id, paidAt }: BookedInvoice,
): number {
  return principals
    .filter(({ invoiceId, seenAt }) => invoiceId === id && seenAt < (paidAt ?? ''))
    .reduce((sum, { principalMinor }) => sum + principalMinor, 0);
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

function isIn({ zones, hasShared }: BookScope, siteId: string | null): boolean {
  return siteId === null ? hasShared : zones.has(siteId);
}

function zoneOf({ zones }: BookScope, siteId: string | null): string {
  return (siteId === null ? undefined : zones.get(siteId)) ?? NO_ZONE;
}

/** The span from the first beginning of the day to its last end, over all zones. */
function spanOf({ zones, hasShared }: BookScope, day: string): Span {
  const all = new Set([...zones.values(), ...(hasShared ? [NO_ZONE] : [])]);
  const spans = [...all].map((zone) => daySpan(day, zone));
  return {
    from: spans.map(({ from }) => from).toSorted()[0] ?? day,
    before:
      spans
        .map(({ before }) => before)
        .toSorted()
        .at(-1) ?? day,
  };
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
  return invoices.map((invoice): Chain => {
    const credited = of(known, invoice);
    if (credited === undefined) return [invoice];
    const first = of(known, credited);
    return first === undefined ? [invoice, credited] : [invoice, credited, first];
  });
}

function of(known: ReadonlyMap<string, BookedInvoice>, { creditOf }: BookedInvoice) {
  return creditOf === null ? undefined : known.get(creditOf);
}

async function gatewaysFor(q: Queries, invoices: readonly BookedInvoice[]): Promise<GatewayOf> {
  const ids = invoices.flatMap(({ id, paymentType, paymentId }) => [
    ...(paymentType === 'online' ? [id] : []),
    ...(paymentId === null ? [] : [paymentId]),
  ]);
  const gateways = await gatewaysOf(q, ids);
  return (paymentId) => gateways.get(paymentId);
}
