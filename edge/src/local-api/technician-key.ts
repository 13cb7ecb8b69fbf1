import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from '@hlid/node/private-files';
import { z } from 'zod';

const KeySchema = z.strictObject({ url: z.string(), secret: z.string() });

/** Where a running daemon is found, and what shows that one may move its gates. */
export type TechnicianKey = z.infer<typeof KeySchema>;

/** Whoever may read the data folder may move the gates; no page in a browser and no other user of this machine can. */
const FILE = 'local-api.json';

export function makeTechnicianSecret(): string {
  return randomBytes(24).toString('base64url');
}

export function writeTechnicianKey(dataDir: string, key: TechnicianKey): void {
  writeSecretFile(dataDir, FILE, key);
}

/** What cannot be removed names a daemon that does not answer, which the tools notice. */
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

/** Whether an `Authorization` header holds the secret. */
export function showsSecret(authorization: string | undefined, secret: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const wanted = Buffer.from(`Bearer ${secret}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
