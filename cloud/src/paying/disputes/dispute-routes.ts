import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { APPROVAL_RESPONSE, approvalRequested } from '../../people/approvals/approval-requested.ts';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import {
  ALL_ROWS,
  type Caller,
  hasPermission,
  type OwnRows,
  ownRows,
  seesSite,
} from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import {
  conflict,
  inputError,
  notFound,
  REFUSALS,
  refusal,
  refuse,
  refuseEdit,
  tooManyRequests,
} from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, type Place, readPage, wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { Contested } from '../../records/disputes/find-disputes.ts';
import { answerDispute } from './answer-dispute.ts';
import { editDispute, withdraw, writeMessage } from './change-dispute.ts';
import { DISPUTE_ACTION_NAMES, DISPUTE_ACTIONS } from './dispute-actions.ts';
import { DisputeEvidenceSchema } from './dispute-evidence.ts';
import { DisputeLinks } from './dispute-links.ts';
import {
  DisputeAnswerSchema,
  DisputeEditSchema,
  DisputeMessageSchema,
  DisputeStateSchema,
  type NewDisputeAbout,
  NewDisputeAboutSchema,
  NewDisputeSchema,
  type ShownDispute,
  ShownDisputeSchema,
  type WholeDispute,
  WholeDisputeSchema,
} from './dispute-view.ts';
import { waysOf } from './dispute-ways.ts';
import {
  countDisputes,
  type DisputeFilters,
  type FoundDispute,
  findDispute,
  listDisputes,
  messagesOf,
} from './find-dispute.ts';
import type { MoneyParts } from './give-with-answer.ts';
import { type Opened, openDispute } from './open-dispute.ts';

const tags = ['Disputes'];

const listRoute = createRoute({
  method: 'get',
  path: '/disputes',
  tags,
  summary: 'List disputes, newest first or by deadline',
  description:
    'Stays and invoices that somebody contests. Operators see those of their sites: of visits with the permission ' +
    '`visits`, of invoices with `money`. Customers see their own.',
  request: {
    query: z.strictObject({
      state: DisputeStateSchema.optional(),
      siteId: IdSchema.optional(),
      visitId: IdSchema.optional(),
      invoiceId: IdSchema.optional(),
      order: z
        .enum(['newest', 'deadline'])
        .optional()
        .describe('`deadline`: the soonest first. Default: `newest`.'),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(ShownDisputeSchema, 'Disputes'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/dispute/{id}',
  tags,
  summary: 'Get a dispute',
  request: { params: IdParamSchema },
  responses: responses.read(WholeDisputeSchema, 'The dispute'),
});

const opened = { ...responses.write(WholeDisputeSchema, 'The dispute'), ...REFUSALS.tooMany };

const visitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/dispute',
  tags,
  summary: 'Contest a visit',
  description:
    'The visit gets the review flag `disputed`. Until the answer no stored card is charged for it, it goes into no ' +
    'collected invoice, no notice is recorded and no late fee is added. One dispute at a time, three in all.',
  request: { params: IdParamSchema, body: jsonBody(NewDisputeSchema) },
  responses: opened,
});

const newRoute = createRoute({
  method: 'post',
  path: '/disputes',
  tags,
  summary: 'Contest a visit or an invoice',
  description:
    'The same as `POST /visit/{id}/dispute` and `POST /invoice/{id}/dispute`: of a visit with the permission `visits`, of an ' +
    'invoice with `money`.',
  request: { body: jsonBody(NewDisputeAboutSchema) },
  responses: opened,
});

const invoiceRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/dispute',
  tags,
  summary: 'Contest an issued invoice',
  request: { params: IdParamSchema, body: jsonBody(NewDisputeSchema) },
  responses: opened,
});

const answerRoute = createRoute({
  method: 'post',
  path: '/dispute/{id}/answer',
  tags,
  summary: 'Answer a dispute',
  description:
    'The answer is final, and is mailed. With `void` an operator’s session has to be stepped up, and above the limit of ' +
    'the site a second person has to approve it. The visit goes on ' +
    'where the dispute stopped it; the time of a late fee begins again. `refund` and `credit` need the permission `money`.',
  request: { params: IdParamSchema, body: jsonBody(DisputeAnswerSchema) },
  responses: {
    ...responses.write(WholeDisputeSchema, 'The dispute'),
    ...APPROVAL_RESPONSE,
    409: refusal('The money cannot go back now'),
  },
});

