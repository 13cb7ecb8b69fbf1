import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { VatCategorySchema } from '@hlid/protocol/base/vat-schema';
import { DeviceStateSchema } from '@hlid/protocol/records/device';
import { DirectionSchema } from '@hlid/protocol/records/lane';
import { VisitStatusSchema } from '@hlid/protocol/records/visit';
import { z } from '@hono/zod-openapi';
import { OPENING_ANSWERS, OPENING_STEPS } from '../../records/sites/opening-steps.ts';
import { OPENING_REASONS, OPENING_STATES } from './opening-rule.ts';

export const OpeningStepSchema = z.enum(OPENING_STEPS).meta({ id: 'SiteOpeningStep' });
const OpeningAnswerSchema = z.enum(OPENING_ANSWERS).meta({ id: 'SiteOpeningAnswer' });

export const OpeningAnswerBodySchema = z
  .strictObject({
    answer: OpeningAnswerSchema,
    visitId: z
      .uuid()
      .optional()
      .describe('Beside `begun`: the visit of the test car, once it has come in after that.'),
  })
  .meta({ id: 'SiteOpeningAnswerBody', example: { answer: 'skipped' } });

const DeviceSchema = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  state: DeviceStateSchema,
});

export const OpeningSchema = z
  .strictObject({
    siteId: z.string(),
    steps: z
      .array(
        z.strictObject({
          step: OpeningStepSchema,
          state: z
            .enum(OPENING_STATES)
            .describe(
              '`waiting`: something else has to happen first. `again`: it was done, and does not work now.',
            ),
          reason: z.enum(OPENING_REASONS).describe('Why it is so. Ignore reasons that you do not know.'),
          accepts: z.array(OpeningAnswerSchema).describe('What a person may answer now.'),
          answered: z
            .strictObject({
              answer: OpeningAnswerSchema,
              by: z.string(),
              byName: z.string().nullable(),
              on: UtcTimeSchema,
            })
            .nullable()
            .describe('What a person has answered.'),
        }),
      )
      .describe('The steps in their order. A site without an edge daemon has fewer.'),
    facts: z.strictObject({
      connected: z.boolean(),
      zones: z.int().describe('How many zones it has.'),
      code: z
        .strictObject({ expiresOn: UtcTimeSchema, usedOn: UtcTimeSchema.nullable() })
        .nullable()
        .describe('The newest code for an edge daemon; null: there is none.'),
      cameras: z.array(
        z.strictObject({
          id: z.string().describe('Its id at the site.'),
          cameraId: z.string().nullable().describe('The id in `GET /cameras`; null: it is not there.'),
          name: z.string().nullable(),
          location: z.enum(['entrance', 'exit']).nullable(),
          state: DeviceStateSchema.nullable().describe('Null: the site has not reported it.'),
          lastReadOn: UtcTimeSchema.nullable(),
        }),
      ),
      lanes: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string().nullable(),
          direction: DirectionSchema.nullable().describe('Null: the site is away.'),
          hasGate: z.boolean().describe('False: cars drive through.'),
          gate: DeviceStateSchema.nullable(),
          triedOn: UtcTimeSchema.nullable().describe('When its gate last confirmed that it opened.'),
        }),
      ),
      terminals: z.array(DeviceSchema),
      kiosks: z.array(DeviceSchema),
      products: z
        .array(
          z.strictObject({
            id: z.string(),
            name: z.record(z.string(), z.string()).describe('The name by language.'),
            vatRate: z.number(),
            vatCategory: VatCategorySchema.nullable().describe(
              'At this site today, which may be what the site says; null: not decided.',
            ),
            vatReason: z.string().nullable(),
            isFeeVatOpen: z
              .boolean()
              .describe('It has fees that are charged here, and their VAT is not decided.'),
            isOwn: z.boolean().describe('It is sold at this site only.'),
          }),
        )
        .describe('What sets the price of a visit.'),
      testVisit: z
        .strictObject({
          id: z.string(),
          startedOn: UtcTimeSchema,
          endedOn: UtcTimeSchema.nullable(),
          status: VisitStatusSchema,
          isVoid: z.boolean(),
        })
        .nullable(),
    }),
  })
  .meta({ id: 'SiteOpening' });
export type Opening = z.infer<typeof OpeningSchema>;
