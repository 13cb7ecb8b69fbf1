import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/fault';
import { placeholdersIn, readYaml } from '@hlid/protocol/read-yaml';
import { mistakeLines } from '@hlid/protocol/words/mistake-words';
import { z } from 'zod';
import { type EdgeConfig, EdgeFileSchema } from './config.ts';
import { readEnrolled } from './enrol/enrolment-file.ts';
import { LOG_LEVELS } from './log.ts';

const port = (standard: number) =>
  z
    .string()
    .default(String(standard))
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'a port: 0 (any free one) to 65535')
    .transform(Number);

const EnvironmentSchema = z.object({
  HLID_EDGE_CONFIG: z.string().min(1).optional(),
  HLID_EDGE_PORT: port(7070),
  HLID_CAMERA_PORT: port(7071),
  HLID_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
});

/**
 * The configuration: environment and YAML file. Throws Fault 'config-invalid' that names every mistake at once, each
 * with its key and line.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): EdgeConfig {
  const settings = EnvironmentSchema.safeParse(withoutEmpty(environment));
  const mistakes = settings.success
    ? []
    : mistakeLines(EnvironmentSchema, withoutEmpty(environment), settings.error);
  const path = configPath(environment);
  const text = readText(path);
  const file = readYaml(text, EdgeFileSchema);
  if (!file.ok) mistakes.push(...file.mistakes);
  mistakes.push(...placeholdersIn(text));
  if (!settings.success || !file.ok || mistakes.length > 0) throw invalid(path, mistakes);
  const { data } = settings;
  const dataDir = dataDirOf(environment);
  return {
    dataDir,
    logLevel: data.HLID_LOG_LEVEL,
    edgePort: data.HLID_EDGE_PORT,
    cameraPort: data.HLID_CAMERA_PORT,
    ...file.value,
    cloud: writesCloud(text) ? file.value.cloud : enrolledCloud(dataDir),
  };
}

/** Whether the configuration file says what the cloud is, so that `enrol` does not count. */
export function findWrittenCloud(
  environment: Readonly<Record<string, string | undefined>>,
): 'yes' | 'no' | 'no-file' {
  const path = configPath(environment);
  if (!existsSync(path)) return 'no-file';
  return writesCloud(readText(path)) ? 'yes' : 'no';
}

function writesCloud(text: string): boolean {
  const file = readYaml(text, z.looseObject({ cloud: z.unknown().optional() }));
  return file.ok && file.value.cloud !== undefined;
}

function enrolledCloud(dataDir: string): EdgeConfig['cloud'] {
  const enrolled = readEnrolled(dataDir);
  if (enrolled === null) return null;
  const { httpUrl, mqttUrl, siteId, secret } = enrolled;
  return { httpUrl, mqttUrl, siteId, secret };
}

/** Where the configuration file is, for people and for reading it. */
export function configPath(environment: Readonly<Record<string, string | undefined>>): string {
  return resolve(withoutEmpty(environment)['HLID_EDGE_CONFIG'] ?? join(dataDirOf(environment), 'edge.yaml'));
}

/** The folder of what the site keeps. */
export function dataDirOf(environment: Readonly<Record<string, string | undefined>>): string {
  return resolve(withoutEmpty(environment)['HLID_DATA_DIR'] ?? './data');
}

const NOT_THERE =
  'there is no such file: write it (deploy/edge/edge.yaml is an example), or name yours in HLID_EDGE_CONFIG';

/** An empty variable is one that is not set: `HLID_EDGE_PORT= npm run edge`. */
function withoutEmpty(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(path, [existsSync(path) ? `the file cannot be read: ${messageOf(error)}` : NOT_THERE]);
  }
}

function invalid(path: string, mistakes: readonly string[]): Fault {
  const lines = mistakes.map((mistake) => `  ${mistake}`).join('\n');
  return new Fault('config-invalid', `The configuration ${path} is not right:\n${lines}`, {
    details: { path, mistakes },
  });
}
