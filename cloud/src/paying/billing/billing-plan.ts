import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { VatCategorySchema } from '@hlid/protocol/base/vat-schema';
import { z } from '@hono/zod-openapi';
import { groupBy } from '../../platform/group-by.ts';
import { type BilledSum, BilledSumSchema } from './billing-run.ts';
import { type BillingPlan, LEFT_OUT, type PlannedInvoice } from './plan-billing.ts';

/** More invoices than a person reads. */
const MAX_INVOICES = 500;

const CustomerSchema = z.strictObject({ id: z.string(), name: z.string().nullable() });

const VatSchema = z.strictObject({
  category: VatCategorySchema.nullable().describe('Null: nobody has decided the VAT.'),
  rate: z.number().describe('Percent.'),
  net: z.int(),
  vat: z.int(),
});

const PlannedInvoiceSchema = z
  .strictObject({
    customer: CustomerSchema,
    siteId: z.string().nullable().describe('Null: of several sites.'),
    period: z.string().describe('The day, or the month: `2026-11`.'),
    currency: CurrencySchema,
    lines: z.int(),
    vat: z.array(VatSchema),
    amount: z.int().describe('VAT included, discounts taken off.'),
  })
  .meta({
    id: 'PlannedInvoice',
    example: {
      customer: { id: 'c1', name: 'Bakery' },
      siteId: '00000001-0000-8000-8000-000000000000',
      period: '2026-11',
      currency: 'ISK',
      lines: 3,
      vat: [{ category: 'S', rate: 24, net: 2419, vat: 581 }],
      amount: 3000,
    },
  });

const LeftOutSchema = z
  .strictObject({
    customer: CustomerSchema,
    currency: CurrencySchema,
    reason: z
      .enum(LEFT_OUT)
      .describe(
        '`period-open`: its day or month is not over; `contested`: it waits for the answer to a dispute; `not-billed`: the ' +
          'customer gets no invoices; `unknown-customer`: the customer is not known any more; `failed`: see `detail`.',
      ),
    detail: z.string().nullable(),
    charges: z.int(),
    amount: z.int().describe('Before discounts.'),
    billedFrom: UtcTimeSchema.nullable().describe('When its period is over; null for other reasons.'),
  })
  .meta({
    id: 'LeftOutOfBilling',
    example: {
      customer: { id: 'c1', name: 'Bakery' },
      currency: 'ISK',
      reason: 'period-open',
      detail: null,
      charges: 2,
      amount: 1500,
      billedFrom: '2027-01-01T00:00:00.000Z',
    },
  });

export const BillingPlanSchema = z
  .strictObject({
    dryRun: z.literal(true),
    until: UtcTimeSchema,
    totals: z.array(BilledSumSchema).describe('Of all invoices, by currency.'),
    invoices: z.array(PlannedInvoiceSchema).max(MAX_INVOICES),
    hasMore: z.boolean().describe('There are more than 500.'),
    leftOut: z.array(LeftOutSchema),
  })
  .meta({ id: 'BillingPlan' });
export type ShownBillingPlan = z.infer<typeof BillingPlanSchema>;

/** A plan as the API shows it. */
export function shownPlan(plan: BillingPlan): ShownBillingPlan {
  const { until, invoices, leftOut } = plan;
  return {
    dryRun: true,
    until,
    totals: billedSums(plan),
    invoices: invoices.slice(0, MAX_INVOICES).map(shownInvoice),
    hasMore: invoices.length > MAX_INVOICES,
    leftOut: leftOut.map(({ customerId, customerName, amountMinor, ...same }) => ({
      ...same,
      customer: { id: customerId, name: customerName },
      amount: amountMinor,
    })),
  };
}

function shownInvoice({ draft }: PlannedInvoice): ShownBillingPlan['invoices'][number] {
  const { customerId, payerName, siteId, period, currency, lines, vat, amountMinor } = draft;
  return {
    customer: { id: customerId ?? '', name: payerName },
    siteId,
    period: period ?? '',
    currency,
    lines: lines.length,
    vat: vat.map(({ category, rate, netMinor, vatMinor }) => ({
      category,
      rate,
      net: netMinor,
      vat: vatMinor,
    })),
    amount: amountMinor,
  };
}

/** What a plan bills, by currency. */
export function billedSums({ invoices }: Pick<BillingPlan, 'invoices'>): BilledSum[] {
  const byCurrency = groupBy(invoices, ({ draft }) => draft.currency);
  return [...byCurrency]
    .map(([currency, its]): BilledSum => {
      const parts = its.flatMap(({ draft }) => draft.vat);
      return {
        currency,
        invoices: its.length,
        lines: its.reduce((sum, { draft }) => sum + draft.lines.length, 0),
        net: parts.reduce((sum, { netMinor }) => sum + netMinor, 0),
        vat: parts.reduce((sum, { vatMinor }) => sum + vatMinor, 0),
        amount: its.reduce((sum, { draft }) => sum + draft.amountMinor, 0),
      };
    })
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** Whether two plans bill the same sums. */
export function isSameSums(one: readonly BilledSum[], other: readonly BilledSum[]): boolean {
  const textOf = (sums: readonly BilledSum[]) =>
    sums
      .map(({ currency, invoices, lines, net, vat, amount }) =>
        [currency, invoices, lines, net, vat, amount].join(' '),
      )
      .toSorted()
      .join('\n');
  return textOf(one) === textOf(other);
}
