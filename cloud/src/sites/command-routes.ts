import { TypedTextSchema } from '@hlid/protocol/card-number';
import { type CommandAction, CommandOutcomeSchema } from '@hlid/protocol/commands';
import { mistake } from '@hlid/protocol/mistake';
import { GateOutcomeSchema } from '@hlid/protocol/site-event';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { CommandAnswer } from '../broker/command-sender.ts';
import { actorOf, type CloudContext, type CloudEnv } from '../http/cloud-env.ts';
import { errorBody, notFound, REFUSALS, refusal } from '../http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { commandGate, type GateRequest } from './command-gate.ts';

const tags = ['Sites'];

const CommandBodySchema = z
  .strictObject({ reason: TypedTextSchema.trim().min(1).max(500) })
  .meta({ id: 'CommandBody', example: { reason: 'A van whose plate nobody can read' } });

const LaneParamSchema = IdParamSchema.extend({
  lane: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: 'lane', in: 'path' }, example: 'out-1' })
    .describe('The id of the lane at its site.'),
});

const CommandDoneSchema = z
  .strictObject({
    /** Of the movement in the site's events. */
    id: z.string(),
    outcome: CommandOutcomeSchema.extract(['done']),
    lanes: z.array(z.strictObject({ laneId: z.string(), outcome: GateOutcomeSchema })),
  })
  .meta({
    id: 'CommandDone',
    example: {
      id: '7f3c1d52-6a0e-4a37-9f7e-3a5b1c0d9e21',
      outcome: 'done',
      lanes: [{ laneId: 'out-1', outcome: 'done' }],
    },
  });

const responses = {
  200: { description: 'Done, and recorded at the site', content: json(CommandDoneSchema) },
  ...REFUSALS.input,
  ...READ_REFUSALS,
  502: refusal('The site received the command, and its gate failed'),
  503: refusal('Not sent: the site is not connected'),
  504: refusal('The site did not answer within a second. It will not begin the command any more'),
};

const laneRoute = <Verb extends string>(verb: Verb, summary: string) =>
  createRoute({
    method: 'post',
    path: `/sites/{id}/lanes/{lane}/${verb}`,
    tags,
    summary,
    request: { params: LaneParamSchema, body: jsonBody(CommandBodySchema) },
    responses,
  });

const siteRoute = <Verb extends string>(verb: Verb, summary: string) =>
  createRoute({
    method: 'post',
    path: `/sites/{id}/gates/${verb}`,
    tags,
    summary,
    request: { params: IdParamSchema, body: jsonBody(CommandBodySchema) },
    responses,
  });

const openRoute = laneRoute('open', 'Open a gate once; the waiting car can leave, whatever it owes');
const holdRoute = laneRoute(
  'hold',
  'Hold a gate open until it is released; cars are read and charged as usual',
);
const closeRoute = laneRoute(
  'close',
  'Keep a lane closed until it is released; an exit for at most 15 minutes',
);
const releaseRoute = laneRoute('release', 'Release a gate; back to automatic');
const holdAllRoute = siteRoute('hold', 'Hold every gate of a site open');
const releaseAllRoute = siteRoute('release', 'Release every gate of a site; back to automatic');

/** What operators want of gates, answered within a second with what was done. */
export function commandRoutes({ db, clock, commands }: Pick<CloudContext, 'db' | 'clock' | 'commands'>) {
  const command = (c: Context<CloudEnv>, request: GateRequest) =>
    commandGate(db, commands, actorOf(c, clock), request);
  const toLane = (
    c: Context<CloudEnv>,
    { id, lane }: { id: string; lane: string },
    action: CommandAction,
    { reason }: { reason: string },
  ) => command(c, { siteId: id, laneId: lane, action, reason });

  return createRouter()
    .openapi(openRoute, async (c) =>
      answer(c, await toLane(c, c.req.valid('param'), 'open', c.req.valid('json'))),
    )
    .openapi(holdRoute, async (c) =>
      answer(c, await toLane(c, c.req.valid('param'), 'hold', c.req.valid('json'))),
    )
    .openapi(closeRoute, async (c) =>
      answer(c, await toLane(c, c.req.valid('param'), 'close', c.req.valid('json'))),
    )
    .openapi(releaseRoute, async (c) =>
      answer(c, await toLane(c, c.req.valid('param'), 'release', c.req.valid('json'))),
    )
    .openapi(holdAllRoute, async (c) => {
      const { reason } = c.req.valid('json');
      return answer(
        c,
        await command(c, { siteId: c.req.valid('param').id, laneId: null, action: 'hold', reason }),
      );
    })
    .openapi(releaseAllRoute, async (c) => {
      const { reason } = c.req.valid('json');
      return answer(
        c,
        await command(c, { siteId: c.req.valid('param').id, laneId: null, action: 'release', reason }),
      );
    });
}

function answer(c: Context<CloudEnv>, answered: (CommandAnswer & { id: string }) | null) {
  if (answered === null) return notFound(c, 'site');
  const { id, outcome, lanes } = answered;
  switch (outcome) {
    case 'done':
      return c.json({ id, outcome, lanes }, 200);
    case 'unknown-lane':
      return notFound(c, 'lane-at-site');
    case 'refused':
    case 'unreachable':
    case 'unknown': {
      const failed = lanes.filter((lane) => lane.outcome !== 'done');
      const why = failed.map((lane) => mistake(GATE_CODES[outcomeOf(lane.outcome)], [lane.laneId]));
      const [first = mistake('gate-silent'), ...others] = why;
      return c.json(errorBody('Not done by the gate', first, ...others), 502);
    }
    case 'not-connected':
      return c.json(errorBody('Site not connected', mistake('command-not-connected')), 503);
    case 'expired':
    case 'no-answer':
      return c.json(errorBody('No answer', mistake('command-unknown')), 504);
    default:
      return outcome satisfies never;
  }
}

const GATE_CODES = { refused: 'gate-refused', unreachable: 'gate-away', unknown: 'gate-silent' } as const;

function outcomeOf(outcome: z.infer<typeof GateOutcomeSchema>): keyof typeof GATE_CODES {
  return outcome === 'done' ? 'unknown' : outcome;
}
