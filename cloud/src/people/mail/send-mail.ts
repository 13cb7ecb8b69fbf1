import { nowUtc } from '@hlid/node/clock';
import { anySignal } from '@hlid/node/deadline';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import {
  abortLater,
  type TakenWork,
  takeWork,
  type Worker,
  type WorkSource,
} from '../../platform/jobs/take-work.ts';
import { leaseOutlasting } from '../../platform/jobs/work-lease.ts';
import { dueAfter, releaseWork } from '../../platform/jobs/work-queue.ts';
import { makeSecret } from '../../platform/token-secret.ts';
import { mailQueue } from '../../records/mail/mail-table.ts';
import { insertDriverLink } from '../auth/driver-links.ts';
import { INVITATION_LIFE_MS, insertRecovery, LINK_LIFE_MS, LINK_SECRET } from '../auth/recovery-links.ts';
import { findMail, type MailRow, updateMail } from './mail-store.ts';
import { MAIL_WAITING } from './queue-mail.ts';
import type { Mailer, MailFile, SendResult } from './smtp-mailer.ts';

/** A server may be silent for a minute at each step of one mail. */
const LEASE_MS = leaseOutlasting(4 * MINUTE_MS);
/** How long after each attempt the next one is made; there is none after the last. */
const BACKOFF = [1, 3, 10, 30, 60, 120, 240, 360, 360].map((minutes) => minutes * MINUTE_MS);
const MAX_ATTEMPTS = BACKOFF.length + 1;

/** A mail under way gets this time to finish at a stop: if it were aborted, it might be sent twice. */
const STOPPING_MS = 3000;

interface SendingParts extends Worker {
  log: Logger;
  mailer: Mailer;
  /** Makes the files that go with a mail, as it is sent; absent: none do. */
  filesOf?: ((mail: MailRow) => Promise<MailFile[]>) | undefined;
}

type Taken = TakenWork<MailRow>;

const MAIL: WorkSource<MailRow> = {
  queue: mailQueue,
  leaseMs: LEASE_MS,
  find: findMail,
  update: updateMail,
};

/**
 * Sends the mail in the queue. An attempt is counted before it is made: a process that dies leaves a mail that another one
 * tries after the end of its lease, and not for ever.
 */
export function mailJob(parts: SendingParts): ScheduledRun {
  return {
    name: 'mail',
    everyMs: MINUTE_MS,
    wakesOn: MAIL_WAITING,
    async work({ signal }) {
      const giveUp = abortLater(signal, parts.stoppingMs ?? STOPPING_MS);
      try {
        while (!signal.aborted) {
          const taken = await takeWork(parts, MAIL);
          if (taken === null) return;
          const whole = await withSecret(parts, taken.row);
          const lasts = taken.lease.signal();
          if (lasts === null) return;
          const result = await send(parts, whole, anySignal([giveUp.signal, lasts]));
          // Its outcome is unknown: it is tried again, as the same message.
          const isBroken = !result.ok && giveUp.signal.aborted;
          await (isBroken ? putBack(parts, taken) : note(parts, taken, result));
          if (isBroken) return;
          if (!result.ok && result.reason === 'server') return;
        }
      } finally {
        giveUp.end();
      }
    },
  };
}

/** A mail whose files cannot be made is tried again, and does not keep the others waiting. */
async function send(
  { mailer, filesOf, log }: Pick<SendingParts, 'mailer' | 'filesOf' | 'log'>,
  mail: MailRow,
  signal: AbortSignal,
): Promise<SendResult> {
  let files: MailFile[] = [];
  try {
    files = (await filesOf?.(mail)) ?? [];
  } catch (err) {
    log.error({ event: EVENTS.mailNotSent, mail: mail.id, kind: mail.kind, err });
    return { ok: false, reason: 'again', message: `its files could not be made: ${messageOf(err)}` };
  }
  return await mailer.send(mail, signal, files);
}

/**
 * A mail as it is sent. A link is a key to an account: its secret is made now, so that the queue, backups and `GET /mail`
 * do not contain it.
 */
async function withSecret(
  { db, clock }: Pick<SendingParts, 'db' | 'clock'>,
  mail: MailRow,
): Promise<MailRow> {
  const { recoversLoginId: loginId, driverLink: language, to: email } = mail;
  if (loginId === null && language === null) return mail;
  const secret = makeSecret();
  const now = nowUtc(clock);
  await db.write(async ({ q }) => {
    if (loginId !== null) {
      const lifeMs = mail.kind === 'invitation' ? INVITATION_LIFE_MS : LINK_LIFE_MS;
      await insertRecovery(q, secret, loginId, now, lifeMs);
    }
    if (language !== null) await insertDriverLink(q, secret, { email, language }, now);
  });
  return { ...mail, text: mail.text.replace(LINK_SECRET, secret) };
}

/** Another process may try it after the usual pause. */
async function putBack({ db }: SendingParts, taken: Taken): Promise<void> {
  const { row: mail, lease, at } = taken;
  await db.write(({ q }) =>
    mailQueue.settle(q, mail.id, lease, { dueAt: dueAfter(at, mail.attempts, BACKOFF) }),
  );
}

async function note(
  { db, clock, log }: Pick<SendingParts, 'db' | 'clock' | 'log'>,
  taken: Taken,
  result: SendResult,
): Promise<void> {
  const { at, lease } = taken;
  const { id, kind, attempts } = taken.row;
  /** @param dueAt null: it is not tried again */
  const store = (change: Partial<MailRow>, dueAt: UtcTime | null) =>
    db.write(async ({ q }) => {
      if (await mailQueue.settle(q, id, lease, { dueAt })) await updateMail(q, id, change);
    });
  if (result.ok) {
    await store({ status: 'sent', sentAt: nowUtc(clock), lastError: null }, null);
    log.info({ event: EVENTS.mailSent, mail: id, kind });
    return;
  }
  const { reason, message } = result;
  const failed = reason === 'refused' || attempts >= MAX_ATTEMPTS;
  await store(
    { lastError: message, ...(failed && { status: 'failed' }) },
    failed ? null : dueAfter(at, attempts, BACKOFF),
  );
  log.warn({ event: EVENTS.mailNotSent, mail: id, kind, attempts, reason, failed });
}

/** Mail that dead processes were sending is sent now, as the same message. */
export const releaseMail = releaseWork(MAIL_WAITING, mailQueue);
