import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nowUtc, systemClock } from '@hlid/node/clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSmtpServer } from '../../../test/smtp-server.ts';
import { readConfig } from '../../platform/config.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { Cloud } from '../../program/cloud.ts';
import { findMail } from './mail-store.ts';
import { queueMail } from './queue-mail.ts';

const FREE = { host: '127.0.0.1', port: 0, tls: null };
const OPERATOR = { id: 'ops', password: 'long enough' };

let dataDir: string;
let server: Awaited<ReturnType<typeof startSmtpServer>>;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hlid-cloud-mail-'));
  server = await startSmtpServer();
});
afterEach(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

/** The whole cloud, with a mail server or without. */
function cloud(environment: Record<string, string>) {
  const config = readConfig({ HLID_DATA_DIR: dataDir, ...environment });
  const log = pino({ level: 'silent' });
  return new Cloud(
    { ...config, http: FREE, mqtt: FREE, operator: OPERATOR, apiKey: '0123456789abcdef' },
    { log, clock: systemClock, showOnce: () => undefined },
  );
}

async function withDb<Result>(work: (db: Awaited<ReturnType<typeof openDb>>) => Promise<Result>) {
  const db = await openDb(join(dataDir, 'cloud.db'));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

it('mail that was queued without a mail server goes out once the cloud is started with one', async () => {
  const mail = {
    to: 'jon@example.is',
    language: 'is',
    subject: 'Kvittun',
    text: 'Takk.',
    kind: 'receipt',
  } as const;
  const id = await withDb((db) => db.write((tx) => queueMail(tx, mail, nowUtc(systemClock))));

  const without = cloud({});
  await without.start();
  await without.stop();
  expect(await withDb((db) => db.read((q) => findMail(q, id)))).toMatchObject({
    status: 'waiting',
    attempts: 0,
  });

  const noticed = server.noticing();
  const withServer = cloud({ HLID_SMTP_URL: server.url, HLID_MAIL_FROM: 'Hlið <hlid@example.is>' });
  await withServer.start();
  await noticed;
  await withServer.stop();
  expect(server.received.map(({ to }) => to)).toEqual([['jon@example.is']]);
  expect(await withDb((db) => db.read((q) => findMail(q, id)))).toMatchObject({
    status: 'sent',
    attempts: 1,
  });
});
