import { existsSync } from 'node:fs';
import { defineCommand, EXIT } from '@hlid/protocol/command-line/command';
import { type CloudBackupConfig, type CloudConfig, configPath, readConfig } from '../../platform/config.ts';
import { configWarnings } from './config-warnings.ts';

export const configCheck = defineCommand({
  name: 'config check',
  summary: 'Check the configuration; show every mistake with its key and line',
  about: 'Warns of what is probably not meant. Starts nothing, creates no database, and shows no secrets.',
  examples: ['config check', 'config check --json'],
  run({ json }, { environment, print, complain }) {
    const config = readConfig(environment);
    const path = configPath(environment);
    const file = existsSync(path) ? path : null;
    if (json) {
      const warnings = configWarnings(config);
      print(JSON.stringify({ ok: true, config: file, ...outlineOf(config), warnings }));
      return EXIT.done;
    }
    print(file === null ? `There is no ${path}: defaults and the environment apply.` : `${file} is valid.`);
    for (const [name, value] of Object.entries(outlineOf(config))) {
      print(`  ${name.padEnd(11)}${value ?? WITHOUT[name] ?? 'none'}`);
    }
    for (const warning of configWarnings(config)) complain(warning);
    return EXIT.done;
  },
});

const WITHOUT: Readonly<Record<string, string>> = {
  database: 'in the data folder',
  broker: 'inside the cloud',
  publicUrl: 'the address it listens at',
  mail: 'none: mail is kept and shown',
  pictures: 'in the data folder',
  backup: 'none: the cloud makes no backups',
  operator: 'none given: the first one is made up and shown once',
};

/** An outline of the configuration, without secrets. */
function outlineOf(config: CloudConfig) {
  const { dataDir, http, mqtt, database, brokerUrl, publicUrl, smtp, s3, backup, operator } = config;
  return {
    dataDir,
    http: `${http.host}:${http.port}`,
    mqtt: brokerUrl === null ? `${mqtt.host}:${mqtt.port}` : null,
    broker: hostOf(brokerUrl),
    database: hostOf(database?.url ?? null),
    replica: hostOf(database?.replicaUrl ?? null),
    publicUrl,
    mail: hostOf(smtp?.url ?? null),
    pictures: s3 && `${s3.bucket} at ${s3.endpoint}`,
    backup: backup && placeOf(backup.to),
    operator: operator?.id ?? null,
  };
}

function placeOf(to: CloudBackupConfig['to']): string {
  return 'folder' in to ? to.folder : `${to.bucket}/${to.prefix} at ${to.endpoint}`;
}

/** An address less user and password. */
function hostOf(url: string | null): string | null {
  if (url === null) return null;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
