import { dirname, resolve } from 'node:path';
import { BACKUP_SHAPE } from '@hlid/node/backup/backup-config';
import * as configuration from '@hlid/node/configuration';
import type { LogLevel } from '@hlid/node/log';
import { type S3Config, S3Schema } from '@hlid/node/s3-bucket';
import { readTls, resolvePaths, ServerFilesSchema, type TlsPaths } from '@hlid/node/tls-files';
import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { z } from 'zod';
import {
  ACCESS_POINT_TOKEN,
  type NamedAccessPoint,
  namedAccessPointSchema,
} from './access-points/access-points.ts';
import { BANK_TOKEN, type NamedBank, namedBankSchema } from './banks/banks.ts';
import { GATEWAY_KINDS, type NamedGateway, namedGatewaySchema } from './card-gateways/gateway-kinds.ts';
import {
  completeElectronicId,
  type ElectronicIdConfig,
  ElectronicIdSchema,
  isForDrivers,
} from './electronic-id/electronic-id-config.ts';
import { isAddressRange } from './ip-address.ts';

const MIN_PASSWORD = 8;
const MIN_API_KEY = 16;
const HostSchema = z.string().min(1);
const PasswordSchema = z.string().min(MIN_PASSWORD, `at least ${MIN_PASSWORD} characters`);
const ApiKeySchema = z.string().min(MIN_API_KEY, `at least ${MIN_API_KEY} characters`);
/** An address without a slash at its end. */
const UrlSchema = z.url().transform((url) => url.replace(/\/+$/, ''));
const SmtpUrlSchema = z.url({
  protocol: /^smtps?$/,
  error: 'an address such as smtps://user:password@mail.example:465',
});
const BrokerUrlSchema = z.url({
  protocol: /^mqtts?$/,
  error: 'an address such as mqtts://broker.example:8883',
});
const SiteMqttUrlSchema = z.url({
  protocol: /^(mqtts?|wss?)$/,
  error: 'an address such as mqtts://parking.example:8883',
});
const DatabaseUrlSchema = z.url({
  protocol: /^(libsql|https?|wss?)$/,
  error: 'an address such as libsql://database.example',
});
const TrainerUrlSchema = UrlSchema.refine(
  (url) => /^https?:/.test(url),
  'an address such as http://127.0.0.1:7171',
);
const ProxiesSchema = z.array(
  z.string().refine(isAddressRange, 'an address such as 10.0.0.1, or a network such as 10.0.0.0/8'),
);
const RegistrySchema = z.union([
  /** A JSON file of vehicles; see vehicles/file-registry.ts. */
  z.strictObject({ file: z.string().min(1) }),
  /** `{plate}` and `{id}` are put into the addresses. */
  z.strictObject({
    byPlate: z.url({ protocol: /^https?$/ }).includes('{plate}', 'an address with {plate} in it'),
    byId: z.url({ protocol: /^https?$/ }).includes('{id}', 'an address with {id} in it'),
    headers: z.record(z.string(), z.string()).default({}),
    timeoutMs: z.int().min(100).max(MINUTE_MS).default(3000),
  }),
]);
export type RegistryConfig = z.infer<typeof RegistrySchema>;

/** The recipients of mail about devices that fail, and the language. */
const AlarmMailSchema = z.strictObject({
  to: z.array(MailAddressSchema).min(1).max(20),
  language: OfficeLanguageSchema.default('is'),
});
export type AlarmMailConfig = z.infer<typeof AlarmMailSchema>;

/** How long things are kept, each by its own clock. */
const RetentionSchema = z.strictObject({
  /** 90 days are the most that Icelandic rules on surveillance allow (1329/2025). */
  pictureDays: z.int().min(1).max(90).default(30),
  /** Reads that belong to no visit. */
  looseReadDays: z.int().min(1).max(90).default(7),
  /**
   * Days from the end of a settled visit until its plate is removed; if it was paid online, from the payment.
   */
  visitDays: z.int().min(1).max(3650).default(180),
  /** How long invoices are kept, as bookkeeping law requires. */
  invoiceYears: z.int().min(7).max(100).default(7),
  auditDays: z.int().min(30).max(36_500).default(730),
  mailDays: z.int().min(1).max(3650).default(90),
});
export type RetentionConfig = z.infer<typeof RetentionSchema>;

