import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { discountOf } from '@hlid/protocol/records/invoice';
import { hasInvoiceOf } from '../../money/invoices/find-invoice.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { issueNewInvoice, type UnissuedInvoice } from '../../money/invoices/issue-invoice.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import {
  type Account,
  collectBefore,
  saveDiscount,
  type WaitingAt,
  waitingBefore,
  waitingSince,
} from '../../records/billing/charge-store.ts';
import {
  billingInterval,
  billingOf,
  type CustomerBilling,
} from '../../records/customers/customer-billing.ts';
import type { ChargeRow } from '../../records/invoices/charge-table.ts';
import type { InvoiceLinks } from '../pay/link/invoice-links.ts';
import { mailInvoice } from '../pay/link/mail-invoice.ts';
import type { BilledSites } from './billed-sites.ts';
import { type BillingPeriod, daysOf, keyAfter, periodOf, periodOfKey } from './billing-period.ts';
import { collectedInvoice } from './collected-invoice.ts';

/** What is billed: a customer's charges at the sites of one seller, of the earliest period that has no invoice. */
export interface Bill {
  period: BillingPeriod & { cause: string };
  charged: WaitingAt[];
}

/** An invoice that has not been made, and the charges that it collects. */
export interface NextInvoice {
  draft: UnissuedInvoice;
  charged: WaitingAt[];
  /** With their shares of the discount. */
  charges: ChargeRow[];
}

/** What a plan has billed so far, as if it were stored. */
export interface PlannedBills {
  causes: Set<string>;
  /** By site: what was charged before then is collected. */
  before: Map<string, UtcTime>;
}

interface Times {
  /** Periods that ended by then, at the last of the seller's sites, are over. */
  until: UtcTime;
  at: UtcTime;
}

/**
 * Makes one invoice of a customer's charges of the earliest period that is over and has none yet, in one
 * transaction. Charges that come after their period was billed go to the first one after it that was not.
 * Each seller bills its own sites, and a charge belongs to the day and the month at its site.
 *
 * @param links prepares the links to pay by card, for the mail
 * @returns null where there is nothing to bill
 */
export async function collectCharges(
  tx: Tx,
  sites: BilledSites,
  account: Account,
  times: Times,
  links: InvoiceLinks,
): Promise<InvoiceRow | null> {
  const next = await nextInvoice(tx.q, sites, account, times);
  if (next === null) return null;
  const { draft, charged, charges } = next;
  const { at } = times;
  const invoice = await issueNewInvoice(tx, draft, at);
  await collectBefore(tx.q, account, charged, invoice.id);
  for (const { id, discountMinor } of charges) {
    if (discountMinor !== 0) await saveDiscount(tx.q, id, discountMinor);
  }
  await mailInvoice(tx, links, invoice, daysOf(draft.period ?? ''), at);
  return invoice;
}

/**
 * The invoice that `collectCharges` makes next, not made yet; null: there is nothing to bill.
 *
 * @param planned what counts as billed before it
 */
export async function nextInvoice(
  q: Queries,
  sites: BilledSites,
  account: Account,
  { until, at }: Times,
  planned: PlannedBills = NOTHING_PLANNED,
): Promise<NextInvoice | null> {
  const billing = await billingOf(q, account.customerId);
  if (billing === null) return null;
  const bills = await billsOf(q, sites, account, billing, planned);
  const due = bills.find(({ period }) => period.before <= until);
  if (due === undefined) return null;
  const { period, charged } = due;
  const charges = withDiscount(await waitingBefore(q, account, charged), billing.discount);
  const { currency } = account;
  return { draft: collectedInvoice(charges, billing, { ...period, currency }, at), charged, charges };
}

const NOTHING_PLANNED: PlannedBills = { causes: new Set(), before: new Map() };

/** Charges, each with its share of a discount of this percentage of all of them. */
function withDiscount(charges: readonly ChargeRow[], percent: number): ChargeRow[] {
  // A discount is of prices, not of fees.
  const amounts = charges.map(({ rule, amountMinor }) => (rule === 'visit' ? amountMinor : 0));
  const discounts = discountOf(amounts, percent);
  return charges.map((charge, at) => ({ ...charge, discountMinor: discounts[at] ?? 0 }));
}

/** What waits, by the seller; nothing where a customer is not billed. */
export async function billsOf(
  q: Queries,
  sites: BilledSites,
  account: Account,
  { method }: Pick<CustomerBilling, 'method'>,
  planned: PlannedBills,
): Promise<Bill[]> {
  const interval = billingInterval(method);
  if (interval === null) return [];
  const waiting = (await waitingSince(q, account, planned.before)).map(({ siteId, since }) => ({
    siteId,
    ...sites.of(siteId),
    key: periodOf(since, interval, sites.of(siteId).timeZone).key,
  }));
  const bills: Bill[] = [];
  for (const seller of new Set(waiting.map((one) => one.seller))) {
    const theirs = waiting.filter((one) => one.seller === seller);
    const first = theirs.map(({ key }) => key).reduce((one, other) => (one < other ? one : other));
    const { key, cause } = await unbilledKey(q, account, seller, { first, planned });
    const charged = theirs.map(({ siteId, timeZone }) => ({
      siteId,
      from: planned.before.get(siteId),
      before: periodOfKey(key, timeZone).before,
    }));
    bills.push({ period: { ...sites.periodOf(seller, key), cause }, charged });
  }
  return bills;
}

/** The period of a charge, or the first after it that its seller has not billed. */
async function unbilledKey(
  q: Queries,
  { customerId, currency }: Account,
  seller: string,
  { first, planned }: { first: string; planned: PlannedBills },
): Promise<{ key: string; cause: string }> {
  const causeOf = (key: string) => `billing:${customerId}:${key}:${currency}:${seller}`;
  const isBilled = async (cause: string) => planned.causes.has(cause) || (await hasInvoiceOf(q, cause));
  let key = first;
  while (await isBilled(causeOf(key))) key = keyAfter(key);
  return { key, cause: causeOf(key) };
}
