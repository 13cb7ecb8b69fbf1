import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'libsql';
import { z } from 'zod';

/**
 * A libSQL server for its HTTP protocol only (Hrana 2 over HTTP, `POST /v2/pipeline`), on one database file.
 * It has streams with batons, each a separate connection, statements, batches with conditions and sequences.
 * It is strict: it refuses everything else. See github.com/tursodatabase/libsql, docs/HRANA_2_SPEC.md.
 */
export interface HranaServer {
  url: string;
  token: string;
  /** Requests so far. */
  requests(): number;
  /** Answers nothing from now on, or again. */
  setSilent(silent: boolean): void;
  close(): Promise<void>;
}

/** The time without a request after which a stream ends, its transaction rolled back. */
const STREAM_MS = 10_000;

const ValueSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('null') }),
  z.strictObject({ type: z.literal('integer'), value: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ type: z.literal('float'), value: z.number() }),
  z.strictObject({ type: z.literal('text'), value: z.string() }),
  z.strictObject({ type: z.literal('blob'), base64: z.string() }),
]);
type Value = z.infer<typeof ValueSchema>;

const StatementSchema = z.strictObject({
  sql: z.string().optional(),
  sql_id: z.int().optional(),
  args: z.array(ValueSchema).optional(),
  named_args: z.array(z.strictObject({ name: z.string(), value: ValueSchema })).optional(),
  want_rows: z.boolean().optional(),
});
type HranaStatement = z.infer<typeof StatementSchema>;

type Condition =
  | { type: 'ok' | 'error'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and' | 'or'; conds: Condition[] };
const ConditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ type: z.enum(['ok', 'error']), step: z.int() }),
    z.strictObject({ type: z.literal('not'), cond: ConditionSchema }),
    z.strictObject({ type: z.enum(['and', 'or']), conds: z.array(ConditionSchema) }),
  ]),
);

const RequestSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('execute'), stmt: StatementSchema }),
  z.strictObject({
    type: z.literal('batch'),
    batch: z.strictObject({
      steps: z.array(z.strictObject({ condition: ConditionSchema.nullish(), stmt: StatementSchema })),
    }),
  }),
  z.strictObject({ type: z.literal('sequence'), sql: z.string().nullish(), sql_id: z.int().nullish() }),
  z.strictObject({ type: z.literal('store_sql'), sql_id: z.int(), sql: z.string() }),
  z.strictObject({ type: z.literal('close_sql'), sql_id: z.int() }),
]);
type HranaRequest = z.infer<typeof RequestSchema>;

const PipelineSchema = z.strictObject({
  baton: z.string().nullish(),
  requests: z.array(RequestSchema),
});

interface Stream {
  database: Database.Database;
  texts: Map<number, string>;
  expiry: NodeJS.Timeout;
}

