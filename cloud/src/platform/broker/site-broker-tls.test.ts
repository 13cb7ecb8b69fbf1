import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { TLS_EVENTS, TlsFiles } from '@hlid/node/tls-files';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { TestAuthority } from '@hlid/protocol/test/certificates';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENTS } from '../events.ts';
import { type BrokerTls, SiteBroker } from './site-broker.ts';

const authority = new TestAuthority();
const stranger = new TestAuthority('Somebody else');
const LOCALHOST = { name: 'cloud', hosts: ['localhost', '127.0.0.1'] };
const SECRETS = new Map([
  ['site-a', 'secret-a'],
  ['site-b', 'secret-b'],
]);

let folder: string;
let files: TlsFiles;
let broker: SiteBroker;
let port: number;
let logged: { event: string; reason?: string }[];
let received: string[];
let clients: MqttClient[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-broker-tls-'));
  logged = [];
  received = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.end(true);
  await broker.stop();
  files.stop();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);

function deploy({ cert, key } = authority.issue(LOCALHOST)): void {
  writeFileSync(at('cert.pem'), cert);
  writeFileSync(at('key.pem'), key);
  writeFileSync(at('sites-ca.pem'), authority.cert);
}

async function start(clientCertificates: BrokerTls['clientCertificates'] = 'accepted'): Promise<void> {
  deploy();
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  files = new TlsFiles({ cert: at('cert.pem'), key: at('key.pem'), ca: at('sites-ca.pem') }, { log });
  files.start();
  const admits = async (siteId: string, secret: string | null) =>
    secret === null ? SECRETS.has(siteId) : SECRETS.get(siteId) === secret;
  broker = new SiteBroker({ host: '127.0.0.1', port: 0, admits, tls: { files, clientCertificates }, log });
  broker.on('presence', (siteId, payload) => void received.push(`${siteId} ${Buffer.from(payload)}`));
  const { mqttUrl } = await broker.start();
  expect(mqttUrl).toMatch(/^mqtts:/);
  port = Number(new URL(mqttUrl).port);
}

async function connect(options: IClientOptions): Promise<MqttClient> {
  const given = { ca: authority.cert, reconnectPeriod: 0, ...options };
  const client = await connectAsync(`mqtts://localhost:${port}`, given, false);
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

const bySecret = (siteId: string) => ({ username: siteId, password: SECRETS.get(siteId) ?? 'none' });
const reasons = () => logged.filter(({ event }) => event === EVENTS.siteRefused).map(({ reason }) => reason);

/** The serial number of the certificate that the broker shows to a new connection. */
async function shownSerial(): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: authority.cert, servername: 'localhost' });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

describe('the broker by TLS', () => {
  it('lets a site in by its secret, and shows its certificate', async () => {
    await start();
    expect((await connect(bySecret('site-a'))).connected).toBe(true);
    const distrusting = connect({ ...bySecret('site-a'), ca: stranger.cert });
    await expect(distrusting).rejects.toThrow(/unable to verify|self.signed|issuer/i);
  });

  it('lets a site in by its certificate, without a secret, as itself only', async () => {
    await start();
    const client = await connect(authority.issue({ name: 'site-a' }));
    expect(broker.isConnected('site-a')).toBe(true);
    await client.publishAsync(siteTopics('site-a').presence, 'here', { qos: 1 });
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    client.publish(siteTopics('site-b').presence, 'forged', { qos: 0 });
    await closed;
    expect(received).toEqual(['site-a here']);
  });

  it.each([
    [
      'the login of another site',
      () => ({ ...authority.issue({ name: 'site-a' }), ...bySecret('site-b') }),
      'site-a',
    ],
    [
      'a wrong secret',
      () => ({ ...authority.issue({ name: 'site-a' }), username: 'site-a', password: 'x' }),
      'wrong',
    ],
    ['a site that is locked out', () => authority.issue({ name: 'site-c' }), 'wrong site'],
    [
      'another authority',
      () => ({ ...stranger.issue({ name: 'site-a' }), ...bySecret('site-a') }),
      'UNABLE_TO',
    ],
    ['an ended certificate', () => authority.issue({ name: 'site-a', untilDays: -0.5 }), 'CERT_HAS_EXPIRED'],
  ])('refuses a certificate with %s, and logs the reason', async (_case, options, reason) => {
    await start();
    await expect(connect(options())).rejects.toThrow();
    await expect.poll(reasons).toEqual([expect.stringContaining(reason)]);
    expect(broker.isConnected('site-a')).toBe(false);
  });

  it('can require a certificate besides the secret', async () => {
    await start('required');
    await expect(connect(bySecret('site-a'))).rejects.toThrow();
    await expect(connect(authority.issue({ name: 'site-a' }))).rejects.toThrow();
    await expect.poll(reasons).toEqual(['it has no certificate', 'it has no secret']);
    await connect({ ...authority.issue({ name: 'site-a' }), ...bySecret('site-a') });
  });

  it('drops what does not speak TLS', async () => {
    await start();
    const plain = connectAsync(
      `mqtt://127.0.0.1:${port}`,
      { ...bySecret('site-a'), reconnectPeriod: 0 },
      false,
    );
    await expect(plain).rejects.toThrow();
    await expect.poll(reasons).toEqual([expect.stringMatching(/^TLS: /)]);
  });

  it('uses a renewed certificate with the next connection, keeps the open ones, and refuses broken files', async () => {
    await start();
    const client = await connect(bySecret('site-a'));
    const first = await shownSerial();
    deploy();
    files.check();
    const second = await shownSerial();
    expect(second).not.toBe(first);
    const [own, foreign] = [authority.issue(LOCALHOST), authority.issue(LOCALHOST)];
    const bad = [
      { ...own, key: foreign.key },
      { ...own, cert: 'not a certificate' },
      authority.issue({ ...LOCALHOST, untilDays: -0.5 }),
    ];
    for (const next of bad) {
      deploy(next);
      // A repeated check changes nothing, and is not logged again.
      files.check();
      files.check();
      expect(files.problem()).not.toBeNull();
      expect(await shownSerial()).toBe(second);
    }
    expect(client.connected).toBe(true);
    const events = logged.map(({ event }) => event).filter((event) => event.startsWith('certificate.'));
    expect(events).toEqual([TLS_EVENTS.renewed, ...bad.map(() => TLS_EVENTS.refused)]);
  });
});
