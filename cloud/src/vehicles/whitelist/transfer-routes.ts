import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { inputError } from '../../platform/http/errors.ts';
import { YesNoSchema } from '../../platform/http/input-fields.ts';
import { IMPORT_BYTES } from '../../platform/http/limit-bodies.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { streamText } from '../../platform/http/stream-text.ts';
import { ImportReportSchema } from './entry-csv.ts';
import { EntryFiltersSchema } from './entry-routes.ts';
import { exportWhitelist } from './export-whitelist.ts';
import { importWhitelist, MAX_LINES } from './import-whitelist.ts';

const tags = ['Whitelist'];

/** Typed as text, so that the handlers may answer with a stream, and read one, of what OpenAPI calls a text. */
const CSV: string = 'text/csv';

const COLUMNS =
  'Columns by name, in any order: `plate`, `reason`, `activeFrom`, `expireOn`, `objectType`, `collection`, `status`, ' +
  '`weekdays` (`1 2 3 4 5` or `1-5`, 1 is Monday), `hours` (`08:00-18:00`; may cross midnight), `siteId`, `type`, ' +
  '`visitId`. Several weekly rules are separated by `|` in both columns.';

const EXAMPLE = 'plate,reason,expireOn,weekdays,hours\r\nABX12,Staff,,1-5,07:00-19:00\r\n';

const exportRoute = createRoute({
  method: 'get',
  path: '/visit/whitelist/export',
  tags,
  summary: 'Export whitelist entries as CSV',
  description:
    'With the filters of the list. The import reads the file. A cell that a spreadsheet would treat ' +
    'as a formula begins with an apostrophe, which the import removes.',
  request: {
    query: EntryFiltersSchema.extend({
      bom: YesNoSchema.optional().describe('Begin with a byte order mark, so that Excel recognises UTF-8.'),
      separator: z
        .enum(['comma', 'semicolon'])
        .optional()
        .describe('Default: a comma. Excel in Icelandic needs semicolons.'),
    }),
  },
  responses: {
    200: {
      description: `UTF-8. ${COLUMNS}`,
      content: { [CSV]: { schema: z.string().openapi({ example: EXAMPLE }) } },
    },
    ...LIST_REFUSALS,
  },
});

const importRoute = createRoute({
  method: 'post',
  path: '/visit/whitelist/import',
  tags,
  summary: 'Import whitelist entries from CSV',
  description:
    `UTF-8, up to ${MAX_LINES} lines and ${IMPORT_BYTES} bytes. Separated by commas or semicolons, like the header. ${COLUMNS} An empty ` +
    '`expireOn` means never; without that column entries expire by the options of the author’s account. A wrong line is ' +
    'reported, and the other lines are added. An entry with the same plate and time as an existing one is skipped.',
  request: {
    query: z.strictObject({
      dryRun: YesNoSchema.optional().describe(
        '`true`: only show the result of each line, and store nothing.',
      ),
    }),
    body: {
      required: true,
      content: { [CSV]: { schema: z.string().max(IMPORT_BYTES).openapi({ example: EXAMPLE }) } },
    },
  },
  responses: {
    200: { description: 'The result of each line', content: json(ImportReportSchema) },
    ...LIST_REFUSALS,
  },
});

/** The whitelist as a file, there and back. */
export function transferRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(exportRoute, (c) => {
      const { bom = false, separator, ...filters } = c.req.valid('query');
      const asking = { own: ownRows(callerOf(c, 'account', 'role')), now: nowUtc(clock) };
      const form = { bom, separator: separator === 'semicolon' ? ';' : ',' } as const;
      const file = streamText(false, (send) => exportWhitelist(db, filters, asking, form, send));
      return c.body(file, 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="whitelist.csv"',
      });
    })
    .openapi(importRoute, async (c) => {
      const type = c.req.header('content-type') ?? '';
      if (!/^text\/csv\b/i.test(type)) return inputError(c, mistake('send-csv'));
      const { dryRun = false } = c.req.valid('query');
      const done = await importWhitelist(db, actorOf(c, clock), await bodyOf(c), { dryRun });
      return done.ok ? c.json(done.report, 200) : inputError(c, ...done.mistakes);
    });
}

/** The body as it comes in; as a whole, if it was read before. */
async function bodyOf(c: Context): Promise<AsyncIterable<Uint8Array>> {
  const { body, bodyUsed } = c.req.raw;
  if (body !== null && !bodyUsed) return body;
  const whole = new Uint8Array(await c.req.arrayBuffer());
  return (async function* () {
    yield whole;
  })();
}
