import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { BillingMethod } from '@hlid/protocol/site-link/site-change';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { customerTable as t } from './customer-table.ts';

/** How a customer is billed. */
export interface CustomerBilling {
  customerId: string;
  name: string | null;
  /** The national id on its invoices. */
  payerSsn: string | null;
  language: OfficeLanguage;
  /** Null: it pays like any other driver. */
  method: BillingMethod | null;
  /** Percent. */
  discount: number;
  /** The address to which invoices are sent; null: they are not sent. */
  mailTo: string | null;
  toPublish: boolean;
}

const customerById = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

/** How a customer is billed now; null where there is none such. */
export async function billingOf(q: Queries, customerId: string): Promise<CustomerBilling | null> {
  const customer = await customerById(q).get({ id: customerId });
  if (customer === undefined) return null;
  const { name, ssn, email, language, options } = customer;
  return {
    customerId,
    name,
    payerSsn: options.billingSsn ?? ssn,
    language,
    method: customer.billingMethod,
    discount: options.discount,
    mailTo: options.sendInvoicesToEmail ? email : null,
    toPublish: options.sendInvoicesToPublishingSystem,
  };
}

/** The invoices that a customer has agreed to; null without a customer. */
export async function billingMethodOf(q: Queries, customerId: string | null): Promise<BillingMethod | null> {
  return customerId === null ? null : ((await billingOf(q, customerId))?.method ?? null);
}

export type BillingInterval = 'daily' | 'monthly';

/**
 * How often charges of a customer are collected; null: not at all. What was charged before the customer's billing ended
 * is still owed, and comes with the month.
 */
export function billingInterval(method: BillingMethod | null): BillingInterval | null {
  switch (method) {
    case 'daily':
    case 'monthly':
      return method;
    case null:
      return 'monthly';
    case 'whitelist':
      return null;
    default:
      return method satisfies never;
  }
}
