import { and, asc, eq, isNull, lt, min, sql } from 'drizzle-orm';
import { type BillingInterval, billingInterval } from '../customers/customer-billing.ts';
import { customerTable } from '../customers/customer-table.ts';
import { eqPlaceholder } from '../db/compact-columns.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { ChargeRow } from './add-charge.ts';
import { chargeTable as t } from './charge-table.ts';

/** Charges that wait for one invoice. */
export interface WaitingCharges {
  customerId: string;
  currency: string;
  interval: BillingInterval;
  /** Of the earliest. */
  since: string;
}

/** Whose charges wait to be collected. */
export async function listWaiting(q: Queries): Promise<WaitingCharges[]> {
  const rows = await q
    .select({
      customerId: t.customerId,
      currency: t.currency,
      method: customerTable.billingMethod,
      since: min(t.at),
    })
    .from(t)
    .innerJoin(customerTable, eq(customerTable.id, t.customerId))
    .where(isNull(t.invoiceId))
    .groupBy(t.customerId, t.currency)
    .orderBy(asc(t.customerId), asc(t.currency));
  return rows.flatMap(({ customerId, currency, method, since }) => {
    const interval = billingInterval(method);
    return since === null || interval === null ? [] : [{ customerId, currency, interval, since }];
  });
}

/** Where a customer's charges in a currency stand. */
interface Account {
  customerId: string;
  currency: string;
}

const waitingOf = ({ customerId, currency }: Account) =>
  and(eq(t.customerId, customerId), eq(t.currency, currency), isNull(t.invoiceId));

/** When the earliest was made that waits; null where none does. */
export async function waitingSince(q: Queries, account: Account): Promise<string | null> {
  const row = await q
    .select({ at: t.at })
    .from(t)
    .where(waitingOf(account))
    .orderBy(asc(t.at))
    .limit(1)
    .get();
  return row?.at ?? null;
}

/** Those that wait and were made before a moment, the earliest first. */
export async function waitingBefore(q: Queries, account: Account, before: string): Promise<ChargeRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(waitingOf(account), lt(t.at, before)))
    .orderBy(asc(t.at), asc(sql`rowid`));
}

/** Takes those same ones up into an invoice, in the transaction that read them. */
export async function collectBefore(
  q: Queries,
  account: Account,
  before: string,
  invoiceId: string,
): Promise<void> {
  await q
    .update(t)
    .set({ invoiceId })
    .where(and(waitingOf(account), lt(t.at, before)));
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
