import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { listen } from '@hlid/node/listen';
import { isFault } from '@hlid/protocol/base/fault';
import { connectAsync } from 'mqtt';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CloudMetrics } from '../integration/monitor/cloud-metrics.ts';
import { monitorApp } from '../integration/monitor/monitor.ts';
import { type CloudConfig, readConfig } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import { openDb } from '../platform/db/libsql-db.ts';
import { sql } from '../platform/db/sql.ts';
import { WriteWatch } from '../platform/db/write-watch.ts';
import { Cloud } from './cloud.ts';

const OPERATOR = { id: 'ops', password: 'long enough' };
const API_KEY = '0123456789abcdef';
const FREE = { host: '127.0.0.1', port: 0, tls: null };

let folder: string;
let running: Cloud[];
let shown: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-cloud-'));
  running = [];
  shown = [];
});

afterEach(async () => {
  for (const cloud of running) await cloud.stop();
  rmSync(folder, { recursive: true });
});

async function start(config: Partial<CloudConfig> = {}) {
  const cloud = new Cloud(
    {
      ...readConfig({ HLID_DATA_DIR: folder }),
      dataDir: join(folder, 'data'),
      logLevel: 'silent',
      http: FREE,
      mqtt: FREE,
      operator: OPERATOR,
      apiKey: API_KEY,
      ...config,
    },
    { log: pino({ level: 'silent' }), clock: systemClock, showOnce: (text) => shown.push(text) },
  );
  running.push(cloud);
  return { cloud, ...(await cloud.start()) };
}

const AnswerSchema = z
  .looseObject({
    access_token: z.string(),
    id: z.string(),
    secret: z.string(),
    code: z.string(),
    mqttUrl: z.string(),
  })
  .partial();

async function post(url: string, headers: Record<string, string>, body?: unknown) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...AnswerSchema.parse(await answer.json()) };
}

async function logIn(httpUrl: string, apiKey = API_KEY): Promise<Record<string, string>> {
  const body = { device_uuid: 'test', provider: 'password', ...OPERATOR };
  const { access_token } = await post(`${httpUrl}/auth/login`, { 'x-api-key': apiKey }, body);
  return { Authorization: `Bearer ${access_token}` };
}

const SITE = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };

const connect = (mqttUrl: string, username: string, password: string) =>
  connectAsync(mqttUrl, { username, password, clientId: `${username}-test`, reconnectPeriod: 0 }, false);

describe('the cloud', () => {
  it('lets a new site in, drops it when its secret is renewed, and knows it after a restart', async () => {
    const first = await start();
    const operator = await logIn(first.httpUrl);
    const { id = '', secret = '' } = await post(`${first.httpUrl}/sites`, operator, SITE);
    const client = await connect(first.mqttUrl, id, secret);
    const dropped = new Promise((resolve) => client.once('close', () => resolve(true)));
    const renewed = await post(`${first.httpUrl}/sites/${id}/credentials`, operator);
    expect(await dropped).toBe(true);
    await expect(connect(first.mqttUrl, id, secret)).rejects.toThrow();

    const again = await connect(first.mqttUrl, id, renewed.secret ?? '');
    again.on('error', () => undefined);
    await first.cloud.stop();
    const second = await start();
    const site = await connect(second.mqttUrl, id, renewed.secret ?? '');
    expect(site.connected).toBe(true);
    site.end(true);
    expect(shown).toEqual([]);
  });

  it('has sites speak MQTT by WebSocket through the proxy with TLS that its public address names', async () => {
    const { cloud, httpUrl } = await start({ publicUrl: 'https://parking.example:8443' });
    const operator = await logIn(httpUrl);
    const { id = '' } = await post(`${httpUrl}/sites`, operator, SITE);
    const { code } = await post(`${httpUrl}/sites/${id}/enrolment`, operator);
    const { mqttUrl = '', secret = '' } = await post(`${httpUrl}/edge/enrol`, {}, { code });
    expect(mqttUrl).toBe('wss://parking.example:8443/mqtt');
    const client = await connect(
      mqttUrl.replace('wss://parking.example:8443', httpUrl.replace('http', 'ws')),
      id,
      secret,
    );
    const gone = new Promise((resolve) => client.once('close', () => resolve(true)));
    await cloud.stop();
    expect(await gone).toBe(true);
  });

  it('keeps idle connections longer than the proxy in front, which closes them first', async () => {
    const { httpUrl } = await start();
    const { headers } = await fetch(`${httpUrl}/ping`);
    expect(headers.get('keep-alive')).toBe('timeout=130');
  });

  it('shows what it makes up at the first start, once', async () => {
    const first = await start({ operator: null, apiKey: null });
    expect(shown).toEqual([
      expect.stringMatching(/^First operator: id \S+, password \S{12,}$/),
      expect.stringMatching(/^API key: \S{20,}$/),
    ]);
    await first.cloud.stop();
    await start({ operator: null, apiKey: null });
    expect(shown).toHaveLength(2);
  });

  it.each(['http', 'mqtt'] as const)('leaves nothing open where its %s port is taken', async (which) => {
    const other = createServer();
    const address = await listen(other, FREE, 'none');
    const taken = { ...FREE, port: Number(address.split(':')[1]) };
    const failed = await start({ [which]: taken }).catch((error: unknown) => error);
    expect(isFault(failed, 'config-invalid') && failed.message).toContain(
      which === 'http' ? 'HLID_CLOUD_PORT' : 'HLID_MQTT_PORT',
    );
    await new Promise((resolve) => other.close(resolve));
    await start({ [which]: taken });
  });
});

