import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { BillingMethod } from '@hlid/protocol/site-link/site-change';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Options of a customer's invoices; their interval is in a separate column. */
export interface CustomerOptions {
  sendInvoicesToEmail: boolean;
  sendInvoicesToPublishingSystem: boolean;
  /** The national id of the payer, where the customer itself does not pay. */
  billingSsn: string | null;
  /** Percent, 0 to 100, with two decimals at most. */
  discount: number;
  /** The address, to which electronic invoices go too; absent: stored before it was asked for. */
  street?: string | null;
  postcode?: string | null;
  city?: string | null;
  country?: string | null;
  electronicAddress?: string | null;
}

/** Companies and owners of vehicles. */
export const customerTable = sqliteTable(
  'customer',
  {
    id: text('id').primaryKey(),
    /** The national id, ten digits; one customer each. */
    ssn: text('ssn').unique(),
    name: text('name'),
    /** The name as it is searched and sorted: lower case; empty: none. */
    nameKey: text('name_key').notNull().default(''),
    email: text('email'),
    /** The same of the email address. */
    emailKey: text('email_key').notNull().default(''),
    phone: text('phone'),
    language: text('language').$type<OfficeLanguage>().notNull(),
    /** Null: it pays like any other driver. */
    billingMethod: text('billing_method').$type<BillingMethod>(),
    options: text('options', { mode: 'json' }).$type<CustomerOptions>().notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('customer_by_creation').on(table.createdAt, table.id),
    index('customer_by_name').on(table.nameKey, table.id),
    index('customer_by_email').on(table.emailKey, table.id),
    index('customer_by_billing').on(table.billingMethod, table.createdAt, table.id),
  ],
);
