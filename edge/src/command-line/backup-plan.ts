import { existsSync } from 'node:fs';
import type { BackedUpProgram } from '@hlid/node/backup/backup-commands';
import { dataDirOf, isExample } from '@hlid/node/configuration';
import type { MigratedProgram } from '@hlid/node/migration/database-commands';
import { noteBackup } from '../backup/backup-state.ts';
import { configPath, readConfig } from '../config/read-config.ts';

/** The edge for the commands that make and restore backups. */
export const BACKED_UP_EDGE: BackedUpProgram = {
  kind: 'edge',
  runs: 'the daemon',
  async readPlan(environment, onNewMachine = false) {
    const path = configPath(environment);
    // A new machine has none until the restore.
    const isWithout = !existsSync(path) || (onNewMachine && isExample(path));
    const config = isWithout ? null : readConfig(environment).backup;
    const { backupSource } = await import('../backup/backup-source.ts');
    return { source: backupSource(dataDirOf(environment), path), config, pictureDays: null };
  },
  onEnded: noteBackup,
  next: [
    'Next: start the daemon. It gets the lists and the open visits from the cloud, and reports what only it knows.',
    'Never start the old machine again with the same credentials.',
  ],
};

/** The edge for the commands about its database. */
export const MIGRATED_EDGE: MigratedProgram = {
  runs: 'the daemon',
  async readDatabase() {
    const { SITE_DATABASE } = await import('../db/site-schema.ts');
    return SITE_DATABASE;
  },
  afterRevert:
    'The daemon gets open visits, permits and prices from the cloud. What it had not sent to the cloud since the copy is lost.',
};
