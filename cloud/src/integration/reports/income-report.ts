import { CurrencySchema } from '@hlid/protocol/base/money';
import { VatCategorySchema } from '@hlid/protocol/base/vat-schema';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import { ProductNameSchema } from '../../money/products/product.ts';
import { INCOME_TYPES } from '../../records/invoices/income-table.ts';
import { INCOME_BY, type Period } from './income-periods.ts';
import type { IncomeSum, ProductSum, UndecidedSum, VatSum } from './income-store.ts';

export const INCOME_CATEGORIES = ['light', 'heavy'] as const satisfies readonly VehicleCategory[];

const AmountSchema = z
  .strictObject({
    currency: CurrencySchema,
    amount: z
      .int()
      .describe('Issued minus refunded, in the currency’s minor unit; negative if more was refunded.'),
    invoices: z.int().describe('The number of invoices, issued minus refunded.'),
    tips: z.int().describe('Given beside it at card terminals, minus what went back; no part of the amount.'),
  })
  .meta({ id: 'IncomeAmount', example: { currency: 'ISK', amount: 125_000, invoices: 250, tips: 0 } });
export type IncomeAmount = z.infer<typeof AmountSchema>;

const PeriodSchema = z
  .strictObject({
    key: z
      .string()
      .nullable()
      .describe('The day, `2026-W47` (ISO 8601), `2026-11`, or a site’s id; null: income of no site.'),
    name: z.string().nullable().describe('The name of a site.'),
    from: z.iso.date().describe('Its first day within the requested period.'),
    to: z.iso.date().describe('Its last day; included.'),
    amounts: z.array(AmountSchema),
  })
  .meta({
    id: 'IncomePeriod',
    example: {
      key: '2026-W47',
      name: null,
      from: '2026-11-16',
      to: '2026-11-22',
      amounts: [{ currency: 'ISK', amount: 125_000, invoices: 250, tips: 0 }],
    },
  });

const SumSchema = z.strictObject({
  amounts: z.array(AmountSchema).describe('The totals of the whole period, one for each currency.'),
  periods: z.array(PeriodSchema).describe('The periods in order, without gaps; empty without `by`.'),
});

const UndecidedSchema = z
  .strictObject({ currency: CurrencySchema, amount: z.int(), payments: z.int() })
  .meta({ id: 'UndecidedMoney', example: { currency: 'ISK', amount: 1500, payments: 1 } });
const undecided = z.array(UndecidedSchema);

const ProductSchema = z
  .strictObject({
    productId: z.string().nullable().describe('Null: of no product, such as a price that was typed.'),
    name: ProductNameSchema.nullable().describe('By language; null: of no product, or the product is gone.'),
    currency: CurrencySchema,
    amount: z.int(),
    invoices: z.int(),
  })
  .meta({
    id: 'IncomeProduct',
    example: { productId: 'p1', name: { en: 'Parking' }, currency: 'ISK', amount: 125_000, invoices: 250 },
  });

const VatSchema = z
  .strictObject({
    currency: CurrencySchema,
    category: VatCategorySchema.nullable().describe('Null: nobody had decided the VAT when it was priced.'),
    rate: z.number().describe('Percent.'),
    net: z.int(),
    vat: z.int(),
  })
  .meta({ id: 'IncomeVat', example: { currency: 'ISK', category: 'S', rate: 24, net: 1000, vat: 240 } });

export const IncomeReportSchema = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    by: z.enum(INCOME_BY).nullable(),
    total: SumSchema,
    undecided: z
      .strictObject({
        refunds: undecided.describe('May have gone back; the income has it until that is known.'),
        chargebacks: undecided.describe('Banks hold it; the income does not have it meanwhile.'),
      })
      .describe('The state now, whatever the period.'),
    paymentTypeReport: z.array(z.strictObject({ paymentType: z.enum(INCOME_TYPES), ...SumSchema.shape })),
    vatReport: z
      .array(VatSchema)
      .describe('The VAT in the total as the documents have it: net and VAT add up to the amounts.'),
    productReport: z
      .array(ProductSchema)
      .describe('By the product that made the price, with fees and discounts; they add up to the total.'),
    vehicleCategoryReport: z.array(
      z.strictObject({ vehicleCategory: z.enum(INCOME_CATEGORIES), ...SumSchema.shape }),
    ),
  })
  .meta({
    id: 'IncomeReport',
    example: {
      from: '2026-11-21',
      to: '2026-11-21',
      by: null,
      total: { amounts: [{ currency: 'ISK', amount: 125_000, invoices: 250, tips: 0 }], periods: [] },
      undecided: { refunds: [], chargebacks: [] },
      paymentTypeReport: [
        {
          paymentType: 'kiosk',
          amounts: [{ currency: 'ISK', amount: 125_000, invoices: 250, tips: 0 }],
          periods: [],
        },
      ],
      productReport: [
        { productId: 'p1', name: { en: 'Parking' }, currency: 'ISK', amount: 125_000, invoices: 250 },
      ],
      vatReport: [{ currency: 'ISK', category: 'S', rate: 24, net: 100_806, vat: 24_194 }],
      vehicleCategoryReport: [
        {
          vehicleCategory: 'light',
          amounts: [{ currency: 'ISK', amount: 125_000, invoices: 250, tips: 0 }],
          periods: [],
        },
      ],
    },
  });
