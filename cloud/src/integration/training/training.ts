import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DeviceKindSchema } from '@hlid/protocol/records/device';
import { z } from '@hono/zod-openapi';
import { LESSONS } from '../../platform/trainer.ts';

export const LessonSchema = z.enum(LESSONS);

const LessonViewSchema = z
  .strictObject({
    lesson: LessonSchema,
    startedOn: UtcTimeSchema.nullable().describe('When the caller began it last; null: not yet.'),
    steps: z.array(
      z.strictObject({
        step: z.string(),
        isAct: z.boolean().describe('The learner does it; others happen by themselves.'),
        done: z.boolean(),
      }),
    ),
    done: z.boolean(),
    siteId: z.string().nullable(),
    plate: z.string().nullable().describe('The car of the lesson.'),
    readAs: z.string().nullable().describe('What the camera has read in place of the plate.'),
    otherPlate: z.string().nullable().describe('A second car.'),
    device: z.strictObject({ kind: DeviceKindSchema, id: z.string() }).nullable(),
    visitId: z.string().nullable(),
    invoiceId: z.string().nullable(),
    paymentId: z.string().nullable().describe('The payment of the second car.'),
  })
  .meta({ id: 'LessonView' });
export type LessonView = z.infer<typeof LessonViewSchema>;

export const TrainingSchema = z
  .strictObject({
    isTraining: z.boolean().describe('The car parks of this cloud are simulated.'),
    trainerAnswers: z.boolean().describe('Lessons can be begun.'),
    lessons: z.array(LessonViewSchema).describe('None where the car parks are real.'),
  })
  .meta({ id: 'Training' });
