import { nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { type OfficeLanguage, OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { EVENTS } from '../../platform/events.ts';
import { ownRows } from '../../platform/http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import type { CsvSeparator } from '../../platform/http/csv-file.ts';
import { conflict, inputError, REFUSALS } from '../../platform/http/errors.ts';
import { IdSchema, YesNoSchema } from '../../platform/http/input-fields.ts';
import { pieceStream } from '../../platform/http/piece-stream.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { BookExport } from './book-export.ts';
import { PeriodSchema } from './book-period.ts';
import { TrialBalanceSchema } from './trial-balance.ts';

const FORMS = ['json', 'csv', 'datev'] as const;
type Form = (typeof FORMS)[number];
const CSV = 'text/csv';

const exportRoute = createRoute({
  method: 'get',
  path: '/bookkeeping/{period}',
  tags: ['Books'],
  summary: 'Get the books of a month or a day: their sums, or a file of the postings',
  description:
    'Double-entry postings of invoices, credit notes, payments of invoices, settlements of providers and their payouts at ' +
    'banks. `Accept: text/csv` (or `as=csv`) has a row for each posting with the link to its document; the rows of an entry ' +
    'add up to nothing. `as=datev` is a batch for DATEV (EXTF 700, Buchungsstapel 13, Windows-1252): that is CSV too and has ' +
    'no media type of its own, so only the query can ask for it. Otherwise the sums by account, with what no account is set ' +
    'for. A file is made of a period that has ended; the same records make the same bytes. `openDays` names the days that are not closed; `closed=true` leaves them out. 409: an account is missing ' +
    '(each is named), the period has not ended and `open=true` was not given, or the car parks are simulated.',
  request: {
    params: z.object({
      period: PeriodSchema.openapi({ param: { name: 'period', in: 'path' }, example: '2026-11' }),
    }),
    query: z.strictObject({
      siteId: IdSchema.optional().describe('Only this site. What is of no single site is left out then.'),
      as: z.enum(FORMS).optional().describe('The form, for links, which have no `Accept` of their own.'),
      language: OfficeLanguageSchema.default('is').describe('Of the texts of postings.'),
      separator: z
        .enum([',', ';'])
        .default(',')
        .describe('The separator of CSV. `;` implies a decimal comma, `,` a decimal point.'),
      closed: YesNoSchema.optional().describe(
        '`true`: CSV of the days of which the close is signed, and of no other. What it says of a day never changes: what ' +
          'changes in that day later stands in the close that is signed next, with `of_day`.',
      ),
      open: YesNoSchema.optional().describe(
        '`true`: a file of a period that has not ended, which may still change.',
      ),
    }),
  },
  responses: {
    200: {
      description: 'The sums, or the file',
      content: { ...json(TrialBalanceSchema), [CSV]: { schema: z.string() } },
    },
    ...REFUSALS.conflict,
    ...LIST_REFUSALS,
  },
});

/** What an accountant takes into the bookkeeping. */
export function bookkeepingRoutes({
  db,
  clock,
  log,
  publicUrl,
}: Pick<CloudContext, 'db' | 'clock' | 'log' | 'publicUrl'>) {
  return createRouter().openapi(exportRoute, async (c) => {
    const { period } = c.req.valid('param');
    const { siteId, as, language, separator, closed = false, open = false } = c.req.valid('query');
    const question = { period, siteId, own: ownRows(callerOf(c, 'account')), now: nowUtc(clock) };
    const found = await BookExport.of({ db, publicUrl }, question);
    if (!found.ok) return inputError(c, ...found.mistakes);
    const { books } = found;
    const form = as ?? acceptedForm(c);
    if (form === 'json') return c.json(await books.trialBalance(), 200, { Vary: 'Accept' });
    if (await db.read(isTrainingDatabase)) return conflict(c, mistake('training-no-file'));
    if (closed && form === 'datev') return inputError(c, mistake('closed-csv-only', 'as'));
    if (!closed && !books.isOver && !open) return conflict(c, mistake('period-open', 'period'));
    const file = await fileOf(books, { form, closed, language, separator });
    if (!file.ok) return conflict(c, ...atLeastOne(file.mistakes));
    const name =
      form === 'csv'
        ? `bookkeeping-${period}${closed ? '-closed' : ''}.csv`
        : `EXTF_Buchungsstapel_${period}.csv`;
    const body = await pieceStream(file.pieces, (error) =>
      log.warn({
        event: EVENTS.downloadBroken,
        requestId: c.get('requestId'),
        reason: messageOf(error),
      }),
    );
    return c.body(body, 200, {
      'Content-Type': form === 'csv' ? `${CSV}; charset=utf-8` : `${CSV}; charset=windows-1252`,
      'Content-Disposition': `attachment; filename="${name}"`,
      Vary: 'Accept',
    });
  });
}

async function fileOf(
  books: BookExport,
  {
    form,
    closed,
    language,
    separator,
  }: { form: 'csv' | 'datev'; closed: boolean; language: OfficeLanguage; separator: CsvSeparator },
) {
  if (form === 'datev') return await books.datev(language);
  return closed ? await books.closedCsv(language, separator) : await books.csv(language, separator);
}

function acceptedForm(c: Context<CloudEnv>): Exclude<Form, 'datev'> {
  const usual = 'application/json';
  const type = accepts(c, { header: 'Accept', supports: [usual, CSV], default: usual });
  return type === CSV ? 'csv' : 'json';
}

function atLeastOne([first = mistake('wrong'), ...others]: Mistake[]): [Mistake, ...Mistake[]] {
  return [first, ...others];
}
