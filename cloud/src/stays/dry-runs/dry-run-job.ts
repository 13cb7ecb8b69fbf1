import { type Clock, nowUtc } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db } from '../../platform/db/db.ts';
import type { Scans } from '../../platform/db/scans.ts';
import { EVENTS } from '../../platform/events.ts';
import type { Instance } from '../../platform/jobs/cloud-instance.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { WorkLease } from '../../platform/jobs/work-lease.ts';
import { releaseWork } from '../../platform/jobs/work-queue.ts';
import type { DryRunSums, RunRow } from '../../records/dry-runs/run-table.ts';
import { DRY_RUNS } from './begin-dry-run.ts';
import { DRY_RUN_SCAN } from './dry-run-scan.ts';
import { deleteRunsBefore, findRun, keepLargest, runQueue, updateRun } from './run-store.ts';
import type { DryRunPiece } from './scan-dry-run.ts';

/** Renewed with each piece. */
const LEASE_MS = 5 * MINUTE_MS;
const EVERY_MS = 10_000;
const RUNS_AT_ONCE = 10;
/** A run is a look at a draft, and of no use later. */
const KEPT_MS = 7 * DAY_MS;
const ROWS_AT_ONCE = 50;

interface DryRunParts {
  db: Db;
  clock: Clock;
  log: Logger;
  scans: Scans;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
}

/** Does the dry runs that wait, one after the other. One that a process left off is continued where it was. */
export function dryRunJob(parts: DryRunParts): ScheduledRun {
  const { db } = parts;
  return {
    name: 'dry-runs',
    everyMs: EVERY_MS,
    wakesOn: DRY_RUNS,
    isDue: async (now) => await db.read((q) => runQueue.isAnyDue(q, now)),
    async work({ now, signal }) {
      for (const id of await db.read((q) => runQueue.due(q, now, RUNS_AT_ONCE))) {
        if (signal.aborted) return;
        await doRun(parts, id, signal);
      }
    },
  };
}

/** Deletes old runs. */
export function runCleanupJob(db: Db): ScheduledRun {
  return {
    name: 'runs-cleaning',
    everyMs: HOUR_MS,
    async work({ now, signal }) {
      const before = utcTime(millis(now) - KEPT_MS);
      let more = true;
      while (more && !signal.aborted)
        more = await db.write(({ q }) => deleteRunsBefore(q, before, ROWS_AT_ONCE));
    },
  };
}

/** Lets other processes continue the runs of dead ones. */
export const releaseDryRuns = releaseWork(DRY_RUNS, runQueue);

async function doRun(parts: DryRunParts, id: string, stopping: AbortSignal): Promise<void> {
  const { db, clock, log, scans, instance } = parts;
  const newLease = () => new WorkLease(clock, { leaseMs: LEASE_MS, instance });
  let lease = newLease();
  const run = await db.write(async ({ q }) => {
    if (!(await runQueue.claim(q, id, nowUtc(clock), lease))) return null;
    await updateRun(q, id, { state: 'running' });
    return await findRun(q, id);
  });
  if (run === null) return;
  const { productId, siteId, draft, before, doneUntil: from, total } = run;
  const question = { productId, siteId, draft, from, before, isCounted: total !== null };
  try {
    for await (const piece of scans.run(DRY_RUN_SCAN, question, stopping)) {
      const later = newLease();
      const isOurs = await db.write(async ({ q }) => {
        // It was cancelled, or another process has it.
        if (!(await runQueue.renew(q, id, lease, later))) return false;
        const known = await findRun(q, id);
        if (known !== null) await updateRun(q, id, progressOf(known, piece));
        await keepLargest(q, id, piece.visits);
        return true;
      });
      if (!isOurs) return;
      lease = later;
    }
    await end({ state: 'done', endedAt: nowUtc(clock) });
  } catch (error) {
    if (stopping.aborted) {
      await db.write(({ q }) => runQueue.settle(q, id, lease, { dueAt: nowUtc(clock) }));
      return;
    }
    log.error({ event: EVENTS.runFailed, run: 'dry-runs', err: error }, messageOf(error));
    await end({ state: 'failed', endedAt: nowUtc(clock), error: messageOf(error) });
  }

  async function end(change: Pick<RunRow, 'state' | 'endedAt'> & { error?: string }): Promise<void> {
    await db.write(async ({ q }) => {
      if (await runQueue.settle(q, id, lease, { dueAt: null })) await updateRun(q, id, change);
    });
  }
}

function progressOf({ done, total, sums }: RunRow, piece: DryRunPiece) {
  return {
    doneUntil: piece.doneUntil,
    done: done + piece.done,
    total: total ?? piece.total,
    sums: addedSums(sums, piece.sums),
  };
}

function addedSums(one: DryRunSums, other: DryRunSums): DryRunSums {
  return {
    visits: one.visits + other.visits,
    beforeMinor: one.beforeMinor + other.beforeMinor,
    afterMinor: one.afterMinor + other.afterMinor,
    more: one.more + other.more,
    less: one.less + other.less,
    same: one.same + other.same,
  };
}