const BackupSchema = z.strictObject({
  ...BACKUP_SHAPE,
  everyHours: z.int().min(1).max(168).default(24),
  /** Absent: included where they are files, by reference where they are in a bucket. */
  pictures: z.enum(['include', 'reference']).optional(),
});
export type CloudBackupConfig = z.infer<typeof BackupSchema>;

const listener = z.strictObject({
  host: HostSchema.optional(),
  port: z.int().min(0).max(65_535).optional(),
});

const PathSchema = z.string().min(1);

/** The broker's own certificate, and the authority of the certificates of sites. */
const BrokerTlsSchema = z
  .strictObject({
    ...ServerFilesSchema.shape,
    clientCa: PathSchema.optional(),
    clientCertificates: z.enum(['accepted', 'required']).optional(),
  })
  .refine(({ clientCa, clientCertificates }) => clientCa !== undefined || clientCertificates === undefined, {
    path: ['clientCa'],
    message: 'clientCertificates needs the authority that signs them',
  });

/** This cloud as a client of an external broker. */
const ClientTlsSchema = z
  .strictObject({ ca: PathSchema.optional(), cert: PathSchema.optional(), key: PathSchema.optional() })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
    path: ['key'],
    message: 'cert and key go together',
  });

/** The contents of the YAML file; environment variables take precedence. */
const cloudFileSchema = (environment: configuration.Environment) =>
  z
    .strictObject({
      http: z.strictObject({ ...listener.shape, tls: ServerFilesSchema.optional() }).prefault({}),
      mqtt: z.strictObject({ ...listener.shape, tls: BrokerTlsSchema.optional() }).prefault({}),
      monitor: listener.optional(),
      logLevel: configuration.LogLevelSchema.optional(),
      operator: z.strictObject({ id: z.string().min(1), password: PasswordSchema }).optional(),
      apiKey: ApiKeySchema.optional(),
      publicUrl: UrlSchema.optional(),
      siteMqttUrl: SiteMqttUrlSchema.optional(),
      enrolmentMinutes: z.int().min(1).max(1440).optional(),
      smtp: z.strictObject({ url: SmtpUrlSchema, from: z.string().min(1) }).optional(),
      alarmMail: AlarmMailSchema.optional(),
      s3: S3Schema.optional(),
      vehicleRegistry: RegistrySchema.optional(),
      retention: RetentionSchema.prefault({}),
      backup: BackupSchema.optional(),
      database: z
        .strictObject({
          url: DatabaseUrlSchema,
          token: z.string().min(1).optional(),
          replicaUrl: DatabaseUrlSchema.optional(),
        })
        .optional(),
      brokerUrl: BrokerUrlSchema.optional(),
      brokerTls: ClientTlsSchema.optional(),
      siteMqttCa: PathSchema.optional(),
      trustedProxies: ProxiesSchema.optional(),
      allowInternalWebhooks: z.boolean().optional(),
      cardGateways: z.array(namedGatewaySchema(environment)).max(20).default([]),
      cardGateway: z.string().optional(),
      testGateways: z.boolean().default(false),
      accessPoints: z.array(namedAccessPointSchema(environment)).max(20).default([]),
      accessPoint: z.string().optional(),
      banks: z.array(namedBankSchema(environment)).max(20).default([]),
      electronicId: ElectronicIdSchema.optional(),
      testElectronicId: z.boolean().optional(),
      operatorsNeedSecondFactor: z.boolean().optional(),
      trainerUrl: TrainerUrlSchema.optional(),
    })
    .superRefine(checkGateways)
    .superRefine(checkAccessPoints)
    .superRefine(checkBanks)
    .superRefine((file, context) => checkTlsFiles(file, dirname(configPath(environment)), context))
    .nullable()
    .transform(
      (file) =>
        file ?? {
          http: {},
          mqtt: {},
          retention: RetentionSchema.parse({}),
          cardGateways: [],
          testGateways: false,
          accessPoints: [],
          banks: [],
        },
    );

/**
 * Each gateway has its own id, and the default one exists. Gateways that move no money must be allowed. They
 * are refused beside a gateway that moves money, where drivers would think that they had paid.
 */
