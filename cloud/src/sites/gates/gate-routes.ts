import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { MAX_EXIT_CLOSED_MINUTES, USUAL_HOLD_MINUTES } from '@hlid/protocol/records/gate-times';
import type { CommandAction } from '@hlid/protocol/site-link/commands';
import type { GateOutcomeSchema } from '@hlid/protocol/site-link/site-event';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { mayCall } from '../../people/auth/may-call.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { accessDenied, errorBody, notFound, REFUSALS, refusal, refuse } from '../../platform/http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { Refused } from '../../platform/refused.ts';
import { commandGate, type GateAnswer, type GateRequest } from './command-gate.ts';
import {
  CommandDoneSchema,
  HoldCallSchema,
  OpenCallSchema,
  OtherCarBodySchema,
  ReleaseCallSchema,
  SiteHoldCallSchema,
  SiteReleaseCallSchema,
} from './gate-call.ts';
import { LANE_ACTIONS } from './lane-actions.ts';

const tags = ['Lanes'];

const LaneParamSchema = IdParamSchema.extend({
  lane: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: 'lane', in: 'path' }, example: 'out-1' })
    .describe('The id of the lane at its site.'),
});

const responses = {
  200: { description: 'Done, and recorded at the site', content: json(CommandDoneSchema) },
  ...REFUSALS.input,
  ...READ_REFUSALS,
  409: {
    description: 'Another car than `passageId` stands there by now, or none: `car`. Nothing was done',
    content: json(OtherCarBodySchema),
  },
  422: REFUSALS.alreadyThere[422],
  502: refusal('The site received the command, and its gate failed'),
  503: refusal('Not sent: the site is not connected'),
  504: refusal('The site did not answer within a second. It will not begin the command any more'),
};

const laneRoute = <Verb extends string, Body extends z.ZodType>(verb: Verb, body: Body, summary: string) =>
  createRoute({
    method: 'post',
    path: `/sites/{id}/lanes/{lane}/${verb}`,
    tags,
    summary,
    request: { params: LaneParamSchema, body: jsonBody(body) },
    responses,
  });

const siteRoute = <Verb extends string, Body extends z.ZodType>(verb: Verb, body: Body, summary: string) =>
  createRoute({
    method: 'post',
    path: `/sites/{id}/gates/${verb}`,
    tags,
    summary,
    request: { params: IdParamSchema, body: jsonBody(body) },
    responses,
  });

const openRoute = laneRoute(
  'open',
  OpenCallSchema,
  'Open a gate once; the waiting car can leave, whatever it owes',
);
const holdRoute = laneRoute(
  'hold',
  HoldCallSchema,
  `Hold a gate open, for ${USUAL_HOLD_MINUTES} minutes or as chosen; cars are read and charged as usual`,
);
const closeRoute = laneRoute(
  'close',
  HoldCallSchema,
  `Keep a lane closed until it is released or the time is over; an exit for at most ${MAX_EXIT_CLOSED_MINUTES} minutes`,
);
const releaseRoute = laneRoute('release', ReleaseCallSchema, 'Release a gate; back to automatic');
const holdAllRoute = siteRoute(
  'hold',
  SiteHoldCallSchema,
  'Hold every gate of a site open, until they are released or as chosen',
);
const releaseAllRoute = siteRoute(
  'release',
  SiteReleaseCallSchema,
  'Release every gate of a site; back to automatic',
);

/** The part of a call that all commands have. */
interface GateCall {
  reasonCode?: GateRequest['reasonCode'] | undefined;
  note?: string | undefined;
  passageId?: string | undefined;
}

/** The commands of operators for gates, answered with their result within a second. */
export function gateRoutes({ db, clock, commands }: Pick<CloudContext, 'db' | 'clock' | 'commands'>) {
  const command = async (
    c: Context<CloudEnv>,
    place: { id: string; lane?: string },
    action: CommandAction,
    { reasonCode = null, note = '', passageId }: GateCall,
    more: Partial<Pick<GateRequest, 'lapseMinutes' | 'money'>> = {},
  ) => {
    const [siteId, laneId] = [place.id, place.lane ?? null];
    const usual = { passageId: passageId ?? null, lapseMinutes: null, money: null };
    const request = { siteId, laneId, action, reasonCode, note, ...usual, ...more };
    return answer(c, await commandGate(db, commands, actorOf(c, clock), request));
  };

  return createRouter()
    .openapi(openRoute, async (c) => {
      const { settlement, visitId, ...call } = c.req.valid('json');
      const settles = settlement !== undefined && settlement !== 'bill-later';
      const { route } = LANE_ACTIONS.settle;
      if (settles && !mayCall(callerOf(c, 'account'), route, { siteId: c.req.valid('param').id })) {
        return accessDenied(c, mistake('permission-needed', [], { permission: 'visits' }));
      }
      const money =
        settlement === undefined || visitId === undefined ? {} : { money: { settlement, visitId } };
      return await command(c, c.req.valid('param'), 'open', call, money);
    })
    .openapi(holdRoute, async (c) => {
      const { lapseMinutes = USUAL_HOLD_MINUTES, ...call } = c.req.valid('json');
      return await command(c, c.req.valid('param'), 'hold', call, { lapseMinutes });
    })
    .openapi(closeRoute, async (c) => {
      const { lapseMinutes = null, ...call } = c.req.valid('json');
      return await command(c, c.req.valid('param'), 'close', call, { lapseMinutes });
    })
    .openapi(releaseRoute, async (c) => command(c, c.req.valid('param'), 'release', c.req.valid('json')))
    .openapi(holdAllRoute, async (c) => {
      const { lapseMinutes = null, ...call } = c.req.valid('json');
      return await command(c, c.req.valid('param'), 'hold', call, { lapseMinutes });
    })
    .openapi(releaseAllRoute, async (c) => command(c, c.req.valid('param'), 'release', c.req.valid('json')));
}

function answer(c: Context<CloudEnv>, answered: GateAnswer | Refused) {
  if (!answered.ok) return refuse(c, 'site', answered);
  const { id, outcome, lanes, settled } = answered;
  const money = settled === null ? [] : [mistake('settled-all-the-same', [], { settled })];
  switch (outcome) {
    case 'done':
      return c.json({ id, outcome, lanes, settled }, 200);
    case 'unknown-lane':
      return notFound(c, 'lane-at-site');
    case 'no-gate':
      return notFound(c, 'gate-at-lane');
    case 'stale': {
      const car = answered.car ?? null;
      const why = mistake(car === null ? 'car-gone' : 'another-car');
      return c.json({ ...errorBody('Another car', why), car }, 409);
    }
    case 'refused':
    case 'unreachable':
    case 'unknown': {
      const failed = lanes.filter((lane) => lane.outcome !== 'done');
      const why = failed.map((lane) => mistake(GATE_CODES[outcomeOf(lane.outcome)], [lane.laneId]));
      const [first = mistake('gate-silent'), ...others] = why;
      return c.json(errorBody('Not done by the gate', first, ...others, ...money), 502);
    }
    case 'not-connected':
      return c.json(errorBody('Site not connected', mistake('command-not-connected')), 503);
    case 'expired':
    case 'no-answer':
      return c.json(errorBody('No answer', mistake('command-unknown'), ...money), 504);
    default:
      return outcome satisfies never;
  }
}

const GATE_CODES = { refused: 'gate-refused', unreachable: 'gate-away', unknown: 'gate-silent' } as const;

function outcomeOf(outcome: z.infer<typeof GateOutcomeSchema>): keyof typeof GATE_CODES {
  return outcome === 'done' ? 'unknown' : outcome;
}
