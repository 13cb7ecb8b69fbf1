import { CurrencySchema } from '@hlid/protocol/base/money';
import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { MistakeSchema } from '../../platform/http/errors.ts';
import { APPROVAL_KINDS, APPROVAL_STATES } from '../../records/approvals/approval-table.ts';
import { ApprovalActionsSchema } from './approval-actions.ts';

export const ApprovalStateSchema = z
  .enum(APPROVAL_STATES)
  .describe(
    '`waiting`: nothing is done yet. `done`: it was approved, and carried out in the same moment; what became of money that ' +
      'goes back to a card stands with its payment. `failed`: it was approved, and could not be done any more: `problems`.',
  );

/** A request for approval as the API shows it, and as webhooks get it. */
export const ApprovalSchema = z
  .strictObject({
    id: z.string(),
    kind: z
      .enum(APPROVAL_KINDS)
      .describe(
        '`refund`: of an invoice. `reversal`: of a card payment. `credit`: of an invoice. `waiver`: of what a visit owes. ' +
          '`dispute`: an answer that voids the visit. `limits`: higher limits of the site, or none. ' +
          '`day-close`: what was accepted and written off in a day.',
      ),
    state: ApprovalStateSchema,
    siteId: z.string().nullable().describe('Null: of several sites.'),
    visitId: z.string().nullable(),
    invoiceId: z.string().nullable(),
    paymentId: z.string().nullable(),
    disputeId: z.string().nullable(),
    plate: z.string().nullable().describe('Of the visit; null: there is none.'),
    invoiceNumber: z.int().nullable(),
    price: z
      .strictObject({ amount: z.int(), currency: CurrencySchema })
      .nullable()
      .describe('What is given up. Null: no amount decides.'),
    reason: z.string(),
    requested: z.record(z.string(), z.unknown()).describe('The body of the call that would be carried out.'),
    requestedBy: z.string().nullable().describe('The name of the account; null: it is gone.'),
    isOwn: z.boolean().describe('The caller made it, and another person has to decide.'),
    requestedOn: UtcTimeSchema,
    expiresOn: UtcTimeSchema,
    decidedBy: z.string().nullable(),
    decidedOn: UtcTimeSchema.nullable().describe('Null: it waits.'),
    answer: z.string().nullable().describe('Why it was refused.'),
    problems: z.array(MistakeSchema).describe('Why it could not be done.'),
  })
  .meta({
    id: 'Approval',
    example: {
      id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
      kind: 'refund',
      state: 'waiting',
      siteId: null,
      visitId: null,
      invoiceId: '6d1c2d6e-0a43-4bb0-8f0d-5a2f6f1f3c10',
      paymentId: null,
      disputeId: null,
      plate: 'ABX12',
      invoiceNumber: 1041,
      price: { amount: 24_000, currency: 'ISK' },
      reason: 'The barrier did not open',
      requested: { reason: 'The barrier did not open' },
      requestedBy: 'Anna',
      isOwn: false,
      requestedOn: '2026-11-21T12:00:00.000Z',
      expiresOn: '2026-11-28T12:00:00.000Z',
      decidedBy: null,
      decidedOn: null,
      answer: null,
      problems: [],
    },
  });
export type Approval = z.infer<typeof ApprovalSchema>;

/** The same with what its reader can do with it. */
export const ShownApprovalSchema = z
  .strictObject({ ...ApprovalSchema.shape, actions: ApprovalActionsSchema })
  .meta({ id: 'ApprovalWithActions' });
export type ShownApproval = z.infer<typeof ShownApprovalSchema>;

export const ApproveSchema = z
  .strictObject({
    amount: z
      .int()
      .nullable()
      .describe(
        'The amount that is approved, as it was shown; null where there is none. Another one than now is refused.',
      ),
  })
  .meta({ id: 'Approve', example: { amount: 24_000 } });

export const RefuseApprovalSchema = z
  .strictObject({ reason: ReasonSchema })
  .meta({ id: 'RefuseApproval', example: { reason: 'The gate did open' } });
