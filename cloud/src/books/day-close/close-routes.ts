import { LocalDaySchema } from '@hlid/protocol/base/site-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { APPROVAL_RESPONSE, approvalRequested } from '../../people/approvals/approval-requested.ts';
import { callerNames } from '../../people/auth/caller-names.ts';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq } from '../../platform/db/sql.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, notFound, refusal, refuse } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { readPage, TextCursorParamSchema } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { approvalTable } from '../../records/approvals/approval-table.ts';
import {
  CLOSE_STATES,
  type DayCloseRow,
  type DayDifferenceRow,
} from '../../records/books/day-close-table.ts';
import { decideDifferences, makeClose, peopleFor, signClose } from './change-closes.ts';
import { CLOSE_ACTION_NAMES, CLOSE_ACTIONS } from './close-actions.ts';
import {
  countCloses,
  daysOf,
  dayToBeOver,
  differencesOf,
  factsOfClose,
  findClose,
  isUndecided,
  listCloses,
  placeByDay,
  placeOf,
  siteOf,
} from './close-store.ts';
import {
  DayCloseSchema,
  DecisionSchema,
  kindOf,
  NewDayCloseSchema,
  SignSchema,
  SiteClosingSchema,
  shownClose,
  shownDifference,
  shownRows,
  type WholeClose,
  WholeDayCloseSchema,
} from './day-close.ts';
import { changeClosing, closesItself } from './site-closing.ts';

const tags = ['Books'];

const listRoute = createRoute({
  method: 'get',
  path: '/day-closes',
  tags,
  summary: 'List the closes of days, newest day first',
  request: {
    query: z.strictObject({
      siteId: IdSchema.optional(),
      from: LocalDaySchema.optional().describe('The first day.'),
      to: LocalDaySchema.optional().describe('The last day.'),
      state: z.enum(CLOSE_STATES).optional(),
      next: TextCursorParamSchema.optional(),
    }),
  },
  responses: responses.list(DayCloseSchema, 'Closes of days'),
});

const makeRoute = createRoute({
  method: 'post',
  path: '/day-closes',
  tags,
  summary: 'Make the close of a day, or compare the day again',
  description:
    'Visits, payments, terminals, providers, invoices, claims and the bank are compared. What one side has and the other ' +
    'does not have yet is expected until a day, and late from then on. A day that is signed is not changed: what has ' +
    'changed in it since is a line of the next close, `correction-of-earlier-day`.',
  request: { body: jsonBody(NewDayCloseSchema) },
  responses: {
    ...responses.write(WholeDayCloseSchema, 'The close'),
    409: refusal('Others are changing it'),
  },
});

const getRoute = createRoute({
  method: 'get',
  path: '/day-closes/{id}',
  tags,
  summary: 'Get the close of a day with its differences',
  request: { params: IdParamSchema },
  responses: responses.read(WholeDayCloseSchema, 'The close'),
});

const decideRoute = createRoute({
  method: 'post',
  path: '/day-closes/{id}/decisions',
  tags,
  summary: 'Accept differences, write them off, or ask another person to look into them',
  request: { params: IdParamSchema, body: jsonBody(DecisionSchema) },
  responses: responses.write(WholeDayCloseSchema, 'Decided'),
});

const signRoute = createRoute({
  method: 'post',
  path: '/day-closes/{id}/sign',
  tags,
  summary: 'Sign the close of a day',
  description:
    'The day is compared once more before. Where what is accepted and written off is above the limit of the site, nothing ' +
    'is signed until a second person has approved it.',
  request: { params: IdParamSchema, body: jsonBody(SignSchema) },
  responses: {
    ...responses.write(WholeDayCloseSchema, 'Signed'),
    ...APPROVAL_RESPONSE,
    409: refusal('Its figures have changed since they were seen'),
  },
});

const closingRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/closing',
  tags,
  summary: 'Get whether days of a site close themselves',
  request: { params: IdParamSchema },
  responses: responses.read(SiteClosingSchema, 'How its days are closed'),
});

const changeClosingRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/closing',
  tags,
  summary: 'Set whether days of a site close themselves',
  description: 'From today on, and only days without a difference.',
  request: { params: IdParamSchema, body: jsonBody(SiteClosingSchema) },
  responses: responses.write(SiteClosingSchema, 'Set'),
});

