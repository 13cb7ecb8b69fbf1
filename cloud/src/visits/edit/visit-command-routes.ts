import { nowUtc } from '@hlid/node/clock';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf } from '../../http/actor-of.ts';
import { ALL_ROWS } from '../../http/caller.ts';
import type { CloudContext, CloudEnv } from '../../http/cloud-env.ts';
import { notFound, REFUSALS, refuse, tooManyRequests } from '../../http/errors.ts';
import { IdParamSchema, json, jsonBody, WRITE_REFUSALS } from '../../http/route-schemas.ts';
import { createRouter } from '../../http/router.ts';
import { seeOther } from '../../http/see-other.ts';
import { mailReceipt, ReceiptRequestSchema } from '../../receipts/mail-receipt.ts';
import { VisitWithHistorySchema } from '../list/visit-view.ts';
import { visitWithHistory } from '../list/visit-with-history.ts';
import { createVisit } from './create-visit.ts';
import { editVisit } from './edit-visit.ts';
import { joinVisits } from './join-visits.ts';
import { renewVisitVehicle } from './renew-visit-vehicle.ts';
import { reviewVisit } from './review-visit.ts';
import { splitVisit } from './split-visit.ts';
import { NewVisitSchema, VisitJoinSchema, VisitReviewSchema, VisitSplitSchema } from './visit-commands.ts';
import { VisitEditSchema } from './visit-edit.ts';
import { NoticeSchema, noteNotice } from './visit-notice.ts';

const tags = ['Visits'];
const params = IdParamSchema;

const newRoute = createRoute({
  method: 'post',
  path: '/visits',
  tags,
  summary: 'Begin a visit by hand',
  description:
    'For a car that no camera saw coming in. Its site knows it at once, so that the exit does too. A plate that is ' +
    'inside already has its visit: 422 with its id.',
  request: { body: jsonBody(NewVisitSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'Begun'), ...WRITE_REFUSALS },
});

const editRoute = createRoute({
  method: 'put',
  path: '/visit/{id}',
  tags,
  summary: 'Correct a visit: its plate, its status, how it is settled',
  request: { params, body: jsonBody(VisitEditSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'Corrected'), ...WRITE_REFUSALS },
});

const reviewRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/reviewed',
  tags,
  summary: 'Tick off what a visit was flagged for',
  request: { params, body: jsonBody(VisitReviewSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'Ticked off'), ...WRITE_REFUSALS },
});

const noticeRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/notice',
  tags,
  summary: 'Note that a notice about what a visit owes was delivered',
  description:
    'Of a visit that has ended and owes something. Where its site charges late fees (`chargesLateFees`), and the tariff ' +
    'has one, the fee is due after the tariff’s time from the delivery on, and stands on the invoice with its date.',
  request: { params, body: jsonBody(NoticeSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'Noted'), ...WRITE_REFUSALS },
});

const splitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/split',
  tags,
  summary: 'Make two visits of one',
  description:
    'The visit ends at `at`; a second begins there, has its end, and is answered. Each is priced for its own time, and ' +
    'waits for a person where it has ended with something due. Refused where something was paid or invoiced.',
  request: { params, body: jsonBody(VisitSplitSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'The second visit'), ...WRITE_REFUSALS },
});

const joinRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/join',
  tags,
  summary: 'Make one visit of two',
  description:
    'The earlier gets the end of the later and is answered; the later is voided. What was paid for the earlier stays ' +
    'paid. Refused where something was paid for the later, and where another visit lies between them.',
  request: { params, body: jsonBody(VisitJoinSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'The visit that stays'), ...WRITE_REFUSALS },
});

const renewRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/renewVehicle',
  tags,
  summary: 'Ask the register of vehicles anew for the vehicle of a visit',
  request: { params },
  responses: { ...seeOther(VisitWithHistorySchema, 'Renewed'), ...WRITE_REFUSALS },
});

const receiptRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/receipt',
  tags,
  summary: 'Mail the receipt of what was paid for a visit',
  description: 'Kiosks: for visits that ended, or were paid, within 24 hours. Five a day for each visit.',
  request: { params, body: jsonBody(ReceiptRequestSchema) },
  responses: {
    202: {
      description: 'It will be mailed',
      content: json(z.strictObject({ mailId: z.string() }).meta({ id: 'ReceiptMailed' })),
    },
    ...WRITE_REFUSALS,
    ...REFUSALS.tooMany,
  },
});

/** What people do to visits. */
export function visitDeedRoutes(context: CloudContext): OpenAPIHono<CloudEnv> {
  const { db, clock } = context;
  return createRouter()
    .openapi(newRoute, async (c) => {
      const made = await createVisit(db, actorOf(c, clock), c.req.valid('json'));
      return made.ok ? await showVisit(c, context, made.id, made.location) : refuse(c, 'visit', made);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const edited = await editVisit(db, actorOf(c, clock), id, c.req.valid('json'));
      return edited.ok ? await showVisit(c, context, id) : refuse(c, 'visit', edited);
    })
    .openapi(reviewRoute, async (c) => {
      const { id } = c.req.valid('param');
      const reviewed = await reviewVisit(db, actorOf(c, clock), id, c.req.valid('json'));
      return reviewed.ok ? await showVisit(c, context, id) : refuse(c, 'visit', reviewed);
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
    .openapi(joinRoute, async (c) => {
      const { id } = c.req.valid('param');
      const joined = await joinVisits(db, actorOf(c, clock), id, c.req.valid('json'));
      return joined.ok ? await showVisit(c, context, joined.id) : refuse(c, 'visit', joined);
    })
    .openapi(renewRoute, async (c) => {
      const { id } = c.req.valid('param');
      const renewed = await renewVisitVehicle(context, actorOf(c, clock), id);
      return renewed.ok ? await showVisit(c, context, id) : refuse(c, 'visit', renewed);
    })
    .openapi(receiptRoute, async (c) => {
      const { id } = c.req.valid('param');
      const mailed = await mailReceipt(db, actorOf(c, clock), id, c.req.valid('json'));
      if (mailed.ok) return c.json({ mailId: mailed.mailId }, 202);
      if (mailed.reason === 'too-many') return tooManyRequests(c, mailed.retryAfterSeconds);
      return refuse(c, 'visit', mailed);
    });
}

/** Whoever has just changed a visit sees it, though it may not look for it again. */
async function showVisit(
  c: Context<CloudEnv>,
  { db, clock }: CloudContext,
  id: string,
  location = `/visit/${id}`,
) {
  const visit = await db.read((q) => visitWithHistory(q, id, ALL_ROWS, nowUtc(clock)));
  return visit === null ? notFound(c, 'visit') : c.json(visit, 303, { Location: location });
}
