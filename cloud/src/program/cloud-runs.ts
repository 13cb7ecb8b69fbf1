import { deleteOldCopy } from '@hlid/node/migration/copy-before';
import type { TlsFiles } from '@hlid/node/tls-files';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { closedBooksRun } from '../books/bookkeeping/closed-books.ts';
import { claimRun } from '../books/claims/claim-run.ts';
import { closeDaysRun } from '../books/day-close/close-days-run.ts';
import { laterMatchRun } from '../books/imports/match-later.ts';
import { reminderRun } from '../books/reminders/reminder-run.ts';
import { certificateCheck } from '../integration/alarms/certificate-check.ts';
import { databaseCheck } from '../integration/alarms/database-check.ts';
import { alarmMailJob } from '../integration/alarms/mail-alarms.ts';
import { linkWatchJob } from '../integration/alarms/watch-links.ts';
import { floodEndJob } from '../integration/ingest/site-floods.ts';
import { eventRetentionJob, webhookJob } from '../integration/webhooks/webhook-job.ts';
import { reversalOrderRun } from '../money/payments/reverse-payment.ts';
import { plannedVersionRun } from '../money/products/change/begin-planned.ts';
import { approvalEndRun } from '../paying/approvals/expire-approvals.ts';
import { billingRun } from '../paying/billing/bill-customers.ts';
import { automaticPaymentRun } from '../paying/drivers/charge/automatic-payments.ts';
import { forgottenCardRun } from '../paying/drivers/forget-cards.ts';
import { registerProofJob } from '../paying/drivers/register-proofs.ts';
import { eInvoiceRun } from '../paying/e-invoice-sending/send-e-invoices.ts';
import { InvoiceDocuments } from '../paying/invoice-document/invoice-documents.ts';
import type { OnlinePayments } from '../paying/online-payments/online-payments.ts';
import { onlinePaymentRun } from '../paying/online-payments/payment-resolver.ts';
import { waysToPayRun } from '../paying/pay/site-ways-to-pay.ts';
import { billUnpaidRun } from '../paying/unpaid/bill-unpaid.ts';
import { tokenCleanupJob } from '../people/auth/tokens.ts';
import { sessionCleanupJob } from '../people/electronic-id/check-identification.ts';
import type { MailRow } from '../people/mail/mail-store.ts';
import { mailJob } from '../people/mail/send-mail.ts';
import type { Mailer } from '../people/mail/smtp-mailer.ts';
import { passkeyCleanupJob } from '../people/second-factors/passkeys.ts';
import type { AlarmMailConfig } from '../platform/config.ts';
import type { CloudContext } from '../platform/http/cloud-env.ts';
import { idempotencyCleanupJob } from '../platform/http/idempotency.ts';
import type { ScheduledRun } from '../platform/jobs/scheduled-runs.ts';
import { backupRuns } from '../privacy/backup/backup-runs.ts';
import type { BackupOrder } from '../privacy/backup/backup-thread.ts';
import { erasureRepeatJob } from '../privacy/privacy/erase-again.ts';
import { retentionRun } from '../privacy/retention/retention-run.ts';
import { callRun } from '../sites/calls/calls.ts';
import { snapshotRun } from '../sites/device-commands/snapshots.ts';
import { feedCompactionJob } from '../sites/feed/compact-feed.ts';
import { openingRun } from '../sites/gates/settle-opening.ts';
import { passageRetentionJob } from '../sites/lanes/lane-passage.ts';
import { rolloutRun } from '../sites/rollouts/advance-rollout.ts';
import { dryRunJob, runCleanupJob } from '../stays/dry-runs/dry-run-job.ts';
import { matchingRun } from '../stays/matching/matching-run.ts';
import { pictureCleanupJob } from '../stays/photos/store-picture.ts';
import { vehicleRefreshJob } from '../vehicles/vehicles/ask-registry.ts';
import { custodyJob } from '../vehicles/vehicles/custody/custody-job.ts';
import { permitEndJob } from '../vehicles/whitelist/end-permits.ts';

type RunParts = Pick<
  CloudContext,
  | 'db'
  | 'clock'
  | 'instance'
  | 'log'
  | 'cardGateways'
  | 'accessPoints'
  | 'banks'
  | 'commands'
  | 'publicUrl'
  | 'pictures'
  | 'retention'
  | 'allowInternalWebhooks'
  | 'vehicleRegistry'
  | 'scans'
> & {
  onlinePayments: OnlinePayments;
  /** Null: a server has the database, and checks it. */
  databaseFile: string | null;
  /** The TLS files with the certificates that are watched. */
  tlsFiles: readonly TlsFiles[];
  /** Null: none is made. */
  backup: BackupOrder | null;
};

/**
 * Everything that the cloud does by the clock. `mailer` null: there is no mail server; `alarms` null: alarms
 * are not mailed.
 */
export function cloudRuns(
  parts: RunParts,
  mailer: Mailer | null,
  alarms: AlarmMailConfig | null = null,
): ScheduledRun[] {
  const { db, clock, log, instance, pictures, retention, vehicleRegistry, backup, databaseFile } = parts;
  const documents = new InvoiceDocuments(parts);
  const filesOf = async ({ invoiceId, company }: MailRow) =>
    invoiceId === null ? [] : await documents.files(invoiceId, company);
  return [
    plannedVersionRun(db),
    dryRunJob(parts),
    runCleanupJob(db),
    billingRun(parts),
    laterMatchRun(db),
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
    webhookJob({ db, clock, log, instance, allowInternal: parts.allowInternalWebhooks }),
    eventRetentionJob(db),
    onlinePaymentRun(parts),
    reversalOrderRun(parts),
    eInvoiceRun({ db, clock, log, instance, documents, accessPoints: parts.accessPoints }),
    claimRun(parts),
    billUnpaidRun(parts),
    reminderRun(parts),
    automaticPaymentRun(parts, parts.onlinePayments),
    forgottenCardRun(parts),
    openingRun(db),
    snapshotRun({ db, pictures }),
    callRun(db),
    approvalEndRun(db),
    closeDaysRun(db),
    closedBooksRun(parts),
    linkWatchJob(db),
    floodEndJob(db),
    matchingRun(db),
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
    // There is nothing to ask without a register.
    ...(vehicleRegistry === null
      ? []
      : [
          vehicleRefreshJob({ db, log, clock, vehicleRegistry }),
          registerProofJob({ db, log, clock, vehicleRegistry }),
        ]),
    // Without a mail server it waits in the queue.
    ...(mailer === null ? [] : [mailJob({ db, clock, log, mailer, instance, filesOf })]),
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
