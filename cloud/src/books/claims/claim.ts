import { CurrencySchema } from '@hlid/protocol/base/money';
import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { COLLECTION_STATES } from '../../platform/banks/bank.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CLAIM_ORDERS, CLAIM_REASONS, CLAIM_STATES, ORDER_STEPS } from '../../records/books/claim-table.ts';
import { ClaimActionsSchema } from './claim-actions.ts';

const MAX_DAYS = 99;
const AmountSchema = z.int().max(1_000_000_000).describe('In the currency’s minor unit.');

export const ClaimStateSchema = z
  .enum(CLAIM_STATES)
  .describe(
    '`new`: the bank has not confirmed it. `unpaid`, `paid`, `cancelled`: at the bank. `refused`: the bank did not make it.',
  )
  .meta({ id: 'ClaimState' });

export const DayAmountSchema = z
  .strictObject({
    days: z.int().min(0).max(MAX_DAYS).describe('Days after the due date.'),
    amount: AmountSchema.min(1),
  })
  .meta({ id: 'ClaimDayAmount', example: { days: 0, amount: 200 } });

const day = z.iso.date();
const discount = DayAmountSchema.nullable().describe('Off the amount, if it is paid by then; null: none.');

export const NewClaimSchema = z
  .strictObject({
    invoiceId: IdSchema,
    finalDueOn: day
      .optional()
      .describe('The last day on which it is paid in time (eindagi). Default: the due date.'),
    discount: discount.optional(),
  })
  .meta({
    id: 'NewClaim',
    example: { invoiceId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', finalDueOn: '2026-12-15' },
  });
export type NewClaimBody = z.infer<typeof NewClaimSchema>;

export const ClaimEditSchema = z
  .strictObject({
    finalDueOn: day,
    amount: AmountSchema.min(1).describe('At most what is open of the invoice. Not after a payment.'),
    discount: discount.describe('Not after a payment.'),
  })
  .partial()
  .meta({ id: 'ClaimEdit', example: { finalDueOn: '2026-12-31' } });
export type ClaimEdit = z.infer<typeof ClaimEditSchema>;

export const ClaimCancelSchema = z
  .strictObject({ reason: ReasonSchema })
  .meta({ id: 'ClaimCancel', example: { reason: 'Paid by transfer' } });

const TermsSchema = z
  .strictObject({
    amount: z.int(),
    finalDueOn: day,
    discount: DayAmountSchema.nullable(),
    defaultCharge: DayAmountSchema.nullable().describe('Added after so many days; null: none.'),
    interest: z.boolean().describe('Interest for a late payment, at the maximum of the Central Bank.'),
    partPayments: z.boolean(),
  })
  .meta({ id: 'ClaimTerms' });

const MovementSchema = z
  .strictObject({
    kind: z.enum(['payment', 'reversal']),
    bookedOn: day,
    valueOn: day,
    paid: z.int().describe('Principal − discount + interest + costs; below zero: it was taken back.'),
    principal: z.int(),
    discount: z.int(),
    interest: z.int(),
    costs: z.int(),
    deposited: z.int().describe('What reaches the account: the bank may keep its part of the costs.'),
  })
  .meta({ id: 'ClaimMovement' });

export const ClaimSchema = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    invoiceNumber: z.int().nullable(),
    siteId: z.string().nullable().describe('Null: an invoice of several sites.'),
    customer: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
    payerName: z.string().nullable(),
    bankId: z.string().describe('As the configuration names it.'),
    claimant: z.string().describe('The national id of whom the claim belongs to.'),
    payer: z.string().describe('The national id of who is to pay.'),
    account: z
      .string()
      .describe('Branch, ledger 66 and number: with claimant and due date its id at the bank.'),
    dueOn: day,
    currency: CurrencySchema,
    terms: TermsSchema,
    state: ClaimStateSchema,
    collection: z.enum(COLLECTION_STATES).nullable(),
    paid: z.int().describe('What was taken off it, less what was taken back.'),
    due: z.int().nullable().describe('What the bank asks for now, with interest and costs; null: not known.'),
    isContested: z
      .boolean()
      .describe('A dispute has taken interest and charge off it. Both begin again with the answer.'),
    order: z
      .strictObject({
        kind: z.enum(CLAIM_ORDERS),
        step: z
          .enum(ORDER_STEPS)
          .describe(
            '`sending`, `unknown`: the bank may have done it, and is asked before anything is sent again.',
          ),
        terms: TermsSchema.nullable().describe('What a change asks for.'),
      })
      .nullable()
      .describe('What the bank is still to do.'),
    reason: z.enum(CLAIM_REASONS).nullable().describe('Why the last order was not carried out, or not yet.'),
    detail: z.string().nullable().describe('In the words of the bank.'),
    followedOn: UtcTimeSchema.nullable(),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({ id: 'Claim' });
export type ShownClaim = z.infer<typeof ClaimSchema>;

export const ClaimWithMovementsSchema = z
  .strictObject({ ...ClaimSchema.shape, movements: z.array(MovementSchema), actions: ClaimActionsSchema })
  .meta({ id: 'ClaimWithMovements' });
