import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { ALARM_MAIL_WORDS } from '../../people/mail/alarm-mail-words.ts';
import { queueAlarmMail } from '../../people/mail/queue-mail.ts';
import type { AlarmMailConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import { QUICK_CHECK } from '../../platform/db/scan-quick-check.ts';
import type { Scans } from '../../platform/db/scans.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';

/** A start has better to do. */
const FIRST_AFTER_MS = 10 * MINUTE_MS;
const EVERY_MS = 24 * HOUR_MS;

/** Checks at intervals whether the file of the database is whole, in a separate thread. */
export function databaseCheck(parts: {
  db: Db;
  scans: Scans;
  log: Logger;
  alarms: AlarmMailConfig | null;
}): ScheduledRun {
  const { db, scans, log, alarms } = parts;
  let dueAt = performance.now() + FIRST_AFTER_MS;

  async function findings(signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    try {
      for await (const finding of scans.run(QUICK_CHECK, null, signal)) found.push(finding);
    } catch (error) {
      if (signal.aborted) throw error;
      // A file that cannot even be read to its end.
      found.push(messageOf(error));
    }
    return found;
  }

  async function mail(
    { to, language }: AlarmMailConfig,
    found: readonly string[],
    now: UtcTime,
  ): Promise<void> {
    const { subject, advice } = ALARM_MAIL_WORDS[language].database;
    const text = `${advice}\n\n${found.join('\n')}\n`;
    await db.write((tx) => queueAlarmMail(tx, to, { subject, text, language }, now));
  }

  return {
    name: 'database-check',
    everyMs: FIRST_AFTER_MS,
    leaseMs: HOUR_MS,
    isDue: async () => performance.now() >= dueAt,
    async work({ now, signal }) {
      dueAt = performance.now() + EVERY_MS;
      const found = await findings(signal);
      if (found.length === 0) return;
      log.error({ event: EVENTS.databaseDamaged, found });
      if (alarms) await mail(alarms, found, now);
    },
  };
}
