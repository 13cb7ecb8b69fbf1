import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { PriceTraceSchema } from '../visits/list/visit-price.ts';

/** The kinds, in the order of entries of one moment. */
export const TIMELINE_KINDS = [
  'read',
  'decision',
  'gate',
  'alert',
  'payment',
  'settlement',
  'invoice',
  'refund',
  'notice',
  'mail',
  'status',
  'edit',
] as const;

const ParamSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const TimelineEntrySchema = z
  .strictObject({
    id: z.string(),
    on: UtcTimeSchema,
    kind: z.enum(TIMELINE_KINDS),
    code: z
      .string()
      .describe(
        'What happened, by kind: `read`: its standing; `decision`: the reason; `gate`: the action; `alert`: the alert; ' +
          '`payment`: the state; `settlement`: the payment status; `invoice`: its status; `refund`: `refunded`; ' +
          '`notice`: `delivered`; `mail`: its kind; `status`: the new status; `edit`: the action of the audit log.',
      ),
    who: z
      .strictObject({ by: z.string(), name: z.string().nullable() })
      .nullable()
      .describe(
        '`account:<id>`, `token:<id>`, `lane:<id>`, `kiosk` or a part of the cloud; null: not known.',
      ),
    params: z.record(z.string(), ParamSchema).describe('What the words for the code need.'),
    changes: z
      .array(z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() }))
      .describe('What an edit changed.'),
    photoId: z.string().nullable().describe('A photo with a picture; see `GET /photo/{id}/picture`.'),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntrySchema>;

const { decision, due } = PriceTraceSchema.shape;

/** Everything that happened in a visit. */
export const TimelineSchema = z
  .strictObject({
    visitId: z.string(),
    entryPhotoId: z.string().nullable(),
    exitPhotoId: z.string().nullable(),
    ifLeftNow: z
      .strictObject({ decision: decision.unwrap(), due })
      .nullable()
      .describe('What the exit would decide and ask for now; null: it has left.'),
    entries: z.array(TimelineEntrySchema).describe('Oldest first; at most the newest 1000.'),
  })
  .meta({ id: 'VisitTimeline' });
export type Timeline = z.infer<typeof TimelineSchema>;
