import { HOUR_MS } from '@hlid/protocol/utc-time';
import type { Db } from '../db/db.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import { deleteExpiredRecoveries } from './recovery-links.ts';
import { deleteExpiredTokens } from './tokens.ts';

/** Takes away tokens and links that have run out. */
export function tokenCleaning(db: Db): ScheduledRun {
  return {
    name: 'token-cleaning',
    everyMs: HOUR_MS,
    work: async ({ now }) => {
      await db.write(async ({ q }) => {
        await deleteExpiredTokens(q, now);
        await deleteExpiredRecoveries(q, now);
      });
    },
  };
}
