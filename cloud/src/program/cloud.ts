import type { Server } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { lockFolder } from '@hlid/node/backup/sqlite-file';
import type { Clock } from '@hlid/node/clock';
import { listenPatiently, stopListening } from '@hlid/node/listen';
import { protectFolder } from '@hlid/node/private-files';
import { type Part, StartedParts } from '@hlid/node/started-parts';
import { TlsFiles } from '@hlid/node/tls-files';
import { Fault } from '@hlid/protocol/base/fault';
import { hideUrlLogins } from '@hlid/protocol/base/url-login';
import { createAdaptorServer, getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { releaseClaims } from '../books/claims/claim-run.ts';
import { Ingest } from '../integration/ingest/ingest.ts';
import { LiveEvents } from '../integration/live/live-events.ts';
import { CloudMetrics } from '../integration/monitor/cloud-metrics.ts';
import { Monitor } from '../integration/monitor/monitor.ts';
import { releaseWebhooks } from '../integration/webhooks/webhook-job.ts';
import { releaseDriverWork } from '../paying/drivers/charge/automatic-payments.ts';
import { releaseEInvoices } from '../paying/e-invoice-sending/send-e-invoices.ts';
import { OnlinePayments } from '../paying/online-payments/online-payments.ts';
import { releasePayments } from '../paying/online-payments/release-payments.ts';
import { seedOperator } from '../people/accounts/seed-operator.ts';
import { seedApiKey } from '../people/auth/seed-api-key.ts';
import { releaseMail } from '../people/mail/send-mail.ts';
import { type Mailer, smtpMailer } from '../people/mail/smtp-mailer.ts';
import { AccessPoints } from '../platform/access-points/access-points.ts';
import { Banks } from '../platform/banks/banks.ts';
import { CommandSender } from '../platform/broker/command-sender.ts';
import { MQTT_PATH, MqttWebsockets } from '../platform/broker/mqtt-websockets.ts';
import { SiteBoards } from '../platform/broker/site-boards.ts';
import { CardGateways } from '../platform/card-gateways/card-gateways.ts';
import type { CloudConfig } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import { databasePath, openDatabase } from '../platform/db/open-database.ts';
import { openReplica } from '../platform/db/remote-db.ts';
import { remoteScans, type Scans } from '../platform/db/scans.ts';
import { WorkerScans } from '../platform/db/worker-scans.ts';
import { WriteWatch } from '../platform/db/write-watch.ts';
import { createElectronicId } from '../platform/electronic-id/create-electronic-id.ts';
import { EVENTS } from '../platform/events.ts';
import type { CloudContext } from '../platform/http/cloud-env.ts';
import { chooseReplica } from '../platform/jobs/choose-replica.ts';
import { CloudInstance } from '../platform/jobs/cloud-instance.ts';
import { ScheduledRuns } from '../platform/jobs/scheduled-runs.ts';
import { Trainer } from '../platform/trainer.ts';
import { createRegistry } from '../platform/vehicle-registry/create-registry.ts';
import { CLOUD_DATABASE } from '../privacy/backup/backup-source.ts';
import type { BackupOrder } from '../privacy/backup/backup-thread.ts';
import { FeedPush } from '../sites/feed/feed-push.ts';
import { openPackages } from '../sites/rollouts/package-files.ts';
import { type Broker, brokerTlsFiles, openBroker } from '../sites/sites/open-broker.ts';
import { isAdmitted } from '../sites/sites/site-credentials.ts';
import { SitePresence } from '../sites/sites/site-presence.ts';
import { releaseDryRuns } from '../stays/dry-runs/dry-run-job.ts';
import { openPictures } from '../stays/photos/storage/open-pictures.ts';
import { createApp } from './app.ts';
import { claimTraining } from './claim-training.ts';
import { cloudRuns } from './cloud-runs.ts';
import { startScanThread } from './scans/scan-entry.ts';
import { scanJob } from './scans/scan-jobs.ts';

export interface CloudOptions {
  log: Logger;
  clock: Clock;
  /** Shows secrets that were generated at the first start to a person, once. */
  showOnce(text: string): void;
}

/**
 * How long a batch waits for the one before it, if several clouds share a broker: another may have that one.
 */
const PATIENCE_MS = 300;
const CHECK_EVERY_MS = 30_000;
/** How long the parts may take to stop; the service manager ends the process a little later. */
const STOP_TIMEOUT_MS = 25_000;

/** The addresses at which a cloud listens. */
export interface CloudUrls {
  httpUrl: string;
  mqttUrl: string;
  /** Null: it is not monitored. */
  monitorUrl: string | null;
}

/** The cloud. */
export class Cloud {
  readonly #config: CloudConfig;
  readonly #options: CloudOptions;
  readonly #started = new StartedParts();

  constructor(config: CloudConfig, options: CloudOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** Resolves when everything answers. Throws Fault if something is not available, such as a port. */
  async start(): Promise<CloudUrls> {
    const { dataDir, database } = this.#config;
    protectFolder(dataDir);
    try {
      // No backup is restored beneath a cloud that runs.
      const isAlone = database === null && isFolderFree(dataDir);
      const release = database === null ? lockFolder(dataDir, 'shared', CLOUD_DATABASE) : () => undefined;
      await this.#started.start([{ name: 'DataFolder', stop: release }]);
      const { db, scans } = await openWithScans(this.#config, this.#options);
      await this.#started.start([
        { name: 'Database', stop: () => db.close() },
        { name: 'Scans', stop: () => scans.close() },
      ]);
      await claimTraining(db, this.#config.trainerUrl !== null, this.#options.clock);
      await seed(db, this.#config, this.#options);
      const held = {
        isAlone,
        release: [
          releasePayments,
          releaseDriverWork,
          releaseMail,
          releaseEInvoices,
          releaseClaims,
          releaseWebhooks,
          releaseDryRuns,
        ],
      };
      const instance = new CloudInstance({ db, ...this.#options }, held);
      await this.#started.start([instance]);
      const parts = new CloudParts(this.#config, { db, scans }, this.#options, instance);
      await this.#started.start(parts.inOrder());
      return parts.urls();
    } catch (error) {
      await this.#started.stop();
      throw error;
    }
  }

  /**
   * Stops at any time. Everything acknowledged is durable. Throws Fault `deadline-passed`, which names the parts that
   * do not stop.
   */
  async stop(): Promise<void> {
    await this.#started.stopWithin(STOP_TIMEOUT_MS);
  }
}

/** Whether no other process has the data folder now, so that every cloud that had it before is dead. */
function isFolderFree(dataDir: string): boolean {
  try {
    lockFolder(dataDir, 'alone', CLOUD_DATABASE)();
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'database-unusable') return false;
    throw error;
  }
}

/** The parts of the cloud on its database: what serves the sites, then the API, then what runs on a schedule. */
class CloudParts {
  readonly #config: CloudConfig;
  readonly #log: Logger;
  readonly #broker: Broker;
  readonly #ingest: Ingest;
  readonly #presence: SitePresence;
  readonly #feedPush: FeedPush;
  readonly #commands: CommandSender;
  readonly #boards: SiteBoards;
  readonly #live: LiveEvents;
  readonly #server: Server | HttpsServer;
  /** Null: the broker is outside. */
  readonly #mqttWebsockets: MqttWebsockets | null;
  readonly #httpTls: TlsFiles | null;
  readonly #brokerTls: TlsFiles | null;
  readonly #siteMqttCa: TlsFiles | null;
  readonly #mailer: Mailer | null;
  readonly #runs: ScheduledRuns;
  /** Null: it is not monitored. */
  readonly #monitor: Monitor | null;
  #httpUrl = '';
  #mqttUrl = '';

  constructor(
    config: CloudConfig,
    { db, scans }: Database,
    { log, clock }: CloudOptions,
    instance: CloudInstance,
  ) {
    this.#config = config;
    this.#log = log;
    this.#httpTls = config.http.tls && new TlsFiles(config.http.tls, { log });
    this.#brokerTls = brokerTlsFiles(config, log);
    this.#siteMqttCa = config.siteMqttCa === null ? null : new TlsFiles({ ca: config.siteMqttCa }, { log });
    const broker = openBroker(config, { db, log, tls: this.#brokerTls });
    this.#broker = broker;
    const isOnlyOne = config.brokerUrl === null;
    const admits = (siteId: string) => db.read((q) => isAdmitted(q, siteId));
    this.#ingest = new Ingest({
      db,
      bus: broker,
      clock,
      log,
      ...(isOnlyOne ? {} : { admits, patienceMs: PATIENCE_MS }),
    });
    this.#presence = new SitePresence({
      db,
      bus: broker,
      clock,
      log,
      isOnlyOne,
      ...(isOnlyOne ? {} : { admits }),
    });
    this.#feedPush = new FeedPush({
      db,
      bus: broker,
      log,
      ...(isOnlyOne ? {} : { checkEveryMs: CHECK_EVERY_MS }),
    });
    this.#commands = new CommandSender({ bus: broker, clock, log });
    this.#boards = new SiteBoards({ bus: broker, clock, log });
    const context: CloudContext = {
      db,
      scans,
      log,
      clock,
      instance,
      commands: this.#commands,
      boards: this.#boards,
      pictures: openPictures(config),
      packages: openPackages(config),
      cardGateways: new CardGateways(config.cardGateways, config.cardGateway, {
        clock,
        log,
        dataDir: config.dataDir,
      }),
      accessPoints: AccessPoints.of(config.accessPoints, config.accessPoint),
      banks: Banks.of(config.banks),
      vehicleRegistry: createRegistry(config.vehicleRegistry),
      publicUrl: () => (config.publicUrl === null ? this.#httpUrl : hideUrlLogins(config.publicUrl)),
      siteMqttUrl: (host) => config.siteMqttUrl ?? this.#mqttUrlFor(host),
      siteMqttCa: () => this.#siteMqttCa?.options().ca ?? null,
      enrolmentMinutes: config.enrolmentMinutes,
      retention: config.retention,
      trustedProxies: config.trustedProxies,
      allowInternalWebhooks: config.allowInternalWebhooks,
      electronicId: createElectronicId(config.electronicId, clock),
      testElectronicId: config.testElectronicId,
      operatorsNeedSecondFactor: config.operatorsNeedSecondFactor,
      installation: {
        sendsMail: config.smtp !== null,
        makesBackups: config.backup !== null,
        hasDatabaseServer: config.database !== null,
      },
      trainer: config.trainerUrl === null ? null : new Trainer(config.trainerUrl),
    };
    this.#live = new LiveEvents(context);
    const databaseFile = databaseFileOf(config);
    // Without a monitor nothing is counted.
    const metrics = config.monitor && new CloudMetrics(databaseFile);
    const tlsFiles = this.#tlsFiles();
    this.#monitor =
      config.monitor && metrics && new Monitor({ db, clock, metrics, tlsFiles, log }, config.monitor);
    const onlinePayments = new OnlinePayments(context);
    const app = createApp(context, { live: this.#live, onlinePayments, meter: metrics });
    this.#server = createHttpServer(app.fetch, this.#httpTls);
    const accept = broker.accept?.bind(broker);
    this.#mqttWebsockets = accept ? new MqttWebsockets(this.#server, config.trustedProxies, accept) : null;
    this.#mailer = config.smtp && smtpMailer(config.smtp);
    const runParts = { ...context, onlinePayments, databaseFile, tlsFiles, backup: backupOrder(config) };
    this.#runs = new ScheduledRuns(
      { db, clock, log, instance },
      cloudRuns(runParts, this.#mailer, config.alarmMail),
    );
  }

  /** The addresses at which the cloud listens, once it is started. */
  urls(): CloudUrls {
    return { httpUrl: this.#httpUrl, mqttUrl: this.#mqttUrl, monitorUrl: this.#monitor?.url() ?? null };
  }

  /**
   * The parts in the order in which they start. Receivers of messages subscribe before the broker starts, and
   * stop after it. The heads of feeds can only be published while it runs.
   */
  inOrder(): Part[] {
    return [
      this.#commands,
      this.#boards,
      this.#presence,
      this.#ingest,
      { name: 'FeedPush', stop: () => this.#feedPush.stop() },
      ...this.#tlsFiles(),
      { name: 'Broker', start: () => this.#startBroker(), stop: () => this.#broker.stop() },
      { start: () => this.#feedPush.start() },
      { name: 'HttpServer', start: () => this.#listen(), stop: () => stopListening(this.#server) },
      ...(this.#mqttWebsockets ? [this.#mqttWebsockets] : []),
      { name: 'LiveEvents', stop: () => this.#live.stop() },
      { name: 'Mailer', stop: () => this.#mailer?.close() },
      this.#runs,
      ...(this.#monitor ? [this.#monitor] : []),
    ];
  }

  #tlsFiles(): TlsFiles[] {
    return [this.#httpTls, this.#brokerTls, this.#siteMqttCa].filter((files) => files !== null);
  }

  async #startBroker(): Promise<void> {
    const { mqttUrl } = await this.#broker.start();
    this.#mqttUrl = mqttUrl;
  }

  /**
   * The broker's address, as seen from a site that reaches the cloud by a name. The broker inside is where the cloud is,
   * and behind a proxy with TLS it is reached through it, so that nothing is sent unencrypted.
   */
  #mqttUrlFor(host: string): string {
    const { publicUrl } = this.#config;
    if (this.#mqttWebsockets && this.#brokerTls === null && publicUrl?.startsWith('https:')) {
      return `wss://${new URL(publicUrl).host}${MQTT_PATH}`;
    }
    const { protocol, hostname, port } = new URL(this.#mqttUrl);
    const isHere = hostname === '127.0.0.1' || hostname === 'localhost';
    return `${protocol}//${isHere ? host : hostname}${port && `:${port}`}`;
  }

  async #listen(): Promise<void> {
    const address = await listenPatiently(this.#server, this.#config.http, {
      hostSetBy: 'http.host',
      portSetBy: 'HLID_CLOUD_PORT',
      retries: 'missing-address',
      onWaiting: (reason) => this.#log.error({ event: EVENTS.notListening, reason }),
      onListening: (at) => this.#log.info({ event: EVENTS.listening, address: at }),
    });
    this.#httpUrl = `${this.#httpTls ? 'https' : 'http'}://${address}`;
  }
}

type Fetch = Parameters<typeof getRequestListener>[0];

/**
 * The time is longer than proxies keep an idle connection (Caddy: 2 minutes): the end that sends requests has
 * to close it.
 */
const KEEP_ALIVE_MS = 130_000;

function createHttpServer(fetch: Fetch, tls: TlsFiles | null): Server | HttpsServer {
  const server = tls === null ? (createAdaptorServer({ fetch }) as Server) : createTlsServer(fetch, tls);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

function createTlsServer(fetch: Fetch, tls: TlsFiles): HttpsServer {
  const server = createHttpsServer(getRequestListener(fetch));
  tls.serve(server);
  return server;
}

interface Database {
  db: WriteWatch;
  scans: Scans;
}

async function openWithScans(config: CloudConfig, { log, clock }: CloudOptions): Promise<Database> {
  const db = new WriteWatch(await openDatabase(config, log));
  const { database } = config;
  if (database === null)
    return { db, scans: new WorkerScans(databasePath(config.dataDir), log, startScanThread) };
  const { replicaUrl, token } = database;
  if (replicaUrl === null) return { db, scans: remoteScans(scanJob, async () => db) };
  const replica = openReplica({ url: replicaUrl, token });
  const scans = remoteScans(scanJob, () => chooseReplica({ db, replica, clock, log }));
  return { db, scans: { ...scans, close: () => scans.close().finally(() => replica.close()) } };
}

/** Null: a server has the database. */
function databaseFileOf({ database, dataDir }: CloudConfig): string | null {
  return database === null ? databasePath(dataDir) : null;
}

async function seed(db: Db, config: CloudConfig, { clock, showOnce }: CloudOptions): Promise<void> {
  const operator = await seedOperator(db, config.operator, clock);
  if (operator.made && operator.password !== null) {
    showOnce(`First operator: id ${operator.id}, password ${operator.password}`);
  }
  const apiKey = await seedApiKey(db, config.apiKey, clock);
  if (apiKey.made && apiKey.key !== null) showOnce(`API key: ${apiKey.key}`);
}

function backupOrder(config: CloudConfig): BackupOrder | null {
  const { dataDir, s3, backup, configPath, retention } = config;
  if (backup === null) return null;
  return { config: { dataDir, s3, backup }, configPath, pictureDays: retention.pictureDays };
}
