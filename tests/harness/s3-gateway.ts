import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Config } from '@hlid/node/s3-bucket';
import { freePort } from './mosquitto.ts';
import { spawnServer } from './server-process.ts';
import { waitFor } from './wait.ts';

/** The S3 server: named by the environment (HLID_VERSITYGW), or on the path. */
const GATEWAY = process.env['HLID_VERSITYGW'] ?? 'versitygw';

/** Whether an S3 server of others is on this machine: `go install github.com/versity/versitygw/cmd/versitygw@latest`. */
export const S3_GATEWAY_INSTALLED = spawnSync(GATEWAY, ['--version']).status === 0;

/** An S3 server with one empty bucket, on a free port of the loopback. */
export async function startS3Gateway(access: Omit<S3Config, 'endpoint'>) {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-s3-'));
  const [objects, properties] = [join(folder, 'objects'), join(folder, 'properties')];
  await mkdir(join(objects, access.bucket), { recursive: true });
  await mkdir(properties);
  const address = `127.0.0.1:${await freePort()}`;
  const { accessKeyId, secretAccessKey, region } = access;
  const args = ['--access', accessKeyId, '--secret', secretAccessKey, '--region', region, '--port', address];
  const server = spawnServer(GATEWAY, [...args, '--quiet', 'posix', '--sidecar', properties, objects]);
  const endpoint = `http://${address}`;
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => server.hasEnded(),
    );
  await waitFor(answers, { what: 'the S3 server', detail: server.messages });
  if (server.hasEnded()) throw new Error(`the S3 server has ended: ${server.messages()}`);
  return {
    endpoint,
    async close() {
      await server.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