describe('an address that is missing at boot', () => {
  it.each(['http', 'mqtt', 'monitor'] as const)('of %s keeps nothing else from starting', async (which) => {
    const { httpUrl, mqttUrl } = await start({ [which]: { ...FREE, host: '203.0.113.7' } });
    if (which === 'http') expect(mqttUrl).toMatch(/127\.0\.0\.1:[1-9]/);
    else expect((await fetch(`${httpUrl}/ping`)).status).toBe(200);
  });
});

describe('the monitor', () => {
  it('never takes the cloud down: where its port is taken, it waits for it', async () => {
    const other = createServer();
    const address = await listen(other, FREE, 'none');
    const { httpUrl } = await start({ monitor: { ...FREE, port: Number(address.split(':')[1]) } });
    expect((await fetch(`${httpUrl}/ping`)).status).toBe(200);
    await new Promise((resolve) => other.close(resolve));
  });

  it('reports health and metrics on an address of its own, by route, never by plate', async () => {
    const { httpUrl, monitorUrl } = await start({ monitor: FREE });
    const health = await fetch(`${monitorUrl}/health`);
    expect([health.status, await health.json()]).toMatchObject([
      200,
      { status: 'ok', faults: [], concerns: [], state: { sites: { connected: 0, away: 0 } } },
    ]);
    await fetch(`${httpUrl}/visit/QXZ77`);
    const text = await (await fetch(`${monitorUrl}/metrics`)).text();
    expect(text).toMatch(
      /hlid_http_request_duration_seconds_count\{method="GET",route="\/visit\/:id",status="4xx"\} 1/,
    );
    expect(text).not.toContain('QXZ77');
    expect(text).toMatch(/hlid_job_last_done_timestamp_seconds\{name="[\w-]+"\} \d+/);
    expect(text).toMatch(/hlid_database_bytes\{file="database"\} [1-9]/);
    expect((await fetch(`${httpUrl}/metrics`)).status).toBe(404);
  });

  it('fails while the database does not answer, and has no address unless it is configured', async () => {
    const { monitorUrl, cloud } = await start();
    expect(monitorUrl).toBeNull();
    await cloud.stop();
    const db = { read: () => Promise.reject(new Error('no such server')) } as unknown as Db;
    const app = monitorApp({
      db: new WriteWatch(db),
      clock: systemClock,
      metrics: new CloudMetrics(null),
      tlsFiles: [],
    });
    const health = await app.request('/health');
    expect([health.status, await health.json()]).toMatchObject([
      503,
      { status: 'failing', faults: ['the database cannot be read: no such server'], state: null },
    ]);
    expect((await app.request('/metrics')).status).toBe(200);
  });

  it('fails from a transaction for which there was no room until one is stored again', async () => {
    const db = new WriteWatch(await openDb(join(folder, 'full.db')));
    try {
      const app = monitorApp({ db, clock: systemClock, metrics: new CloudMetrics(null), tlsFiles: [] });
      const health = async () => (await app.request('/health')).json();
      const limit = (pages: number) =>
        db.write(async ({ q }) => void (await q.all(sql.raw(`PRAGMA max_page_count = ${pages}`))));
      const fill = () => db.write(async ({ q }) => void (await q.run(sql`CREATE TABLE more (id)`)));
      await limit(1);
      await expect(fill()).rejects.toThrow();
      expect(await health()).toMatchObject({
        status: 'failing',
        faults: [expect.stringMatching(/^the database cannot be written: .*full/)],
      });
      await limit(1_000_000);
      await fill();
      expect(await health()).toMatchObject({ status: 'ok', faults: [] });
    } finally {
      await db.close();
    }
  });
});
