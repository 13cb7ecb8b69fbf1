import { existsSync } from 'node:fs';
import { rowsOf } from '@hlid/node/backup/sqlite-file';
import { dataDirOf } from '@hlid/node/configuration';
import { configurationOutline, journalWarnings, machineOutline } from '@hlid/node/support-report';
import { messageOf } from '@hlid/protocol/base/fault';
import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { SOFTWARE } from '../base/software.ts';
import { configPath } from '../config/read-config.ts';
import { siteDbPath } from '../db/site-db.ts';
import { SITE_DATABASE } from '../db/site-schema.ts';
import { callDaemon } from './call-daemon.ts';
import type { Shell } from './shell.ts';

export const report = defineCommand({
  name: 'report',
  summary: 'Print what support needs: versions, health, sizes, warnings; no plates, names or secrets',
  about:
    'JSON. Read it before you send it. It also works while no daemon runs. Of the configuration it has the keys, numbers and switches, and of addresses only the host.',
  examples: ['report > report.json'],
  run: (_given, shell: Shell) => printReport(shell),
});

async function printReport(shell: Shell): Promise<ExitCode> {
  const { environment, print } = shell;
  const dataDir = dataDirOf(environment);
  const content = {
    at: new Date().toISOString(),
    software: SOFTWARE,
    machine: machineOutline(dataDir),
    configuration: configurationOutline(configPath(environment)),
    health: await callDaemon(shell, '/health', { accepts: [503] }),
    database: databaseOutline(siteDbPath(dataDir)),
    warnings: journalWarnings('hlid-edge'),
  };
  print(JSON.stringify(content, null, 2));
  return EXIT.done;
}

/** Rows of each table; a text where the database cannot be read. Null: there is none. */
function databaseOutline(path: string): Record<string, number> | string | null {
  if (!existsSync(path)) return null;
  try {
    const file = SITE_DATABASE.open(path, 'read');
    try {
      return rowsOf(file);
    } finally {
      file.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}
