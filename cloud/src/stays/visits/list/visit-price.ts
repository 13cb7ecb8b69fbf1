import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DecisionReasonSchema } from '@hlid/protocol/records/decision';
import { PaymentStatusSchema } from '@hlid/protocol/records/visit';
import { VehicleCategorySchema } from '@hlid/protocol/tariff/product';
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
      .describe('The periods that whitelist entries cover; they may overlap.'),
    unitsMet: z.strictObject({ payments: z.int().min(0), quota: z.int().min(0) }),
    paid: z.int().min(0).describe('The amount settled in money, besides units; in the minor unit.'),
    price: z
      .strictObject({ amount: z.int(), currency: CurrencySchema })
      .nullable()
      .describe('The price of the stay including paid amounts; null: no price.'),
    due: z
      .strictObject({
        amount: z.int().min(0).describe('The amount due, in the currency’s minor unit.'),
        currency: CurrencySchema,
        units: z.int().min(0).describe('The charged units, before settled ones are deducted.'),
        lines: lines.describe(
          'They add up to the amount due; without the lines of what is settled they add up to the price.',
        ),
        product,
      })
      .nullable()
      .describe('The amount due at the exit now, or the amount left to settle; null: no price.'),
    stored: VisitPriceViewSchema.nullable().describe('The price as last computed by its site or a person.'),
    decision: z
      .strictObject({
        open: z.boolean(),
        reason: DecisionReasonSchema,
        settlement: PaymentStatusSchema.nullable(),
      })
      .nullable()
      .describe('The decision of the exit if the car were there now; null: it has left.'),
  })
  .meta({ id: 'VisitPriceTrace' });
export type PriceTrace = z.infer<typeof PriceTraceSchema>;
