import { TypedTextSchema } from '@hlid/protocol/card-number';
import { PaymentStatusSchema, VisitStatusSchema } from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import { IdSchema, MomentSchema, PlateSchema } from '../../http/input-fields.ts';

/** What a person may change of a visit. `id` may come back as it was got. */
export const VisitEditSchema = z
  .strictObject({
    id: IdSchema.optional(),
    startedOn: MomentSchema.optional().describe(
      'Another start than it had: the visit is priced anew, and it needs a reason.',
    ),
    plate: PlateSchema.optional(),
    status: VisitStatusSchema.optional().describe(
      '`completed` is for a visit that owes nothing or is settled at once with `paymentStatus`. Closing and reopening need a reason.',
    ),
    paymentStatus: PaymentStatusSchema.nullable()
      .optional()
      .describe('Settles what is due; `void` also ends the visit, and needs a reason.'),
    endedOn: MomentSchema.nullable()
      .optional()
      .describe('With what closes the visit: when it ended. Null, with one that reopens it: not at all.'),
    reason: TypedTextSchema.trim().min(1).max(500).optional().describe('Kept in the history.'),
  })
  .meta({ id: 'VisitEdit', example: { plate: 'ABX12', reason: 'Misread' } });
export type VisitEdit = z.infer<typeof VisitEditSchema>;
