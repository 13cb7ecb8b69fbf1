import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { conflict, inputError, REFUSALS } from '../../platform/http/errors.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import { json, jsonBody, responses, seeOther } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { billNow } from './bill-customers.ts';
import { BillingPlanSchema, billedSums, isSameSums, shownPlan } from './billing-plan.ts';
import { BillingRunSchema, billingRunFrom, NewBillingRunSchema } from './billing-run.ts';
import { type BillingRunRow, countRuns, listRuns } from './billing-run-store.ts';
import { planBilling } from './plan-billing.ts';

const tags = ['Billing'];

const listRoute = createRoute({
  method: 'get',
  path: '/billing/runs',
  tags,
  summary: 'List billing runs that billed something, newest first',
  request: { query: z.strictObject({ next: CursorParamSchema.optional() }) },
  responses: responses.list(BillingRunSchema, 'Billing runs'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/billing/runs',
  tags,
  summary: 'Start a billing run now',
  description:
    'Customers with daily or monthly billing get one invoice for each currency and each completed ' +
    'calendar day or month, in the time zone of all sites (UTC if they differ). This also runs every ' +
    'hour. A charge that arrives after its period was billed goes to the next one. A repetition ' +
    'changes nothing. With `dryRun` it stores nothing, and answers the invoices that it would make and what it would ' +
    'leave out; with the totals of that answer as `expected` it bills what was seen, or nothing (409).',
  request: { body: jsonBody(NewBillingRunSchema) },
  responses: {
    200: { description: 'What it would bill (`dryRun`)', content: json(BillingPlanSchema) },
    ...seeOther(BillingRunSchema, 'Done; the billed amounts'),
    ...REFUSALS.conflict,
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

export function billingRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor } = c.req.valid('query');
      const list = await db.read((q) =>
        readPage(
          { cursor },
          ({ id, startedAt }: BillingRunRow) => ({ rank: 0, at: startedAt, id }),
          (limit) => listRuns(q, { cursor, limit }),
          () => countRuns(q),
        ),
      );
      return c.json({ ...list, data: list.data.map(billingRunFrom) }, 200);
    })
    .openapi(newRoute, async (c) => {
      const actor = actorOf(c, clock);
      const { until = actor.at, dryRun = false, expected } = c.req.valid('json');
      if (until > actor.at) return inputError(c, mistake('not-over-yet', 'until'));
      if (dryRun || expected !== undefined) {
        const plan = await db.read((q) => planBilling(q, { until, at: actor.at }), { manyRows: true });
        if (dryRun) return c.json(shownPlan(plan), 200);
        if (expected !== undefined && !isSameSums(billedSums(plan), expected)) {
          return conflict(c, mistake('billing-changed'));
        }
      }
      const run = await billNow(context, actor, until);
      return c.json(billingRunFrom(run), 303, { Location: '/billing/runs' });
    });
}
