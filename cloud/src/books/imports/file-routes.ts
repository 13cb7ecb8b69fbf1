import { NameSchema } from '@hlid/protocol/base/typed-text';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { inputError, notFound, refuse } from '../../platform/http/errors.ts';
import { IdSchema, YesNoSchema } from '../../platform/http/input-fields.ts';
import { BOOKS_FILE_BYTES } from '../../platform/http/limit-bodies.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  LIST_REFUSALS,
  READ_REFUSALS,
  responses,
  WRITE_REFUSALS,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { ENTRY_MATCHES, type MoneyFileRow, ROW_MATCHES } from '../../records/books/money-file-table.ts';
import { MAX_FILE_ROWS } from '../files/file-content.ts';
import {
  bankEntries,
  batchesOfFile,
  countFiles,
  findFile,
  listFiles,
  placeByImport,
  placeInFile,
  settlementRows,
  statementsOfFile,
} from './file-store.ts';
import { deleteFile, type Imported, importFile } from './import-file.ts';
import {
  BankImportSchema,
  EntrySchema,
  MoneyFileSchema,
  remarks,
  SettlementImportSchema,
  SettlementRowSchema,
  shownBatch,
  shownEntry,
  shownFile,
  shownRow,
  shownStatement,
  WholeBankFileSchema,
  WholeSettlementFileSchema,
} from './money-file.ts';

const tags = ['Books'];
/** Typed as text, as OpenAPI has it. */
const BYTES: string = 'application/octet-stream';
const FIRST_ROWS = 20;
const NOTHING = Buffer.alloc(0);

const LimitedList = z.strictObject({ siteId: IdSchema.optional(), next: CursorParamSchema.optional() });
const RowsQuery = z.strictObject({ next: CursorParamSchema.optional() });

const sentFile = (example: string) => ({
  query: z.strictObject({
    name: NameSchema.describe('The name of the file.'),
    account: IdSchema.optional().describe('Of a file that does not name its account: the id of the account.'),
    dryRun: YesNoSchema.optional().describe('`true`: only report what would be stored.'),
  }),
  body: {
    required: true,
    content: { [BYTES]: { schema: z.string().max(BOOKS_FILE_BYTES).openapi({ example }) } },
  },
});

const ONCE =
  `Up to ${BOOKS_FILE_BYTES} bytes and ${MAX_FILE_ROWS} rows. Each file is stored once, by the hash of its bytes: the same file ` +
  'again answers the first (`isRepeated`). A file that cannot be read, or whose sums are wrong, is refused as a whole.';

const settlementImport = createRoute({
  method: 'post',
  path: '/settlement-files',
  tags,
  summary: 'Import a settlement file of a provider of cards',
  description:
    'Adyen’s settlement detail report, Stripe’s `payout_reconciliation.itemized.5`, or CSV by the mapping of the account. ' +
    `${ONCE} Rows are matched to payments by the provider’s reference, ours, or the authorisation of a terminal.`,
  request: sentFile('Company Account,Merchant Account,Psp Reference,…'),
  responses: {
    200: { description: 'What is stored, or would be', content: json(SettlementImportSchema) },
    ...LIST_REFUSALS,
  },
});

const bankImport = createRoute({
  method: 'post',
  path: '/bank-statements',
  tags,
  summary: 'Import a statement of a bank',
  description:
    'ISO 20022 camt.053.001.02 and later, the JSON of `GET /accounts/{id}/transactions` of Icelandic banks (IOBWS), or CSV ' +
    `by the mapping of the account. ${ONCE} Entries are matched to batches of providers by reference, or by amount and day.`,
  request: sentFile('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">…</Document>'),
  responses: {
    200: { description: 'What is stored, or would be', content: json(BankImportSchema) },
    ...LIST_REFUSALS,
  },
});

