import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, between, desc, eq, inArray, sql } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { monthOf } from '../../records/totals/stay-totals.ts';
import { permitMonthTable as t } from '../../records/totals/traffic-table.ts';
import { whitelistTable } from '../../records/whitelist/whitelist-table.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { daysBetween } from './income-periods.ts';
import { reportedSites } from './read-overview.ts';

/** Two years, and a bit. */
const MAX_DAYS = 735;
/** More permits than a person reads. */
const MAX_PERMITS = 500;

export const PermitQuerySchema = z.strictObject({
  'date.from': z.iso.date().describe('A day of the first month; all of the month counts, by UTC.'),
  'date.to': z.iso.date().describe('A day of the last month.'),
  siteId: z.string().optional().describe('Only this site.'),
  archived: ArchivedQuerySchema,
});

const CountSchema = z.int().min(0);

const PermitUseSchema = z
  .strictObject({
    permitId: z.string(),
    plate: z.string().nullable().describe('Null: the permit was erased.'),
    reason: z.string().nullable(),
    stays: CountSchema,
    stayMinutes: CountSchema.describe('The whole minutes of the stays that ended, summed.'),
    lastMonth: z.string().describe('The last month in which it was used.'),
  })
  .meta({
    id: 'PermitUse',
    example: {
      permitId: 'p1',
      plate: 'ABX12',
      reason: 'Staff',
      stays: 21,
      stayMinutes: 10_080,
      lastMonth: '2026-11',
    },
  });

export const PermitReportSchema = z
  .strictObject({
    total: z.strictObject({ permits: CountSchema, stays: CountSchema, stayMinutes: CountSchema }),
    permits: z.array(PermitUseSchema).max(MAX_PERMITS).describe('Those with the most stays, at most 500.'),
  })
  .meta({ id: 'PermitReport' });
export type PermitReport = z.infer<typeof PermitReportSchema>;

/** How often permits were used in some months at the caller's sites. */
export async function readPermitReport(
  db: Db,
  query: z.infer<typeof PermitQuerySchema>,
  own: OwnRows,
): Promise<{ ok: true; report: PermitReport } | RefusedInput> {
  const { 'date.from': first, 'date.to': last } = query;
  if (daysBetween(first, last) > MAX_DAYS) {
    return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  }
  const months = { from: monthOf(`${first}T00:00:00.000Z`), to: monthOf(`${last}T00:00:00.000Z`) };
  return await db.read(async (q) => {
    const sites = await reportedSites(q, query, own);
    if (query.siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);
    const siteIds = sites.map(({ id }) => id);
    return { ok: true, report: await useOfPermits(q, siteIds, months) };
  });
}

async function useOfPermits(
  q: Queries,
  siteIds: readonly string[],
  months: { from: number; to: number },
): Promise<PermitReport> {
  const isAsked = and(inArray(t.siteId, [...siteIds]), between(t.month, months.from, months.to));
  const [total] = await q
    .select({
      permits: sql`count(DISTINCT ${t.permitId})`.mapWith(Number),
      stays: sql`coalesce(sum(${t.stays}), 0)`.mapWith(Number),
      stayMinutes: sql`coalesce(sum(${t.stayMinutes}), 0)`.mapWith(Number),
    })
    .from(t)
    .where(isAsked);
  const used = q
    .select({
      permitId: t.permitId,
      stays: sql<number>`sum(${t.stays})`.as('stays'),
      stayMinutes: sql<number>`sum(${t.stayMinutes})`.as('stay_minutes'),
      last: sql<number>`max(${t.month})`.as('last'),
    })
    .from(t)
    .where(isAsked)
    .groupBy(t.permitId)
    .having(sql`sum(${t.stays}) > 0`)
    .orderBy(desc(sql`2`), t.permitId)
    .limit(MAX_PERMITS)
    .as('used');
  const rows = await q
    .select({
      permitId: used.permitId,
      plate: whitelistTable.plate,
      reason: whitelistTable.reason,
      stays: used.stays,
      stayMinutes: used.stayMinutes,
      last: used.last,
    })
    .from(used)
    .leftJoin(whitelistTable, eq(whitelistTable.id, used.permitId))
    .orderBy(desc(used.stays), used.permitId);
  return {
    total: total ?? { permits: 0, stays: 0, stayMinutes: 0 },
    permits: rows.map(({ last, ...row }) => ({ ...row, lastMonth: monthText(last) })),
  };
}

function monthText(month: number): string {
  return new Date(Date.UTC(1970, month, 1)).toISOString().slice(0, 'YYYY-MM'.length);
}
