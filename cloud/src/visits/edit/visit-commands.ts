import { TypedTextSchema } from '@hlid/protocol/card-number';
import { ReviewFlagSchema } from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import { IdSchema, MomentSchema, PlateSchema } from '../../http/input-fields.ts';

const ReasonSchema = TypedTextSchema.trim().min(1).max(500).describe('Kept in the history.');

export const NewVisitSchema = z
  .strictObject({
    id: z.uuid().optional().describe('Of the caller’s making, so that the same once more makes no second.'),
    startedOn: MomentSchema.describe('Not in the future, at most a year ago.'),
    plate: PlateSchema.nullable().optional(),
    status: z
      .enum(['new', 'need-plate'])
      .optional()
      .describe('`need-plate` where it has no plate; left out: `new`.'),
    siteId: IdSchema.optional().describe('May be left out where there is one site only.'),
    entryLaneId: z.string().min(1).max(100).nullable().optional(),
    reason: ReasonSchema.optional(),
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

export const VisitReviewSchema = z
  .strictObject({
    flags: z
      .array(ReviewFlagSchema)
      .min(1)
      .max(ReviewFlagSchema.options.length)
      .optional()
      .describe('Those looked at; absent: all that it has.'),
    reason: ReasonSchema.optional(),
  })
  .meta({ id: 'VisitReview', example: { flags: ['lost-exit'] } });
export type VisitReview = z.infer<typeof VisitReviewSchema>;

export const VisitSplitSchema = z
  .strictObject({
    at: MomentSchema.describe('When the first ended and the second began.'),
    plate: PlateSchema.optional().describe('Of the second; absent: the same.'),
    reason: ReasonSchema,
  })
  .meta({ id: 'VisitSplit', example: { at: '2026-11-21T10:00:00.000Z', reason: 'Seen outside at ten' } });
export type VisitSplit = z.infer<typeof VisitSplitSchema>;

export const VisitJoinSchema = z
  .strictObject({
    visitId: IdSchema.describe('The other half, earlier or later.'),
    plate: PlateSchema.optional().describe('Which is right, where theirs are not the same.'),
    reason: ReasonSchema,
  })
  .meta({
    id: 'VisitJoin',
    example: { visitId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', reason: 'It never left' },
  });
export type VisitJoin = z.infer<typeof VisitJoinSchema>;