export type IncomeReport = z.infer<typeof IncomeReportSchema>;

/** The question of a report. `periods`: none, or all of the requested time, each day in one of them. */
export interface IncomeQuestion {
  undecided: Record<'refunds' | 'chargebacks', readonly UndecidedSum[]>;
  from: string;
  to: string;
  by: IncomeReport['by'];
  periods: readonly Period[];
  /** The key of the period in which a sum counts. */
  keyOf: (sum: IncomeSum) => string;
  /** The VAT in all of it. */
  vat: readonly VatSum[];
  /** The products of all of it. */
  products: readonly ProductSum[];
  /** Currencies that are shown even where nothing came in. */
  currencies: readonly string[];
}

/** Adds up days' totals. Every type, category, period and currency is shown, also with zeroes. */
export function incomeReport(rows: readonly IncomeSum[], question: IncomeQuestion): IncomeReport {
  const { from, to, by } = question;
  const currencies = [...new Set([...question.currencies, ...rows.map(({ currency }) => currency)])].sort();
  const sum = (belongs: (row: IncomeSum) => boolean) => sumOf(rows.filter(belongs), question, currencies);
  return {
    from,
    to,
    by,
    total: sum(() => true),
    undecided: {
      refunds: question.undecided.refunds.map(shownUndecided),
      chargebacks: question.undecided.chargebacks.map(shownUndecided),
    },
    paymentTypeReport: INCOME_TYPES.map((paymentType) => ({
      paymentType,
      ...sum((row) => row.paymentType === paymentType),
    })),
    productReport: question.products.map(({ amountMinor: amount, ...sum }) => ({ ...sum, amount })),
    vatReport: question.vat.map(({ netMinor: net, vatMinor: vat, ...sum }) => ({ ...sum, net, vat })),
    vehicleCategoryReport: INCOME_CATEGORIES.map((vehicleCategory) => ({
      vehicleCategory,
      ...sum((row) => row.vehicleCategory === vehicleCategory),
    })),
  };
}

function shownUndecided({ currency, amountMinor: amount, payments }: UndecidedSum) {
  return { currency, amount, payments };
}

function sumOf(
  rows: readonly IncomeSum[],
  { periods, keyOf }: IncomeQuestion,
  currencies: readonly string[],
) {
  const whole = amountsOf(currencies);
  const parts = new Map(periods.map(({ key }) => [key, amountsOf(currencies)]));
  for (const row of rows) {
    add(whole, row);
    const part = parts.size > 0 ? parts.get(keyOf(row)) : undefined;
    if (part) add(part, row);
  }
  return {
    amounts: [...whole.values()],
    periods: periods.map(({ key, name, from, to }) => ({
      key: key === '' ? null : key,
      name,
      from,
      to,
      amounts: [...(parts.get(key)?.values() ?? [])],
    })),
  };
}

function amountsOf(currencies: readonly string[]): Map<string, IncomeAmount> {
  return new Map(currencies.map((currency) => [currency, { currency, amount: 0, invoices: 0, tips: 0 }]));
}

function add(
  amounts: Map<string, IncomeAmount>,
  { currency, amountMinor, invoices, tipsMinor }: IncomeSum,
): void {
  const amount = amounts.get(currency);
  if (amount === undefined) throw new RangeError(`no place for ${currency}`);
  amount.amount += amountMinor;
  amount.invoices += invoices;
  amount.tips += tipsMinor;
}
