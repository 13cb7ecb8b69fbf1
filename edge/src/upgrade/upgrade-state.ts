import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from 'zod';

/** In the folder of upgrades. */
export const STATE_FILE = 'state.json';

/**
 * - `working`: it is under way, and has changed nothing yet; `installing`: what follows is undone if it breaks off.
 * - `refused`: nothing was changed; `done`; `went-back`: the former version runs again.
 * - `stuck`: the former version does not run either. `dismissed`: a person has read one of these.
 */
const UpgradeStateSchema = z.strictObject({
  outcome: z.enum(['working', 'installing', 'refused', 'done', 'went-back', 'stuck', 'dismissed']),
  /** Versions of the package; null: it was not read yet. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Null: it has none. */
  reason: z.string().nullable(),
  at: UtcTimeSchema,
});
export type UpgradeState = z.infer<typeof UpgradeStateSchema>;

/** Beside the data folder: root keeps packages and the outcome of the last upgrade there, and the daemon reads it. */
export function upgradeFolder(dataDir: string): string {
  return `${dataDir}-upgrade`;
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