const editRoute = createRoute({
  method: 'put',
  path: '/dispute/{id}',
  tags,
  summary: 'Change the deadline of a dispute, or where its answer is mailed',
  request: { params: IdParamSchema, body: jsonBody(DisputeEditSchema) },
  responses: { ...responses.write(WholeDisputeSchema, 'The dispute'), ...REFUSALS.stale },
});

const messageRoute = createRoute({
  method: 'post',
  path: '/dispute/{id}/messages',
  tags,
  summary: 'Add a message to a dispute',
  description: 'A message of the office is mailed to the person who contests, if an address is known.',
  request: { params: IdParamSchema, body: jsonBody(DisputeMessageSchema) },
  responses: responses.write(WholeDisputeSchema, 'The dispute'),
});

const withdrawRoute = createRoute({
  method: 'post',
  path: '/dispute/{id}/withdraw',
  tags,
  summary: 'Withdraw a dispute',
  description: 'As the person who contests, or as an operator for them. What was due stays due.',
  request: { params: IdParamSchema },
  responses: responses.write(WholeDisputeSchema, 'The dispute'),
});

/** Customers and drivers contest stays and invoices, and operators answer. */
export function disputeRoutes(context: DisputeContext, online: MoneyParts['online']) {
  const { db, clock, commands } = context;
  const links = new DisputeLinks(context);
  const parts = { db, commands, online, links };
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const caller = callerOf(c, 'account');
      const own = ownRows(caller);
      const asked = { ...filters, ...kindsFor(caller) };
      if (!own.all && own.customerId === null) return c.json(wholeList<ShownDispute>([]), 200);
      const list = await db.read((q) =>
        readPage(
          { cursor },
          filters.order === 'deadline' ? placeByDeadline : placeByOpening,
          (limit) => listDisputes(q, asked, own, { cursor, limit }),
          () => countDisputes(q, asked, own),
        ),
      );
      return c.json({ ...list, data: list.data.map((found) => shownTo(caller, found)) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const caller = callerOf(c, 'account');
      const found = await db.read((q) => wholeFor(q, caller, c.req.valid('param').id, nowUtc(clock)));
      return found === null ? notFound(c, 'dispute') : c.json(found.dispute, 200, { ETag: found.etag });
    })
    .openapi(newRoute, async (c) => {
      const { visitId, invoiceId, ...given } = c.req.valid('json');
      const about = contested({ visitId, invoiceId });
      if (about === null) return inputError(c, mistake('dispute-about-one', 'visitId'));
      const what = 'visitId' in about ? 'visit' : 'invoice';
      const { kind } = kindsFor(callerOf(c, 'account'));
      if (kind !== undefined && kind !== what) return notFound(c, what);
      const made = await openDispute(parts, actorOf(c, clock), about, given);
      return made.ok ? await show(c, context, made.id) : refuseOpening(c, what, made);
    })
    .openapi(visitRoute, async (c) => {
      const about = { visitId: c.req.valid('param').id };
      const made = await openDispute(parts, actorOf(c, clock), about, c.req.valid('json'));
      return made.ok ? await show(c, context, made.id) : refuseOpening(c, 'visit', made);
    })
    .openapi(invoiceRoute, async (c) => {
      const about = { invoiceId: c.req.valid('param').id };
      const made = await openDispute(parts, actorOf(c, clock), about, c.req.valid('json'));
      return made.ok ? await show(c, context, made.id) : refuseOpening(c, 'invoice', made);
    })
    .openapi(answerRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      if ((await db.read((q) => findFor(q, caller, id))) === null) return notFound(c, 'dispute');
      const answered = await answerDispute(parts, actorOf(c, clock), id, c.req.valid('json'));
      if (answered.ok) return await show(c, context, id);
      if (answered.reason === 'conflict') return conflict(c, answered.mistake);
      return answered.reason === 'approval' ? approvalRequested(c, answered) : refuse(c, 'dispute', answered);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      if ((await db.read((q) => findFor(q, caller, id))) === null) return notFound(c, 'dispute');
      const edited = await editDispute(db, actorOf(c, clock), id, c.req.valid('json'));
      return edited.ok ? await show(c, context, id) : refuseEdit(c, 'dispute', edited);
    })
    .openapi(messageRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      if ((await db.read((q) => findFor(q, caller, id))) === null) return notFound(c, 'dispute');
      const written = await writeMessage(parts, actorOf(c, clock), id, c.req.valid('json').text);
      return written.ok ? await show(c, context, id) : refuse(c, 'dispute', written);
    })
    .openapi(withdrawRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      if ((await db.read((q) => findFor(q, caller, id))) === null) return notFound(c, 'dispute');
      const withdrawn = await withdraw(db, actorOf(c, clock), id);
      return withdrawn.ok ? await show(c, context, id) : refuse(c, 'dispute', withdrawn);
    });
}

