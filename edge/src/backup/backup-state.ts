import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from '@hlid/node/private-files';
import { type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';

/** `backup` notes there how it went, for the daemon. */
const FILE = 'backup-state.json';
const StateSchema = z.strictObject({
  lastDoneAt: UtcTimeSchema.nullable(),
  /** Why the last backup failed; null: it succeeded. */
  error: z.string().nullable(),
});
export type BackupState = z.infer<typeof StateSchema>;

/** Null where no backup was ever tried. */
export function readBackupState(dataDir: string): BackupState | null {
  try {
    return StateSchema.parse(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** @param error why no backup was made; null: one was */
export function noteBackup(dataDir: string, at: UtcTime, error: string | null): void {
  const lastDoneAt = error === null ? at : (readBackupState(dataDir)?.lastDoneAt ?? null);
  writeSecretFile(dataDir, FILE, { lastDoneAt, error } satisfies BackupState);
}
