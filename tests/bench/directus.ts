import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { newSecret } from '../harness/new-secret.ts';
import { waitFor } from '../harness/wait.ts';
import { freePort, installPeer } from './peer-program.ts';

const HOME = fileURLToPath(new URL('directus', import.meta.url));
const PROGRAM = join(HOME, 'node_modules/directus/cli.js');
const SQLITE = join(HOME, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
const READY_WITHIN_MS = 120_000;

export function directusIsInstalled(): boolean {
  return existsSync(PROGRAM) && existsSync(SQLITE);
}

/** Installs Directus and its SQLite driver into `tests/bench/directus/node_modules`. */
export function installDirectus(): void {
  installPeer('Directus', HOME, directusIsInstalled);
}

/** The fields of a visit that Directus stores: fewer than ours. */
const TEXTS = ['site_id', 'plate', 'status', 'payment_status', 'started_at', 'ended_at', 'created_at'];
const COLUMNS = ['id', ...TEXTS, 'amount_minor', 'currency'].join(', ');

export interface Directus {
  url: string;
  /** The token of a user who may read and create visits, and nothing else. */
  token: string;
  stop(): Promise<void>;
}

/**
 * Directus on SQLite with the visits of a cloud's database and the same indexes for the same lists, in a mode
 * as fast as ours (WAL). It is lean: it runs without its pages, telemetry and limits.
 */
export async function startDirectus(cloudDb: string): Promise<Directus> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-directus-'));
  const port = await freePort();
  const adminToken = newSecret();
  const dbPath = join(folder, 'directus.db');
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    KEY: newSecret(),
    SECRET: newSecret(),
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: dbPath,
    STORAGE_LOCAL_ROOT: join(folder, 'files'),
    ADMIN_EMAIL: 'admin@example.is',
    ADMIN_PASSWORD: newSecret(),
    ADMIN_TOKEN: adminToken,
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    PRESSURE_LIMITER_ENABLED: 'false',
  };
  const bootstrap = spawnSync(process.execPath, [PROGRAM, 'bootstrap'], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  if (bootstrap.status !== 0) throw new Error(`directus bootstrap ended (${bootstrap.status})`);
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const child = spawn(process.execPath, [PROGRAM, 'start'], { cwd: folder, env, stdio: 'inherit' });
    const gone = once(child, 'close');
    const stop = async () => {
      child.kill();
      await gone;
    };
    const ready = async () => {
      if (child.exitCode !== null) throw new Error(`Directus has ended (${child.exitCode})`);
      const answer = await fetch(`${url}/server/ping`).catch(() => null);
      return answer?.ok || null;
    };
    await waitFor(ready, { what: 'Directus', withinMs: READY_WITHIN_MS }).catch(async (error) => {
      await stop();
      throw error;
    });
    return stop;
  };
  const stopFirst = await start();
  const token = await makeCollection(url, adminToken).finally(stopFirst);
  copyVisits(cloudDb, dbPath);
  const stop = await start();
  return {
    url,
    token,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const MadeSchema = z.object({ data: z.object({ id: z.string() }) });

/** The collection of visits, and a user who may read and create them. @returns the user's token */
async function makeCollection(url: string, adminToken: string): Promise<string> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Directus answered POST ${path} with ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const make = async (path: string, body: object) => MadeSchema.parse(await post(path, body)).data.id;
  const field = (name: string, type: string) => ({ field: name, type, schema: {}, meta: {} });
  await post('/collections', {
    collection: 'visit',
    schema: {},
    meta: {},
    fields: [
      { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
      ...TEXTS.map((name) => field(name, 'string')),
      field('amount_minor', 'integer'),
      field('currency', 'string'),
    ],
  });
  const role = await make('/roles', { name: 'Operators' });
  const policy = await make('/policies', { name: 'Operators', admin_access: false, app_access: false });
  await post('/access', { role, policy });
  for (const action of ['read', 'create']) {
    await post('/permissions', { policy, collection: 'visit', action, permissions: {}, fields: ['*'] });
  }
  const token = newSecret();
  await post('/users', { email: 'operator@example.is', password: newSecret(), role, token });
  return token;
}

function copyVisits(from: string, to: string): void {
  const db = new Database(to);
  db.pragma('journal_mode = WAL');
  db.prepare('ATTACH ? AS cloud').run(from);
  const values = COLUMNS.replaceAll(/\w+_at/g, "strftime('%Y-%m-%dT%H:%M:%fZ', $& / 1000.0, 'unixepoch')");
  db.exec(`INSERT INTO visit (${COLUMNS}) SELECT ${values} FROM cloud.visit;
    CREATE INDEX visit_by_plate ON visit (plate, started_at);
    CREATE INDEX visit_by_site ON visit (site_id, started_at);`);
  db.close();
}