function fileRoutes<Path extends 'settlement-files' | 'bank-statements'>(path: Path, what: string) {
  const list = createRoute({
    method: 'get',
    path: `/${path}` as const,
    tags,
    summary: `List the imported ${what}, newest first`,
    request: { query: LimitedList },
    responses: responses.list(MoneyFileSchema, 'Files'),
  });
  const remove = createRoute({
    method: 'delete',
    path: `/${path}/{id}` as const,
    tags,
    summary: `Delete an imported file (${what})`,
    description: 'Not once a closed day counts with it.',
    request: { params: IdParamSchema },
    responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS },
  });
  return { list, remove };
}

const settlementFiles = fileRoutes('settlement-files', 'settlement files');
const bankStatements = fileRoutes('bank-statements', 'bank statements');

const getSettlementFile = createRoute({
  method: 'get',
  path: '/settlement-files/{id}',
  tags,
  summary: 'Get an imported settlement file with its batches',
  request: { params: IdParamSchema },
  responses: responses.read(WholeSettlementFileSchema, 'The file'),
});

const getBankFile = createRoute({
  method: 'get',
  path: '/bank-statements/{id}',
  tags,
  summary: 'Get an imported bank file with its statements',
  request: { params: IdParamSchema },
  responses: responses.read(WholeBankFileSchema, 'The file'),
});

const settlementRowsRoute = createRoute({
  method: 'get',
  path: '/settlement-files/{id}/rows',
  tags,
  summary: 'List the rows of a settlement file, in its order',
  request: { params: IdParamSchema, query: RowsQuery },
  responses: { ...responses.list(SettlementRowSchema, 'Rows'), ...READ_REFUSALS },
});

const entriesRoute = createRoute({
  method: 'get',
  path: '/bank-statements/{id}/entries',
  tags,
  summary: 'List the entries of a bank file, in its order',
  request: { params: IdParamSchema, query: RowsQuery },
  responses: { ...responses.list(EntrySchema, 'Entries'), ...READ_REFUSALS },
});

type FilesContext = Pick<CloudContext, 'db' | 'clock'>;

/** Settlement files of providers of cards. */
export function settlementFileRoutes({ db, clock }: FilesContext) {
  return createRouter()
    .openapi(settlementImport, async (c) => {
      const { name, account = null, dryRun = false } = c.req.valid('query');
      const bytes = await bytesOf(c);
      const sent = { kind: 'settlement' as const, bytes, name, accountId: account, dryRun };
      const done = await importFile(db, actorOf(c, clock), sent);
      if (!done.ok) return inputError(c, ...done.mistakes);
      const { batches, rows } =
        done.is === 'repeated'
          ? await db.read(async (q) => ({
              batches: await batchesOfFile(q, done.file.id),
              rows: await settlementRows(q, done.file.id, { cursor: undefined, limit: MAX_FILE_ROWS }),
            }))
          : done.plan;
      return c.json(
        {
          ...importedParts(done, dryRun),
          rows: rows.length,
          batches: batches.map(shownBatch),
          firstRows: rows.slice(0, FIRST_ROWS).map(shownRow),
          matches: countBy(ROW_MATCHES, rows),
        },
        200,
      );
    })
    .openapi(settlementFiles.list, async (c) =>
      c.json(await pageOfFiles(c, db, 'settlement', c.req.valid('query')), 200),
    )
    .openapi(getSettlementFile, async (c) => {
      const found = await db.read(async (q) => {
        const file = await findFile(q, 'settlement', c.req.valid('param').id);
        return file && { ...shownFile(file), batches: (await batchesOfFile(q, file.id)).map(shownBatch) };
      });
      return found === null ? notFound(c, 'settlement-file') : c.json(found, 200);
    })
    .openapi(settlementRowsRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { next: cursor } = c.req.valid('query');
      const file = await db.read((q) => findFile(q, 'settlement', id));
      if (file === null) return notFound(c, 'settlement-file');
      const list = await db.read((q) =>
        readPage(
          { cursor },
          placeInFile,
          (limit) => settlementRows(q, id, { cursor, limit }),
          async () => file.rows,
        ),
      );
      return c.json({ ...list, data: list.data.map(shownRow) }, 200);
    })
    .openapi(settlementFiles.remove, async (c) => {
      const done = await deleteFile(db, actorOf(c, clock), 'settlement', c.req.valid('param').id);
      return done.ok ? c.body(null, 204) : refuse(c, 'settlement-file', done);
    });
}

