import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { PlateCandidateSchema } from '@hlid/protocol/plate/plate-read';
import { PaymentStatusSchema } from '@hlid/protocol/records/visit';
import { z } from '@hono/zod-openapi';
import { VisitPriceViewSchema } from '../../stays/visits/list/visit-view.ts';

const { lines, product } = VisitPriceViewSchema.shape;

const EvidencePriceSchema = z.strictObject({ amount: z.int(), currency: CurrencySchema, lines, product });

/** The facts about a contested stay as they were when it was contested: for operators. */
export const DisputeEvidenceSchema = z
  .strictObject({
    draftedOn: UtcTimeSchema,
    stay: z.strictObject({
      plate: z.string().nullable(),
      startedOn: UtcTimeSchema,
      endedOn: UtcTimeSchema.nullable(),
      entryLaneId: z.string().nullable(),
      exitLaneId: z.string().nullable(),
      paymentStatus: PaymentStatusSchema.nullable(),
    }),
    reads: z.array(
      z.strictObject({
        photoId: z.string(),
        on: UtcTimeSchema,
        laneId: z.string(),
        role: z.enum(['entry', 'exit', 'other']),
        plate: z.string().nullable().describe('Null: unreadable.'),
        plateRaw: z.string(),
        score: z.number(),
        candidates: z.array(PlateCandidateSchema),
        hasPicture: z.boolean(),
      }),
    ),
    likelierPlate: z
      .strictObject({ plate: z.string(), score: z.number() })
      .nullable()
      .describe('The plate that the reads speak for more than for that of the stay; null: none.'),
    asked: EvidencePriceSchema.nullable().describe('The price that was asked, before payments; null: none.'),
    priced: EvidencePriceSchema.nullable().describe('The same stay priced again, under the tariffs of then.'),
    today: EvidencePriceSchema.nullable().describe(
      'The same stay under the tariff of the day of the dispute.',
    ),
    payments: z
      .array(
        z.strictObject({
          invoiceId: z.string(),
          visitId: z.string().nullable(),
          siteId: z.string().nullable(),
          number: z.int().nullable(),
          amount: z.int(),
          currency: CurrencySchema,
          paidOn: UtcTimeSchema.nullable(),
          paidWith: z.string(),
          isThisVisit: z.boolean(),
        }),
      )
      .describe(
        'What was paid for this plate shortly before and since, at the sites that the caller may see.',
      ),
  })
  .meta({ id: 'DisputeEvidence' });
export type DisputeEvidence = z.infer<typeof DisputeEvidenceSchema>;
