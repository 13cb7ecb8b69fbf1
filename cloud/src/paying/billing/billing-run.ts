import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { MomentSchema } from '../../platform/http/input-fields.ts';
import type { BillingRunRow } from './billing-run-store.ts';

const MAX_CURRENCIES = 200;

export const BilledSumSchema = z
  .strictObject({
    currency: CurrencySchema,
    invoices: z.int().min(0),
    lines: z.int().min(0),
    net: z.int(),
    vat: z.int(),
    amount: z.int(),
  })
  .meta({
    id: 'BilledSum',
    example: { currency: 'ISK', invoices: 1, lines: 3, net: 2419, vat: 581, amount: 3000 },
  });
export type BilledSum = z.infer<typeof BilledSumSchema>;

export const NewBillingRunSchema = z
  .strictObject({
    until: MomentSchema.optional().describe('Bills periods that ended by then; default: now.'),
    dryRun: z.boolean().optional().describe('`true`: only answer what it would bill.'),
    expected: z
      .array(BilledSumSchema)
      .max(MAX_CURRENCIES)
      .optional()
      .describe(
        'The `totals` of a dry run that a person has seen: if it would bill anything else now, it bills nothing.',
      ),
  })
  .meta({ id: 'NewBillingRun', example: {} });

/** A billing run as the API shows it. */
export const BillingRunSchema = z
  .strictObject({
    id: z.string(),
    until: UtcTimeSchema,
    invoices: z.int(),
    amounts: z
      .array(z.strictObject({ amount: z.int(), currency: CurrencySchema }))
      .describe('The billed amounts, by currency.'),
    by: z.string(),
    startedOn: UtcTimeSchema,
    doneOn: UtcTimeSchema.nullable().describe(
      'Null: running, or interrupted; the next run continues from there.',
    ),
    error: z.string().nullable().describe('Customers that could not be billed, with the reason.'),
  })
  .meta({
    id: 'BillingRun',
    example: {
      id: '1f1d9c9a-1b0e-4d38-9f0b-6f6f2f2b7f60',
      until: '2026-12-01T00:00:00.000Z',
      invoices: 12,
      amounts: [{ amount: 148_500, currency: 'ISK' }],
      by: 'cloud:billing',
      startedOn: '2026-12-01T00:12:07.000Z',
      doneOn: '2026-12-01T00:12:07.000Z',
      error: null,
    },
  });

export function billingRunFrom({ startedAt, doneAt, amounts, ...same }: BillingRunRow) {
  return {
    ...same,
    amounts: amounts.map(({ amountMinor, currency }) => ({ amount: amountMinor, currency })),
    startedOn: startedAt,
    doneOn: doneAt,
  };
}
