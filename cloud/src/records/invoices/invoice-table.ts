import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { VatPart, VatTerms } from '@hlid/protocol/base/vat';
import type { InvoiceStatus, RemoteStatus } from '@hlid/protocol/records/invoice';
import type { CardBrand } from '@hlid/protocol/records/payment';
import type { PaidWith } from '@hlid/protocol/records/visit';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { sql } from '../../platform/db/sql.ts';
import type { IncomeType } from './income-table.ts';

/** One thing that an invoice asks for. */
export interface InvoiceLine extends VatTerms {
  /**
   * `quota`: prepaid units of the invoice's product, for its customer. `reminder-charge`: for a reminder of the invoice
   * whose number is its name.
   */
  rule: 'visit' | 'discount' | 'quota' | 'reminder-charge' | FeeRule;
  visitId: string | null;
  plate: string | null;
  units: number;
  /** VAT included. */
  amountMinor: number;
  /** Its site, on an invoice of several sites; absent: that of the invoice. */
  siteId?: string;
  /** The name of prepaid units, or the number of the invoice that a reminder was about. */
  name?: string;
  /** When the notice was delivered from which the time of a late fee ran, or that is charged. */
  noticeAt?: string;
  /**
   * The site of a visit (an `invoice_snapshot`); this and the time are as they were when the invoice was
   * issued.
   */
  placeId?: number;
  startedAt?: UtcTime;
  /** Null: it was still inside. */
  endedAt?: UtcTime | null;
}

/** The kinds of amounts that are charged beside the price of a stay. */
export type FeeRule = 'late-fee' | 'service-fee';

/** The part of an invoice in the income of a site; the parts of one add up to its amount. */
export interface IncomePart {
  /** Null: of no site. */
  siteId: string | null;
  vehicleCategory: VehicleCategory;
  /** 1 in one part, 0 in the others; -1 in one part of a credit note for the whole. */
  invoices: -1 | 0 | 1;
  amountMinor: number;
  /** Its product, on an invoice of several products; absent: that of the invoice. */
  productId?: string;
}

/**
 * An invoice, or a credit note: that has a negative amount and names what it takes back. `draft`: issued and not paid
 * yet, or (without a number) waiting for a person to choose the payer. What is issued never changes and counts as income
 * from `issuedAt` on; only its marks do: `status`, `refundedAt`, `openRefundMinor` and how far other systems have it. It is `refunded` once
 * credit notes take all of it back, and so are they, and `paid` again once money of it is here again.
 */
