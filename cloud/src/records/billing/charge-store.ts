import type { BillingMethod } from '@hlid/protocol/site-link/site-change';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, count, eq, eqPlaceholder, gte, isNull, lt, min, or, sql } from '../../platform/db/sql.ts';
import { type BillingInterval, billingInterval } from '../customers/customer-billing.ts';
import { customerTable } from '../customers/customer-table.ts';
import { isNotDisputed } from '../disputes/find-disputes.ts';
import { type ChargeRow, chargeTable as t } from '../invoices/charge-table.ts';

/** Charges of visits at one site that wait for an invoice. Those of contested visits wait for the answer. */
export interface WaitingCharges {
  customerId: string;
  currency: string;
  siteId: string;
  interval: BillingInterval;
  /** The time of the earliest charge. */
  since: string;
}

/** The customers with charges that wait to be collected. */
export async function listWaiting(q: Queries): Promise<WaitingCharges[]> {
  const rows = await q
    .select({
      customerId: t.customerId,
      currency: t.currency,
      siteId: t.siteId,
      method: customerTable.billingMethod,
      since: min(t.at),
    })
    .from(t)
    .innerJoin(customerTable, eq(customerTable.id, t.customerId))
    .where(and(isNull(t.invoiceId), isNotDisputed(t.visitId)))
    .groupBy(t.customerId, t.currency, t.siteId)
    .orderBy(asc(t.customerId), asc(t.currency), asc(t.siteId));
  return rows.flatMap(({ customerId, currency, siteId, method, since }) => {
    const interval = billingInterval(method);
    return since === null || interval === null ? [] : [{ customerId, currency, siteId, interval, since }];
  });
}

/** What waits of a customer at a site, in one currency. */
export interface WaitingSum {
  customerId: string;
  /** Null: it has none, or is not known any more. */
  customerName: string | null;
  isKnown: boolean;
  method: BillingMethod | null;
  currency: string;
  siteId: string;
  isContested: boolean;
  charges: number;
  amountMinor: number;
}

/** All that waits to be collected, also what no run collects now. */
export async function waitingSums(q: Queries): Promise<WaitingSum[]> {
  const isContested = sql<number>`NOT ${isNotDisputed(t.visitId)}`;
  const rows = await q
    .select({
      customerId: t.customerId,
      known: customerTable.id,
      customerName: customerTable.name,
      method: customerTable.billingMethod,
      currency: t.currency,
      siteId: t.siteId,
      isContested: isContested.as('is_contested'),
      charges: count(),
      amountMinor: sql`sum(${t.amountMinor})`.mapWith(Number),
    })
    .from(t)
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .where(isNull(t.invoiceId))
    .groupBy(t.customerId, t.currency, t.siteId, sql`is_contested`)
    .orderBy(asc(t.customerId), asc(t.currency), asc(t.siteId));
  return rows.map(({ known, isContested: contested, ...row }) => ({
    ...row,
    isKnown: known !== null,
    isContested: contested === 1,
  }));
}

/** The charges of a customer in one currency. */
export interface Account {
  customerId: string;
  currency: string;
}

const waitingOf = ({ customerId, currency }: Account) =>
  and(eq(t.customerId, customerId), eq(t.currency, currency), isNull(t.invoiceId), isNotDisputed(t.visitId));

/**
 * The time since which charges wait, by the site of their visits.
 *
 * @param after by site: charges before then do not count
 */
export async function waitingSince(
  q: Queries,
  account: Account,
  after: ReadonlyMap<string, string>,
): Promise<{ siteId: string; since: string }[]> {
  const counted = [...after].map(([siteId, from]) => sql`NOT (${and(eq(t.siteId, siteId), lt(t.at, from))})`);
  const rows = await q
    .select({ siteId: t.siteId, since: min(t.at) })
    .from(t)
    .where(and(waitingOf(account), ...counted))
    .groupBy(t.siteId);
  return rows.flatMap(({ siteId, since }) => (since === null ? [] : [{ siteId, since }]));
}

/** Charges that wait at one site. */
export interface WaitingAt {
  siteId: string;
  /** Those before it do not count; undefined: all do. */
  from: string | undefined;
  before: string;
}

const waitingAt = (account: Account, { siteId, from, before }: WaitingAt) =>
  and(
    waitingOf(account),
    eq(t.siteId, siteId),
    from === undefined ? undefined : gte(t.at, from),
    lt(t.at, before),
  );

/** The charges that wait, the earliest first. */
export async function waitingBefore(
  q: Queries,
  account: Account,
  sites: readonly WaitingAt[],
): Promise<ChargeRow[]> {
  return await q
    .select()
    .from(t)
    .where(or(...sites.map((site) => waitingAt(account, site))))
    .orderBy(asc(t.at), asc(sql`rowid`));
}

/** Takes those same ones up into an invoice, in the transaction that read them. */
export async function collectBefore(
  q: Queries,
  account: Account,
  sites: readonly WaitingAt[],
  invoiceId: string,
): Promise<void> {
  await q
    .update(t)
    .set({ invoiceId })
    .where(or(...sites.map((site) => waitingAt(account, site))));
}

const setDiscount = prepared((q) =>
  q
    .update(t)
    .set({ discountMinor: sql`${sql.placeholder('discountMinor')}` })
    .where(eqPlaceholder(t.id, 'id'))
    .prepare(),
);

/** Notes a charge's share of the discount of its invoice. */
export async function saveDiscount(q: Queries, id: string, discountMinor: number): Promise<void> {
  await setDiscount(q).run({ id, discountMinor });
}
