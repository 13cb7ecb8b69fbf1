import type { BackedUpProgram } from '@hlid/node/backup/backup-commands';
import { isExample } from '@hlid/node/configuration';
import type { MigratedProgram } from '@hlid/node/migration/database-commands';
import { Fault } from '@hlid/protocol/base/fault';
import { configPath, readConfig } from '../../platform/config.ts';

/** The cloud for the commands that make and restore backups. */
export const BACKED_UP_CLOUD: BackedUpProgram = {
  kind: 'cloud',
  runs: 'the cloud',
  async readPlan(environment, onNewMachine = false) {
    const path = configPath(environment);
    const isWithout = onNewMachine && isExample(path);
    const config = readConfig(isWithout ? { ...environment, HLID_CLOUD_CONFIG: undefined } : environment);
    if (config.database !== null) throw remote(config.database.url);
    const { backupSource } = await import('../../privacy/backup/backup-source.ts');
    return {
      source: backupSource(config, path),
      config: config.backup,
      pictureDays: config.retention.pictureDays,
    };
  },
  next: [
    'Next: start the cloud. The sites send what it misses of the last 30 days by themselves.',
    'Check the newest visits and payments, and delete the old database later: it names plates.',
  ],
};

/** The cloud for the commands about its database file. */
export const MIGRATED_CLOUD: MigratedProgram = {
  runs: 'the cloud',
  async readDatabase() {
    const { CLOUD_DATABASE } = await import('../../privacy/backup/backup-source.ts');
    return CLOUD_DATABASE;
  },
  afterRevert:
    'The sites send again what happened since the copy (30 days at most). What people changed in the cloud since then is lost.',
};

function remote(url: string): Fault {
  return new Fault(
    'config-invalid',
    `The database is a libSQL server (${new URL(url).host}): use the backups of that server. deploy/BACKUP.md says how.`,
  );
}
