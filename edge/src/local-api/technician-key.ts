import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from '@hlid/node/private-files';
import { z } from 'zod';

const KeySchema = z.strictObject({ url: z.string(), secret: z.string() });

/** The address of a running daemon, and the key that allows its technician's calls. */
export type TechnicianKey = z.infer<typeof KeySchema>;

/**
 * A user who can read the data folder can move the gates. A page in a browser and other users of the machine
 * cannot.
 */
const FILE = 'local-api.json';

export function makeTechnicianSecret(): string {
  return randomBytes(24).toString('base64url');
}

export function writeTechnicianKey(dataDir: string, key: TechnicianKey): void {
  writeSecretFile(dataDir, FILE, key);
}

/** A file that stays behind names a daemon that does not answer; the tools report that. */
export function removeTechnicianKey(dataDir: string): void {
  try {
    rmSync(join(dataDir, FILE), { force: true });
  } catch {
    // A folder that cannot be written.
  }
}

/** Null where no daemon runs on that folder. */
export function readTechnicianKey(dataDir: string): TechnicianKey | null {
  try {
    return KeySchema.parse(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')));
  } catch {
    return null;
  }
}
