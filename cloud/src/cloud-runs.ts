import { databaseCheck } from './alarms/database-check.ts';
import { alarmMailing } from './alarms/mail-alarms.ts';
import { linkWatching } from './alarms/watch-links.ts';
import { tokenCleaning } from './auth/token-cleaning.ts';
import { billingRun } from './billing/bill-customers.ts';
import type { AlarmMailConfig } from './config.ts';
import { custodyTurning } from './custody/custody-job.ts';
import type { CloudContext } from './http/cloud-env.ts';
import { idempotencyCleaning } from './http/idempotency.ts';
import type { ScheduledRun } from './jobs/scheduled-runs.ts';
import { passageForgetting } from './lanes/lane-passage.ts';
import { mailSending } from './mail/send-mail.ts';
import type { Mailer } from './mail/smtp-mailer.ts';
import { pictureSweeping } from './photos/store-picture.ts';
import { erasureRepeating } from './privacy/erase-again.ts';
import { retentionRun } from './retention/retention-run.ts';
import { feedCompaction } from './site-link/compact-feed.ts';
import { vehicleRefreshing } from './vehicles/vehicle-refreshing.ts';
import { eventForgetting, webhookTelling } from './webhooks/webhook-job.ts';
import { permitEnding } from './whitelist/end-permits.ts';

type RunParts = Pick<
  CloudContext,
  'db' | 'clock' | 'log' | 'pictures' | 'retention' | 'allowInternalWebhooks' | 'vehicleRegistry' | 'scans'
> & {
  /** Its file is ours; a remote one is checked by its own server. */
  hasDatabaseFile: boolean;
};

/**
 * Everything that the cloud does by the clock. `mailer` null: there is no mail server; `alarms` null: nobody wants mail
 * of them.
 */
export function cloudRuns(
  parts: RunParts,
  mailer: Mailer | null,
  alarms: AlarmMailConfig | null = null,
): ScheduledRun[] {
  const { db, clock, log, pictures, retention, vehicleRegistry } = parts;
  return [
    billingRun(db),
    pictureSweeping({ db, pictures }),
    passageForgetting(db),
    custodyTurning(db),
    permitEnding(db),
    tokenCleaning(db),
    idempotencyCleaning(db),
    feedCompaction(db),
    retentionRun({ db, pictures, retention }),
    erasureRepeating({ db, pictures }),
    webhookTelling({ db, clock, log, allowInternal: parts.allowInternalWebhooks }),
    eventForgetting(db),
    linkWatching(db),
    ...(alarms === null || alarms.to.length === 0 ? [] : [alarmMailing({ db, ...alarms })]),
    ...(parts.hasDatabaseFile ? [databaseCheck({ db, scans: parts.scans, log, alarms })] : []),
    // Without a register there is nothing to ask.
    ...(vehicleRegistry === null ? [] : [vehicleRefreshing({ db, log, clock, vehicleRegistry })]),
    // Without a mail server it waits in the queue.
    ...(mailer === null ? [] : [mailSending({ db, clock, log, mailer })]),
  ];
}
