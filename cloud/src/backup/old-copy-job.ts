import { deleteOldCopy } from '@hlid/node/migration/copy-before';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';

/** Deletes the copy of the database from before its migrations, when this version has worked for a week. */
export function oldCopyJob(databaseFile: string): ScheduledRun {
  return {
    name: 'old-database-copy',
    everyMs: HOUR_MS,
    async work({ now }) {
      deleteOldCopy(databaseFile, { now: new Date(now), upMs: process.uptime() * 1000 });
    },
  };
}