type DisputeContext = Pick<CloudContext, 'db' | 'clock' | 'commands' | 'publicUrl'>;

/** One dispute with its messages; its evidence and what the answer can give are for operators. */
async function wholeFor(
  q: Queries,
  caller: Caller,
  id: string,
  now: UtcTime,
): Promise<{ dispute: WholeDispute; etag: string } | null> {
  const found = await findFor(q, caller, id);
  return found && (await wholeOf(q, caller, found, now));
}

async function wholeOf(
  q: Queries,
  caller: Caller,
  found: FoundDispute,
  now: UtcTime,
): Promise<{ dispute: WholeDispute; etag: string }> {
  const own = ownRows(caller);
  const { view, etag } = found;
  const isOpen = view.state === 'open';
  const dispute = {
    ...shownTo(caller, found),
    messages: await messagesOf(q, view.id),
    evidence: own.all ? evidenceFor(found.evidence, own) : null,
    ways: own.all && isOpen ? await waysOf(q, view, now) : [],
  };
  return { dispute, etag };
}

/** Payments at sites that the caller does not see are not shown. */
function evidenceFor(stored: unknown, own: OwnRows): WholeDispute['evidence'] {
  if (stored === null || stored === undefined) return null;
  const evidence = DisputeEvidenceSchema.parse(stored);
  const payments = evidence.payments.filter(({ siteId }) => siteId === null || seesSite(own, siteId));
  return { ...evidence, payments };
}

function placeByDeadline({ view: { id, answerBy } }: FoundDispute): Place {
  return { rank: 0, at: answerBy, id };
}

/** What is contested; null: neither a visit nor an invoice, or both. */
function contested({ visitId, invoiceId }: Pick<NewDisputeAbout, 'visitId' | 'invoiceId'>): Contested | null {
  if (visitId !== undefined && invoiceId === undefined) return { visitId };
  return invoiceId !== undefined && visitId === undefined ? { invoiceId } : null;
}

/** The kinds of disputes that an operator may see: of visits, of invoices or of both. */
function kindsFor(caller: Caller): Pick<DisputeFilters, 'kind'> {
  if (caller.kind !== 'account' || caller.role !== 'operator') return {};
  const visits = hasPermission(caller.rights, 'visits');
  const money = hasPermission(caller.rights, 'money');
  if (visits && money) return {};
  return { kind: money ? 'invoice' : 'visit' };
}

async function findFor(q: Queries, caller: Caller, id: string): Promise<FoundDispute | null> {
  const found = await findDispute(q, id, ownRows(caller));
  const { kind } = kindsFor(caller);
  if (found === null || kind === undefined) return found;
  return (kind === 'visit') === (found.view.visitId !== null) ? found : null;
}

/** A dispute with what its reader can do with it. */
function shownTo(caller: Caller, { view, visitStatus }: FoundDispute): ShownDispute {
  const { siteId, state } = view;
  const facts = { state, visitStatus };
  return {
    ...view,
    actions: actionsFor(DISPUTE_ACTION_NAMES, DISPUTE_ACTIONS, caller, { siteId }, facts),
  };
}

function placeByOpening({ view: { id, openedOn } }: FoundDispute): Place {
  return { rank: 0, at: openedOn, id };
}

function refuseOpening(
  c: Context<CloudEnv>,
  what: 'visit' | 'invoice',
  refused: Exclude<Opened, { ok: true }>,
) {
  if (refused.reason === 'too-many') return tooManyRequests(c, refused.retryAfterSeconds);
  return refuse(c, what, refused);
}

async function show(c: Context<CloudEnv>, { db, clock }: Pick<CloudContext, 'db' | 'clock'>, id: string) {
  const caller = callerOf(c, 'account');
  const shown = await db.read(async (q) => {
    const found = await findDispute(q, id, ALL_ROWS);
    return found && (await wholeOf(q, caller, found, nowUtc(clock)));
  });
  if (shown === null) return notFound(c, 'dispute');
  return c.json(shown.dispute, 303, { Location: `/dispute/${id}`, ETag: shown.etag });
}
