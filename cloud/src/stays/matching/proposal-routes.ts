import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type Caller, ownRows, seesSite } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, placeByCreation, readPage } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, READ_REFUSALS, responses, seeOther } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { ProposalRow } from '../../records/matching/match-table.ts';
import { acceptProposal, type Judged, rejectProposal, undoProposal } from './judge-proposal.ts';
import { proposalById } from './match-store.ts';
import { type MatchProposal, MatchProposalSchema, ProposalStateSchema, proposalView } from './proposal.ts';
import { PROPOSAL_ACTION_NAMES, PROPOSAL_ACTIONS } from './proposal-actions.ts';
import { countProposals, listProposals } from './proposal-list-store.ts';

const tags = ['Matching'];
/** Each is priced and has two pictures. */
const PAGE_ROWS = 20;

const listRoute = createRoute({
  method: 'get',
  path: '/matching/proposals',
  tags,
  summary: 'List pairs of an open visit and an exit that found none, newest first',
  description:
    'Sites with the setting `matchesExits` have their open visits and unmatched exits weighed together every ten minutes. A pair ' +
    'that is certain by the settings of the site ends its visit by itself; others are proposed here.',
  request: {
    query: z.strictObject({
      siteId: IdSchema.optional(),
      state: ProposalStateSchema.optional(),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(MatchProposalSchema, 'Pairs'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/matching/proposals/{id}',
  tags,
  summary: 'Get a pair of an open visit and an exit',
  request: { params: IdParamSchema },
  responses: responses.read(MatchProposalSchema, 'The pair'),
});

const judged = {
  ...seeOther(MatchProposalSchema, 'The pair'),
  ...REFUSALS.input,
  ...READ_REFUSALS,
  409: refusal('It is decided, or the visit or the exit has changed since'),
};

const acceptRoute = createRoute({
  method: 'post',
  path: '/matching/proposals/{id}/accept',
  tags,
  summary: 'Accept a pair: the two are one car',
  description:
    'The visit ends at the time of the exit. It owes no more than the exit would have asked for, than it would owe now, and ' +
    'than it was asked for before. What it owes is not invoiced by this. The cameras are taught by what they read.',
  request: { params: IdParamSchema },
  responses: judged,
});

const rejectRoute = createRoute({
  method: 'post',
  path: '/matching/proposals/{id}/reject',
  tags,
  summary: 'Reject a pair: the two are not one car',
  description: 'Nothing changes. The pair is not proposed again.',
  request: { params: IdParamSchema },
  responses: judged,
});

const undoRoute = createRoute({
  method: 'post',
  path: '/matching/proposals/{id}/undo',
  tags,
  summary: 'Undo what a person, or the cloud by itself, has decided about a pair',
  description:
    'The visit is open again, and the exit belongs to no visit. What was paid or invoiced for the visit meanwhile stays with it ' +
    'and counts when it leaves; nothing is refunded by this. A pair that a person had decided is `open` again. One that had ' +
    'ended its visit by itself is `undone`, and counts as wrong.',
  request: { params: IdParamSchema },
  responses: judged,
});

export function proposalRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  async function show(q: Queries, caller: Caller, row: ProposalRow): Promise<MatchProposal> {
    const { siteId } = row;
    const actions = actionsFor(PROPOSAL_ACTION_NAMES, PROPOSAL_ACTIONS, caller, { siteId }, row);
    return { ...(await proposalView(q, row, nowUtc(clock))), actions };
  }
  async function answer(c: Context<CloudEnv>, result: Judged) {
    if (!result.ok)
      return result.reason === 'conflict' ? conflict(c, result.mistake) : notFound(c, 'match-proposal');
    const shown = await db.read((q) => show(q, callerOf(c, 'account'), result.proposal));
    return c.json(shown, 303, { Location: `/matching/proposals/${shown.id}` });
  }
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const caller = callerOf(c, 'account');
      const own = ownRows(caller);
      const page = await db.read(async (q) => {
        const found = await readPage(
          { cursor, rows: PAGE_ROWS },
          placeByCreation,
          (limit) => listProposals(q, filters, own, { cursor, limit }),
          () => countProposals(q, filters, own),
        );
        const data: MatchProposal[] = [];
        for (const row of found.data) data.push(await show(q, caller, row));
        return { ...found, data };
      });
      return c.json(page, 200);
    })
    .openapi(getRoute, async (c) => {
      const caller = callerOf(c, 'account');
      const shown = await db.read(async (q) => {
        const row = await proposalById(q, c.req.valid('param').id);
        return row === null || !seesSite(ownRows(caller), row.siteId) ? null : await show(q, caller, row);
      });
      return shown === null ? notFound(c, 'match-proposal') : c.json(shown, 200);
    })
    .openapi(acceptRoute, async (c) => {
      return await answer(c, await acceptProposal(db, actorOf(c, clock), c.req.valid('param').id));
    })
    .openapi(rejectRoute, async (c) => {
      return await answer(c, await rejectProposal(db, actorOf(c, clock), c.req.valid('param').id));
    })
    .openapi(undoRoute, async (c) => {
      return await answer(c, await undoProposal(db, actorOf(c, clock), c.req.valid('param').id));
    });
}
