import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { UnissuedInvoice } from '../../money/invoices/issue-invoice.ts';
import type { Queries } from '../../platform/db/db.ts';
import { groupBy } from '../../platform/group-by.ts';
import { type Account, type WaitingSum, waitingSums } from '../../records/billing/charge-store.ts';
import { billingInterval } from '../../records/customers/customer-billing.ts';
import type { ChargeRow } from '../../records/invoices/charge-table.ts';
import { dueBy } from './bill-customers.ts';
import type { BilledSites } from './billed-sites.ts';
import { billsOf, nextInvoice, type PlannedBills } from './collect-charges.ts';

/**
 * Why a charge is not billed. `period-open`: its day or month is not over; `contested`: it waits for the answer to a
 * dispute; `not-billed`: its customer gets no invoices; `unknown-customer`; `failed`: it cannot be billed.
 */
export const LEFT_OUT = ['period-open', 'contested', 'not-billed', 'unknown-customer', 'failed'] as const;
export type LeftOutReason = (typeof LEFT_OUT)[number];

/** Charges of a customer that a run does not bill. */
export interface LeftOut extends Account {
  customerName: string | null;
  reason: LeftOutReason;
  /** What is wrong with it, for `failed`. */
  detail: string | null;
  charges: number;
  /** Before discounts. */
  amountMinor: number;
  /** When the next run can bill them, for `period-open`. */
  billedFrom: UtcTime | null;
}

export interface PlannedInvoice {
  draft: UnissuedInvoice;
  charges: ChargeRow[];
}

/** What a run would bill, and what it would leave out. */
export interface BillingPlan {
  until: UtcTime;
  invoices: PlannedInvoice[];
  leftOut: LeftOut[];
}

/** What has been found of an account: its invoices, and the rest of its charges. */
interface PlannedAccount {
  invoices: PlannedInvoice[];
  planned: PlannedBills;
  error: string | null;
}

/** The invoices that a billing run until then would make now. It goes the way of the run, and stores nothing. */
export async function planBilling(
  q: Queries,
  { until, at }: { until: UtcTime; at: UtcTime },
): Promise<BillingPlan> {
  const { sites, accounts } = await dueBy(q, until);
  const found = new Map<string, PlannedAccount>();
  for (const account of accounts) {
    found.set(keyOf(account), await planAccount(q, sites, account, { until, at }));
  }
  const leftOut: LeftOut[] = [];
  const sums = groupBy(await waitingSums(q), keyOf);
  for (const its of sums.values()) {
    const [account] = its;
    if (account === undefined) continue;
    const planned = found.get(keyOf(account)) ?? NOTHING;
    for (const one of await restOf(q, sites, its, planned)) leftOut.push(one);
  }
  return { until, invoices: [...found.values()].flatMap(({ invoices }) => invoices), leftOut };
}

const NOTHING: PlannedAccount = {
  invoices: [],
  planned: { causes: new Set(), before: new Map() },
  error: null,
};

const keyOf = ({ customerId, currency }: Account) => `${customerId} ${currency}`;

async function planAccount(
  q: Queries,
  sites: BilledSites,
  account: Account,
  times: { until: UtcTime; at: UtcTime },
): Promise<PlannedAccount> {
  const planned: PlannedBills = { causes: new Set(), before: new Map() };
  const invoices: PlannedInvoice[] = [];
  try {
    let next = await nextInvoice(q, sites, account, times, planned);
    while (next !== null) {
      const { draft, charges, charged } = next;
      invoices.push({ draft, charges });
      planned.causes.add(draft.cause);
      for (const { siteId, before } of charged) planned.before.set(siteId, before);
      next = await nextInvoice(q, sites, account, times, planned);
    }
  } catch (error) {
    // The run bills the other customers all the same.
    return { invoices, planned, error: messageOf(error) };
  }
  return { invoices, planned, error: null };
}

/** The charges of an account that are on none of its planned invoices, by the reason. */
async function restOf(
  q: Queries,
  sites: BilledSites,
  sums: readonly WaitingSum[],
  { invoices, planned, error }: PlannedAccount,
): Promise<LeftOut[]> {
  const taken = groupBy(
    invoices.flatMap(({ charges }) => charges),
    ({ siteId }) => siteId,
  );
  const rest = new Map<LeftOutReason, LeftOut>();
  for (const sum of sums) {
    const reason = reasonOf(sum, error);
    const its = reason === 'period-open' || reason === 'failed' ? (taken.get(sum.siteId) ?? []) : [];
    const charges = sum.charges - its.length;
    if (charges === 0) continue;
    const { customerId, customerName, currency } = sum;
    const known = rest.get(reason) ?? {
      customerId,
      customerName,
      currency,
      reason,
      detail: reason === 'failed' ? error : null,
      charges: 0,
      amountMinor: 0,
      billedFrom: reason === 'period-open' ? await nextEnd(q, sites, sum, planned) : null,
    };
    known.charges += charges;
    known.amountMinor += sum.amountMinor - its.reduce((minor, one) => minor + one.amountMinor, 0);
    rest.set(reason, known);
  }
  return [...rest.values()];
}

function reasonOf({ isKnown, isContested, method }: WaitingSum, error: string | null): LeftOutReason {
  if (isContested) return 'contested';
  if (!isKnown) return 'unknown-customer';
  if (billingInterval(method) === null) return 'not-billed';
  return error === null ? 'period-open' : 'failed';
}

/** When the earliest period of what is left is over. */
async function nextEnd(
  q: Queries,
  sites: BilledSites,
  sum: WaitingSum,
  planned: PlannedBills,
): Promise<UtcTime | null> {
  const bills = await billsOf(q, sites, sum, sum, planned);
  return bills.map(({ period }) => period.before).toSorted()[0] ?? null;
}