function checkGateways(
  { cardGateways, cardGateway, testGateways }: GatewaySettings,
  context: z.RefinementCtx,
): void {
  const mistake = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  refuseSameIds(cardGateways, 'cardGateways', 'gateway', context);
  for (const [index, { config }] of cardGateways.entries()) {
    const { isTest } = GATEWAY_KINDS[config.kind];
    if (isTest && !testGateways) {
      mistake(['cardGateways', index], 'it moves no money: it needs testGateways: true, for trials only');
    }
    if (!isTest && testGateways) {
      mistake(['cardGateways', index], 'it moves money: it cannot be used with testGateways: true');
    }
  }
  if (cardGateway !== undefined && cardGateways.every(({ id }) => id !== cardGateway)) {
    mistake(['cardGateway'], 'there is no gateway with this id');
  }
}

/** The paths of a side's files by our names of them: the authority of clients is `clientCa` in the file. */
interface TlsSettings {
  http: { tls?: TlsPaths | undefined };
  mqtt: { tls?: (TlsPaths & { clientCa?: string | undefined }) | undefined };
  brokerTls?: TlsPaths | undefined;
  siteMqttCa?: string | undefined;
}

function checkTlsFiles(file: TlsSettings, folder: string, context: z.RefinementCtx): void {
  const { http, mqtt, brokerTls, siteMqttCa } = file;
  const check = (paths: TlsPaths | undefined, place: (setting: string) => string[]) => {
    const read = readTls(resolvePaths(paths ?? {}, folder));
    if (read.ok) return;
    for (const { setting, message } of read.mistakes)
      context.addIssue({ code: 'custom', path: place(setting), message });
  };
  check(http.tls, (setting) => ['http', 'tls', setting]);
  check(brokerPaths(mqtt.tls), (setting) => ['mqtt', 'tls', setting === 'ca' ? 'clientCa' : setting]);
  check(brokerTls, (setting) => ['brokerTls', setting]);
  check({ ca: siteMqttCa }, () => ['siteMqttCa']);
}

function brokerPaths(tls: TlsSettings['mqtt']['tls']): TlsPaths | undefined {
  return tls && { cert: tls.cert, key: tls.key, ca: tls.clientCa };
}

/** Each access point has its own id, and the default one exists. */
function checkAccessPoints(
  {
    accessPoints,
    accessPoint,
  }: { accessPoints: readonly NamedAccessPoint[]; accessPoint?: string | undefined },
  context: z.RefinementCtx,
): void {
  refuseSameIds(accessPoints, 'accessPoints', 'access point', context);
  if (accessPoint !== undefined && accessPoints.every(({ id }) => id !== accessPoint)) {
    const message = 'there is no access point with this id';
    context.addIssue({ code: 'custom', path: ['accessPoint'], message });
  }
}

/** Each bank has its own id. */
function checkBanks({ banks }: { banks: readonly NamedBank[] }, context: z.RefinementCtx): void {
  refuseSameIds(banks, 'banks', 'bank', context);
}

/** Each entry of a list has its own id. */
function refuseSameIds(
  entries: readonly { id: string }[],
  setting: string,
  what: string,
  context: z.RefinementCtx,
): void {
  for (const [index, { id }] of entries.entries()) {
    if (entries.findIndex((other) => other.id === id) === index) continue;
    const message = `another ${what} has the id ${id}: give one an id of its own`;
    context.addIssue({ code: 'custom', path: [setting, index], message });
  }
}

interface GatewaySettings {
  cardGateways: readonly NamedGateway[];
  cardGateway?: string | undefined;
  testGateways: boolean;
}

/** A libSQL server, and what shows it who we are. */
export interface DatabaseServer {
  url: string;
  token: string | null;
  /** A replica for reports, downloads and statistics, with the same token; null: there is none. */
  replicaUrl: string | null;
}