export async function startHranaServer(path: string): Promise<HranaServer> {
  const token = randomUUID();
  const streams = new Map<string, Stream>();
  let requests = 0;
  let isSilent = false;

  function openStream(): Stream {
    const database = new Database(path);
    for (const setting of [
      'busy_timeout = 0',
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
    ]) {
      database.pragma(setting);
    }
    return { database, texts: new Map(), expiry: setTimeout(() => undefined, 0) };
  }

  function answer(body: string) {
    const { baton, requests: asked } = PipelineSchema.parse(JSON.parse(body));
    const known = typeof baton === 'string' ? streams.get(baton) : openStream();
    if (known === undefined)
      return { status: 404, body: { message: 'The stream has expired', code: 'STREAM_EXPIRED' } };
    if (typeof baton === 'string') streams.delete(baton);
    clearTimeout(known.expiry);
    let open = true;
    const results = asked.map((request) => {
      requests++;
      if (request.type === 'close') open = false;
      try {
        return { type: 'ok', response: { type: request.type, ...perform(known, request) } };
      } catch (error) {
        return { type: 'error', error: hranaError(error) };
      }
    });
    if (!open) {
      known.database.close();
      return { status: 200, body: { baton: null, base_url: null, results } };
    }
    const next = randomUUID();
    known.expiry = setTimeout(() => {
      streams.delete(next);
      known.database.close();
    }, STREAM_MS);
    streams.set(next, known);
    return { status: 200, body: { baton: next, base_url: null, results } };
  }

  const server = createServer((request, response) => {
    if (!isSilent) void serve(request, response, token, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    requests: () => requests,
    setSilent: (silent) => {
      isSilent = silent;
    },
    close: () => close(server, streams),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  answer: (body: string) => { status: number; body: unknown },
): Promise<void> {
  const say = (status: number, body: unknown) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.headers.authorization !== `Bearer ${token}`) return say(401, { message: 'wrong token' });
  if (request.method === 'GET' && request.url === '/v2') return say(200, {});
  if (request.method !== 'POST' || request.url !== '/v2/pipeline')
    return say(404, { message: 'no such endpoint' });
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    const { status, body } = answer(Buffer.concat(pieces).toString());
    return say(status, body);
  } catch (error) {
    return say(400, { message: String(error) });
  }
}

function perform(stream: Stream, request: HranaRequest): Record<string, unknown> {
  switch (request.type) {
    case 'close':
      return {};
    case 'execute':
      return { result: execute(stream, request.stmt) };
    case 'batch':
      return { result: batch(stream, request.batch.steps) };
    case 'sequence':
      stream.database.exec(request.sql ?? textOf(stream, request.sql_id ?? undefined));
      return {};
    case 'store_sql':
      stream.texts.set(request.sql_id, request.sql);
      return {};
    case 'close_sql':
      stream.texts.delete(request.sql_id);
      return {};
    default:
      return request satisfies never;
  }
}

function batch(stream: Stream, steps: { condition?: Condition | null | undefined; stmt: HranaStatement }[]) {
  const step_results: unknown[] = [];
  const step_errors: unknown[] = [];
  const holds = (condition: Condition): boolean => {
    switch (condition.type) {
      case 'ok':
        return (step_results[condition.step] ?? null) !== null;
      case 'error':
        return (step_errors[condition.step] ?? null) !== null;
      case 'not':
        return !holds(condition.cond);
      case 'and':
        return condition.conds.every(holds);
      case 'or':
        return condition.conds.some(holds);
      default:
        return condition satisfies never;
    }
  };
  for (const [at, { condition, stmt }] of steps.entries()) {
    step_results[at] = null;
    step_errors[at] = null;
    if (condition && !holds(condition)) continue;
    try {
      step_results[at] = execute(stream, stmt);
    } catch (error) {
      step_errors[at] = hranaError(error);
    }
  }
  return { step_results, step_errors };
}

function execute(stream: Stream, { sql, sql_id, args, named_args, want_rows }: HranaStatement) {
  const statement = stream.database.prepare(sql ?? textOf(stream, sql_id));
  const values = named_args?.length
    ? [
        Object.fromEntries(
          named_args.map(({ name, value }) => [name.replace(/^[:@$]/, ''), fromHrana(value)]),
        ),
      ]
    : [(args ?? []).map(fromHrana)];
  if (!statement.reader) {
    const { changes, lastInsertRowid } = statement.run(...values);
    return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: String(lastInsertRowid) };
  }
  const cols = statement.columns().map(({ name }) => ({ name }));
  const found = statement.raw().all(...values) as unknown[][];
  const rows = want_rows === false ? [] : found.map((row) => row.map(toHrana));
  return { cols, rows, affected_row_count: 0, last_insert_rowid: null };
}

function textOf(stream: Stream, id: number | undefined): string {
  const text = id === undefined ? undefined : stream.texts.get(id);
  if (text === undefined) throw new Error('no SQL text');
  return text;
}

function fromHrana(value: Value): unknown {
  switch (value.type) {
    case 'null':
      return null;
    case 'integer':
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : BigInt(value.value);
    case 'float':
    case 'text':
      return value.value;
    case 'blob':
      return Buffer.from(value.base64, 'base64');
    default:
      return value satisfies never;
  }
}

function toHrana(value: unknown): Value {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { type: 'integer', value: String(value) } : { type: 'float', value };
  }
  if (typeof value === 'string') return { type: 'text', value };
  if (value instanceof Uint8Array) return { type: 'blob', base64: Buffer.from(value).toString('base64') };
  throw new TypeError(`no SQLite value: ${typeof value}`);
}

function hranaError(error: unknown): { message: string; code: string } {
  if (error instanceof Database.SqliteError) return { message: error.message, code: error.code };
  return { message: error instanceof Error ? error.message : String(error), code: 'SQL_INPUT_ERROR' };
}

async function close(server: Server, streams: Map<string, Stream>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
  for (const { database, expiry } of streams.values()) {
    clearTimeout(expiry);
    database.close();
  }
}
