import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { NoteSchema } from '@hlid/protocol/base/typed-text';
import { GateReasonSchema } from '@hlid/protocol/records/gate-reason';
import { MAX_LAPSE_MINUTES } from '@hlid/protocol/records/gate-times';
import { CarAtGateSchema, CommandOutcomeSchema } from '@hlid/protocol/site-link/commands';
import { GateOutcomeSchema } from '@hlid/protocol/site-link/site-event';
import { z } from '@hono/zod-openapi';
import { ErrorBodySchema } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { OPENING_SETTLEMENTS } from '../../records/gates/opening-settlement.ts';

export const OpeningSettlementSchema = z.enum(OPENING_SETTLEMENTS).meta({ id: 'OpeningSettlement' });

const why = {
  reasonCode: GateReasonSchema,
  note: NoteSchema.optional().describe('Required with the reason `other`.'),
};

const car = {
  passageId: z
    .uuid()
    .optional()
    .describe('The car that is meant. 409 if another car stands there by now, or none.'),
};

const lapse = {
  lapseMinutes: z
    .int()
    .min(1)
    .max(MAX_LAPSE_MINUTES)
    .nullable()
    .optional()
    .describe('It lapses by itself after this time; null: not before it is released.'),
};

/** An "other" reason explains nothing without a note. */
function withNote({ reasonCode, note }: { reasonCode?: string | undefined; note?: string | undefined }) {
  return reasonCode !== 'other' || !!note;
}
const NOTE_NEEDED = { path: ['note'], error: wrong('note-with-other') };

export const OpenCallSchema = z
  .strictObject({
    ...why,
    ...car,
    visitId: IdSchema.optional().describe('The visit that `settlement` is about.'),
    settlement: OpeningSettlementSchema.optional().describe(
      '`paid-elsewhere` and `invoice` settle what is due, `waived` voids the visit, `bill-later` leaves it to the ' +
        'office. Needs `visitId`, and the right to change visits.',
    ),
  })
  .refine(withNote, NOTE_NEEDED)
  .refine(({ settlement, visitId }) => settlement === undefined || visitId !== undefined, {
    path: ['visitId'],
    error: wrong('needed-with-settlement'),
  })
  .meta({
    id: 'OpenCall',
    example: { reasonCode: 'unreadable-plate', note: 'A van covered with snow' },
  });
export type OpenCall = z.infer<typeof OpenCallSchema>;

export const HoldCallSchema = z
  .strictObject({ ...why, ...car, ...lapse })
  .refine(withNote, NOTE_NEEDED)
  .meta({ id: 'HoldCall', example: { reasonCode: 'event', note: 'Concert', lapseMinutes: 90 } });

export const ReleaseCallSchema = z
  .strictObject({ ...why, ...car, reasonCode: GateReasonSchema.optional() })
  .refine(withNote, NOTE_NEEDED)
  .meta({ id: 'ReleaseCall', example: {} });

export const SiteHoldCallSchema = z
  .strictObject({ ...why, ...lapse })
  .refine(withNote, NOTE_NEEDED)
  .meta({ id: 'SiteHoldCall', example: { reasonCode: 'emergency', note: 'Fire alarm' } });

export const SiteReleaseCallSchema = z
  .strictObject({ ...why, reasonCode: GateReasonSchema.optional() })
  .refine(withNote, NOTE_NEEDED)
  .meta({ id: 'SiteReleaseCall', example: {} });

/** How an opening may settle a visit. */
const SETTLED_AS = ['kiosk', 'void', 'company-invoice', 'owner-invoice'] as const;
export type SettledAs = (typeof SETTLED_AS)[number];

export const CommandDoneSchema = z
  .strictObject({
    /** The id of the movement in the site's events. */
    id: z.string(),
    outcome: CommandOutcomeSchema.extract(['done']),
    lanes: z.array(z.strictObject({ laneId: z.string(), outcome: GateOutcomeSchema })),
    /** How the visit was settled with it; null: it was not. */
    settled: z.enum(SETTLED_AS).nullable(),
  })
  .meta({
    id: 'CommandDone',
    example: {
      id: '7f3c1d52-6a0e-4a37-9f7e-3a5b1c0d9e21',
      outcome: 'done',
      lanes: [{ laneId: 'out-1', outcome: 'done' }],
      settled: null,
    },
  });

/** 409: another car stands there. */
export const OtherCarBodySchema = z
  .strictObject({ ...ErrorBodySchema.shape, car: CarAtGateSchema.nullable() })
  .meta({ id: 'OtherCar' });