/** The whole configuration of the cloud. */
export interface CloudConfig {
  dataDir: string;
  /** The path of the configuration file, whether it exists or not. */
  configPath: string;
  logLevel: LogLevel;
  /** `tls` null: plain HTTP, such as behind a proxy. */
  http: { host: string; port: number; tls: TlsPaths | null };
  mqtt: { host: string; port: number; tls: BrokerTlsConfig | null };
  /** The address of `/health` and `/metrics`, without a login; null: there is none. */
  monitor: { host: string; port: number } | null;
  /** The first operator; null: one is generated. */
  operator: { id: string; password: string } | null;
  apiKey: string | null;
  /** The address at which people reach the cloud, for links in mails; null: the address it listens at. */
  publicUrl: string | null;
  /**
   * The address at which sites reach the broker; null: where it listens, at the host at which a site reaches
   * the cloud.
   */
  siteMqttUrl: string | null;
  /** How long the one-time code of a site is good. */
  enrolmentMinutes: number;
  /** Null: mail is kept and shown, not sent. */
  smtp: SmtpConfig | null;
  /** Null: alarms are not mailed. */
  alarmMail: AlarmMailConfig | null;
  /** Null: files in the data folder. */
  s3: S3Config | null;
  /** Null: vehicles are known only by what people enter. */
  vehicleRegistry: RegistryConfig | null;
  retention: RetentionConfig;
  /** Null: the cloud makes no backups. */
  backup: CloudBackupConfig | null;
  /** Null: the embedded database in the data folder. */
  database: DatabaseServer | null;
  /** Null: the broker inside. */
  brokerUrl: string | null;
  /**
   * The TLS files for an external broker; null: the authorities of this machine, and no certificate of our
   * own.
   */
  brokerTls: TlsPaths | null;
  /** The authority of the broker's certificate, which sites get when they enrol; null: they know it. */
  siteMqttCa: string | null;
  /** Proxies before the cloud with a trusted `X-Forwarded-For`: addresses, or networks such as 10.0.0.0/8. */
  trustedProxies: readonly string[];
  /** Webhooks may lead to internal networks, without TLS. */
  allowInternalWebhooks: boolean;
  /** Providers of card payments. */
  cardGateways: readonly NamedGateway[];
  /** The gateway of the sites that name none; null: there is none. */
  cardGateway: string | null;
  /** Providers that bring electronic invoices into their network. */
  accessPoints: readonly NamedAccessPoint[];
  /** The access point of the sites that name none; null: there is none. */
  accessPoint: string | null;
  /** Banks that collect claims. */
  banks: readonly NamedBank[];
  /** Null: there is no login by electronic identity. */
  electronicId: ElectronicIdConfig | null;
  /** Simulated phones and the national ids of made-up people count. Never in production. */
  testElectronicId: boolean;
  /**
   * Whether operators need a second factor in a browser; those without one are led to set one up. Default:
   * only if people reach the cloud by TLS.
   */
  operatorsNeedSecondFactor: boolean;
  /**
   * The program that simulates the car park of a training installation, and makes the situations of its lessons; null:
   * the car parks are real.
   */
  trainerUrl: string | null;
}

/** Files of the broker inside. */
export interface BrokerTlsConfig {
  /** Its `ca` is the authority of the certificates of sites. */
  paths: TlsPaths;
  clientCertificates: 'none' | 'accepted' | 'required';
}

export interface SmtpConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** The sender's address. */
  from: string;
}

const VariablesSchema = z
  .object({
    HLID_CLOUD_PORT: configuration.PortTextSchema.optional(),
    HLID_MQTT_PORT: configuration.PortTextSchema.optional(),
    HLID_MONITOR_PORT: configuration.PortTextSchema.optional(),
    HLID_LOG_LEVEL: configuration.LogLevelSchema.optional(),
    HLID_OPERATOR_ID: z.string().optional(),
    HLID_OPERATOR_PASSWORD: PasswordSchema.optional(),
    HLID_API_KEY: ApiKeySchema.optional(),
    HLID_PUBLIC_URL: UrlSchema.optional(),
    HLID_SITE_MQTT_URL: SiteMqttUrlSchema.optional(),
    HLID_SMTP_URL: SmtpUrlSchema.optional(),
    HLID_MAIL_FROM: z.string().optional(),
    HLID_DATABASE_URL: DatabaseUrlSchema.optional(),
    HLID_DATABASE_TOKEN: z.string().optional(),
    HLID_DATABASE_REPLICA_URL: DatabaseUrlSchema.optional(),
    HLID_BROKER_URL: BrokerUrlSchema.optional(),
    HLID_ELECTRONIC_ID_SECRET: z.string().optional(),
    HLID_ELECTRONIC_ID_KEY: z.string().optional(),
    HLID_TRAINER_URL: TrainerUrlSchema.optional(),
    HLID_TRUSTED_PROXIES: z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim()))
      .pipe(ProxiesSchema)
      .optional(),
  })
  .superRefine(({ HLID_OPERATOR_ID: id, HLID_OPERATOR_PASSWORD: password }, context) => {
    if ((id === undefined) === (password === undefined)) return;
    const missing = id === undefined ? 'HLID_OPERATOR_ID' : 'HLID_OPERATOR_PASSWORD';
    context.addIssue({ code: 'custom', path: [missing], message: 'goes with the other of the two' });
  });

