import { type BackupSource, filesOf } from '@hlid/node/backup/make-backup';
import { lockFolder } from '@hlid/node/backup/sqlite-file';
import { protectFolder } from '@hlid/node/private-files';
import { isFault } from '@hlid/protocol/base/fault';
import { SOFTWARE } from '../base/software.ts';
import { SITE_DATABASE } from '../db/site-schema.ts';

/**
 * The files of the data folder that no backup copies as files. They are the database and its copies,
 * pictures, locks, folders of work in progress, and the state files of a running daemon.
 */
const NO_FILES =
  /^(site\.sqlite|site-pictures\/|.*\.lock(-journal)?$|(backup|restore)-in-work\/|local-api\.json|backup-state\.json)|\.restored$/;

/** The contents of a backup of a site's edge. Pictures are in the cloud, or on their way to it. */
export function backupSource(dataDir: string, configPath: string): BackupSource {
  return {
    kind: 'edge',
    software: SOFTWARE,
    dataDir,
    database: SITE_DATABASE,
    pictures: null,
    files: filesOf({ dataDir, except: NO_FILES, config: { name: 'edge.yaml', path: configPath } }),
  };
}

/**
 * Holds the data folder, so that no backup is restored beneath the daemon. A folder that cannot be written keeps no
 * daemon from starting (ADR 23). Throws Fault 'database-unusable' while a restore is at work.
 *
 * @returns what gives it back
 */
export function holdFolder(dataDir: string): () => void {
  try {
    protectFolder(dataDir);
    return lockFolder(dataDir, 'shared', SITE_DATABASE);
  } catch (error) {
    if (isFault(error)) throw error;
    return () => undefined;
  }
}
