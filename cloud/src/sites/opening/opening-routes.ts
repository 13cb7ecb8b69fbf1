import { nowUtc } from '@hlid/node/clock';
import { createRoute } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS, refuse } from '../../platform/http/errors.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { answerStep, withdrawAnswer } from './answer-step.ts';
import { OpeningAnswerBodySchema, OpeningSchema, OpeningStepSchema } from './opening.ts';
import { readOpening } from './read-opening.ts';

const tags = ['Sites'];

const StepParamSchema = IdParamSchema.extend({
  step: OpeningStepSchema.openapi({ param: { name: 'step', in: 'path' }, example: 'signs' }),
});

const getRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/opening',
  tags,
  summary: 'Get how far the opening of a site is',
  description:
    'Each step is computed from the site as it is now: its settings, its devices, what its gates and cameras did last, ' +
    'and what people have answered. A step that stops working is to be done again. Nothing of this holds a car up.',
  request: { params: IdParamSchema },
  responses: responses.read(OpeningSchema, 'The steps'),
});

const answerRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/opening/{step}',
  tags,
  summary: 'Answer a step of opening a site',
  description:
    '`accepts` of the step names what can be answered now. `begun` of the test car may be sent again with its visit.',
  request: { params: StepParamSchema, body: jsonBody(OpeningAnswerBodySchema) },
  responses: responses.write(OpeningSchema, 'Recorded'),
});

const withdrawRoute = createRoute({
  method: 'delete',
  path: '/sites/{id}/opening/{step}',
  tags,
  summary: 'Withdraw the answer to a step of opening a site',
  request: { params: StepParamSchema },
  responses: { ...responses.delete('Withdrawn'), ...REFUSALS.input },
});

/** How far the opening of a site is, and what people answer to its steps. */
export function openingRoutes({ db, clock, boards }: Pick<CloudContext, 'db' | 'clock' | 'boards'>) {
  /** The present board of the lanes; null: the site is away, or does not answer. */
  const boardOf = async (id: string) => {
    const isConnected = (await db.read((q) => readPresence(q, id)))?.connected ?? false;
    const received = isConnected ? (boards.newest(id) ?? (await boards.ask(id))) : null;
    return received?.board ?? null;
  };
  return createRouter()
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const board = await boardOf(id);
      const opening = await db.read((q) => readOpening(q, id, board, nowUtc(clock)));
      return opening === null ? notFound(c, 'site') : c.json(opening, 200);
    })
    .openapi(answerRoute, async (c) => {
      const { id, step } = c.req.valid('param');
      const { answer, visitId = null } = c.req.valid('json');
      const board = await boardOf(id);
      const done = await answerStep(db, actorOf(c, clock), { siteId: id, step, board }, { answer, visitId });
      if (!done.ok) return refuse(c, 'site', done);
      const opening = await db.read((q) => readOpening(q, id, board, nowUtc(clock)));
      if (opening === null) return notFound(c, 'site');
      return c.json(opening, 303, { Location: `/sites/${id}/opening` });
    })
    .openapi(withdrawRoute, async (c) => {
      const { id, step } = c.req.valid('param');
      const isDone = await withdrawAnswer(db, actorOf(c, clock), id, step);
      return isDone ? c.body(null, 204) : notFound(c, 'site');
    });
}
