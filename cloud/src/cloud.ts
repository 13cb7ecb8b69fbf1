import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '@hlid/node/clock';
import { listen, stopListening } from '@hlid/node/listen';
import { protectFolder } from '@hlid/node/private-files';
import { createAdaptorServer } from '@hono/node-server';
import type { Logger } from 'pino';
import { seedApiKey } from './accounts/seed-api-key.ts';
import { seedOperator } from './accounts/seed-operator.ts';
import { createApp } from './app.ts';
import { CommandSender } from './broker/command-sender.ts';
import { cloudRuns } from './cloud-runs.ts';
import type { CloudConfig } from './config.ts';
import type { Db } from './db/db.ts';
import { openDb } from './db/libsql-db.ts';
import { openRemoteDb } from './db/remote-db.ts';
import { remoteScans } from './db/scans.ts';
import { WorkerScans } from './db/worker-scans.ts';
import type { CloudContext } from './http/cloud-env.ts';
import { Ingest } from './ingest/ingest.ts';
import { ScheduledRuns } from './jobs/scheduled-runs.ts';
import { smtpMailer } from './mail/smtp-mailer.ts';
import { FilePictures } from './pictures/file-pictures.ts';
import { S3Pictures } from './pictures/s3-pictures.ts';
import { FeedPush } from './site-link/feed-push.ts';
import { openBroker } from './sites/open-broker.ts';
import { isAdmitted } from './sites/site-credentials.ts';
import { SitePresence } from './sites/site-presence.ts';
import { createRegistry } from './vehicle-registry/create-registry.ts';

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

/** With others at the same broker: a batch waits so long for the one before it, which another may have. */
const PATIENCE_MS = 300;
const LOOK_EVERY_MS = 30_000;

/** The composition root: which part is made of which, and in what order they start and stop. */
export function createCloud(config: CloudConfig, parts: CloudParts): Cloud {
  const { log, clock } = parts;
  const stops: (() => Promise<void>)[] = [];

  async function start() {
    protectFolder(config.dataDir);
    const { database } = config;
    const dbPath = join(config.dataDir, 'cloud.db');
    const db = await (database === null ? openDb(dbPath, { log }) : openRemoteDb(database, { log }));
    const scans = database === null ? new WorkerScans(dbPath, log) : remoteScans(db);
    stops.push(
      () => db.close(),
      () => scans.close(),
    );
    await seed(db, config, parts);

    const broker = openBroker(config, db, log);
    const isOnlyOne = config.brokerUrl === null;
    const admits = (siteId: string) => db.read((q) => isAdmitted(q, siteId));
    const shared = { admits, patienceMs: PATIENCE_MS };
    const ingest = new Ingest({ db, bus: broker, clock, log, ...(isOnlyOne ? {} : shared) });
    const presence = new SitePresence({
      db,
      bus: broker,
      clock,
      log,
      isOnlyOne,
      ...(isOnlyOne ? {} : { admits }),
    });
    const feedPush = new FeedPush({
      db,
      bus: broker,
      log,
      ...(isOnlyOne ? {} : { lookEveryMs: LOOK_EVERY_MS }),
    });
    const commands = new CommandSender({ bus: broker, clock, log });
    ingest.start();
    commands.start();
    await presence.start();
    stops.push(
      () => presence.stop(),
      () => ingest.stop(),
      () => feedPush.stop(),
      () => broker.stop(),
    );
    const { mqttUrl } = await broker.start();
    await feedPush.start();

    const vehicleRegistry = createRegistry(config.vehicleRegistry);
    const pictures = config.s3
      ? new S3Pictures(config.s3)
      : new FilePictures(join(config.dataDir, 'pictures'));
    let { publicUrl } = config;
    const context: CloudContext = {
      db,
      scans,
      log,
      clock,
      pictures,
      commands,
      vehicleRegistry,
      publicUrl: () => publicUrl ?? '',
      siteMqttUrl: (host) => config.siteMqttUrl ?? mqttUrlAt(host, mqttUrl),
      enrolmentMinutes: config.enrolmentMinutes,
      retention: config.retention,
      trustedProxies: config.trustedProxies,
      allowInternalWebhooks: config.allowInternalWebhooks,
    };
    const app = createApp(context);
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    const address = await listen(server, config.http, 'HLID_CLOUD_PORT');
    publicUrl ??= `http://${address}`;
    stops.push(() => stopListening(server));

    const mailer = config.smtp && smtpMailer(config.smtp);
    const runParts = { ...context, hasDatabaseFile: database === null };
    const runs = new ScheduledRuns({ db, clock, log }, cloudRuns(runParts, mailer, config.alarmMail));
    runs.start();
    stops.push(
      async () => mailer?.close(),
      () => runs.stop(),
    );
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

/** The broker's address, as seen from a site: the broker inside is where the cloud is. */
function mqttUrlAt(host: string, mqttUrl: string): string {
  const { protocol, hostname, port } = new URL(mqttUrl);
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost';
  return `${protocol}//${isHere ? host : hostname}${port && `:${port}`}`;
}
