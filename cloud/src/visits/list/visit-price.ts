import { DecisionReasonSchema } from '@hlid/protocol/decision';
import { CurrencySchema } from '@hlid/protocol/money';
import { VehicleCategorySchema } from '@hlid/protocol/product';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { PaymentStatusSchema } from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import { VisitPriceViewSchema } from './visit-view.ts';

const { lines, product } = VisitPriceViewSchema.shape;

/** How the price of a visit comes about. */
export const PriceTraceSchema = z
  .strictObject({
    from: UtcTimeSchema,
    until: UtcTimeSchema.describe('Its end, or now.'),
    ended: z.boolean(),
    category: VehicleCategorySchema.nullable().describe('Null: not known, priced as light.'),
    covered: z
      .array(z.strictObject({ from: UtcTimeSchema, to: UtcTimeSchema.describe('Not included.') }))
      .describe('Time that whitelist entries cover; they may overlap.'),
    unitsMet: z.strictObject({ payments: z.int().min(0), quota: z.int().min(0) }),
    paid: z.int().min(0).describe('In money towards the stay, beside the units; in the minor unit.'),
    price: z
      .strictObject({ amount: z.int(), currency: CurrencySchema })
      .nullable()
      .describe('What the stay costs, with what has been paid of it; null: nothing prices it.'),
    due: z
      .strictObject({
        amount: z.int().min(0).describe('After what was met, in the currency’s minor unit.'),
        currency: CurrencySchema,
        units: z.int().min(0).describe('That count, before what was met.'),
        lines: lines.describe(
          'They add up to the amount; without what was met of it they add up to the price.',
        ),
        product,
      })
      .nullable()
      .describe('What the exit would ask for now, or what is left to settle; null: nothing prices it.'),
    stored: VisitPriceViewSchema.nullable().describe('As its site, or a person, last priced it.'),
    decision: z
      .strictObject({
        open: z.boolean(),
        reason: DecisionReasonSchema,
        settlement: PaymentStatusSchema.nullable(),
      })
      .nullable()
      .describe('Of the exit, were the car there now; null: it has left.'),
  })
  .meta({ id: 'VisitPriceTrace' });
export type PriceTrace = z.infer<typeof PriceTraceSchema>;
