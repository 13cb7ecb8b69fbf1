import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import tls, { type TLSSocket } from 'node:tls';
import { pinOf } from '@hlid/node/tls-files';
import { type Certified, TestAuthority } from '@hlid/protocol/test/certificates';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSession } from '../cloud-link/mqtt-session.ts';
import { certificateSignal } from '../health/health-signals.ts';
import { requestCloud } from './cloud-request.ts';
import { CloudTls, type CloudTlsSettings } from './cloud-tls.ts';

const authority = new TestAuthority();
const stranger = new TestAuthority('Somebody else');
const LOCALHOST = { name: 'cloud', hosts: ['localhost'] };
const present = authority.issue(LOCALHOST);
const next = authority.issue(LOCALHOST);
const pin = ({ cert }: Certified) => pinOf(new X509Certificate(cert));

let folder: string;
let server: https.Server;
let url: string;
let clients: string[];
let cloud: CloudTls | null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-cloud-tls-'));
  clients = [];
  cloud = null;
  writeFileSync(at('ca.pem'), authority.cert);
  await serve(present);
});
afterEach(() => {
  cloud?.stop();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);

async function serve(certified: Certified): Promise<void> {
  const options = { ...certified, requestCert: true, rejectUnauthorized: false };
  server = https.createServer(options, (request, response) => {
    const { CN = 'nobody' } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
    clients.push(String(CN));
    // Each request has its own connection, which checks everything again.
    response.setHeader('connection', 'close').end('answered');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
}

function trust(settings: CloudTlsSettings): CloudTls {
  cloud = new CloudTls(settings, { log: pino({ level: 'silent' }), checkEveryMs: 20 });
  cloud.start();
  return cloud;
}

const signal = AbortSignal.timeout(30_000);

async function get(): Promise<string> {
  const answer = await requestCloud(url, { signal, ...(cloud && { tls: cloud }) });
  return await text(answer.body);
}

/** Connects by MQTT to a server that only shows its certificate. */
async function connectMqtt(): Promise<string> {
  return await openSession(
    {
      url: url.replace('https:', 'mqtts:'),
      clientId: 'edge',
      username: 'site',
      password: 'secret',
      subscriptions: [],
      keepaliveSeconds: 30,
      connectTimeoutMs: 5000,
      will: { topic: 'hlid/v1/site/presence', payload: '' },
      tls: cloud?.options('mqtt'),
    },
    signal,
  ).then(
    () => 'connected',
    (error: Error) => error.message,
  );
}

it('trusts the authority that it is given, and no other', async () => {
  await expect(get()).rejects.toThrow(/unable to verify|issuer|self.signed/i);
  trust({ ca: at('ca.pem') });
  expect(await get()).toBe('answered');
  writeFileSync(at('other.pem'), stranger.cert);
  cloud?.stop();
  trust({ ca: at('other.pem') });
  await expect(get()).rejects.toThrow(/unable to verify|issuer|self.signed/i);
});

it('trusts nobody while the file of its authority is missing', async () => {
  const own = trust({ ca: at('missing.pem') });
  expect(own.options('http').ca).toEqual([]);
  await expect(get()).rejects.toThrow(/unable to verify|issuer|self.signed/i);
  expect(own.problems()).toEqual([expect.stringContaining('missing.pem cannot be used')]);
  writeFileSync(at('missing.pem'), authority.cert);
  await expect.poll(() => own.problems()).toEqual([]);
  expect(await get()).toBe('answered');
});

it('wants the pinned key, by HTTP and by MQTT, the present one or the next', async () => {
  const pinned = { ca: at('ca.pem'), pin: [pin(present), pin(next)] };
  trust(pinned);
  expect(await get()).toBe('answered');
  server.closeAllConnections();
  server.close();
  await serve(next);
  expect(await get()).toBe('answered');
  cloud?.stop();
  trust({ ...pinned, pin: [pin(present)] });
  const refusal = `expected ${pin(present)}, seen ${pin(next)}. If the operator confirms the new key, add it to cloud.pin`;
  await expect(get()).rejects.toThrow(refusal);
  expect(await connectMqtt()).toContain(refusal);
  expect(clients).toHaveLength(2);
});

it('does not accept a pinned key without a certificate that is right', async () => {
  trust({ pin: [pin(present)] });
  await expect(get()).rejects.toThrow(/unable to verify|issuer|self.signed/i);
  trust({ ca: at('ca.pem'), pin: [pin(present)] });
  url = url.replace('localhost', '127.0.0.1');
  await expect(get()).rejects.toThrow(/altnames/);
});

it('shows its own certificate, a renewed one with the next connection, and sees when the cloud’s ends', async () => {
  const write = ({ cert, key }: Certified) => {
    writeFileSync(at('site.pem'), cert);
    writeFileSync(at('site-key.pem'), key);
  };
  write(authority.issue({ name: 'site-a' }));
  const own = trust({ ca: at('ca.pem'), cert: at('site.pem'), key: at('site-key.pem') });
  await get();
  write(authority.issue({ name: 'site-b', fromDays: -80, untilDays: 10 }));
  await expect.poll(async () => (await get()) && clients.at(-1)).toBe('site-b');
  expect(clients[0]).toBe('site-a');
  const now = Date.now();
  expect(certificateSignal(own.certificates(), own.problems(), now)).toMatchObject({
    state: 'expiring',
    detail: expect.stringMatching(/^\S+site\.pem is valid until [^;]+$/),
  });
  expect(certificateSignal(own.certificates(), [], now + 80 * 86_400_000)).toMatchObject({
    state: 'failing',
    detail: expect.stringMatching(/^\S+site\.pem is valid until [^;]+$/),
  });
  expect(own.certificates().map(({ path }) => path)).toContain("the cloud's (http)");
});

it('refuses a cloud whose certificate has ended', async () => {
  server.closeAllConnections();
  server.close();
  await serve(authority.issue({ ...LOCALHOST, untilDays: -0.5 }));
  trust({ ca: at('ca.pem') });
  await expect(get()).rejects.toThrow(/expired/);
});

it('goes on after a lost connection that was used again', async () => {
  server.closeAllConnections();
  server.close();
  const sockets: tls.TLSSocket[] = [];
  // Answers each first request of a connection, and drops the connection at the second.
  const raw = tls.createServer(present, (socket) => {
    sockets.push(socket);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      socket.once('data', () => socket.destroy());
    });
    socket.on('error', () => undefined);
  });
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  url = `https://localhost:${(raw.address() as AddressInfo).port}`;
  trust({ ca: at('ca.pem') });
  try {
    expect([await get(), await get()]).toEqual(['ok', 'ok']);
    expect(sockets).toHaveLength(2);
  } finally {
    for (const socket of sockets) socket.destroy();
    raw.close();
  }
});
