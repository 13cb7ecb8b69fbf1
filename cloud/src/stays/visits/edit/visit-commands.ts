import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import {
  PaidWithSchema,
  PaymentStatusSchema,
  ReviewFlagSchema,
  VisitStatusSchema,
} from '@hlid/protocol/records/visit';
import { z } from '@hono/zod-openapi';
import { IdSchema, MomentSchema, PlateSchema } from '../../../platform/http/input-fields.ts';

const HistoryReasonSchema = ReasonSchema.describe('Stored in the history.');

export const NewVisitSchema = z
  .strictObject({
    id: z.uuid().optional().describe('Chosen by the caller; a repetition creates no second visit.'),
    startedOn: MomentSchema.describe('Not in the future, at most a year ago.'),
    plate: PlateSchema.nullable().optional(),
    status: z
      .enum(['new', 'need-plate'])
      .optional()
      .describe('`need-plate` without a plate; default: `new`.'),
    siteId: IdSchema.optional().describe('Optional if there is only one site.'),
    entryLaneId: z.string().min(1).max(100).nullable().optional(),
    reason: HistoryReasonSchema.optional(),
  })
  .meta({
    id: 'NewVisit',
    example: {
      startedOn: '2026-11-21T08:00:00.000Z',
      plate: 'ABX12',
      status: 'new',
      reason: 'Gate stood open',
    },
  });
export type NewVisit = z.infer<typeof NewVisitSchema>;

/** The flag `disputed` goes with the answer to its dispute. */
const FlagToResolveSchema = ReviewFlagSchema.exclude(['disputed']);

export const VisitReviewSchema = z
  .strictObject({
    flags: z
      .array(FlagToResolveSchema)
      .min(1)
      .max(FlagToResolveSchema.options.length)
      .optional()
      .describe(
        'The flags to resolve; absent: all but `disputed`, which the answer to the dispute resolves.',
      ),
    reason: HistoryReasonSchema.optional(),
  })
  .meta({ id: 'VisitReview', example: { flags: ['lost-exit'] } });
export type VisitReview = z.infer<typeof VisitReviewSchema>;

/** The flag `settled-twice` marks payments too, which a review settles for good. */
const FlagToPutOnSchema = FlagToResolveSchema.exclude(['settled-twice']);

export const VisitFlagSchema = z
  .strictObject({
    flags: z.array(FlagToPutOnSchema).min(1).max(FlagToPutOnSchema.options.length),
    reason: HistoryReasonSchema.optional(),
  })
  .meta({ id: 'VisitFlag', example: { flags: ['lost-exit'] } });
export type VisitFlag = z.infer<typeof VisitFlagSchema>;

export const VisitSplitSchema = z
  .strictObject({
    at: MomentSchema.describe('The end of the first visit and the start of the second.'),
    plate: PlateSchema.optional().describe('The plate of the second visit; absent: the same.'),
    reason: HistoryReasonSchema,
  })
  .meta({ id: 'VisitSplit', example: { at: '2026-11-21T10:00:00.000Z', reason: 'Seen outside at ten' } });
export type VisitSplit = z.infer<typeof VisitSplitSchema>;

export const VisitJoinSchema = z
  .strictObject({
    visitId: IdSchema.describe('The other visit, earlier or later.'),
    plate: PlateSchema.optional().describe('The correct plate, if the two differ.'),
    reason: HistoryReasonSchema,
  })
  .meta({
    id: 'VisitJoin',
    example: { visitId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', reason: 'It never left' },
  });
export type VisitJoin = z.infer<typeof VisitJoinSchema>;

/** The fields of a visit that a person may change. `id` may come back as it was got. */
export const VisitEditSchema = z
  .strictObject({
    id: IdSchema.optional(),
    startedOn: MomentSchema.optional().describe('A new start: the visit is priced again. Needs a reason.'),
    plate: PlateSchema.optional(),
    status: VisitStatusSchema.optional().describe(
      '`completed` needs a visit without an amount due, or `paymentStatus` in the same call. Closing ' +
        'and reopening need a reason.',
    ),
    paymentStatus: PaymentStatusSchema.nullable()
      .optional()
      .describe(
        'Settles the amount due. `kiosk`: the money was received. `void` also ends the visit, and needs a reason. ' +
          'For `void` and `whitelisted`, which give the amount up, an operator’s session has to be stepped up.',
      ),
    waive: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The part of what a visit that has left owes that is given up, in the currency’s minor unit. Needs a reason, and ' +
          'an operator’s session has to be stepped up. `paymentStatus: void` gives all of it up.',
      ),
    paidWith: PaidWithSchema.optional().describe(
      'With `paymentStatus: kiosk`: how the money was received. Default: `other`.',
    ),
    endedOn: MomentSchema.nullable()
      .optional()
      .describe('The end of the visit, with a status that closes it; null with one that reopens it.'),
    reason: HistoryReasonSchema.optional(),
  })
  .meta({ id: 'VisitEdit', example: { plate: 'ABX12', reason: 'Misread' } });

export type VisitEdit = z.infer<typeof VisitEditSchema>;
