import { MailAddressSchema, TypedTextSchema } from '@hlid/protocol/card-number';
import { InvoiceStatusSchema, RemoteStatusSchema } from '@hlid/protocol/invoice';
import { OfficeLanguageSchema } from '@hlid/protocol/language';
import { CurrencySchema } from '@hlid/protocol/money';
import { CardBrandSchema } from '@hlid/protocol/payment';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';
import { SsnSchema } from '../http/input-fields.ts';
import { INCOME_TYPES } from './income-table.ts';
import type { InvoiceWithCustomer, ListedInvoice } from './invoice-store.ts';

const AmountSchema = z.int().describe('In the currency’s minor unit, VAT included.');

const InvoiceLineSchema = z
  .strictObject({
    rule: z.enum(['visit', 'discount', 'late-fee', 'service-fee']),
    visitId: z.string().nullable(),
    plate: z.string().nullable(),
    units: z.int(),
    amount: AmountSchema,
    vatRate: z.number().describe('Percent.'),
    noticeOn: UtcTimeSchema.optional().describe('For a late fee: when the notice was delivered.'),
  })
  .meta({ id: 'InvoiceLine' });

const ReceiptSchema = z
  .strictObject({
    type: z.enum(CardBrandSchema.options).nullable(),
    card: z.strictObject({ number: z.string().describe('Masked.') }),
    last_four: z.string().length(4),
  })
  .meta({ id: 'InvoiceReceipt' });

/** An invoice as the API shows it in a list. */
export const InvoiceSchema = z
  .strictObject({
    id: z.string(),
    number: z.int().nullable().describe('The number, without gaps; null: not issued, the payer is missing.'),
    status: InvoiceStatusSchema,
    productId: z.string().nullable(),
    price: z.strictObject({ amount: AmountSchema, currency: CurrencySchema }),
    vat: z
      .array(z.strictObject({ rate: z.number(), net: z.int(), vat: z.int() }))
      .describe('The VAT included in the price, by rate in percent; net and vat add up to the price.'),
    paymentType: z.enum(INCOME_TYPES),
    siteId: z.string().nullable().describe('Null: of several sites.'),
    visitId: z.string().nullable().describe('Null: a collective invoice; its lines name the visits.'),
    customer: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
    payer: z.strictObject({ ssn: z.string().nullable(), name: z.string().nullable() }).nullable(),
    invoiceEmail: z.string().nullable(),
    language: OfficeLanguageSchema,
    receipt: ReceiptSchema.nullable(),
    period: z
      .strictObject({ from: UtcTimeSchema, before: UtcTimeSchema })
      .nullable()
      .describe('The period of a collective invoice; `before` is not included.'),
    publishStatus: RemoteStatusSchema.nullable().describe(
      '`draft`: the system that publishes invoices to payers has not processed it yet. Null: the payer ' +
        'does not want that.',
    ),
    remoteStatus: RemoteStatusSchema.describe('`draft`: the accounting system has not processed it yet.'),
    createdOn: UtcTimeSchema,
    issuedOn: UtcTimeSchema.nullable(),
    dueOn: z.iso
      .date()
      .nullable()
      .describe('The last day to pay; null: not issued, or paid when it was issued.'),
    refundedOn: UtcTimeSchema.nullable(),
  })
  .meta({
    id: 'Invoice',
    example: {
      id: '6d1c2d6e-0a43-4bb0-8f0d-5a2f6f1f3c10',
      number: 1041,
      status: 'paid' as const,
      productId: null,
      price: { amount: 1240, currency: 'ISK' },
      vat: [{ rate: 24, net: 1000, vat: 240 }],
      paymentType: 'kiosk' as const,
      siteId: null,
      visitId: null,
      customer: null,
      payer: null,
      invoiceEmail: null,
      language: 'is' as const,
      receipt: { type: 'visa' as const, card: { number: '**** **** **** 1234' }, last_four: '1234' },
      period: null,
      publishStatus: null,
      remoteStatus: 'draft' as const,
      createdOn: '2026-11-21T08:30:00.000Z',
      issuedOn: '2026-11-21T08:30:00.000Z',
      dueOn: null,
      refundedOn: null,
    },
  });
export type Invoice = z.infer<typeof InvoiceSchema>;

/** One invoice with all that it asks for. */
export const InvoiceWithLinesSchema = z
  .strictObject({ ...InvoiceSchema.shape, lines: z.array(InvoiceLineSchema) })
  .meta({ id: 'InvoiceWithLines' });

export const InvoiceEditSchema = z
  .strictObject({
    remoteStatus: RemoteStatusSchema.describe('The accounting system’s mark. `completed` is final.'),
    publishStatus: RemoteStatusSchema.nullable().describe(
      'The publishing system’s mark. `completed` is final.',
    ),
    status: InvoiceStatusSchema.describe(
      '`paid`: the accounting system has received the money. No other one, but what it is already.',
    ),
    invoiceEmail: MailAddressSchema.nullable(),
    language: OfficeLanguageSchema,
    payer: z
      .strictObject({ ssn: SsnSchema.nullable(), name: TypedTextSchema.trim().min(1).max(200).nullable() })
      .nullable()
      .describe('The payer of an invoice that waits for one: it is then issued.'),
  })
  .partial()
  .meta({ id: 'InvoiceEdit', example: { remoteStatus: 'completed' } });
export type InvoiceEdit = z.infer<typeof InvoiceEditSchema>;

export const RefundSchema = z
  .strictObject({
    reason: TypedTextSchema.trim().min(1).max(500),
    amount: AmountSchema.min(1)
      .optional()
      .describe('A part of an online payment, in the currency’s minor unit; absent: the whole.'),
  })
  .meta({ id: 'InvoiceRefund', example: { reason: 'The barrier did not open' } });

export function invoiceWithLinesFrom(row: InvoiceWithCustomer): z.infer<typeof InvoiceWithLinesSchema> {
  const lines = row.lines.map(({ amountMinor, noticeAt, ...line }) => ({
    ...line,
    amount: amountMinor,
    ...(noticeAt !== undefined && { noticeOn: noticeAt }),
  }));
  return { ...invoiceFrom(row), lines };
}

export function invoiceFrom(row: ListedInvoice): Invoice {
  const { receiptLastFour, periodFrom, periodBefore } = row;
  const { payerSsn, payerName, customerId } = row;
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    productId: row.productId,
    price: { amount: row.amountMinor, currency: row.currency },
    vat: row.vat.map(({ rate, netMinor, vatMinor }) => ({ rate, net: netMinor, vat: vatMinor })),
    paymentType: row.paymentType,
    siteId: row.siteId,
    visitId: row.visitId,
    customer: customerId === null ? null : { id: customerId, name: row.customerName },
    payer: payerSsn === null && payerName === null ? null : { ssn: payerSsn, name: payerName },
    invoiceEmail: row.email,
    language: row.language,
    receipt:
      receiptLastFour === null
        ? null
        : {
            type: row.receiptType,
            card: { number: `**** **** **** ${receiptLastFour}` },
            last_four: receiptLastFour,
          },
    period: periodFrom === null || periodBefore === null ? null : { from: periodFrom, before: periodBefore },
    publishStatus: row.publishStatus,
    remoteStatus: row.remoteStatus,
    createdOn: row.createdAt,
    issuedOn: row.issuedAt,
    dueOn: row.dueOn,
    refundedOn: row.refundedAt,
  };
}
