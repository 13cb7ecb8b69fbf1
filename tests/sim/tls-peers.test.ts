import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedBroker } from '@hlid/cloud/platform/broker/shared-broker';
import { SiteBroker } from '@hlid/cloud/platform/broker/site-broker';
import { TlsFiles } from '@hlid/node/tls-files';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { TestAuthority } from '@hlid/protocol/test/certificates';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BROKER_EXAMPLE } from '../harness/deployed-broker.ts';
import { freePort, type RunningMosquitto, runMosquitto } from '../harness/mosquitto.ts';
import { waitFor } from '../harness/wait.ts';

const TOOLS = ['mosquitto', 'mosquitto_pub', 'mosquitto_sub'];
const installed = TOOLS.every((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0);

const log = pino({ level: 'silent' });
const authority = new TestAuthority();
const stranger = new TestAuthority('Somebody else');
const HERE = { name: 'broker', hosts: ['localhost'] };

let folder: string;
const stops: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-peers-'));
  writeFileSync(at('ca.pem'), authority.cert);
  writeFileSync(at('sites-ca.pem'), authority.cert);
  write('fullchain.pem', 'privkey.pem', authority.issue(HERE));
  for (const site of ['site-a', 'site-b'])
    write(`${site}.pem`, `${site}-key.pem`, authority.issue({ name: site }));
  write('stranger.pem', 'stranger-key.pem', stranger.issue({ name: 'site-a' }));
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);

function write(certName: string, keyName: string, { cert, key }: { cert: string; key: string }): void {
  writeFileSync(at(certName), cert);
  writeFileSync(at(keyName), key);
}

/** The arguments of a stock client that shows the certificate of a site. */
const as = (name: string, port: number) => [
  '-h',
  'localhost',
  '-p',
  String(port),
  '-V',
  '311',
  '-q',
  '1',
  '--cafile',
  at('ca.pem'),
  '--cert',
  at(`${name}.pem`),
  '--key',
  at(`${name}-key.pem`),
];

/** It does not use spawnSync: the broker may be in this process. */
async function publish(name: string, port: number, topic: string, message: string): Promise<number | null> {
  const child = spawn('mosquitto_pub', [...as(name, port), '-t', topic, '-m', message], { stdio: 'ignore' });
  return await new Promise((resolve) => child.once('close', resolve));
}

describe.skipIf(!installed)('stock MQTT programs and certificates of sites', () => {
  it('at the broker inside: mosquitto_pub by its certificate, without a secret', async () => {
    const paths = { cert: at('fullchain.pem'), key: at('privkey.pem'), ca: at('sites-ca.pem') };
    const files = new TlsFiles(paths, { log });
    const broker = new SiteBroker({
      host: '127.0.0.1',
      port: 0,
      log,
      admits: async (_siteId, secret) => secret === null,
      tls: { files, clientCertificates: 'accepted' },
    });
    const received: string[] = [];
    broker.on('presence', (siteId, payload) => void received.push(`${siteId} ${Buffer.from(payload)}`));
    files.start();
    const port = Number(new URL((await broker.start()).mqttUrl).port);
    stops.push(
      () => files.stop(),
      () => broker.stop(),
    );
    expect(await publish('site-a', port, siteTopics('site-a').presence, 'hello')).toBe(0);
    expect(await publish('site-a', port, siteTopics('site-b').presence, 'forged')).not.toBe(0);
    expect(await publish('stranger', port, siteTopics('site-a').presence, 'forged')).not.toBe(0);
    expect(received).toEqual(['site-a hello']);
  });

  it('at Mosquitto with deploy/broker: a site publishes as itself only, and the clouds have certificates too', async () => {
    const [sites, clouds] = [await freePort(), await freePort()];
    const acl = (name: string) => readFileSync(join(BROKER_EXAMPLE, name), 'utf8');
    for (const name of ['sites.acl', 'clouds.acl']) writeFileSync(at(name), acl(name));
    const example = acl('certificates.conf').replaceAll('/etc/mosquitto/hlid/', `${folder}/`);
    const forClouds = example.replace('8885', String(clouds)).replace('sites.acl', 'clouds.acl');
    const running: RunningMosquitto = await runMosquitto(
      `per_listener_settings true\n${example.replace('8885', String(sites))}\n${forClouds.replace('use_username_as_clientid true', '')}`,
    );
    stops.push(() => running.stop());
    write('cloud.pem', 'cloud-key.pem', authority.issue({ name: 'hlid-cloud' }));
    const files = new TlsFiles(
      { cert: at('cloud.pem'), key: at('cloud-key.pem'), ca: at('ca.pem') },
      { log },
    );
    files.start();
    const shared = new SharedBroker({ url: `mqtts://localhost:${clouds}`, log, tls: files });
    const received: string[] = [];
    shared.on('cmd/reply', (siteId, payload) => void received.push(`${siteId} ${Buffer.from(payload)}`));
    await shared.start();
    stops.push(
      () => files.stop(),
      () => shared.stop(),
    );
    const reply = (siteId: string) => `${siteTopics(siteId).root}/cmd/reply`;
    // The subscription takes a moment.
    await waitFor(
      async () => {
        await publish('site-a', sites, reply('site-a'), 'hello');
        return received.includes('site-a hello');
      },
      { what: 'a message of site A', detail: running.messages },
    );
    await publish('site-a', sites, reply('site-b'), 'forged');
    expect(await publish('stranger', sites, reply('site-a'), 'forged')).not.toBe(0);
    await publish('site-b', sites, reply('site-b'), 'after');
    await waitFor(() => received.includes('site-b after'), {
      what: 'a message of site B',
      detail: running.messages,
    });
    expect(received.filter((line) => line.includes('forged'))).toEqual([]);
  });
});