export const invoiceTable = sqliteTable(
  'invoice',
  {
    id: compactId('id').primaryKey(),
    /** Counts up without gaps as its seller issues invoices and credit notes; null: not issued. */
    number: integer('number'),
    /** The series of its number: an `invoice_series`. */
    series: integer('series'),
    /** The seller as it was then: an `invoice_snapshot`; null: not issued, or its site names none. */
    sellerId: integer('seller_id'),
    /**
     * The buyer's data in electronic invoices, as they were then: an `invoice_snapshot`; null: not issued, or
     * no data is known.
     */
    buyerId: integer('buyer_id'),
    /** The invoice that a credit note takes back, or the credit note that this one does. */
    creditOf: compactId('credit_of'),
    /** The name of its customer when it was issued. */
    soldTo: text('sold_to'),
    status: text('status').$type<InvoiceStatus>().notNull(),
    /** The cause, such as a settlement's id: the same one makes no second invoice. */
    cause: compactId('cause').notNull().unique(),
    /** Null: of several sites, or none. */
    siteId: compactSiteId('site_id'),
    /** Null: collected, or not of a visit. */
    visitId: compactId('visit_id'),
    customerId: text('customer_id'),
    productId: compactId('product_id'),
    paymentType: text('payment_type').$type<IncomeType>().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    /** The tip, given at a card terminal beside the amount: no price, and no part of the amount. */
    tipMinor: integer('tip_minor').notNull().default(0),
    /** The amount that may have gone back, while that is uncertain. It counts as given. */
    openRefundMinor: integer('open_refund_minor').notNull().default(0),
    /** The lines; a collected invoice may have thousands, so lists leave them out. */
    lines: shortJson<InvoiceLine[]>('lines').notNull(),
    vat: shortJson<VatPart[]>('vat').notNull(),
    incomeParts: shortJson<IncomePart[]>('income_parts').notNull(),
    /** The national id to which it is made out, if it is known. */
    payerSsn: text('payer_ssn'),
    payerName: text('payer_name'),
    email: text('email'),
    language: text('language').$type<OfficeLanguage>().notNull(),
    /** How one that was issued unpaid was paid since; null: not paid, or not known. */
    paidWith: text('paid_with').$type<'online' | 'claim' | PaidWith>(),
    paidAt: compactTime('paid_at'),
    /** The card payment that paid it; null: none did, or it made the invoice and has its id. */
    paymentId: compactId('payment_id'),
    receiptType: text('receipt_type').$type<CardBrand>(),
    /** The last four digits of the card. */
    receiptLastFour: text('receipt_last_four'),
    /** The period of a collected invoice: from here up to `periodBefore` (not included). */
    periodFrom: text('period_from'),
    periodBefore: text('period_before'),
    /** The same by the calendar of its sites: `YYYY-MM-DD` or `YYYY-MM`. */
    period: text('period'),
    /** The state of its publication to the payer by another system; null: the payer refuses electronic invoices. */
    publishStatus: text('publish_status').$type<RemoteStatus>(),
    issuedAt: compactTime('issued_at'),
    /** The last day on which it is paid in time, `YYYY-MM-DD`; null: not issued, or paid already. */
    dueOn: text('due_on'),
    refundedAt: compactTime('refunded_at'),
    /** How far the accounting system has it. */
    remoteStatus: text('remote_status').$type<RemoteStatus>().notNull(),
    createdAt: compactTime('created_at').notNull(),
    modifiedAt: compactTime('modified_at').notNull(),
  },
  (table) => [
    uniqueIndex('invoice_by_number').on(table.number, table.series),
    index('invoice_by_credited').on(table.creditOf).where(sql`credit_of IS NOT NULL`),
    index('invoice_by_creation').on(table.createdAt),
    // Bookkeeping goes by the time of issue. Most are issued as they are made, and are found by their creation.
    index('invoice_issued_later').on(table.issuedAt).where(sql`issued_at <> created_at`),
    index('invoice_by_payment').on(table.paidAt).where(sql`paid_at IS NOT NULL`),
    index('invoice_by_amount').on(table.amountMinor),
    index('invoice_by_site').on(table.siteId, table.createdAt),
    // What was issued on a day.
    index('invoice_by_issue').on(table.siteId, table.issuedAt).where(sql`issued_at IS NOT NULL`),
    index('invoice_by_status').on(table.status, table.createdAt),
    // Issued and unpaid: reminders and collectors go by the last day to pay.
    index('invoice_unpaid')
      .on(table.siteId, table.dueOn)
      .where(sql`status = 'draft' AND due_on IS NOT NULL AND credit_of IS NULL`),
    index('invoice_by_visit').on(table.visitId, table.createdAt),
    index('invoice_by_customer').on(table.customerId, table.createdAt).where(sql`customer_id IS NOT NULL`),
    index('invoice_by_card')
      .on(table.receiptLastFour, table.createdAt)
      .where(sql`receipt_last_four IS NOT NULL`),
    index('invoice_by_payer').on(table.payerSsn, table.createdAt).where(sql`payer_ssn IS NOT NULL`),
    index('invoice_by_accounting').on(table.status, table.remoteStatus, table.createdAt),
    // Few: reports add them up.
    index('invoice_open_refund').on(table.siteId, table.currency).where(sql`open_refund_minor > 0`),
    // The index of invoices that need an operator.
    index('invoice_waiting').on(table.createdAt).where(sql`issued_at IS NULL`),
    index('invoice_by_publish_status')
      .on(table.publishStatus, table.createdAt)
      .where(sql`publish_status IS NOT NULL`),
    // Accounting pulls and marks issued invoices only.
    index('invoice_by_remote_status').on(table.remoteStatus, table.createdAt).where(sql`number IS NOT NULL`),
  ],
);

/** The numbers of each seller. They outlive the invoices. */
export const invoiceSeriesTable = sqliteTable('invoice_series', {
  id: integer('id').primaryKey(),
  /** The seller's national id, as letters and digits; empty: of sites that name no seller. */
  seller: text('seller').notNull().unique(),
  /** The number that was given last. */
  last: integer('last').notNull(),
});

/**
 * The data of sellers and sites in invoices, each once, as it was when they were issued. No row is ever
 * changed.
 */
export const invoiceSnapshotTable = sqliteTable('invoice_snapshot', {
  id: integer('id').primaryKey(),
  content: text('content').notNull().unique(),
});
