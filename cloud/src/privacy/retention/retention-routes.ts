import { nowUtc } from '@hlid/node/clock';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { REFUSALS } from '../../platform/http/errors.ts';
import { CursorParamSchema, listOf, readPage } from '../../platform/http/list-envelope.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { ERASED_KINDS } from '../../records/retention/retention-table.ts';
import { countErased, listErased, type RetentionLogRow } from './retention-log.ts';
import { eraseWhatIsDue } from './retention-run.ts';

const tags = ['Retention'];

const ErasedSchema = z
  .strictObject({
    id: z.string(),
    on: UtcTimeSchema,
    kind: z.enum(ERASED_KINDS),
    rows: z.int(),
    before: UtcTimeSchema.describe('Everything older than this was erased.'),
    by: z.string(),
  })
  .meta({
    id: 'Erased',
    example: {
      id: '5c2e',
      on: '2026-11-21T03:00:00.000Z',
      kind: 'picture',
      rows: 412,
      before: '2026-10-22T03:00:00.000Z',
      by: 'cloud:retention',
    },
  });

const ClocksSchema = z
  .strictObject({
    pictureDays: z.int().describe('Pictures of vehicles; at most 90 days.'),
    looseReadDays: z.int().describe('Reads that belong to no visit.'),
    visitDays: z
      .int()
      .describe(
        'Plates of settled visits, passages, answered disputes and approvals, and payers of online payments.',
      ),
    invoiceYears: z.int().describe('Payers of invoices, after the end of the year.'),
    auditDays: z.int(),
    mailDays: z.int(),
  })
  .meta({ id: 'RetentionClocks' });

const listRoute = createRoute({
  method: 'get',
  path: '/retention',
  tags,
  summary: 'Get the retention periods and the erasure log, newest first',
  description: "The periods are in the cloud's configuration (`retention`).",
  request: { query: z.strictObject({ next: CursorParamSchema.optional() }) },
  responses: {
    200: {
      description: 'Periods and log',
      content: json(
        z.strictObject({ clocks: ClocksSchema, ...listOf(ErasedSchema).shape }).meta({ id: 'Retention' }),
      ),
    },
    ...LIST_REFUSALS,
  },
});

const runRoute = createRoute({
  method: 'post',
  path: '/retention/runs',
  tags,
  summary: 'Start the retention run now; it also runs every hour',
  responses: { 204: { description: 'Done' }, ...REFUSALS.auth },
});

export function retentionRoutes(context: CloudContext) {
  const { db, clock, retention } = context;
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor } = c.req.valid('query');
      const page = await db.read((q) =>
        readPage(
          { cursor },
          ({ at, id }: RetentionLogRow) => ({ rank: 0, at, id }),
          (limit) => listErased(q, { cursor, limit }),
          () => countErased(q),
        ),
      );
      const data = page.data.map(({ at, ...same }) => ({ ...same, on: at }));
      return c.json({ clocks: retention, ...page, data }, 200);
    })
    .openapi(runRoute, async (c) => {
      await eraseWhatIsDue(context, nowUtc(clock), c.req.raw.signal);
      return c.body(null, 204);
    });
}