/** Statements of banks. */
export function bankStatementRoutes({ db, clock }: FilesContext) {
  return createRouter()
    .openapi(bankImport, async (c) => {
      const { name, account = null, dryRun = false } = c.req.valid('query');
      const bytes = await bytesOf(c);
      const sent = { kind: 'bank' as const, bytes, name, accountId: account, dryRun };
      const done = await importFile(db, actorOf(c, clock), sent);
      if (!done.ok) return inputError(c, ...done.mistakes);
      const { statements, entries } =
        done.is === 'repeated'
          ? await db.read(async (q) => ({
              statements: await statementsOfFile(q, done.file.id),
              entries: await bankEntries(q, done.file.id, { cursor: undefined, limit: MAX_FILE_ROWS }),
            }))
          : done.plan;
      return c.json(
        {
          ...importedParts(done, dryRun),
          rows: entries.length,
          statements: statements.map(shownStatement),
          firstRows: entries.slice(0, FIRST_ROWS).map(shownEntry),
          matches: countBy(ENTRY_MATCHES, entries),
        },
        200,
      );
    })
    .openapi(bankStatements.list, async (c) =>
      c.json(await pageOfFiles(c, db, 'bank', c.req.valid('query')), 200),
    )
    .openapi(getBankFile, async (c) => {
      const found = await db.read(async (q) => {
        const file = await findFile(q, 'bank', c.req.valid('param').id);
        return (
          file && { ...shownFile(file), statements: (await statementsOfFile(q, file.id)).map(shownStatement) }
        );
      });
      return found === null ? notFound(c, 'bank-statement') : c.json(found, 200);
    })
    .openapi(entriesRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { next: cursor } = c.req.valid('query');
      const file = await db.read((q) => findFile(q, 'bank', id));
      if (file === null) return notFound(c, 'bank-statement');
      const list = await db.read((q) =>
        readPage(
          { cursor },
          placeInFile,
          (limit) => bankEntries(q, id, { cursor, limit }),
          async () => file.rows,
        ),
      );
      return c.json({ ...list, data: list.data.map(shownEntry) }, 200);
    })
    .openapi(bankStatements.remove, async (c) => {
      const done = await deleteFile(db, actorOf(c, clock), 'bank', c.req.valid('param').id);
      return done.ok ? c.body(null, 204) : refuse(c, 'bank-statement', done);
    });
}

/** The body as it came; a call without one has no bytes. */
async function bytesOf(c: Context<CloudEnv>): Promise<Uint8Array> {
  const body = await c.req.arrayBuffer();
  return body.byteLength === 0 ? NOTHING : new Uint8Array(body);
}

function importedParts(done: Imported, dryRun: boolean) {
  if (done.is === 'repeated') {
    const { id, format, warnings } = shownFile(done.file);
    return { dryRun, isRepeated: true, id, format, warnings, refused: [], unknownAccounts: [] };
  }
  const { warnings, mistakes, unknownAccounts } = done.plan;
  return {
    dryRun,
    isRepeated: false,
    id: done.id,
    format: done.format,
    warnings: remarks(warnings),
    refused: remarks(mistakes),
    unknownAccounts,
  };
}

function countBy<Match extends string>(
  matches: readonly Match[],
  rows: readonly { match: Match }[],
): Record<Match, number> {
  const counts = Object.fromEntries(matches.map((match) => [match, 0])) as Record<Match, number>;
  for (const { match } of rows) counts[match]++;
  return counts;
}

async function pageOfFiles(
  c: Context<CloudEnv>,
  db: CloudContext['db'],
  kind: MoneyFileRow['kind'],
  { siteId, next: cursor }: z.infer<typeof LimitedList>,
) {
  const own = ownRows(callerOf(c, 'account'));
  const filters = { kind, siteId };
  const list = await db.read((q) =>
    readPage(
      { cursor },
      placeByImport,
      (limit) => listFiles(q, filters, own, { cursor, limit }),
      () => countFiles(q, filters, own),
    ),
  );
  return { ...list, data: list.data.map(shownFile) };
}
