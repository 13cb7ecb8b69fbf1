import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';
import { incomeOf } from '@hlid/cloud/integration/reports/income-store';
import type { Queries } from '@hlid/cloud/platform/db/db';
import { countVisits, listVisits } from '@hlid/cloud/stays/visits/list/visit-list-store';
import { newId } from '@hlid/node/new-id';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { createAdaptorServer } from '@hono/node-server';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { type Context, Hono } from 'hono';
import { storedId } from '../harness/stored-columns.ts';

/**
 * The floor under the cloud's lists: bare Hono and better-sqlite3 with the very SQL that the cloud runs. It
 * has no login, no rights and no schemas, and sends rows as they come.
 *
 * Argument: the cloud's database, or a copy of it.
 */
const [, , path = ''] = argv;
const db = new Database(path);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma('cache_size = -16384');

/** The texts that the cloud's own queries send to the database, and what they bind: our marks among it. */
const asked: { sql: string; params: unknown[] }[] = [];
const client = drizzle({ client: db, logger: { logQuery: (sql, params) => asked.push({ sql, params }) } });
const q = client as unknown as Queries;

/**
 * This SQLite reads the value of a bare `LIMIT ?` when it plans, and so would plan the statement at every
 * run.
 */
function plannedOnce(text: string): string {
  return text.replaceAll(/\blimit \?/gi, 'limit ? + 0');
}

async function captured(ask: () => Promise<unknown>) {
  asked.length = 0;
  await ask();
  return asked.map(({ sql, params }) => {
    const statement = db.prepare(plannedOnce(sql)).raw();
    return (values: Readonly<Record<string, string | number>>): unknown[][] =>
      statement.all(params.map((param) => values[String(param)] ?? param)) as unknown[][];
  });
}

const firstPage = { cursor: undefined, limit: 51 };
const byPlate = await captured(async () => {
  const filters = { plateFrom: 'FOLDED', plateBefore: 'FOLDED-END', plateInside: 'FOLDED' };
  await listVisits(q, { filters, plate: 'PLATE' }, firstPage);
  await countVisits(q, filters);
});
/** Placeholders for times that the statement has as milliseconds. */
const DAY = { from: '2000-01-01T00:00:00.000Z', before: '2000-01-02T00:00:00.000Z' };
const byDay = await captured(async () => {
  const filters = { from: DAY.from, before: DAY.before };
  await listVisits(q, { filters, plate: undefined }, firstPage);
  await countVisits(q, filters);
});
const income = await captured(() => incomeOf(q, { from: 'FROM', to: 'TO' }, 'month', undefined));

/** The next number of a site's feed, as the cloud counts it. */
const nextOfFeed = db.prepare('UPDATE feed_head SET n = n + 1 WHERE scope = ? RETURNING n').pluck();

/** Columns that are not as in the row that is copied. */
type Others = Readonly<Record<string, unknown>>;

/**
 * Writes a copy of a row with each call, under another key.
 *
 * @param which the end of the SQL that finds the row
 */
function copier(table: string, which: string): (others: Others) => void {
  const columns = (db.pragma(`table_info(${table})`) as { name: string; pk: number; type: string }[]).filter(
    // SQLite counts on by itself.
    ({ name, pk, type }) => !(pk === 1 && name !== 'site_id' && type.toLowerCase() === 'integer'),
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const row = db.prepare(`SELECT ${names} FROM ${table} ${which}`).get() as Record<string, unknown>;
  if (row === undefined) throw new Error(`${table} has no row of a visit that was begun: begin one first`);
  const insert = db.prepare(`INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  const newValue = ({ name, pk }: { name: string; pk: number }) => {
    const value = row[name];
    if (pk === 0 || name === 'site_id') return value;
    if (name === 'n') return nextOfFeed.get(row['site_id']);
    return Buffer.isBuffer(value) ? storedId(newId()) : newId();
  };
  return (others) =>
    insert.run(columns.map((column) => (column.name in others ? others[column.name] : newValue(column))));
}

const NEWEST = 'ORDER BY rowid DESC LIMIT 1';
/** Copies of the rows that the cloud wrote when an operator began a visit: all of them, in one transaction. */
const created = [
  copier('visit', `WHERE id = (SELECT visit_id FROM visit_step ${NEWEST})`),
  ...['visit_step', 'audit', 'integration_event', 'feed_change'].map((table) => copier(table, NEWEST)),
];
const create = db.transaction((others: Others) => created.map((write) => write(others)));

/** All that the list's statement brings of each visit, as it comes: some of its columns are JSON already. */
function page([list, count]: typeof byPlate, values: Readonly<Record<string, string | number>>): string {
  const isJson = (value: unknown) => typeof value === 'string' && value.startsWith('{');
  const text = (value: unknown) => (isJson(value) ? value : JSON.stringify(value));
  const rows = list?.(values).map((row) => `[${row.map(text).join(',')}]`) ?? [];
  return `{"data":[${rows.join(',')}],"total":${JSON.stringify(count?.(values))}}`;
}

function json(c: Context, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}

const app = new Hono();
app.get('/plate', (c) => {
  const plate = c.req.query('plate') ?? '';
  return json(c, page(byPlate, { PLATE: plate, FOLDED: plate, 'FOLDED-END': `${plate}\u{10FFFF}` }));
});
app.get('/day', (c) => {
  const ms = (moment: string | undefined) => Date.parse(moment ?? '');
  const values = { [ms(DAY.from)]: ms(c.req.query('from')), [ms(DAY.before)]: ms(c.req.query('before')) };
  return json(c, page(byDay, values));
});
app.get('/income', (c) => {
  const [FROM, TO] = [c.req.query('from') ?? '', c.req.query('to') ?? ''];
  return c.json({ data: income.map((ask) => ask({ FROM, TO })) });
});
app.post('/visit', async (c) => {
  const { plate } = await c.req.json<{ plate: string }>();
  // Copies of one plate would all lie at the same places of its indexes, which real ones do not.
  create({ plate, plate_folded: foldPlate(plate) });
  return c.json({ ok: true });
});

const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ event: 'floor.ready', port: (server.address() as AddressInfo).port }));
});
