import type { TlsFiles } from '@hlid/node/tls-files';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { ALARM_MAIL_WORDS } from '../../people/mail/alarm-mail-words.ts';
import { queueAlarmMail } from '../../people/mail/queue-mail.ts';
import type { AlarmMailConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';

/** The certificates that end soon, and why files of them cannot be used. */
export function certificateConcerns(
  files: readonly TlsFiles[],
  nowMs: number,
  language: AlarmMailConfig['language'] = 'en',
): string[] {
  const ending = files
    .flatMap((one) => one.certificates())
    .filter(({ warnFrom }) => warnFrom.getTime() <= nowMs)
    .map(({ path, endsAt }) =>
      ALARM_MAIL_WORDS[language].certificate.ends({ path, endsAt: utcTime(endsAt.getTime()) }),
    );
  return [...new Set([...ending, ...files.flatMap((one) => one.problem() ?? [])])];
}

/** Warns once a day, by log and mail, of certificates that end soon, and of renewed files that cannot be used. */
export function certificateCheck(parts: {
  db: Db;
  files: readonly TlsFiles[];
  log: Logger;
  alarms: AlarmMailConfig | null;
}): ScheduledRun {
  const { db, files, log, alarms } = parts;
  let checkedAt: number | null = null;

  async function mail(
    { to, language }: AlarmMailConfig,
    lines: readonly string[],
    now: UtcTime,
  ): Promise<void> {
    const { subject, advice } = ALARM_MAIL_WORDS[language].certificate;
    const text = `${advice}\n\n${lines.join('\n')}\n`;
    await db.write((tx) => queueAlarmMail(tx, to, { subject, text, language }, now));
  }

  return {
    name: 'certificate-check',
    everyMs: HOUR_MS,
    isDue: async (now) => checkedAt === null || Date.parse(now) - checkedAt >= DAY_MS,
    async work({ now }) {
      checkedAt = Date.parse(now);
      const lines = certificateConcerns(files, checkedAt, alarms?.language);
      if (lines.length === 0) return;
      log.error({ event: EVENTS.certificateEnds, lines });
      if (alarms) await mail(alarms, lines, now);
    },
  };
}
