import type { Clock } from '../clock.ts';
import type { BackupConfig } from './backup-config.ts';
import { proofKeyOf } from './backup-proof.ts';
import { openBackupStore } from './backup-store.ts';
import { type BackupSource, makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { pruneBackups } from './prune-backups.ts';

export interface DoneBackup {
  manifest: Manifest;
  /** The names of older ones. */
  deleted: string[];
}

/** Makes a backup, and then deletes those that need not be kept. */
export async function runBackup(
  source: BackupSource,
  given: { config: BackupConfig; pictureDays: number | null; clock: Clock; signal: AbortSignal },
): Promise<DoneBackup> {
  const { config, pictureDays, clock, signal } = given;
  const store = openBackupStore(config.to);
  const manifest = await makeBackup(source, { store, keys: config.key, clock, signal });
  const deleted = await pruneBackups(store, source.kind, {
    keep: config.keep,
    proofKeys: config.key.map(proofKeyOf),
    now: clock.now(),
    pictureDays,
  });
  return { manifest, deleted };
}
