import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { ALARM_MAIL_WORDS } from '../../people/mail/alarm-mail-words.ts';
import { queueAlarmMail } from '../../people/mail/queue-mail.ts';
import type { AlarmMailConfig } from '../../platform/config.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { EVENTS } from '../../platform/events.ts';
import { jobTable } from '../../platform/jobs/job-table.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type BackupOrder, backupInThread } from './backup-thread.ts';

const RUN = 'backup';
const ALARM = 'backup-alarm';
const EVERY_MS = 5 * MINUTE_MS;
/** The pause after a failed backup. */
const RETRY_MS = 30 * MINUTE_MS;
/** The number of intervals without a backup that raises an alarm. */
const OLD_INTERVALS = 2;

const SERVER_BACKS_UP =
  'The database is a libSQL server, which has to be backed up by its own means: remove `backup` from the configuration.';

interface BackupRunParts {
  db: Db;
  log: Logger;
  order: BackupOrder;
  /** A database server is backed up by its own means: then each try fails, and is an alarm. */
  hasDatabaseFile: boolean;
  /** Makes one; absent: in a thread. */
  make?: typeof backupInThread;
  /** Null: alarms are not mailed. */
  alarms: AlarmMailConfig | null;
}

/** Makes backups on their schedule, and raises an alarm where one failed or the last one is old. */
export function backupRuns({
  db,
  log,
  order,
  hasDatabaseFile,
  alarms,
  make = backupInThread,
}: BackupRunParts): ScheduledRun[] {
  const state = (name: string) => db.read((q) => jobState(q, name));
  const intervalMs = order.config.backup.everyHours * HOUR_MS;
  const backup: ScheduledRun = {
    name: RUN,
    everyMs: EVERY_MS,
    // Another cloud on the same folder that begins one meanwhile is refused there.
    leaseMs: HOUR_MS,
    isDue: async (now) => isBackupDue(await state(RUN), now, intervalMs),
    async work({ signal }) {
      if (!hasDatabaseFile) throw new Fault('config-invalid', SERVER_BACKS_UP);
      const { manifest, deleted } = await make(order, signal);
      const { name, madeAt, finishedAt, pictures } = manifest;
      log.info({ event: EVENTS.backupMade, name, madeAt, finishedAt, pictures, deleted: deleted.length });
    },
  };
  const alarm: ScheduledRun = {
    name: ALARM,
    everyMs: EVERY_MS,
    async isDue(now) {
      const { lastDoneAt: raisedAt } = await state(ALARM);
      const isRaised = raisedAt !== null && age(raisedAt, now) < DAY_MS;
      return !isRaised && problemOf(await state(RUN), now, intervalMs) !== null;
    },
    async work({ now }) {
      const run = await state(RUN);
      const problem = problemOf(run, now, intervalMs) ?? '';
      log.error({ event: EVENTS.backupMissing, lastDoneAt: run.lastDoneAt, problem });
      if (alarms === null) return;
      const { to, language } = alarms;
      const { subject, advice, last } = ALARM_MAIL_WORDS[language].backup;
      const text = `${last({ at: run.lastDoneAt })}\n${problem}\n\n${advice}\n`;
      await db.write((tx) => queueAlarmMail(tx, to, { subject, text, language }, now));
    },
  };
  return [backup, alarm];
}

export function isBackupDue(
  { lastDoneAt, lastStartedAt, lastError }: JobState,
  now: UtcTime,
  intervalMs: number,
) {
  if (lastError !== null && lastStartedAt !== null && age(lastStartedAt, now) < RETRY_MS) return false;
  return lastDoneAt === null || age(lastDoneAt, now) >= intervalMs;
}

/** The problem of the backups; null: none. */
export function problemOf(
  { lastDoneAt, lastStartedAt, lastError }: JobState,
  now: UtcTime,
  intervalMs: number,
) {
  if (lastError !== null) return lastError;
  const since = lastDoneAt ?? lastStartedAt;
  const isOld = since !== null && age(since, now) > OLD_INTERVALS * intervalMs;
  return isOld ? 'the last backup is too old' : null;
}

function age(at: UtcTime, now: UtcTime): number {
  return millis(now) - millis(at);
}

type JobState = Pick<typeof jobTable.$inferSelect, 'lastStartedAt' | 'lastDoneAt' | 'lastError'>;

const NEVER: JobState = { lastStartedAt: null, lastDoneAt: null, lastError: null };

async function jobState(q: Queries, name: string): Promise<JobState> {
  const [row] = await q.select().from(jobTable).where(eq(jobTable.name, name));
  return row ?? NEVER;
}
