import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import type { Logger } from 'pino';
import { seedApiKey } from './accounts/seed-api-key.ts';
import { seedOperator } from './accounts/seed-operator.ts';
import { createApp } from './app.ts';
import { SiteBroker } from './broker/site-broker.ts';
import type { Clock } from './clock.ts';
import type { CloudConfig } from './config.ts';
import type { Db } from './db/db.ts';
import { openDb } from './db/libsql-db.ts';
import { FeedPush } from './feed/feed-push.ts';
import { Ingest } from './ingest/ingest.ts';
import { listen } from './listen.ts';
import { checkSiteSecret } from './sites/site-credentials.ts';
import { SitePresence } from './sites/site-presence.ts';
import { SITE_LOCKED_OUT } from './sites/sites.ts';

export interface CloudParts {
  log: Logger;
  clock: Clock;
  /** Takes secrets that were made up at the first start, to be shown to a person this once. */
  showOnce(text: string): void;
}

export interface Cloud {
  /** Resolves when everything answers. Throws Fault where something cannot be had, such as a port. */
  start(): Promise<{ httpUrl: string; mqttUrl: string }>;
  /** Ends in the reverse order; what was acknowledged is durable anyhow. */
  stop(): Promise<void>;
}

/** Requests in hand get so long to end when the cloud stops. */
const STOPPING_MS = 5000;

/** The composition root: which part is made of which, and in what order they start and stop. */
export function createCloud(config: CloudConfig, parts: CloudParts): Cloud {
  const { log, clock } = parts;
  const stops: (() => Promise<void>)[] = [];

  async function start() {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    const db = await openDb(join(config.dataDir, 'cloud.db'), { log });
    stops.push(() => db.close());
    await seed(db, config, parts);

    const broker = new SiteBroker({
      ...config.mqtt,
      log,
      checkSecret: (siteId, secret) => db.read((q) => checkSiteSecret(q, siteId, secret)),
    });
    const ingest = new Ingest({ db, bus: broker, clock, log });
    const presence = new SitePresence({ db, bus: broker, clock, log });
    const feedPush = new FeedPush({ db, bus: broker, log });
    ingest.start();
    await presence.start();
    dropLockedOut(db, broker);
    stops.push(
      () => presence.stop(),
      () => ingest.stop(),
      () => feedPush.stop(),
      () => broker.stop(),
    );
    const { mqttUrl } = await broker.start();
    await feedPush.start();

    const app = createApp({ db, log, clock });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    const { address } = await listen(server, config.http, 'HLID_CLOUD_PORT');
    stops.push(() => close(server));
    return { httpUrl: `http://${address}`, mqttUrl };
  }

  async function stop() {
    for (let step = stops.pop(); step; step = stops.pop()) await step();
  }

  return {
    async start() {
      try {
        return await start();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

async function seed(db: Db, config: CloudConfig, { clock, showOnce }: CloudParts): Promise<void> {
  const operator = await seedOperator(db, config.operator, clock);
  if (operator.made && operator.password !== null) {
    showOnce(`First operator: id ${operator.id}, password ${operator.password}`);
  }
  const apiKey = await seedApiKey(db, config.apiKey, clock);
  if (apiKey.made && apiKey.key !== null) showOnce(`API key: ${apiKey.key}`);
}

function dropLockedOut(db: Db, broker: SiteBroker): void {
  db.onAnnounced((names) => {
    for (const name of names) {
      if (name.startsWith(SITE_LOCKED_OUT)) broker.disconnect(name.slice(SITE_LOCKED_OUT.length));
    }
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), STOPPING_MS);
  await closed;
  clearTimeout(late);
}
