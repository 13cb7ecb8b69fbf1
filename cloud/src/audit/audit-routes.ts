import { wrong } from '@hlid/protocol/mistake';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import { askedPeriod } from '../day-span.ts';
import type { Queries } from '../db/db.ts';
import type { CoreContext } from '../http/cloud-env.ts';
import { DayOrMomentSchema } from '../http/input-fields.ts';
import { CursorParamSchema, readPage } from '../http/list-envelope.ts';
import { responses } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { type AuditRow, countAudit, listAudit } from './audit-store.ts';

/** A line of the audit log as the API shows it. */
const AuditLineSchema = z
  .strictObject({
    id: z.string(),
    on: UtcTimeSchema,
    by: z.string().describe('`account:<id>`, `token:<id>`, or `cloud:<part>` for the cloud itself.'),
    action: z.string(),
    subject: z.string(),
    subjectId: z.string(),
    before: z.unknown().describe('Null: it did not exist.'),
    after: z.unknown().describe('Null: it was deleted.'),
    reason: z.string().nullable(),
    requestId: z.string(),
  })
  .meta({
    id: 'AuditLine',
    example: {
      id: '7d1f',
      on: '2026-11-21T12:00:00.000Z',
      by: 'account:5b0c',
      action: 'zone.update',
      subject: 'zone',
      subjectId: '0b9f',
      before: { name: 'Cellar' },
      after: { name: 'Basement' },
      reason: null,
      requestId: 'a3c4',
    },
  });

const listRoute = createRoute({
  method: 'get',
  path: '/audit',
  tags: ['Audit'],
  summary: 'List the audit log, newest first',
  request: {
    query: z
      .strictObject({
        by: z.string().min(1).optional().describe('The caller as in a line: `account:<id>`.'),
        subject: z.string().min(1).optional().describe('Such as `visit`.'),
        subjectId: z.string().min(1).optional(),
        'date.from': DayOrMomentSchema.optional(),
        'date.to': DayOrMomentSchema.optional().describe("The last day, included, in the sites' time zone."),
        next: CursorParamSchema.optional(),
      })
      .refine(({ subject, subjectId }) => subjectId === undefined || subject !== undefined, {
        path: ['subject'],
        message: wrong('subject-needed'),
      }),
  },
  responses: responses.list(AuditLineSchema, 'Lines'),
});

/** @param commonTimeZone the time zone of the days that a query names; sites are above this folder */
export function auditRoutes({ db }: CoreContext, commonTimeZone: (q: Queries) => Promise<string>) {
  return createRouter().openapi(listRoute, async (c) => {
    const { next: cursor, 'date.from': first, 'date.to': last, ...rest } = c.req.valid('query');
    const page = await db.read(async (q) => {
      const filters = { ...rest, ...askedPeriod({ first, last }, await commonTimeZone(q)) };
      return await readPage(
        { cursor },
        ({ at, id }: AuditRow) => ({ rank: 0, at, id }),
        (limit) => listAudit(q, filters, { cursor, limit }),
        () => countAudit(q, filters),
      );
    });
    return c.json({ ...page, data: page.data.map(lineFrom) }, 200);
  });
}

function lineFrom({ at, before, after, ...same }: AuditRow) {
  return { ...same, on: at, before: before ?? null, after: after ?? null };
}
