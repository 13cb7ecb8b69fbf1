import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client';
import { freePort } from './mosquitto.ts';
import { waitFor } from './wait.ts';

/** The libSQL server: named by the environment (HLID_SQLD), or on the path. */
const SQLD = process.env['HLID_SQLD'] ?? 'sqld';

/** Whether a libSQL server is on this machine. It stands in no registry: github.com/tursodatabase/libsql, `libsql-server`. */
export const SQLD_INSTALLED = spawnSync(SQLD, ['--version']).status === 0;

/** A libSQL server at work, with one database. */
export interface Sqld {
  /** For clouds: HLID_DATABASE_URL and HLID_DATABASE_TOKEN. */
  env: Record<string, string>;
  client: Client;
  /** As a power cut does it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A libSQL server on a free port of the loopback, which asks clients for a token that it can check. */
export async function startSqld(): Promise<Sqld> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-sqld-'));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, 'clients.pem');
  await writeFile(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const content = [{ alg: 'EdDSA', typ: 'JWT' }, { a: 'rw' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const token = `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
  const address = `127.0.0.1:${await freePort()}`;
  const client = createClient({ url: `http://${address}`, authToken: token });
  const args = [
    ...['--db-path', join(folder, 'data.sqld')],
    ...['--http-listen-addr', address],
    ...['--auth-jwt-key-file', keyFile],
    '--no-welcome',
  ];
  let end: (signal: NodeJS.Signals) => Promise<void> = async () => undefined;

  async function start() {
    let messages = '';
    let isOver = false;
    const child = spawn(SQLD, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => (messages += String(piece)));
    const gone = new Promise<void>((resolve) =>
      child.once('close', () => {
        isOver = true;
        resolve();
      }),
    );
    end = async (signal) => {
      child.kill(signal);
      await gone;
    };
    const answers = async () =>
      isOver ||
      (await client.execute('SELECT 1').then(
        () => true,
        () => false,
      ));
    await waitFor(answers, { what: 'the libSQL server', detail: () => messages });
    if (isOver) throw new Error(`the libSQL server has ended: ${messages}`);
  }

  await start();
  return {
    env: { HLID_DATABASE_URL: `http://${address}`, HLID_DATABASE_TOKEN: token },
    client,
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      client.close();
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
