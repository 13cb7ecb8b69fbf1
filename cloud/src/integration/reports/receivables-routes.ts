import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import { ownRows } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { inputError } from '../../platform/http/errors.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { FILE_RESPONSES, fileFormat, fileName, sendPieces, tableOptions } from './file-answer.ts';
import { OwedInvoicesQuerySchema, ReceivablesQuerySchema, readReceivables } from './read-receivables.ts';
import {
  MAX_ROWS,
  OwedInvoicesSchema,
  ReceivablesSchema,
  receivableRows,
  totalsOf,
} from './receivables-report.ts';
import { owedInvoicesFile, receivablesFile } from './report-files.ts';

const tags = ['Reports'];

const reportRoute = createRoute({
  method: 'get',
  path: '/reports/receivables',
  tags,
  summary: 'Get who owes how much since when',
  description:
    'What customers and owners owe for issued invoices at the end of a day, by site and by the days since the last day to ' +
    'pay. It counts what documents, payments and claims at banks have booked by then: the totals are those of the account ' +
    'of receivables in the bookkeeping.',
  request: { query: ReceivablesQuerySchema },
  responses: { 200: { description: 'What is owed', content: json(ReceivablesSchema) }, ...LIST_REFUSALS },
});

const invoicesRoute = createRoute({
  method: 'get',
  path: '/reports/receivables/invoices',
  tags,
  summary: 'List the invoices behind what is owed',
  request: { query: OwedInvoicesQuerySchema },
  responses: { 200: { description: 'The invoices', content: json(OwedInvoicesSchema) }, ...LIST_REFUSALS },
});

const downloadRoute = createRoute({
  method: 'get',
  path: '/reports/receivables/download',
  tags,
  summary: 'Export what is owed as a spreadsheet',
  request: {
    query: OwedInvoicesQuerySchema.extend({
      rows: z
        .enum(['debtors', 'invoices'])
        .default('debtors')
        .describe('A row for each customer or owner and site, or for each invoice.'),
      ...tableOptions,
    }),
  },
  responses: FILE_RESPONSES,
});

export function receivablesRoutes({ db, clock, log }: Pick<CloudContext, 'db' | 'clock' | 'log'>) {
  return createRouter()
    .openapi(reportRoute, async (c) => {
      const query = c.req.valid('query');
      const read = await readReceivables(db, query, ownRows(callerOf(c, 'account')), nowUtc(clock));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const { asOf, owed } = read.found;
      const rows = receivableRows(owed);
      const hasMore = rows.length > MAX_ROWS;
      return c.json({ asOf, totals: totalsOf(owed), rows: rows.slice(0, MAX_ROWS), hasMore }, 200);
    })
    .openapi(invoicesRoute, async (c) => {
      const query = c.req.valid('query');
      const read = await readReceivables(db, query, ownRows(callerOf(c, 'account')), nowUtc(clock));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const { asOf, owed } = read.found;
      const hasMore = owed.length > MAX_ROWS;
      return c.json({ asOf, totals: totalsOf(owed), invoices: owed.slice(0, MAX_ROWS), hasMore }, 200);
    })
    .openapi(downloadRoute, async (c) => {
      const { format, language, separator, rows, ...query } = c.req.valid('query');
      const read = await readReceivables(db, query, ownRows(callerOf(c, 'account')), nowUtc(clock));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const { asOf, owed } = read.found;
      const file = fileFormat(format, separator);
      return await sendPieces(c, log, fileName('receivables', [asOf], format), () =>
        rows === 'invoices'
          ? owedInvoicesFile(owed, language, file)
          : receivablesFile(receivableRows(owed), language, file),
      );
    });
}
