import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { discountOf } from '@hlid/protocol/records/invoice';
import { hasInvoiceOf } from '../../money/invoices/find-invoice.ts';
import { invoiceMail } from '../../money/invoices/invoice-mail.ts';
import { snapshotsOf } from '../../money/invoices/invoice-snapshot.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { issueNewInvoice } from '../../money/invoices/issue-invoice.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
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
  type BillingInterval,
  billingInterval,
  billingOf,
} from '../../records/customers/customer-billing.ts';
import type { ChargeRow } from '../../records/invoices/charge-table.ts';
import type { InvoiceLinks } from '../pay/link/invoice-links.ts';
import type { BilledSites } from './billed-sites.ts';
import { type BillingPeriod, daysOf, keyAfter, periodOf, periodOfKey } from './billing-period.ts';
import { collectedInvoice } from './collected-invoice.ts';

/** What is billed: a customer's charges at the sites of one seller, of the earliest period that has no invoice. */
interface Bill {
  period: BillingPeriod & { cause: string };
  charged: WaitingAt[];
}

/**
 * Makes one invoice of a customer's charges of the earliest period that is over and has none yet, in one
 * transaction. Charges that come after their period was billed go to the first one after it that was not.
 * Each seller bills its own sites, and a charge belongs to the day and the month at its site.
 *
 * @param until periods that ended by then, at the last of the seller's sites, are over
 * @param links prepares the links to pay by card, for the mail
 * @returns null where there is nothing to bill
 */
export async function collectCharges(
  tx: Tx,
  sites: BilledSites,
  account: Account,
  { until, at }: { until: UtcTime; at: UtcTime },
  links: InvoiceLinks,
): Promise<InvoiceRow | null> {
  const billing = await billingOf(tx.q, account.customerId);
  const interval = billing && billingInterval(billing.method);
  if (billing === null || interval === null) return null;
  const bills = await billsOf(tx.q, sites, account, interval);
  const due = bills.find(({ period }) => period.before <= until);
  if (due === undefined) return null;
  const { period, charged } = due;
  const charges = withDiscount(await waitingBefore(tx.q, account, charged), billing.discount);
  const { currency } = account;
  const invoice = await issueNewInvoice(
    tx,
    collectedInvoice(charges, billing, { ...period, currency }, at),
    at,
  );
  await collectBefore(tx.q, account, charged, invoice.id);
  for (const { id, discountMinor } of charges) {
    if (discountMinor !== 0) await saveDiscount(tx.q, id, discountMinor);
  }
  if (invoice.email !== null) {
    const { sellers } = await snapshotsOf(tx.q, [{ sellerId: invoice.sellerId }]);
    const payAt = (await links.of(tx.q, invoice.id, invoice.language))?.url ?? null;
    const days = daysOf(period.key);
    await queueMail(tx, invoiceMail(invoice, invoice.email, days, [...sellers.values()], payAt), at);
  }
  return invoice;
}

/** Charges, each with its share of a discount of this percentage of all of them. */
function withDiscount(charges: readonly ChargeRow[], percent: number): ChargeRow[] {
  // A discount is of prices, not of fees.
  const amounts = charges.map(({ rule, amountMinor }) => (rule === 'visit' ? amountMinor : 0));
  const discounts = discountOf(amounts, percent);
  return charges.map((charge, at) => ({ ...charge, discountMinor: discounts[at] ?? 0 }));
}

/** What waits, by the seller. */
async function billsOf(
  q: Queries,
  sites: BilledSites,
  account: Account,
  interval: BillingInterval,
): Promise<Bill[]> {
  const waiting = (await waitingSince(q, account)).map(({ siteId, since }) => ({
    siteId,
    ...sites.of(siteId),
    key: periodOf(since, interval, sites.of(siteId).timeZone).key,
  }));
  const bills: Bill[] = [];
  for (const seller of new Set(waiting.map((one) => one.seller))) {
    const theirs = waiting.filter((one) => one.seller === seller);
    const first = theirs.map(({ key }) => key).reduce((one, other) => (one < other ? one : other));
    const { key, cause } = await unbilledKey(q, account, seller, first);
    const charged = theirs.map(({ siteId, timeZone }) => ({
      siteId,
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
  first: string,
): Promise<{ key: string; cause: string }> {
  const causeOf = (key: string) => `billing:${customerId}:${key}:${currency}:${seller}`;
  let key = first;
  while (await hasInvoiceOf(q, causeOf(key))) key = keyAfter(key);
  return { key, cause: causeOf(key) };
}
