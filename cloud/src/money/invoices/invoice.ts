import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { NameSchema, ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { netOfLines, vatOf } from '@hlid/protocol/base/vat';
import { VatCategorySchema } from '@hlid/protocol/base/vat-schema';
import { InvoiceStatusSchema, RemoteStatusSchema } from '@hlid/protocol/records/invoice';
import { CardBrandSchema } from '@hlid/protocol/records/payment';
import { PaidWithSchema } from '@hlid/protocol/records/visit';
import { z } from '@hono/zod-openapi';
import { needingApproval, needsApprovalSchema } from '../../people/approvals/needs-approval.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, isNotNull } from '../../platform/db/sql.ts';
import { IdSchema, SsnSchema } from '../../platform/http/input-fields.ts';
import { type EInvoiceRow, findEInvoice } from '../../records/invoices/e-invoice-store.ts';
import { E_INVOICE_REASONS, E_INVOICE_STATES } from '../../records/invoices/e-invoice-table.ts';
import { INCOME_TYPES } from '../../records/invoices/income-table.ts';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { withOpenReversal } from '../../records/payments/open-reversal.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { actionsOfInvoice, type InvoiceReader } from './actions-of-invoice.ts';
import { DOCUMENT_KINDS, documentKind } from './document-kind.ts';
import { InvoiceActionsSchema } from './invoice-actions.ts';
import { sitesOfInvoice } from './invoice-approval.ts';
import { type Place, type Seller, type Snapshots, snapshotsOf } from './invoice-snapshot.ts';
import { creditNotesOf, type InvoiceWithCustomer, type ListedInvoice } from './invoice-store.ts';
import { openInvoice } from './pay-invoice.ts';

const AmountSchema = z.int().describe('The amount in the currency’s minor unit, VAT included.');

const InvoiceLineSchema = z
  .strictObject({
    rule: z.enum(['visit', 'discount', 'quota', 'late-fee', 'service-fee', 'reminder-charge']),
    visitId: z.string().nullable(),
    plate: z.string().nullable(),
    units: z.int(),
    amount: AmountSchema,
    net: z
      .int()
      .describe('The amount without VAT: those of all lines add up to the nets of the VAT of the invoice.'),
    vatRate: z.number().describe('Percent.'),
    vatCategory: VatCategorySchema.nullable().describe('Null: not decided when it was priced.'),
    vatReason: z.string().nullable().describe('Why there is no VAT, in the categories `E` and `O`.'),
    name: z.string().optional().describe('The name of prepaid days (`quota`).'),
    noticeOn: UtcTimeSchema.optional().describe('The delivery of the notice, for a late fee.'),
    place: z
      .strictObject({ name: z.string(), timeZone: z.string() })
      .optional()
      .describe('The site, as it was when the invoice was issued; so are the times.'),
    startedOn: UtcTimeSchema.optional(),
    endedOn: UtcTimeSchema.nullable().optional().describe('Null: it was still inside.'),
  })
  .meta({ id: 'InvoiceLine' });

const ReceiptSchema = z
  .strictObject({
    type: z.enum(CardBrandSchema.options).nullable(),
    card: z.strictObject({ number: z.string().describe('Masked.') }),
    last_four: z.string().length(4),
  })
  .meta({ id: 'InvoiceReceipt' });

const SellerSchema = z
  .strictObject({
    name: z.string(),
    ssn: z.string(),
    vatNumber: z.string().nullable(),
    address: z.string().nullable(),
    bankAccount: z.string().nullable(),
  })
  .meta({ id: 'InvoiceSeller' });

const SentElectronicallySchema = z
  .strictObject({
    state: z
      .enum(E_INVOICE_STATES)
      .describe(
        '`waiting`: not handed over to an access point. `sending`, `unknown`: it may have it, and is asked. `accepted`: it has ' +
          'it. `delivered`: the receiver has it. `refused`: `reason` says why; mend that and send it again.',
      ),
    on: UtcTimeSchema.describe('The time since which it is in that state.'),
    accessPoint: z
      .string()
      .nullable()
      .describe('The channel, as the configuration names it; null: none yet.'),
    receiver: z.string().nullable().describe('Such as `0196:5501012340`; null: not known yet.'),
    reference: z.string().nullable().describe('The access point’s own id of it.'),
    reason: z.enum(E_INVOICE_REASONS).nullable().describe('Why it goes no further, or was not reached.'),
    detail: z.string().nullable().describe('What is missing, or the words of the access point.'),
    attempts: z.int().min(1).describe('How often it was sent; above 1: it was refused before.'),
  })
  .meta({ id: 'ElectronicInvoiceState' });

/** An invoice as the API shows it in a list. */
export const InvoiceSchema = z
  .strictObject({
    id: z.string(),
    number: z
      .int()
      .nullable()
      .describe(
        'The number in the series of its seller, without gaps; null: not issued, the payer is missing.',
      ),
    seller: SellerSchema.nullable().describe(
      'The seller at the time of issue; null: not issued, or its site names no seller.',
    ),
    kind: z.enum(DOCUMENT_KINDS).describe('`credit-note`: the price is negative.'),
    credits: z
      .strictObject({ invoiceId: z.string(), number: z.int().nullable() })
      .nullable()
      .describe(
        'The document that it takes back, or a part of it: a credit note an invoice, an invoice a credit note; null: none.',
      ),
    status: InvoiceStatusSchema,
    paymentState: z
      .enum(['open', 'pending', 'paid', 'failed', 'refunded'])
      .describe(
        '`open`: nobody has paid it. `pending`: a card payment of it is under way, or has an outcome that is not known yet. ' +
          '`failed`: the card payment that was to make it came to nothing.',
      ),
    productId: z.string().nullable(),
    price: z.strictObject({ amount: AmountSchema, currency: CurrencySchema }),
    tip: AmountSchema.describe('What was given beside the price at a card terminal; no part of it.'),
    openRefund: AmountSchema.describe(
      'So much may have gone back, and the provider or the terminal has not said whether it has. It counts as given: ' +
        'nothing more is refunded before that is known.',
    ),
    vat: z
      .array(
        z.strictObject({
          category: VatCategorySchema.nullable().describe('Null: not decided when it was priced.'),
          rate: z.number(),
          reasons: z.array(z.string()).describe('Why there is no VAT, in the categories `E` and `O`.'),
          net: z.int(),
          vat: z.int(),
        }),
      )
      .describe(
        'The VAT included in the price, by category and rate in percent; net and vat add up to the price.',
      ),
    paymentType: z.enum(INCOME_TYPES),
    siteId: z.string().nullable().describe('Null: of several sites.'),
    visitId: z.string().nullable().describe('Null: a collective invoice; its lines name the visits.'),
    customer: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
    payer: z.strictObject({ ssn: z.string().nullable(), name: z.string().nullable() }).nullable(),
    invoiceEmail: z.string().nullable(),
    language: OfficeLanguageSchema,
    receipt: ReceiptSchema.nullable(),
    settlement: z
      .strictObject({
        way: z
          .enum([...INCOME_TYPES, 'claim'])
          .nullable()
          .describe('Null: not known.'),
        on: UtcTimeSchema,
        paymentId: z.string().nullable().describe('The card payment; null: none.'),
      })
      .nullable()
      .describe(
        'How an invoice that was issued unpaid was paid since. Null: not yet, or when it was issued.',
      ),
    period: z
      .strictObject({ from: UtcTimeSchema, before: UtcTimeSchema })
      .nullable()
      .describe('The period of a collective invoice; `before` is not included.'),
    publishStatus: RemoteStatusSchema.nullable().describe(
      '`draft`: it is on its way to the payer electronically. `completed`: the payer has it. `failed`: it was refused. Null: ' +
        'the payer does not want that.',
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
      seller: null,
      kind: 'invoice' as const,
      credits: null,
      status: 'paid' as const,
      paymentState: 'paid' as const,
      productId: null,
      price: { amount: 1240, currency: 'ISK' },
      tip: 0,
      openRefund: 0,
      vat: [{ category: 'S' as const, rate: 24, reasons: [], net: 1000, vat: 240 }],
      paymentType: 'kiosk' as const,
      siteId: null,
      visitId: null,
      customer: null,
      payer: null,
      invoiceEmail: null,
      language: 'is' as const,
      receipt: { type: 'visa' as const, card: { number: '**** **** **** 1234' }, last_four: '1234' },
      settlement: null,
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
  .strictObject({
    ...InvoiceSchema.shape,
    lines: z.array(InvoiceLineSchema),
    creditNotes: z
      .array(z.strictObject({ id: z.string(), number: z.int().nullable(), amount: AmountSchema }))
      .describe('What takes it back, in parts or as a whole, in the order of issue.'),
    open: AmountSchema.describe(
      'What is still to pay of it: its price, less its credit notes and what was paid of its claims at banks.',
    ),
    openRefundReason: z
      .string()
      .nullable()
      .describe(
        'Why it is not known whether `openRefund` has gone back, by a card terminal: the reason of the payment, such as ' +
          '`reversal-lost`: its site does not know it any more. Null: no terminal was to give anything back.',
      ),
    eInvoice: SentElectronicallySchema.nullable().describe('Null: it is not sent electronically.'),
    actions: InvoiceActionsSchema,
    needsApproval: needsApprovalSchema(['refund', 'credit']),
  })
  .meta({ id: 'InvoiceWithLines' });

export const InvoiceEditSchema = z
  .strictObject({
    remoteStatus: RemoteStatusSchema.describe('The accounting system’s mark. `completed` is final.'),
    publishStatus: RemoteStatusSchema.nullable().describe(
      'The mark of another system that publishes it, where no access point has it. `completed` is final.',
    ),
    status: InvoiceStatusSchema.describe(
      '`paid`: the accounting system has received the money. No other one, but what it is already.',
    ),
    paidWith: PaidWithSchema.describe('How the money came, of an invoice that is paid, or is marked so now.'),
    invoiceEmail: MailAddressSchema.nullable(),
    language: OfficeLanguageSchema,
    payer: z
      .strictObject({ ssn: SsnSchema.nullable(), name: NameSchema.nullable() })
      .nullable()
      .describe('The payer of an invoice that waits for one: it is then issued.'),
  })
  .partial()
  .meta({ id: 'InvoiceEdit', example: { remoteStatus: 'completed' } });
export type InvoiceEdit = z.infer<typeof InvoiceEditSchema>;

export const LineCreditSchema = z
  .strictObject({
    visitIds: z
      .array(IdSchema)
      .min(1)
      .max(500)
      .describe('The visits whose lines are wrong: price, fees and their share of a discount.'),
    outcome: z
      .enum(['nothing', 'due', 'bill'])
      .describe(
        'What becomes of what the visits owe. `nothing`: it is given up. `due`: it is due again, for a person to ' +
          'correct and settle. `bill`: it is billed to the customer of the visit as the visit is now, by its price now.',
      ),
    reason: ReasonSchema,
  })
  .meta({
    id: 'LineCredit',
    example: { visitIds: ['0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11'], outcome: 'bill', reason: 'Another car' },
  });
export type LineCredit = z.infer<typeof LineCreditSchema>;

export const RefundSchema = z
  .strictObject({
    reason: ReasonSchema,
    amount: AmountSchema.min(1)
      .optional()
      .describe('A part of an online payment, in the currency’s minor unit; absent: the whole.'),
  })
  .meta({ id: 'InvoiceRefund', example: { reason: 'The barrier did not open' } });

/** One invoice, with all its data, and what its reader can do with it. */
export async function shownInvoice(
  q: Queries,
  row: InvoiceWithCustomer,
  reader: InvoiceReader,
): Promise<z.infer<typeof InvoiceWithLinesSchema>> {
  const snapshots = await snapshotsOf(q, [row]);
  const notes = await creditNotesOf(q, row.id);
  const nets = netOfLines(row.lines, row.vat);
  const actions = await actionsOfInvoice(q, reader, row);
  const open = await openInvoice(q, row.id, reader.at);
  // All that was given back counts together, so in the end it is the whole.
  const sum = async () => row;
  return {
    ...invoiceFrom(row, snapshots),
    lines: row.lines.map((line, n) => shownLine(line, nets[n] ?? 0, snapshots.places)),
    creditNotes: notes.map(({ id, number, amountMinor: amount }) => ({ id, number, amount })),
    open: typeof open === 'string' ? 0 : open.openMinor,
    openRefundReason: row.openRefundMinor === 0 ? null : await openRefundReason(q, row.id),
    eInvoice: shownEInvoice(await findEInvoice(q, row.id)),
    actions,
    needsApproval: await needingApproval(q, sitesOfInvoice(row), actions, {
      refund: { limit: 'refund', sum },
      credit: { limit: 'credit', sum },
    }),
  };
}

function shownEInvoice(row: EInvoiceRow | null): z.infer<typeof SentElectronicallySchema> | null {
  if (row === null) return null;
  const { state, stateAt, accessPoint, receiver, reference, reason, detail, refusals } = row;
  return { state, on: stateAt, accessPoint, receiver, reference, reason, detail, attempts: refusals + 1 };
}

/** The reason of an open refund of the terminal payment that made the invoice; they have the same id. */
async function openRefundReason(q: Queries, id: string): Promise<string | null> {
  const [payment] = await q
    .select()
    .from(paymentTable)
    .where(and(eq(paymentTable.id, id), isNotNull(paymentTable.terminalId)));
  return payment === undefined ? null : withOpenReversal(payment).reason;
}

/** Invoices of a list, without their lines. */
export async function shownInvoices(q: Queries, rows: readonly ListedInvoice[]): Promise<Invoice[]> {
  const snapshots = await snapshotsOf(
    q,
    rows.map(({ sellerId }) => ({ sellerId })),
  );
  return rows.map((row) => invoiceFrom(row, snapshots));
}

function shownLine(
  line: InvoiceLine,
  net: number,
  places: ReadonlyMap<number, Place>,
): z.infer<typeof InvoiceLineSchema> {
  const { rule, visitId, plate, units, amountMinor, name, noticeAt, placeId, startedAt, endedAt } = line;
  const place = placeId === undefined ? undefined : places.get(placeId);
  const { category, rate, reason } = vatOf(line);
  return {
    rule,
    visitId,
    plate,
    units,
    amount: amountMinor,
    net,
    vatRate: rate,
    vatCategory: category,
    vatReason: reason,
    ...(name !== undefined && { name }),
    ...(noticeAt !== undefined && { noticeOn: noticeAt }),
    ...(place !== undefined && { place }),
    ...(startedAt !== undefined && { startedOn: startedAt, endedOn: endedAt ?? null }),
  };
}

/** The marks of an invoice that a person or another system sets, as readers get them. */
export function marksOf(row: ListedInvoice) {
  const { number, status, remoteStatus, publishStatus, email, language, issuedAt, refundedAt } = row;
  return {
    number,
    status,
    remoteStatus,
    publishStatus,
    invoiceEmail: email,
    language,
    payer: payerOf(row),
    issuedOn: issuedAt,
    refundedOn: refundedAt,
  };
}

function paymentStateOf({
  status,
  number,
  paymentType,
  visitId,
}: Pick<ListedInvoice, 'status' | 'number' | 'paymentType' | 'visitId'>): Invoice['paymentState'] {
  if (status === 'incomplete') return 'pending';
  if (status !== 'draft') return status;
  // The invoice of a payment of a visit is made together with the payment; that of a purchase exists before
  // it is paid.
  const isOfPayment = number === null && (paymentType === 'kiosk' || paymentType === 'online');
  return isOfPayment && visitId !== null ? 'pending' : 'open';
}

function payerOf({ payerSsn, payerName }: ListedInvoice): Invoice['payer'] {
  return payerSsn === null && payerName === null ? null : { ssn: payerSsn, name: payerName };
}

function shownSeller({ name, ssn, vatNumber, address, bankAccount }: Seller): Invoice['seller'] {
  return {
    name,
    ssn,
    vatNumber: vatNumber ?? null,
    address: address ?? null,
    bankAccount: bankAccount ?? null,
  };
}

function invoiceFrom(row: ListedInvoice, { sellers }: Snapshots): Invoice {
  const seller = row.sellerId === null ? undefined : sellers.get(row.sellerId);
  const { receiptLastFour, periodFrom, periodBefore } = row;
  const { customerId, creditOf } = row;
  return {
    id: row.id,
    number: row.number,
    seller: seller === undefined ? null : shownSeller(seller),
    kind: documentKind(row),
    credits: creditOf === null ? null : { invoiceId: creditOf, number: row.creditOfNumber },
    status: row.status,
    paymentState: paymentStateOf(row),
    productId: row.productId,
    price: { amount: row.amountMinor, currency: row.currency },
    tip: row.tipMinor,
    openRefund: row.openRefundMinor,
    vat: row.vat.map(({ category, rate, reasons, netMinor, vatMinor }) => ({
      category,
      rate,
      reasons,
      net: netMinor,
      vat: vatMinor,
    })),
    paymentType: row.paymentType,
    siteId: row.siteId,
    visitId: row.visitId,
    customer: customerId === null ? null : { id: customerId, name: row.customerName },
    payer: payerOf(row),
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
    settlement: row.paidAt === null ? null : { way: row.paidWith, on: row.paidAt, paymentId: row.paymentId },
    period: periodFrom === null || periodBefore === null ? null : { from: periodFrom, before: periodBefore },
    publishStatus: row.publishStatus,
    remoteStatus: row.remoteStatus,
    createdOn: row.createdAt,
    issuedOn: row.issuedAt,
    dueOn: row.dueOn,
    refundedOn: row.refundedAt,
  };
}
