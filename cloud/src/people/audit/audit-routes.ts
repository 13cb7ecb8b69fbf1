import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import { askedPeriod } from '../../platform/day-span.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { CoreContext } from '../../platform/http/cloud-env.ts';
import { DayOrMomentSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import { responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { type AuditRow, countAudit, listAudit } from './audit-store.ts';

/** A line of the audit log as the API shows it. */
const AuditLineSchema = z
  .strictObject({
    id: z.string(),
    on: UtcTimeSchema,
    by: z.string().describe('`account:<id>`, `token:<id>`, or `cloud:<part>` for the cloud itself.'),
    byName: z.string().nullable().describe('What an account or a token is called; null: it is gone.'),
    action: z.string(),
    subject: z.string(),
    subjectId: z.string(),
    subjectName: z.string().nullable().describe('Its name, plate or number, as far as the line has one.'),
    siteId: z.string().nullable().describe('Null: of no site, or of several.'),
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
      byName: 'Anna',
      action: 'zone.update',
      subject: 'zone',
      subjectId: '0b9f',
      subjectName: 'Basement',
      siteId: '7c1a',
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
  description:
    'Every change by a person, and every plate that an operator looked up (`plate.look-up`: the plate is `subjectId`, the ' +
    'purpose `reason`, as the header `X-Purpose` of the look-up gave it).',
  request: {
    query: z
      .strictObject({
        by: z.string().min(1).optional().describe('The caller as in a line: `account:<id>`.'),
        subject: z.string().min(1).optional().describe('Such as `visit`.'),
        subjectId: z.string().min(1).optional(),
        action: z.string().min(1).optional().describe('Such as `plate.look-up`.'),
        siteId: z.string().min(1).optional(),
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

/**
 * The parts from above this folder: the time zone of the days that a query names, and the names of callers.
 */
interface AuditParts {
  commonTimeZone(q: Queries): Promise<string>;
  callerNames(q: Queries, callers: Iterable<string>): Promise<ReadonlyMap<string, string>>;
}

export function auditRoutes({ db }: CoreContext, { commonTimeZone, callerNames }: AuditParts) {
  return createRouter().openapi(listRoute, async (c) => {
    const { next: cursor, 'date.from': first, 'date.to': last, ...rest } = c.req.valid('query');
    const page = await db.read(async (q) => {
      const filters = { ...rest, ...askedPeriod({ first, last }, await commonTimeZone(q)) };
      const lines = await readPage(
        { cursor },
        ({ at, id }: AuditRow) => ({ rank: 0, at, id }),
        (limit) => listAudit(q, filters, { cursor, limit }),
        () => countAudit(q, filters),
      );
      const names = await callerNames(
        q,
        lines.data.map(({ by }) => by),
      );
      return { ...lines, data: lines.data.map((row) => lineFrom(row, names)) };
    });
    return c.json(page, 200);
  });
}

function lineFrom({ at, before, after, ...same }: AuditRow, names: ReadonlyMap<string, string>) {
  const subjectName = same.subject === 'plate' ? same.subjectId : (nameIn(after) ?? nameIn(before));
  const byName = names.get(same.by) ?? null;
  return { ...same, on: at, byName, subjectName, before: before ?? null, after: after ?? null };
}

/** How people know a thing that a line shows. */
function nameIn(shown: unknown): string | null {
  if (typeof shown !== 'object' || shown === null) return null;
  const fields: Record<string, unknown> = { ...shown };
  const name = fields['name'] ?? fields['plate'] ?? fields['number'];
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
}
