import { nowUtc } from '@hlid/node/clock';
import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { APPROVAL_RESPONSE, approvalRequested } from '../../../people/approvals/approval-requested.ts';
import { ALL_ROWS, ownRows } from '../../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../../platform/http/errors.ts';
import { listOf, wholeList } from '../../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { VisitWithHistorySchema } from '../list/visit-view.ts';
import { visitWithHistory } from '../list/visit-with-history.ts';
import { createVisit } from './create-visit.ts';
import { editVisit } from './edit-visit.ts';
import { joinVisits } from './join-visits.ts';
import { JoinableVisitSchema, joinableVisits } from './joinable-visits.ts';
import { renewVisitVehicle } from './renew-visit-vehicle.ts';
import { flagVisitForReview, reviewVisit } from './review-visit.ts';
import { splitVisit } from './split-visit.ts';
import {
  NewVisitSchema,
  VisitEditSchema,
  VisitFlagSchema,
  VisitJoinSchema,
  VisitReviewSchema,
  VisitSplitSchema,
} from './visit-commands.ts';
import { NoticeSchema, noteNotice } from './visit-notice.ts';

const tags = ['Visits'];
const params = IdParamSchema;

const newRoute = createRoute({
  method: 'post',
  path: '/visits',
  tags,
  summary: 'Create a visit manually',
  description:
    'For a car whose entry no camera read. It is pushed to the site immediately, so the exit knows ' +
    'it. A plate that is inside has a visit: 422 with its id.',
  request: { body: jsonBody(NewVisitSchema) },
  responses: responses.write(VisitWithHistorySchema, 'Created'),
});

const editRoute = createRoute({
  method: 'put',
  path: '/visit/{id}',
  tags,
  summary: 'Update a visit: its plate, status, times or settlement',
  description:
    'For `void` and `whitelisted`, an operator’s session has to be stepped up, and above the limit of the site a second ' +
    'person has to approve it.',
  request: { params, body: jsonBody(VisitEditSchema) },
  responses: { ...responses.edit(VisitWithHistorySchema, 'Updated'), ...APPROVAL_RESPONSE },
});

const reviewRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/reviewed',
  tags,
  summary: 'Resolve review flags',
  request: { params, body: jsonBody(VisitReviewSchema) },
  responses: responses.write(VisitWithHistorySchema, 'Resolved'),
});

const flagRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/flagged',
  tags,
  summary: 'Put review flags on a visit: undoes `reviewed`',
  request: { params, body: jsonBody(VisitFlagSchema) },
  responses: responses.write(VisitWithHistorySchema, 'Flagged'),
});

const noticeRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/notice',
  tags,
  summary: 'Record that a payment notice was delivered',
  description:
    'For a visit that has ended with an amount due. If its site charges late fees ' +
    '(`chargesLateFees`) and the tariff has one, the fee is due when the tariff’s time after the ' +
    'delivery has passed. The invoice has the date.',
  request: { params, body: jsonBody(NoticeSchema) },
  responses: responses.write(VisitWithHistorySchema, 'Recorded'),
});

const splitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/split',
  tags,
  summary: 'Split a visit in two',
  description:
    'The visit ends at `at`. A second visit begins then, gets its end, and is returned. Each is ' +
    'priced for its own time, and waits for a person if it has ended with an amount due. Refused if ' +
    'something was paid or invoiced.',
  request: { params, body: jsonBody(VisitSplitSchema) },
  responses: responses.write(VisitWithHistorySchema, 'The second visit'),
});

const joinableRoute = createRoute({
  method: 'get',
  path: '/visit/{id}/joinable',
  tags,
  summary: 'List visits with which a visit can be joined',
  description:
    'Of plates like its own at the same site, among the newest 50. Without a plate: of every plate.',
  request: { params },
  responses: responses.read(listOf(JoinableVisitSchema), 'The visits, newest first'),
});

const joinRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/join',
  tags,
  summary: 'Join two visits',
  description:
    'The earlier visit gets the end of the later one and is returned; the later one is voided. ' +
    'Payments for the earlier visit stay. Refused if something was paid for the later one, or if ' +
    'another visit is between them.',
  request: { params, body: jsonBody(VisitJoinSchema) },
  responses: responses.write(VisitWithHistorySchema, 'The visit that stays'),
});

const renewRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/renewVehicle',
  tags,
  summary: 'Refresh the vehicle of a visit from the vehicle register',
  request: { params },
  responses: responses.write(VisitWithHistorySchema, 'Updated'),
});

/** The commands of people that change visits. */
export function visitCommandRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(newRoute, async (c) => {
      const made = await createVisit(db, actorOf(c, clock), c.req.valid('json'));
      return made.ok ? await showVisit(c, context, made.id, made.location) : refuse(c, 'visit', made);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const edited = await editVisit(db, actorOf(c, clock), id, c.req.valid('json'));
      if (edited.ok) return await showVisit(c, context, id);
      return edited.reason === 'approval' ? approvalRequested(c, edited) : refuseEdit(c, 'visit', edited);
    })
    .openapi(reviewRoute, async (c) => {
      const { id } = c.req.valid('param');
      const reviewed = await reviewVisit(db, actorOf(c, clock), id, c.req.valid('json'));
      return reviewed.ok ? await showVisit(c, context, id) : refuse(c, 'visit', reviewed);
    })
    .openapi(flagRoute, async (c) => {
      const { id } = c.req.valid('param');
      const flagged = await flagVisitForReview(db, actorOf(c, clock), id, c.req.valid('json'));
      return flagged.ok ? await showVisit(c, context, id) : refuse(c, 'visit', flagged);
    })
    .openapi(noticeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const noted = await noteNotice(db, actorOf(c, clock), id, c.req.valid('json'));
      return noted.ok ? await showVisit(c, context, id) : refuse(c, 'visit', noted);
    })
    .openapi(splitRoute, async (c) => {
      const { id } = c.req.valid('param');
      const split = await splitVisit(db, actorOf(c, clock), id, c.req.valid('json'));
      return split.ok ? await showVisit(c, context, split.id) : refuse(c, 'visit', split);
    })
    .openapi(joinableRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account'));
      const found = await db.read((q) => joinableVisits(q, own, id, nowUtc(clock)));
      return found === null ? notFound(c, 'visit') : c.json(wholeList(found), 200);
    })
    .openapi(joinRoute, async (c) => {
      const { id } = c.req.valid('param');
      const joined = await joinVisits(db, actorOf(c, clock), id, c.req.valid('json'));
      return joined.ok ? await showVisit(c, context, joined.id) : refuse(c, 'visit', joined);
    })
    .openapi(renewRoute, async (c) => {
      const { id } = c.req.valid('param');
      const renewed = await renewVisitVehicle(context, actorOf(c, clock), id);
      return renewed.ok ? await showVisit(c, context, id) : refuse(c, 'visit', renewed);
    });
}

/** The caller that changed a visit gets it in the answer, even without the right to read it later. */
async function showVisit(c: Context<CloudEnv>, context: CloudContext, id: string, location = `/visit/${id}`) {
  const { caller, at } = actorOf(c, context.clock);
  const reader = { caller, own: ALL_ROWS, at };
  const found = await context.db.read((q) => visitWithHistory(q, context, id, reader));
  if (found === null) return notFound(c, 'visit');
  return c.json(found.visit, 303, { Location: location, ETag: found.etag });
}
