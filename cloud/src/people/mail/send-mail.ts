import { type Clock, nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { makeSecret } from '../../platform/token-secret.ts';
import { insertDriverLink } from '../auth/driver-links.ts';
import { INVITATION_LIFE_MS, insertRecovery, LINK_LIFE_MS, LINK_SECRET } from '../auth/recovery-links.ts';
import { dueMail, type MailRow, updateMail } from './mail-store.ts';
import { MAIL_WAITING } from './queue-mail.ts';
import type { Mailer, SendResult } from './smtp-mailer.ts';

/** How long after each attempt the next one is made; there is none after the last. */
const PAUSES_MINUTES = [1, 3, 10, 30, 60, 120, 240, 360, 360];
const MAX_ATTEMPTS = PAUSES_MINUTES.length + 1;

/** At a stop, a mail under way gets this time to finish: if it were aborted, it might be sent twice. */
const STOPPING_MS = 3000;

interface SendingParts {
  db: Db;
  clock: Clock;
  log: Logger;
  mailer: Mailer;
  stoppingMs?: number;
}

/**
 * Sends the mail in the queue. An attempt is stored before it is made, with the earliest time of the next one: a
 * process that dies, or takes longer than the lease, leaves a mail that no other process tries meanwhile.
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
          const mail = await takeNext(parts.db, nowUtc(parts.clock));
          if (mail === null) return;
          const whole = await withSecret(parts, mail);
          const result = await parts.mailer.send(whole, giveUp.signal);
          // Its outcome is unknown: it is tried again, as the same message.
          if (!result.ok && giveUp.signal.aborted) return;
          await note(parts, mail, result);
          if (!result.ok && result.reason === 'server') return;
        }
      } finally {
        giveUp.end();
      }
    },
  };
}

/** @returns the mail with this attempt counted */
async function takeNext(db: Db, now: UtcTime): Promise<MailRow | null> {
  // Most runs find nothing: they need no transaction.
  if ((await db.read((q) => dueMail(q, now))) === null) return null;
  return await db.write(async ({ q }) => {
    const mail = await dueMail(q, now);
    if (mail === null) return null;
    const attempts = mail.attempts + 1;
    const pause = PAUSES_MINUTES[Math.min(attempts, PAUSES_MINUTES.length) - 1] ?? 0;
    const taken = { attempts, dueAt: utcTime(millis(now) + pause * MINUTE_MS) };
    await updateMail(q, mail.id, taken);
    return { ...mail, ...taken };
  });
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

async function note(
  { db, clock, log }: Pick<SendingParts, 'db' | 'clock' | 'log'>,
  { id, kind, attempts }: MailRow,
  result: SendResult,
): Promise<void> {
  if (result.ok) {
    const sent = { status: 'sent', sentAt: nowUtc(clock), lastError: null } as const;
    await db.write(({ q }) => updateMail(q, id, sent));
    log.info({ event: EVENTS.mailSent, mail: id, kind });
    return;
  }
  const { reason, message } = result;
  const failed = reason === 'refused' || attempts >= MAX_ATTEMPTS;
  await db.write(({ q }) =>
    updateMail(q, id, { lastError: message, ...(failed ? { status: 'failed' } : {}) }),
  );
  log.warn({ event: EVENTS.mailNotSent, mail: id, kind, attempts, reason, failed });
}

/** A signal that comes some time after another one, for work that is nearly done. `end` takes the wait back. */
export function abortLater(signal: AbortSignal, ms: number): { signal: AbortSignal; end(): void } {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => later.abort(), ms);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: later.signal,
    end() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
