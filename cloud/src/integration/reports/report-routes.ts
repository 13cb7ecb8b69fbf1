import { nowUtc } from '@hlid/node/clock';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ownRows } from '../../platform/http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { inputError } from '../../platform/http/errors.ts';
import { CursorParamSchema, jsonAnswer, jsonList } from '../../platform/http/list-envelope.ts';
import { json, LIST_REFUSALS, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { rowsOfReport } from '../../sites/sites/sites-in-use.ts';
import { type VisitQuery, VisitQuerySchema } from '../../stays/visits/list/visit-filters.ts';
import { visitPage } from '../../stays/visits/list/visit-page.ts';
import { readVisitQuery } from '../../stays/visits/list/visit-query.ts';
import { VisitViewSchema } from '../../stays/visits/list/visit-view.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { FILE_RESPONSES, fileFormat, fileName, sendPieces, tableOptions } from './file-answer.ts';
import { IncomeReportSchema } from './income-report.ts';
import { IncomeQuerySchema, readIncome } from './read-income.ts';
import { incomeFile } from './report-files.ts';
import { VISIT_FILE_SCAN } from './scan-keys.ts';
import { trafficFile } from './traffic-file.ts';
import { readTraffic, TrafficQuerySchema, TrafficReportSchema } from './traffic-report.ts';
import { FILE_COLUMNS } from './visit-file-column-names.ts';
import { VisitStatsSchema, visitStats } from './visit-stats.ts';

const { shape } = VisitQuerySchema;

/** The query of the reports on visits: a period, and filters that the list of visits has too. */
const VisitReportQuerySchema = z.strictObject({
  ...VisitQuerySchema.omit({ date: true, collection: true, order: true }).shape,
  'date.from': shape['date.from'].unwrap().describe("The first day or time of a visit's start."),
  'date.to': shape['date.to']
    .unwrap()
    .describe("The last day or time; a day includes all of it, in the site's time zone."),
  archived: ArchivedQuerySchema,
});
type VisitReportQuery = z.infer<typeof VisitReportQuerySchema>;

const tags = ['Reports'];

const incomeRoute = createRoute({
  method: 'get',
  path: '/reports/income',
  tags,
  summary: 'Get the income of a period',
  description:
    'By payment type and vehicle category, and with `by` also by day, week, month or site. An ' +
    "invoice counts on the day of its issue, a refund on its own day, both in the site's time zone. " +
    'Every type, category and period is included, also with zeroes. Currencies are never added ' +
    'together.',
  request: { query: IncomeQuerySchema },
  responses: { 200: { description: 'Income', content: json(IncomeReportSchema) }, ...LIST_REFUSALS },
});

const incomeDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/income/download',
  tags,
  summary: 'Export the income of the periods as a spreadsheet',
  request: { query: IncomeQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

const visitsRoute = createRoute({
  method: 'get',
  path: '/reports/visits',
  tags,
  summary: 'List visits that started within a period, newest first',
  request: { query: VisitReportQuerySchema.extend({ next: CursorParamSchema.optional() }) },
  responses: responses.list(VisitViewSchema, 'Visits'),
});

const statsRoute = createRoute({
  method: 'get',
  path: '/reports/visits/stats',
  tags,
  summary: 'Count visits that started within a period, by status, category and payment status',
  request: { query: VisitReportQuerySchema },
  responses: { 200: { description: 'Counts', content: json(VisitStatsSchema) }, ...LIST_REFUSALS },
});

const fileOptions = {
  ...tableOptions,
  columns: z
    .string()
    .max(500)
    .transform((text, check) => {
      const names = z.array(z.enum(FILE_COLUMNS)).min(1).safeParse(text.split(','));
      if (names.success) return [...new Set(names.data)];
      check.addIssue({
        code: 'custom',
        message: wrong('not-one-of', { values: [...FILE_COLUMNS], more: 0 }),
      });
      return z.NEVER;
    })
    .optional()
    .openapi({ type: 'string', example: 'plate,startedOn,due' })
    .describe(
      `The columns in their order, with commas between them: ${FILE_COLUMNS.join(', ')}. Default: all.`,
    ),
};
type FileOptions = z.infer<z.ZodObject<typeof fileOptions>>;
const listDownloadRoute = createRoute({
  method: 'get',
  path: '/visits/download',
  tags: ['Visits'],
  summary: 'Export the visits of a list as a spreadsheet, oldest first',
  description: "Times are in the site's time zone. If an error occurs, the file is cut off.",
  request: { query: VisitQuerySchema.omit({ order: true }).extend(fileOptions) },
  responses: FILE_RESPONSES,
});

const downloadRoute = createRoute({
  method: 'get',
  path: '/reports/visits/download',
  tags,
  summary: 'Export visits that started within a period as a spreadsheet, oldest first',
  description: "Times are in the site's time zone. If an error occurs, the file is cut off.",
  request: { query: VisitReportQuerySchema.extend(fileOptions) },
  responses: FILE_RESPONSES,
});

const trafficRoute = createRoute({
  method: 'get',
  path: '/reports/traffic',
  tags,
  summary: 'Get arrivals, departures and cars inside by hour and weekday',
  description:
    "Averages of the hours of the week in a period, on each site's own clock: an hour that a change of the clocks skips " +
    'or repeats counts as often as it was there. Nothing is counted before the first car of a site, and nothing in the ' +
    'present quarter of an hour. The averages of several sites are added. Voided visits are not counted.',
  request: { query: TrafficQuerySchema },
  responses: { 200: { description: 'The hours', content: json(TrafficReportSchema) }, ...LIST_REFUSALS },
});

const trafficDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/traffic/download',
  tags,
  summary: 'Export arrivals, departures and cars inside by hour and weekday as a spreadsheet',
  request: { query: TrafficQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

export function reportRoutes({ db, scans, clock, log }: CloudContext) {
  /** The filters of a query for its caller; null: the caller has no visits. */
  async function filtersFor(c: Context<CloudEnv>, query: VisitQuery) {
    const own = ownRows(callerOf(c, 'account'));
    return (await db.read((q) => readVisitQuery(q, query, own, nowUtc(clock))))?.filters ?? null;
  }

  /** The same of a report, which leaves archived sites out. */
  async function reportFiltersFor(c: Context<CloudEnv>, { archived, ...query }: VisitReportQuery) {
    const own = ownRows(callerOf(c, 'account'));
    const found = await db.read(async (q) => {
      const rows = await rowsOfReport(q, own, { siteId: query.siteId, archived });
      return await readVisitQuery(q, query, rows, nowUtc(clock));
    });
    return found?.filters ?? null;
  }

  async function trafficFor(c: Context<CloudEnv>, query: z.infer<typeof TrafficQuerySchema>) {
    const own = ownRows(callerOf(c, 'account'));
    return await readTraffic({ db, scans }, query, { own, now: nowUtc(clock), signal: c.req.raw.signal });
  }

  async function sendFile(
    c: Context<CloudEnv>,
    filters: Awaited<ReturnType<typeof filtersFor>>,
    times: readonly string[],
    { format: kind, language, separator, columns }: FileOptions,
  ) {
    const format = fileFormat(kind, separator);
    const question = { filters, language, now: nowUtc(clock), format, columns };
    return await sendPieces(c, log, fileName('visits', times, kind), (signal) =>
      scans.run(VISIT_FILE_SCAN, question, signal),
    );
  }

  return createRouter()
    .openapi(incomeRoute, async (c) => {
      const read = await readIncome(db, c.req.valid('query'), ownRows(callerOf(c, 'account')));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(incomeDownloadRoute, async (c) => {
      const { format, language, separator, ...query } = c.req.valid('query');
      const read = await readIncome(db, query, ownRows(callerOf(c, 'account')));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const name = fileName('income', [query['date.from'], query['date.to']], format);
      return await sendPieces(c, log, name, () =>
        incomeFile(read.report, language, fileFormat(format, separator)),
      );
    })
    .openapi(trafficRoute, async (c) => {
      const read = await trafficFor(c, c.req.valid('query'));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(trafficDownloadRoute, async (c) => {
      const { format: kind, language, separator, ...query } = c.req.valid('query');
      const read = await trafficFor(c, query);
      if (!read.ok) return inputError(c, ...read.mistakes);
      const format = fileFormat(kind, separator);
      const name = fileName('traffic', [query['date.from'], query['date.to']], kind);
      return await sendPieces(c, log, name, () => trafficFile(read.report, language, format));
    })
    .openapi(visitsRoute, async (c) => {
      const { next: cursor, archived, ...query } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read(async (q) => {
        const rows = await rowsOfReport(q, own, { siteId: query.siteId, archived });
        return await visitPage(q, query, rows, nowUtc(clock), { cursor });
      });
      return jsonAnswer(c, jsonList(page));
    })
    .openapi(statsRoute, async (c) => {
      const filters = await reportFiltersFor(c, c.req.valid('query'));
      const counted = await visitStats(scans, filters, { now: nowUtc(clock), signal: c.req.raw.signal });
      return counted.ok ? c.json(counted.stats, 200) : inputError(c, ...counted.mistakes);
    })
    .openapi(downloadRoute, async (c) => {
      const { format, language, separator, columns, ...query } = c.req.valid('query');
      const days = [query['date.from'], query['date.to']];
      return await sendFile(c, await reportFiltersFor(c, query), days, {
        format,
        language,
        separator,
        columns,
      });
    })
    .openapi(listDownloadRoute, async (c) => {
      const { format, language, separator, columns, ...query } = c.req.valid('query');
      return await sendFile(c, await filtersFor(c, query), [nowUtc(clock)], {
        format,
        language,
        separator,
        columns,
      });
    });
}
