import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/fault';
import { readYaml } from '@hlid/protocol/read-yaml';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from './log.ts';

/** All that the cloud is told. */
export interface CloudConfig {
  dataDir: string;
  logLevel: LogLevel;
  http: { host: string; port: number };
  mqtt: { host: string; port: number };
  /** The first operator; null: one is made up. */
  operator: { id: string; password: string } | null;
  apiKey: string | null;
}

const MIN_PASSWORD = 8;
const MIN_API_KEY = 16;
const LevelSchema = z.enum(LOG_LEVELS);
const HostSchema = z.string().min(1);
const PasswordSchema = z.string().min(MIN_PASSWORD, `at least ${MIN_PASSWORD} characters`);
const ApiKeySchema = z.string().min(MIN_API_KEY, `at least ${MIN_API_KEY} characters`);
const listener = z.strictObject({
  host: HostSchema.optional(),
  port: z.int().min(0).max(65_535).optional(),
});

/** What stands in the YAML file; what the environment says goes before it. */
const CloudFileSchema = z
  .strictObject({
    http: listener.prefault({}),
    mqtt: listener.prefault({}),
    logLevel: LevelSchema.optional(),
    operator: z.strictObject({ id: z.string().min(1), password: PasswordSchema }).optional(),
    apiKey: ApiKeySchema.optional(),
  })
  .nullable()
  .transform((file) => file ?? { http: {}, mqtt: {} });

const PortTextSchema = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'a port: 0 (any free one) to 65535')
  .transform(Number);

const EnvironmentSchema = z
  .object({
    HLID_DATA_DIR: z.string().default('./data'),
    HLID_CLOUD_CONFIG: z.string().optional(),
    HLID_CLOUD_PORT: PortTextSchema.optional(),
    HLID_MQTT_PORT: PortTextSchema.optional(),
    HLID_LOG_LEVEL: LevelSchema.optional(),
    HLID_OPERATOR_ID: z.string().optional(),
    HLID_OPERATOR_PASSWORD: PasswordSchema.optional(),
    HLID_API_KEY: ApiKeySchema.optional(),
  })
  .superRefine(({ HLID_OPERATOR_ID: id, HLID_OPERATOR_PASSWORD: password }, context) => {
    if ((id === undefined) === (password === undefined)) return;
    const missing = id === undefined ? 'HLID_OPERATOR_ID' : 'HLID_OPERATOR_PASSWORD';
    context.addIssue({ code: 'custom', path: [missing], message: 'goes with the other of the two' });
  });

/**
 * The configuration: environment over YAML file over defaults. Throws Fault 'config-invalid' that names every
 * mistake at once, each with its key and line.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): CloudConfig {
  // An empty variable is one that is not set: `HLID_CLOUD_PORT= npm run cloud`.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { HLID_CLOUD_CONFIG: named, HLID_DATA_DIR: dataDir = './data' } = set;
  const path = resolve(named ?? join(dataDir, 'cloud.yaml'));
  const env = EnvironmentSchema.safeParse(set);
  const mistakes = env.success
    ? []
    : env.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const file = readYaml(readText(path, named !== undefined), CloudFileSchema);
  if (!file.ok) mistakes.push(...file.mistakes);
  if (!env.success || !file.ok) throw invalid(path, mistakes);
  return merge(env.data, file.value);
}

function merge(env: z.infer<typeof EnvironmentSchema>, file: z.infer<typeof CloudFileSchema>): CloudConfig {
  const { HLID_OPERATOR_ID: id, HLID_OPERATOR_PASSWORD: password } = env;
  return {
    dataDir: resolve(env.HLID_DATA_DIR),
    logLevel: env.HLID_LOG_LEVEL ?? file.logLevel ?? 'info',
    http: { host: file.http.host ?? '0.0.0.0', port: env.HLID_CLOUD_PORT ?? file.http.port ?? 8080 },
    mqtt: { host: file.mqtt.host ?? '0.0.0.0', port: env.HLID_MQTT_PORT ?? file.mqtt.port ?? 1883 },
    operator: id !== undefined && password !== undefined ? { id, password } : (file.operator ?? null),
    apiKey: env.HLID_API_KEY ?? file.apiKey ?? null,
  };
}

/** There need not be a file, unless one is named. */
function readText(path: string, named: boolean): string {
  if (!named && !existsSync(path)) return '';
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(path, [`the file cannot be read: ${messageOf(error)}`]);
  }
}

function invalid(path: string, mistakes: readonly string[]): Fault {
  const lines = mistakes.map((mistake) => `  ${mistake}`).join('\n');
  return new Fault('config-invalid', `The configuration ${path} is not right:\n${lines}`, {
    details: { path, mistakes },
  });
}
