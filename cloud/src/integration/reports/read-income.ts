import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type { Db, Queries } from '../../platform/db/db.ts';
import { asc } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { sitesOfReport } from '../../sites/sites/sites-in-use.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { daysBetween, INCOME_BY, type Period, periodKey, periodsOf } from './income-periods.ts';
import { type IncomeQuestion, type IncomeReport, incomeReport } from './income-report.ts';
import {
  type IncomeSum,
  incomeOf,
  openChargebacks,
  openRefunds,
  productsOfIncome,
  vatOfIncome,
} from './income-store.ts';

/** Ten years, and a bit. */
const MAX_DAYS = 3700;

export const IncomeQuerySchema = z.strictObject({
  'date.from': z.iso.date().describe('The first day, in the time zone of each site.'),
  'date.to': z.iso.date().describe('The last day; included.'),
  siteId: z.string().optional().describe('Only this site.'),
  archived: ArchivedQuerySchema,
  by: z.enum(INCOME_BY).optional().describe('An additional grouping; weeks as in ISO 8601.'),
});
export type IncomeQuery = z.infer<typeof IncomeQuerySchema>;

/** Income of some days at the caller's sites, from totals that were added up as invoices were issued and refunded. */
export async function readIncome(
  db: Db,
  query: IncomeQuery,
  own: OwnRows,
): Promise<{ ok: true; report: IncomeReport } | RefusedInput> {
  const read = async (q: Queries): Promise<{ ok: true; report: IncomeReport } | RefusedInput> => {
    const found = await readSums(q, query, own);
    if (!found.ok) return found;
    const { rows, question, siteIds, isWhole } = found;
    const undecided = {
      refunds: await openRefunds(q, siteIds),
      chargebacks: await openChargebacks(q, siteIds),
    };
    const countedSites = siteIds === null ? null : [...siteIds, ...(isWhole ? [NO_SITE] : [])];
    const days = { from: question.from, to: question.to };
    const vat = await vatOfIncome(q, days, countedSites);
    const products = await productsOfIncome(q, days, countedSites);
    return { ok: true, report: incomeReport(rows, { ...question, undecided, vat, products }) };
  };
  return await db.read(read, { manyRows: true });
}

/** Income without its VAT, its products and what is undecided. */
export type IncomeSums = Pick<IncomeReport, 'total' | 'paymentTypeReport'>;

/** Reads the same, but less of it, which is faster. */
export async function readIncomeSums(
  db: Db,
  query: IncomeQuery,
  own: OwnRows,
): Promise<{ ok: true; report: IncomeSums } | RefusedInput> {
  const found = await db.read((q) => readSums(q, query, own), { manyRows: true });
  if (!found.ok) return found;
  const undecided = { refunds: [], chargebacks: [] };
  return {
    ok: true,
    report: incomeReport(found.rows, { ...found.question, undecided, vat: [], products: [] }),
  };
}

interface FoundSums {
  ok: true;
  rows: IncomeSum[];
  question: Omit<IncomeQuestion, 'undecided' | 'vat' | 'products'>;
  /** Null: all, and what is of no site. */
  siteIds: string[] | null;
  /** No site is asked for, and the caller sees all. */
  isWhole: boolean;
}

async function readSums(q: Queries, query: IncomeQuery, own: OwnRows): Promise<FoundSums | RefusedInput> {
  const { 'date.from': from, 'date.to': to, siteId, archived, by = null } = query;
  const days = daysBetween(from, to);
  if (days > MAX_DAYS) return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  const counted = await sitesOfReport(q, own, { siteId, archived });
  const sites = (await listSiteNames(q)).filter(
    ({ id }) =>
      seesSite(own, id) &&
      (siteId === undefined || id === siteId) &&
      (counted === null || counted.includes(id)),
  );
  if (siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);
  const isWhole = siteId === undefined && sitesOf(own) === null;
  const rows = await readRows(q, query, sites, { isWhole, isPart: counted !== null });
  const currencies = sites.map(({ currency }) => currency);
  return {
    ok: true,
    rows,
    question: { from, to, by, currencies, ...splitOf(query, sites, rows) },
    siteIds: isWhole && counted === null ? null : sites.map(({ id }) => id),
    isWhole,
  };
}

async function readRows(
  q: Queries,
  query: IncomeQuery,
  sites: readonly SiteName[],
  { isWhole, isPart }: { isWhole: boolean /** Archived sites are left out. */; isPart: boolean },
): Promise<IncomeSum[]> {
  const { 'date.from': from, 'date.to': to, by = 'whole' } = query;
  if (by !== 'site' && isWhole && !isPart) return await incomeOf(q, { from, to }, by, undefined);
  const ids = [...sites.map(({ id }) => id), ...(isWhole ? [NO_SITE] : [])];
  const rows: IncomeSum[] = [];
  for (const id of ids) {
    const sums = await incomeOf(q, { from, to }, by, id);
    rows.push(...(by === 'site' ? sums.map((sum) => ({ ...sum, group: id })) : sums));
  }
  return rows;
}

/** The site in the totals if there is no site. */
const NO_SITE = '';

function splitOf(
  { 'date.from': from, 'date.to': to, by }: IncomeQuery,
  sites: readonly SiteName[],
  rows: readonly IncomeSum[],
): Pick<IncomeQuestion, 'periods' | 'keyOf'> {
  const keyOf = ({ group }: IncomeSum) => group;
  if (by === undefined) return { periods: [], keyOf };
  if (by === 'week') return { periods: periodsOf(by, from, to), keyOf: ({ group }) => periodKey(by, group) };
  if (by !== 'site') return { periods: periodsOf(by, from, to), keyOf };
  const periods: Period[] = sites.map(({ id, name }) => ({ key: id, name, from, to }));
  const ofNoSite = rows.some(({ group }) => group === NO_SITE);
  return { periods: ofNoSite ? [...periods, { key: NO_SITE, name: null, from, to }] : periods, keyOf };
}

/** A site as reports name it. */
export interface SiteName {
  id: string;
  name: string;
  currency: string;
}

export async function listSiteNames(q: Queries): Promise<SiteName[]> {
  return await q
    .select({ id: siteTable.id, name: siteTable.name, currency: siteTable.currency })
    .from(siteTable)
    .orderBy(asc(siteTable.name), asc(siteTable.id));
}
