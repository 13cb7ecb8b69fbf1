import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInShell } from '@hlid/edge/test/shell';
import { expect, it, onTestFinished } from 'vitest';
import { SELF_SIGNED } from './self-signed.ts';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function enrolAt(cloud: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { HLID_DATA_DIR: folder };
  return await runInShell(['enrol', 'K7QF-3M2X', '--cloud', cloud], { environment });
}

it('a cloud with an untrusted certificate gets no code', async () => {
  let asked = 0;
  const server = createTlsServer(SELF_SIGNED, (_request, response) => {
    asked++;
    response.end('{}');
  });
  const { code, complaint } = await enrolAt(`https://127.0.0.1:${await portOf(server)}`);
  expect([code, asked]).toEqual([1, 0]);
  expect(complaint).toMatch(/this machine does not trust the issuer of its certificate/);
});

it('an https address of a cloud without TLS has its own error message', async () => {
  const { complaint } = await enrolAt(`https://127.0.0.1:${await portOf(createHttpServer())}`);
  expect(complaint).toMatch(/it does not use TLS: try http:\/\/ instead of https:\/\//);
});

it('a line that is cut before the answer allows another try', async () => {
  const server = createTcpServer((socket) => socket.once('data', () => socket.destroy()));
  const { code, complaint } = await enrolAt(`http://127.0.0.1:${await portOf(server)}`);
  expect(code).toBe(1);
  expect(complaint).toMatch(/cut before the answer came\nRun the same command again/);
});
