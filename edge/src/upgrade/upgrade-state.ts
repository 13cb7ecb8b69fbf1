import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { UpgradeOutcomeSchema } from '@hlid/protocol/site-link/edge-upgrade';
import { z } from 'zod';

/** The state's file in the folder of upgrades. */
export const STATE_FILE = 'state.json';

/**
 * - `working`: the upgrade is under way, and has changed nothing yet; `installing`: later steps are undone if
 *   it breaks off.
 * - `refused`: nothing was changed; `done`; `went-back`: the former version runs again.
 * - `stuck`: the former version does not run either.
 *
 * Another version may have written it, with fields that are not known here.
 */
const UpgradeStateSchema = z.object({
  outcome: UpgradeOutcomeSchema.exclude(['downloading']),
  /** The order of the cloud that it was for; null: a person at the site ordered it. */
  orderId: z.string().nullable().default(null),
  /** Versions of the package; null: it was not read yet. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Null: it has none. */
  reason: z.string().nullable(),
  /** A person has read the outcome: it is no alarm any more. */
  dismissed: z.boolean().default(false),
  at: UtcTimeSchema,
});
export type UpgradeState = z.infer<typeof UpgradeStateSchema>;

/**
 * The folder of upgrades beside the data folder: root keeps packages and the outcome of the last upgrade
 * there, and the daemon reads it.
 */
export function upgradeFolder(dataDir: string): string {
  return `${dataDir}-upgrade`;
}

/** Makes it, as root. The daemon reads the outcome there. */
export function makeUpgradeFolder(dataDir: string): void {
  const folder = upgradeFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Public keys of those who may sign packages that the cloud orders; root alone writes there. */
export function upgradeKeysFolder(dataDir: string): string {
  return join(upgradeFolder(dataDir), 'keys');
}

/** Null where no upgrade was ever ordered. */
export function readUpgradeState(dataDir: string): UpgradeState | null {
  try {
    const text = readFileSync(join(upgradeFolder(dataDir), STATE_FILE), 'utf8');
    return UpgradeStateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
