import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Db, Queries } from '../../platform/db/db.ts';
import {
  and,
  asc,
  between,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  notExists,
  or,
  sql,
} from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
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

const CustomerSchema = z
  .strictObject({ id: z.string(), name: z.string().nullable() })
  .nullable()
  .describe('The customer of its author; null: it has none.');

const PermitUseSchema = z
  .strictObject({
    permitId: z.string(),
    plate: z.string().nullable().describe('Null: the permit was erased.'),
    reason: z.string().nullable(),
    customer: CustomerSchema,
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
      customer: null,
      stays: 21,
      stayMinutes: 10_080,
      lastMonth: '2026-11',
    },
  });

const UnusedPermitSchema = z
  .strictObject({
    permitId: z.string(),
    plate: z.string(),
    reason: z.string(),
    customer: CustomerSchema,
    siteId: z.string().nullable().describe('Null: it holds at all sites.'),
    createdOn: UtcTimeSchema,
    expireOn: UtcTimeSchema.nullable(),
    lastMonth: z
      .string()
      .nullable()
      .describe('The last month in which it was used at these sites; null: never.'),
  })
  .meta({
    id: 'UnusedPermit',
    example: {
      permitId: 'p2',
      plate: 'KLM34',
      reason: 'Staff',
      customer: { id: 'c1', name: 'Bakery' },
      siteId: null,
      createdOn: '2025-02-01T09:00:00.000Z',
      expireOn: null,
      lastMonth: '2026-03',
    },
  });
export type UnusedPermit = z.infer<typeof UnusedPermitSchema>;

export const PermitReportSchema = z
  .strictObject({
    total: z.strictObject({ permits: CountSchema, stays: CountSchema, stayMinutes: CountSchema }),
    permits: z.array(PermitUseSchema).max(MAX_PERMITS).describe('Those with the most stays, at most 500.'),
    unused: z
      .array(UnusedPermitSchema)
      .max(MAX_PERMITS)
      .describe(
        'Permits that were valid in these months, are in use, and had no stay in them: the 500 oldest, by customer. ' +
          'Those for one visit are left out; those for all sites are here only where all sites are counted.',
      ),
    hasMoreUnused: z.boolean().describe('There are more than 500.'),
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
    const isOfAll = query.siteId === undefined && sitesOf(own) === null;
    const unused = await unusedPermits(q, siteIds, months, isOfAll);
    const hasMoreUnused = unused.length > MAX_PERMITS;
    const shown = unused.slice(0, MAX_PERMITS).sort(byCustomer);
    return {
      ok: true,
      report: { ...(await useOfPermits(q, siteIds, months)), unused: shown, hasMoreUnused },
    };
  });
}

/** In the order of the customers' names, those of none last; of a customer the oldest first. */
function byCustomer({ customer: one }: UnusedPermit, { customer: other }: UnusedPermit): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return (one.name ?? '').localeCompare(other.name ?? '') || one.id.localeCompare(other.id);
}

/** Permits in use without a stay in some months, the oldest first, up to one more than are shown. */
async function unusedPermits(
  q: Queries,
  siteIds: readonly string[],
  months: { from: number; to: number },
  isOfAll: boolean,
): Promise<UnusedPermit[]> {
  const w = whitelistTable;
  const [begin, end] = [monthStart(months.from), monthStart(months.to + 1)];
  const ofPermit = and(eq(t.permitId, w.id), inArray(t.siteId, [...siteIds]), gt(t.stays, 0));
  const used = q
    .select({ one: sql`1` })
    .from(t)
    .where(and(ofPermit, between(t.month, months.from, months.to)));
  const lastUsed = q
    .select({ month: sql<number | null>`max(${t.month})`.as('month') })
    .from(t)
    .where(ofPermit)
    .as('last_used');
  const isHere = inArray(w.siteId, [...siteIds]);
  const rows = await q
    .select({
      permitId: w.id,
      plate: w.plate,
      reason: w.reason,
      customerId: w.customerId,
      customerName: customerTable.name,
      siteId: w.siteId,
      createdOn: w.createdAt,
      expireOn: w.expireAt,
      last: sql<number | null>`${lastUsed}`,
    })
    .from(w)
    .leftJoin(customerTable, eq(customerTable.id, w.customerId))
    .where(
      and(
        eq(w.status, 'active'),
        eq(w.effect, 'allow'),
        ne(w.type, 'visit'),
        lt(w.createdAt, end),
        or(isNull(w.activeFrom), lt(w.activeFrom, end)),
        or(isNull(w.expireAt), gt(w.expireAt, begin)),
        isOfAll ? or(isNull(w.siteId), isHere) : isHere,
        notExists(used),
      ),
    )
    .orderBy(asc(w.createdAt), asc(w.id))
    .limit(MAX_PERMITS + 1);
  return rows.map(({ customerId, customerName, last: month, ...row }) => ({
    ...row,
    customer: customerOf(customerId, customerName),
    lastMonth: month === null ? null : monthText(month),
  }));
}

function customerOf(id: string | null, name: string | null): UnusedPermit['customer'] {
  return id === null ? null : { id, name };
}

function monthStart(month: number): UtcTime {
  return utcTime(Date.UTC(1970, month, 1));
}

async function useOfPermits(
  q: Queries,
  siteIds: readonly string[],
  months: { from: number; to: number },
): Promise<Pick<PermitReport, 'total' | 'permits'>> {
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
      customerId: whitelistTable.customerId,
      customerName: customerTable.name,
      stays: used.stays,
      stayMinutes: used.stayMinutes,
      last: used.last,
    })
    .from(used)
    .leftJoin(whitelistTable, eq(whitelistTable.id, used.permitId))
    .leftJoin(customerTable, eq(customerTable.id, whitelistTable.customerId))
    .orderBy(desc(used.stays), used.permitId);
  return {
    total: total ?? { permits: 0, stays: 0, stayMinutes: 0 },
    permits: rows.map(({ last, customerId, customerName, ...row }) => ({
      ...row,
      customer: customerOf(customerId, customerName),
      lastMonth: monthText(last),
    })),
  };
}

function monthText(month: number): string {
  return new Date(Date.UTC(1970, month, 1)).toISOString().slice(0, 'YYYY-MM'.length);
}
