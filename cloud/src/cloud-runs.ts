import { deleteOldCopy } from '@hlid/node/migration/copy-before';
import type { TlsFiles } from '@hlid/node/tls-files';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import { tokenCleanupJob } from './auth/tokens.ts';
import { backupRuns } from './backup/backup-runs.ts';
import type { BackupOrder } from './backup/backup-thread.ts';
import { callRun } from './calls/calls.ts';
import type { AlarmMailConfig } from './config.ts';
import { snapshotRun } from './device-commands/snapshots.ts';
import { certificateCheck } from './devices/alarms/certificate-check.ts';
import { databaseCheck } from './devices/alarms/database-check.ts';
import { alarmMailJob } from './devices/alarms/mail-alarms.ts';
import { linkWatchJob } from './devices/alarms/watch-links.ts';
import { automaticPaymentRun } from './drivers/charge/automatic-payments.ts';
import { forgottenCardRun } from './drivers/forget-cards.ts';
import { registerProofJob } from './drivers/register-proofs.ts';
import { sessionCleanupJob } from './electronic-id/check-identification.ts';
import { feedCompactionJob } from './feed/delivery/compact-feed.ts';
import { openingRun } from './gates/settle-opening.ts';
import type { CloudContext } from './http/cloud-env.ts';
import { idempotencyCleanupJob } from './http/idempotency.ts';
import { floodEndJob } from './ingest/site-floods.ts';
import { billingRun } from './invoices/billing/bill-customers.ts';
import type { ScheduledRun } from './jobs/scheduled-runs.ts';
import { passageRetentionJob } from './lanes/lane-passage.ts';
import { mailJob } from './mail/send-mail.ts';
import type { Mailer } from './mail/smtp-mailer.ts';
import { OnlinePayments } from './online-payments/online-payments.ts';
import { onlinePaymentRun } from './online-payments/payment-resolver.ts';
import { waysToPayRun } from './pay/site-ways-to-pay.ts';
import { pictureCleanupJob } from './photos/store-picture.ts';
import { erasureRepeatJob } from './privacy/erase-again.ts';
import { retentionRun } from './retention/retention-run.ts';
import { rolloutRun } from './rollouts/advance-rollout.ts';
import { passkeyCleanupJob } from './second-factors/passkeys.ts';
import { vehicleRefreshJob } from './vehicles/ask-registry.ts';
import { custodyJob } from './vehicles/custody/custody-job.ts';
import { eventRetentionJob, webhookJob } from './webhooks/webhook-job.ts';
import { permitEndJob } from './whitelist/end-permits.ts';

type RunParts = Pick<
  CloudContext,
  | 'db'
  | 'clock'
  | 'instance'
  | 'log'
  | 'cardGateways'
  | 'commands'
  | 'publicUrl'
  | 'pictures'
  | 'retention'
  | 'allowInternalWebhooks'
  | 'vehicleRegistry'
  | 'scans'
> & {
  /** Null: a server has the database, and checks it. */
  databaseFile: string | null;
  /** Whose certificates are watched. */
  tlsFiles: readonly TlsFiles[];
  /** Null: none is made. */
  backup: BackupOrder | null;
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
  const { db, clock, log, pictures, retention, vehicleRegistry, backup, databaseFile } = parts;
  return [
    billingRun(parts),
    pictureCleanupJob({ db, pictures }),
    passageRetentionJob(db),
    custodyJob(db),
    permitEndJob(db),
    tokenCleanupJob(db),
    sessionCleanupJob(db),
    passkeyCleanupJob(db),
    idempotencyCleanupJob(db),
    feedCompactionJob(db),
    retentionRun({ db, pictures, retention }),
    erasureRepeatJob({ db, pictures }),
    webhookJob({ db, clock, log, allowInternal: parts.allowInternalWebhooks }),
    eventRetentionJob(db),
    onlinePaymentRun(parts),
    automaticPaymentRun(parts, new OnlinePayments(parts)),
    forgottenCardRun(parts),
    openingRun(db),
    snapshotRun({ db, pictures }),
    callRun(db),
    linkWatchJob(db),
    floodEndJob(db),
    waysToPayRun(parts),
    rolloutRun({ db, alarms }),
    ...(alarms === null || alarms.to.length === 0 ? [] : [alarmMailJob({ db, ...alarms })]),
    ...(databaseFile === null
      ? []
      : [databaseCheck({ db, scans: parts.scans, log, alarms }), oldCopyJob(databaseFile)]),
    ...(parts.tlsFiles.length > 0 ? [certificateCheck({ db, log, alarms, files: parts.tlsFiles })] : []),
    ...(backup === null
      ? []
      : backupRuns({ db, log, alarms, order: backup, hasDatabaseFile: databaseFile !== null })),
    // Without a register there is nothing to ask.
    ...(vehicleRegistry === null
      ? []
      : [
          vehicleRefreshJob({ db, log, clock, vehicleRegistry }),
          registerProofJob({ db, log, clock, vehicleRegistry }),
        ]),
    // Without a mail server it waits in the queue.
    ...(mailer === null ? [] : [mailJob({ db, clock, log, mailer })]),
  ];
}

/** Deletes the copy of the database from before its migrations, when this version has worked for a week. */
function oldCopyJob(databaseFile: string): ScheduledRun {
  return {
    name: 'old-database-copy',
    everyMs: HOUR_MS,
    async work({ now }) {
      deleteOldCopy(databaseFile, { now: new Date(now), upMs: process.uptime() * 1000 });
    },
  };
}