/** The closes of days. */
export function dayCloseRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  const show = async (c: Context<CloudEnv>, id: string) => {
    const whole = await db.read((q) => wholeClose(q, id, actorOf(c, clock)));
    if (whole === null) return notFound(c, 'day-close');
    return c.json(whole, 303, { Location: `/day-closes/${id}` });
  };
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read((q) =>
        readPage(
          { cursor },
          placeByDay,
          (limit) => listCloses(q, filters, own, { cursor, limit }),
          () => countCloses(q, filters, own),
        ),
      );
      return c.json({ ...page, data: await db.read((q) => shownCloses(q, page.data)) }, 200);
    })
    .openapi(makeRoute, async (c) => {
      const made = await makeClose(db, actorOf(c, clock), c.req.valid('json'));
      if (made.ok) return await show(c, made.id);
      return made.reason === 'conflict' ? conflict(c, made.mistake) : refuse(c, 'day-close', made);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const whole = await db.read((q) => wholeClose(q, id, actorOf(c, clock)));
      return whole === null ? notFound(c, 'day-close') : c.json(whole, 200);
    })
    .openapi(decideRoute, async (c) => {
      const { id } = c.req.valid('param');
      const decided = await decideDifferences(db, actorOf(c, clock), id, c.req.valid('json'));
      return decided.ok ? await show(c, id) : refuse(c, 'day-close', decided);
    })
    .openapi(signRoute, async (c) => {
      const { id } = c.req.valid('param');
      const signed = await signClose(db, actorOf(c, clock), id, c.req.valid('json'));
      if (signed.ok) return await show(c, id);
      if (signed.reason === 'approval') return approvalRequested(c, signed);
      return signed.reason === 'conflict' ? conflict(c, signed.mistake) : refuse(c, 'day-close', signed);
    })
    .openapi(closingRoute, async (c) => {
      const { id } = c.req.valid('param');
      const closing = await db.read(async (q) =>
        (await placeOf(q, id, '')) === null ? null : await closesItself(q, id),
      );
      return closing === null ? notFound(c, 'site') : c.json({ closesItself: closing }, 200);
    })
    .openapi(changeClosingRoute, async (c) => {
      const { id } = c.req.valid('param');
      const body = c.req.valid('json');
      const changed = await changeClosing(db, actorOf(c, clock), id, body.closesItself);
      return changed.ok
        ? c.json(body, 303, { Location: `/sites/${id}/closing` })
        : refuse(c, 'site', changed);
    });
}

async function shownCloses(q: Queries, rows: readonly DayCloseRow[]) {
  const differences = await differencesOf(
    q,
    rows.flatMap(({ id, state }) => (state === 'open' ? [id] : [])),
  );
  const names = await callerNames(
    q,
    rows.flatMap(({ signedBy }) => signedBy ?? []),
  );
  return rows.map((row) => {
    const open = differences.filter((one) => one.closeId === row.id && isUndecided(one)).length;
    return shownClose(row, open, row.signedBy === null ? null : (names.get(row.signedBy) ?? null));
  });
}

async function wholeClose(q: Queries, id: string, { caller, at }: Actor): Promise<WholeClose | null> {
  const row = await findClose(q, id);
  if (row === null) return null;
  const siteId = siteOf(row);
  const place = await placeOf(q, siteId, row.day);
  if (place === null) return null;
  const differences = await differencesOf(q, [id]);
  const names = await callerNames(q, peopleIn(row, differences));
  const nameOf = (by: string | null) => (by === null ? null : (names.get(by) ?? null));
  const days = await daysOf(
    q,
    differences.flatMap(({ ofCloseId }) => ofCloseId ?? []),
  );
  const facts = factsOfClose(row, differences, await dayToBeOver(q, place, at));
  return {
    ...shownClose(row, facts.undecided, nameOf(row.signedBy)),
    differences: differences.map((one) =>
      shownDifference(one, { nameOf, dayOf: (closeId) => days.get(closeId) ?? null }),
    ),
    expected: row.expected.map(({ kind, dueOn, currency, count, amountMinor, rows, ofCloseId }) => ({
      kind: kindOf(kind),
      dueOn,
      currency,
      count,
      amount: amountMinor,
      rows: shownRows(rows),
      ofClose: ofCloseId,
    })),
    arrived: row.arrived.map(({ ofCloseId, day, currency, count, amountMinor }) => ({
      ofClose: { id: ofCloseId, day },
      currency,
      count,
      amount: amountMinor,
    })),
    approvalId: await waitingApproval(q, id),
    people: await peopleFor(q, row),
    actions: actionsFor(CLOSE_ACTION_NAMES, CLOSE_ACTIONS, caller, { siteId }, facts),
  };
}

function peopleIn({ signedBy }: DayCloseRow, differences: readonly DayDifferenceRow[]): string[] {
  const decided = differences.flatMap(({ decidedBy, assigneeId }) => [
    ...(decidedBy === null ? [] : [decidedBy]),
    ...(assigneeId === null ? [] : [`account:${assigneeId}`]),
  ]);
  return [...decided, ...(signedBy === null ? [] : [signedBy])];
}

async function waitingApproval(q: Queries, closeId: string): Promise<string | null> {
  const a = approvalTable;
  const isWaiting = and(eq(a.state, 'waiting'), eq(a.kind, 'day-close'), eq(a.subjectId, closeId));
  return (await q.select({ id: a.id }).from(a).where(isWaiting).get())?.id ?? null;
}