const SECRET_VARIABLES = [
  'HLID_OPERATOR_PASSWORD',
  'HLID_API_KEY',
  'HLID_SMTP_URL',
  'HLID_DATABASE_TOKEN',
  'HLID_BROKER_URL',
  'HLID_ELECTRONIC_ID_SECRET',
  ACCESS_POINT_TOKEN,
  BANK_TOKEN,
];

const GATEWAY_SECRETS = Object.values(GATEWAY_KINDS).flatMap(({ secrets }): string[] =>
  Object.values(secrets),
);

const FILE: configuration.ConfigurationFile = {
  variable: 'HLID_CLOUD_CONFIG',
  name: 'cloud.yaml',
  example: 'deploy/cloud.yaml',
};

/**
 * The configuration: environment over YAML file over defaults. Throws Fault 'config-invalid' that names every
 * mistake at once, each with its key and line.
 */
export function readConfig(environment: configuration.Environment): CloudConfig {
  const { variables, file, path } = configuration.readConfiguration(environment, FILE, {
    variablesSchema: VariablesSchema,
    fileSchema: cloudFileSchema(environment),
    fileRequired: false,
    secretVariables: [...SECRET_VARIABLES, ...GATEWAY_SECRETS],
  });
  const config = merge(variables, file, dirname(path));
  refuseTestGateways(config, file.testGateways, path);
  refuseRealPartners(config, path);
  return { ...config, dataDir: configuration.dataDirOf(environment), configPath: path };
}

/** The path of the configuration file, whether it exists or not. */
export function configPath(environment: configuration.Environment): string {
  return configuration.configPath(environment, FILE);
}

/** @param folder of the file: what it names lies beside it */
function merge(env: Variables, file: CloudFile, folder: string): Omit<CloudConfig, 'dataDir' | 'configPath'> {
  const { HLID_OPERATOR_ID: id, HLID_OPERATOR_PASSWORD: password } = env;
  const publicUrl = env.HLID_PUBLIC_URL ?? file.publicUrl ?? null;
  const testElectronicId = file.testElectronicId ?? false;
  return {
    logLevel: env.HLID_LOG_LEVEL ?? file.logLevel ?? 'info',
    ...mergeListeners(env, file, folder),
    monitor: mergeMonitor(env, file),
    operator: id !== undefined && password !== undefined ? { id, password } : (file.operator ?? null),
    apiKey: env.HLID_API_KEY ?? file.apiKey ?? null,
    publicUrl,
    siteMqttUrl: env.HLID_SITE_MQTT_URL ?? file.siteMqttUrl ?? null,
    enrolmentMinutes: file.enrolmentMinutes ?? 60,
    smtp: mergeSmtp(env, file),
    alarmMail: file.alarmMail ?? null,
    s3: file.s3 ?? null,
    vehicleRegistry: mergeRegistry(file, folder),
    retention: file.retention,
    backup: file.backup ?? null,
    database: mergeDatabase(env, file),
    brokerUrl: env.HLID_BROKER_URL ?? file.brokerUrl ?? null,
    brokerTls: file.brokerTls ? resolvePaths(file.brokerTls, folder) : null,
    siteMqttCa: file.siteMqttCa === undefined ? null : resolve(folder, file.siteMqttCa),
    trustedProxies: env.HLID_TRUSTED_PROXIES ?? file.trustedProxies ?? [],
    allowInternalWebhooks: file.allowInternalWebhooks ?? false,
    cardGateways: file.cardGateways,
    // The only one need not be named.
    cardGateway:
      file.cardGateway ?? (file.cardGateways.length === 1 ? (file.cardGateways[0]?.id ?? null) : null),
    accessPoints: file.accessPoints,
    accessPoint:
      file.accessPoint ?? (file.accessPoints.length === 1 ? (file.accessPoints[0]?.id ?? null) : null),
    banks: file.banks,
    electronicId: completeElectronicId(env, { ...file, publicUrl, testElectronicId }, folder),
    testElectronicId,
    operatorsNeedSecondFactor:
      file.operatorsNeedSecondFactor ?? (publicUrl !== null && isForDrivers(publicUrl)),
    trainerUrl: env.HLID_TRAINER_URL ?? file.trainerUrl ?? null,
  };
}

