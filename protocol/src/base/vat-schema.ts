import { z } from 'zod';
import { TypedTextSchema } from './card-number.ts';
import { MAX_NAME } from './limits.ts';
import { wrong } from './mistakes/mistake.ts';
import { LocalDaySchema, startOfLocalDay } from './site-time.ts';
import type { UtcTime } from './utc-time.ts';
import { VAT_CATEGORIES, VAT_REASONS, type Vat, vatMistakes } from './vat.ts';

export const VatCategorySchema = z.enum(VAT_CATEGORIES).meta({
  id: 'VatCategory',
  description:
    '`S` standard rate, `E` exempt, `O` outside the scope of VAT, `Z` zero rate (UNCL 5305, as EN 16931 has them).',
});

/** Value added tax in percent, contained in the price; two decimals at most. */
export const VatRateSchema = z.number().min(0).max(100).multipleOf(0.01);

/** Why there is no VAT, where EN 16931 asks for a reason. */
export const VatReasonSchema = TypedTextSchema.trim().min(1).max(MAX_NAME);

/** The VAT of a price, as a person decides it. */
export const VatSchema = z
  .strictObject({
    category: VatCategorySchema,
    rate: VatRateSchema.describe('Percent: above 0 in category `S`, else 0.'),
    reason: VatReasonSchema.optional().describe(
      `Of the categories \`E\` and \`O\`: ${VAT_REASONS.join(', ')}, or a text.`,
    ),
  })
  .superRefine((vat, context) => {
    for (const { code, field } of vatMistakes(vat)) {
      context.addIssue({ code: 'custom', path: [field], message: wrong(code) });
    }
  })
  .meta({ id: 'Vat' });

/** The same in messages and records that others may read. */
export const VAT_TERMS_SHAPE = {
  vatRate: VatRateSchema.optional().describe('Percent; absent in prices of before this was kept.'),
  vatCategory: VatCategorySchema.optional().describe(
    'Absent: `S` where the rate is above 0, else not decided.',
  ),
  vatReason: VatReasonSchema.optional(),
};
/** A `VatPart` in messages. */
export const VatPartSchema = z.object({
  rate: z.number().describe('Percent, with two decimals at most.'),
  netMinor: z.int(),
  vatMinor: z.int(),
  category: VatCategorySchema.nullable().describe('Null: not decided when it was priced.'),
  reasons: z.array(z.string()).describe('Each once, in the order of the alphabet; only of `E` and `O`.'),
});

/** The VAT of a site from a day on: of its fees, and of prices whose product does not have its own. */
export const SiteVatSchema = z
  .strictObject({
    from: LocalDaySchema.describe('The first day on which it holds, by the calendar of the site.'),
    prices: VatSchema.optional().describe('Absent: not decided.'),
    fees: VatSchema.optional().describe('Of service fees and late fees. Absent: not decided.'),
  })
  .meta({ id: 'SiteVat' });
export type SiteVat = z.infer<typeof SiteVatSchema>;

/** The VAT of a site at a moment. */
export function siteVatAt(
  periods: readonly SiteVat[] | undefined,
  at: UtcTime,
  timeZone: string,
): Pick<SiteVat, 'prices' | 'fees'> {
  const begun = periods?.filter(({ from }) => startOfLocalDay(from, timeZone) <= at) ?? [];
  return begun.toSorted((a, b) => (a.from < b.from ? -1 : 1)).at(-1) ?? {};
}

/**
 * The VAT of a fee, from what the site says and from the price that it is added to. An exempt price says nothing about
 * its fee: a service may be taxed where the letting of a parking space is exempt.
 */
export function vatOfFee(ofSite: SiteVat['fees'], ofPrice: Vat): Vat {
  if (ofSite !== undefined) return decidedVat(ofSite);
  return ofPrice.category === 'E' ? { category: null, rate: 0, reason: null } : ofPrice;
}

export function decidedVat({ category, rate, reason }: z.infer<typeof VatSchema>): Vat {
  return { category, rate, reason: reason ?? null };
}
