import { discountOf } from '@hlid/protocol/invoice';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type BillingInterval, billingInterval, billingOf } from '../../customers/customer-billing.ts';
import type { Tx } from '../../db/db.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { commonTimeZone } from '../../sites/choose-site.ts';
import type { ChargeRow } from '../add-charge.ts';
import { collectBefore, saveDiscount, waitingBefore, waitingSince } from '../charge-store.ts';
import { hasInvoiceOf } from '../find-invoice.ts';
import { sellersOf } from '../invoice-content.ts';
import { invoiceMail } from '../invoice-mail.ts';
import type { InvoiceRow } from '../invoice-store.ts';
import { issueNewInvoice } from '../issue-invoice.ts';
import { type BillingPeriod, daysOf, periodAfter, periodOf } from './billing-period.ts';
import { collectedInvoice } from './collected-invoice.ts';

/**
 * Makes one invoice of a customer's charges of the earliest period that is over and has none yet, in one transaction.
 * Charges that come after their period was billed go to the first one after it that was not.
 *
 * @param until periods are over that ended by then
 * @returns null where there is nothing to bill
 */
export async function collectCharges(
  tx: Tx,
  account: { customerId: string; currency: string },
  { until, at }: { until: UtcTime; at: UtcTime },
): Promise<InvoiceRow | null> {
  const billing = await billingOf(tx.q, account.customerId);
  const interval = billing && billingInterval(billing.method);
  if (billing === null || interval === null) return null;
  const since = await waitingSince(tx.q, account);
  if (since === null) return null;
  const timeZone = await commonTimeZone(tx.q);
  const period = await periodToBill(tx, account, since, interval, timeZone);
  if (period.before > until) return null;
  const charges = withDiscount(await waitingBefore(tx.q, account, period.before), billing.discount);
  const { currency } = account;
  const invoice = await issueNewInvoice(
    tx,
    collectedInvoice(charges, billing, { ...period, currency }, at),
    at,
  );
  await collectBefore(tx.q, account, period.before, invoice.id);
  for (const { id, discountMinor } of charges) {
    if (discountMinor !== 0) await saveDiscount(tx.q, id, discountMinor);
  }
  if (invoice.email !== null) {
    const sellers = await sellersOf(
      tx.q,
      charges.map(({ siteId }) => siteId),
    );
    await queueMail(tx, invoiceMail(invoice, invoice.email, daysOf(period, timeZone), sellers), at);
  }
  return invoice;
}

/** Charges, each with its share of a discount of so many percent of all of them. */
function withDiscount(charges: readonly ChargeRow[], percent: number): ChargeRow[] {
  // A discount is of prices, not of fees.
  const amounts = charges.map(({ rule, amountMinor }) => (rule === 'visit' ? amountMinor : 0));
  const discounts = discountOf(amounts, percent);
  return charges.map((charge, at) => ({ ...charge, discountMinor: discounts[at] ?? 0 }));
}

/** The period of a charge, or the first after it that has not been billed. */
async function periodToBill(
  tx: Tx,
  { customerId, currency }: { customerId: string; currency: string },
  at: string,
  interval: BillingInterval,
  timeZone: string,
): Promise<BillingPeriod & { cause: string }> {
  const causeOf = ({ key }: BillingPeriod) => `billing:${customerId}:${key}:${currency}`;
  let period = periodOf(at, interval, timeZone);
  while (await hasInvoiceOf(tx.q, causeOf(period))) period = periodAfter(period, interval, timeZone);
  return { ...period, cause: causeOf(period) };
}
