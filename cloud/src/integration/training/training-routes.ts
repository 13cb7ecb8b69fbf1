import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { callerName } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { json } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { readLessons } from './read-lessons.ts';
import { LessonSchema, TrainingSchema } from './training.ts';

const tags = ['Training'];

const getRoute = createRoute({
  method: 'get',
  path: '/training',
  tags,
  summary: 'Get the lessons of a training installation, and how far the caller is',
  description:
    'Each step is computed from what the caller did in the ordinary calls, by the audit log, and from the car park. ' +
    'Every answer of a training installation has the header `Hlid-Training`.',
  responses: {
    200: { description: 'The lessons, in order', content: json(TrainingSchema) },
    ...REFUSALS.auth,
  },
});

const startRoute = createRoute({
  method: 'post',
  path: '/training/lessons/{lesson}/start',
  tags,
  summary: 'Begin a lesson, or begin it again',
  description: 'The simulated car park makes the situation of the lesson, which takes some seconds.',
  request: {
    params: z.object({
      lesson: LessonSchema.openapi({ param: { name: 'lesson', in: 'path' }, example: 'first-car' }),
    }),
  },
  responses: {
    200: { description: 'The lessons; this one has begun', content: json(TrainingSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    409: refusal('The car parks of this cloud are real, or its trainer does not answer'),
  },
});

/** Lessons on a simulated car park. */
export function trainingRoutes({ db, trainer }: Pick<CloudContext, 'db' | 'trainer'>) {
  return createRouter()
    .openapi(getRoute, async (c) => {
      if (trainer === null) return c.json({ isTraining: false, trainerAnswers: false, lessons: [] }, 200);
      const by = callerName(callerOf(c, 'account'));
      const runs = await trainer.runs(by);
      const lessons = await db.read((q) => readLessons(q, runs ?? [], by));
      return c.json({ isTraining: true, trainerAnswers: runs !== null, lessons }, 200);
    })
    .openapi(startRoute, async (c) => {
      if (trainer === null) return conflict(c, mistake('not-training'));
      const by = callerName(callerOf(c, 'account'));
      const run = await trainer.start(by, c.req.valid('param').lesson);
      if (run === null) return conflict(c, mistake('trainer-away'));
      const runs = (await trainer.runs(by)) ?? [run];
      const lessons = await db.read((q) => readLessons(q, runs, by));
      return c.json({ isTraining: true, trainerAnswers: true, lessons }, 200);
    });
}
