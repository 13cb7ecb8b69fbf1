import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as configuration from '@hlid/node/configuration';
import { resolvePaths } from '@hlid/node/tls-files';
import { readYaml } from '@hlid/protocol/command-line/read-yaml';
import { z } from 'zod';
import { ProbeTextSchema } from '../onvif/onvif-options.ts';
import { type CloudConfig, type EdgeConfig, EdgeFileSchema } from './config.ts';
import { readEnrolled } from './enrolment-file.ts';

const FILE: configuration.ConfigurationFile = {
  variable: 'HLID_EDGE_CONFIG',
  name: 'edge.yaml',
  example: 'deploy/edge/edge.yaml',
};

const VariablesSchema = z.object({
  HLID_EDGE_PORT: configuration.PortTextSchema.default(7070),
  HLID_CAMERA_PORT: configuration.PortTextSchema.default(7071),
  HLID_ONVIF_PROBE: ProbeTextSchema.prefault('239.255.255.250:3702'),
  HLID_LOG_LEVEL: configuration.LogLevelSchema.default('info'),
});

/**
 * The configuration: environment and YAML file. Throws Fault 'config-invalid' that names every mistake at once, each
 * with its key and line.
 */
export function readConfig(environment: configuration.Environment): EdgeConfig {
  const { variables, file, path, text } = configuration.readConfiguration(environment, FILE, {
    variablesSchema: VariablesSchema,
    fileSchema: EdgeFileSchema,
    fileRequired: true,
  });
  const dataDir = configuration.dataDirOf(environment);
  return {
    dataDir,
    logLevel: variables.HLID_LOG_LEVEL,
    edgePort: variables.HLID_EDGE_PORT,
    cameraPort: variables.HLID_CAMERA_PORT,
    probe: variables.HLID_ONVIF_PROBE,
    ...file,
    cameraTls: file.cameraTls && {
      ...file.cameraTls,
      cert: resolve(dirname(path), file.cameraTls.cert),
      key: resolve(dirname(path), file.cameraTls.key),
    },
    cloud: writesCloud(text) ? file.cloud && besides(file.cloud, dirname(path)) : enrolledCloud(dataDir),
  };
}

/** The files of TLS, by their paths from the folder in which the settings are. */
function besides(cloud: CloudConfig, folder: string): CloudConfig {
  const { ca, mqttCa, cert, key, ...others } = cloud;
  return { ...others, ...resolvePaths({ ca, mqttCa, cert, key }, folder) };
}

/** Whether the configuration file names the cloud, so that `enrol` does not count. */
export function findWrittenCloud(environment: configuration.Environment): 'yes' | 'no' | 'no-file' {
  const path = configPath(environment);
  if (!existsSync(path)) return 'no-file';
  return writesCloud(configuration.readText(path, FILE, true)) ? 'yes' : 'no';
}

/** The path of the configuration file, whether it exists or not. */
export function configPath(environment: configuration.Environment): string {
  return configuration.configPath(environment, FILE);
}

function writesCloud(text: string): boolean {
  const file = readYaml(text, z.looseObject({ cloud: z.unknown().optional() }));
  return file.ok && file.value.cloud !== undefined;
}

function enrolledCloud(dataDir: string): EdgeConfig['cloud'] {
  const enrolled = readEnrolled(dataDir);
  if (enrolled === null) return null;
  const { name: _name, enrolledAt: _at, ...cloud } = enrolled;
  return besides(cloud, dataDir);
}
