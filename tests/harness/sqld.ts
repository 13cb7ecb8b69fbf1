import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client';
import { freePort } from './mosquitto.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { waitFor } from './wait.ts';

/** The libSQL server: named by the environment (HLID_SQLD, empty: not), or on the path. */
const SQLD = process.env['HLID_SQLD'] || 'sqld';

/** Whether a libSQL server is on this machine. It stands in no registry: github.com/tursodatabase/libsql, `libsql-server`. */
export const SQLD_INSTALLED = spawnSync(SQLD, ['--version']).status === 0;

const COPIED_WITHIN_MS = 600_000;

/** A libSQL server at work, with one database. */
export interface Sqld {
  /** The environment for clouds: HLID_DATABASE_URL and HLID_DATABASE_TOKEN. */
  env: Record<string, string>;
  client: Client;
  /** A second server that copies this one and answers reads by itself. */
  startReplica(): Promise<Sqld>;
  /** Stops the server like a power cut. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends the server: it answers no request, and keeps its connections, until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/**
 * The key of a server and its replicas: the token that clients send, and the file with which the server
 * checks it.
 */
interface ClientKey {
  token: string;
  file: string;
}

async function makeClientKey(folder: string): Promise<ClientKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const file = join(folder, 'clients.pem');
  await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
  const content = [{ alg: 'EdDSA', typ: 'JWT' }, { a: 'rw' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return { file, token: `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}` };
}

/**
 * A libSQL server on a free port of the loopback, which asks clients for a token that it can check.
 *
 * @param given a database file to begin with, which it takes; or the primary server of this replica; or a
 *   folder for its data, which its owner removes
 */
export async function startSqld(
  given: { database?: string; primary?: { url: string; key: ClientKey }; dataFolder?: string } = {},
): Promise<Sqld> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-sqld-'));
  const key = given.primary?.key ?? (await makeClientKey(folder));
  const [address, copies] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const client = createClient({ url: `http://${address}`, authToken: key.token });
  const data = join(given.dataFolder ?? folder, 'data.sqld');
  if (given.database !== undefined) {
    await mkdir(join(data, 'dbs', 'default'), { recursive: true });
    await rename(given.database, join(data, 'dbs', 'default', 'data'));
  }
  const args = [
    '--db-path',
    data,
    '--http-listen-addr',
    address,
    '--auth-jwt-key-file',
    key.file,
    '--no-welcome',
    ...(given.primary ? ['--primary-grpc-url', given.primary.url] : ['--grpc-listen-addr', copies]),
  ];
  let server: ServerProcess;

  async function start() {
    server = spawnServer(SQLD, args, { cwd: folder });
    const answers = async () =>
      server.hasEnded() ||
      (await client.execute('SELECT 1').then(
        () => true,
        () => false,
      ));
    // It reads a database that it is given, and copies that of its primary, before it answers.
    const withinMs =
      given.database === undefined && given.primary === undefined ? undefined : COPIED_WITHIN_MS;
    const patience = { what: 'the libSQL server', detail: server.messages };
    await waitFor(answers, { ...patience, ...(withinMs !== undefined && { withinMs }) });
    if (server.hasEnded()) throw new Error(`the libSQL server has ended: ${server.messages()}`);
  }

  await start();
  return {
    env: { HLID_DATABASE_URL: `http://${address}`, HLID_DATABASE_TOKEN: key.token },
    client,
    start,
    startReplica: () => startSqld({ primary: { url: `http://${copies}`, key } }),
    kill: () => server.end('SIGKILL'),
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async stop() {
      client.close();
      // One that is paused ends as soon as it goes on.
      server.signal('SIGCONT');
      await server.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