/** No gateway approves for free where drivers pay. */
function refuseTestGateways(
  { publicUrl }: Pick<CloudConfig, 'publicUrl'>,
  testGateways: boolean,
  path: string,
) {
  if (!testGateways || publicUrl === null || !isForDrivers(publicUrl)) return;
  const mistake = `testGateways: refused where drivers pay, at ${publicUrl}: test gateways approve and move no money`;
  throw new Fault('config-invalid', `The configuration ${path} is not right:\n  ${mistake}`, {
    details: { path, mistakes: [mistake] },
  });
}

/** A training installation moves and claims no money, and sends no document to others. */
function refuseRealPartners(
  {
    trainerUrl,
    cardGateways,
    accessPoints,
    banks,
  }: Pick<CloudConfig, 'trainerUrl' | 'cardGateways' | 'accessPoints' | 'banks'>,
  path: string,
) {
  if (trainerUrl === null) return;
  const movesMoney = cardGateways.some(({ config }) => !GATEWAY_KINDS[config.kind].isTest);
  const mistakes = [
    ...(movesMoney
      ? ['trainerUrl: refused beside a card gateway that moves money: a training installation moves none']
      : []),
    ...(accessPoints.length > 0
      ? ['trainerUrl: refused beside an access point: documents of a training installation are not real']
      : []),
    ...(banks.length > 0
      ? ['trainerUrl: refused beside a bank: a training installation claims no money']
      : []),
  ];
  if (mistakes.length === 0) return;
  throw new Fault('config-invalid', `The configuration ${path} is not right:\n  ${mistakes.join('\n  ')}`, {
    details: { path, mistakes },
  });
}

type Variables = z.infer<typeof VariablesSchema>;
type CloudFile = z.infer<ReturnType<typeof cloudFileSchema>>;

function mergeMonitor(
  { HLID_MONITOR_PORT: port }: Variables,
  { monitor }: CloudFile,
): CloudConfig['monitor'] {
  if (port === undefined && monitor === undefined) return null;
  return { host: monitor?.host ?? '127.0.0.1', port: port ?? monitor?.port ?? 8081 };
}

function mergeListeners(
  env: Variables,
  { http, mqtt }: CloudFile,
  folder: string,
): Pick<CloudConfig, 'http' | 'mqtt'> {
  const { tls } = mqtt;
  const paths = brokerPaths(tls);
  const clientCertificates = tls?.clientCertificates ?? (tls?.clientCa === undefined ? 'none' : 'accepted');
  const mqttPort = env.HLID_MQTT_PORT ?? mqtt.port ?? (tls ? 8883 : 1883);
  return {
    http: {
      host: http.host ?? '0.0.0.0',
      port: env.HLID_CLOUD_PORT ?? http.port ?? (http.tls ? 8443 : 8080),
      tls: http.tls ? resolvePaths(http.tls, folder) : null,
    },
    mqtt: {
      host: mqtt.host ?? '0.0.0.0',
      port: mqttPort,
      tls: paths ? { paths: resolvePaths(paths, folder), clientCertificates } : null,
    },
  };
}

function mergeSmtp(env: Variables, { smtp }: CloudFile): SmtpConfig | null {
  const url = env.HLID_SMTP_URL ?? smtp?.url;
  return url === undefined ? null : { url, from: env.HLID_MAIL_FROM ?? smtp?.from ?? 'hlid@localhost' };
}

function mergeRegistry({ vehicleRegistry }: CloudFile, folder: string): RegistryConfig | null {
  if (vehicleRegistry === undefined) return null;
  if ('byPlate' in vehicleRegistry) return vehicleRegistry;
  return { file: resolve(folder, vehicleRegistry.file) };
}

function mergeDatabase(env: Variables, { database }: CloudFile): CloudConfig['database'] {
  const url = env.HLID_DATABASE_URL ?? database?.url;
  if (url === undefined) return null;
  const replicaUrl = env.HLID_DATABASE_REPLICA_URL ?? database?.replicaUrl ?? null;
  return { url, token: env.HLID_DATABASE_TOKEN ?? database?.token ?? null, replicaUrl };
}
