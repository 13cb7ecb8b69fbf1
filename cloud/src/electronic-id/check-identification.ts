import { nowUtc } from '@hlid/node/clock';
import type { Language } from '@hlid/protocol/language';
import { HOUR_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import { logInBySsn, type Session } from '../accounts/log-in.ts';
import { audit } from '../audit/audit.ts';
import { hashSecret } from '../auth/token-secret.ts';
import type { Db, Tx } from '../db/db.ts';
import { ALL_RIGHTS } from '../http/caller.ts';
import { readPersonSsn } from '../http/input-fields.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  findSession,
  type SessionRow,
  updateSession,
} from './electronic-id-session-store.ts';
import type { FailureReason, Progress } from './provider/electronic-id.ts';
import {
  ABANDONED_MS,
  type ElectronicIdContext,
  SECOND_MS,
  type SealedSession,
  sealSession,
  unsealSession,
} from './start-identification.ts';

/** The provider has so long for all that belongs to one poll; nobody else polls meanwhile. */
const PROVIDER_MS = 15 * SECOND_MS;
const POLL_LEASE_MS = PROVIDER_MS + 5 * SECOND_MS;
/** Somebody who needs longer is polled less often. */
const MIN_WAIT_SECONDS = 2;
const MAX_BACKOFF_SECONDS = 5;
const POLLS_A_STEP = 5;

/** The specification's states of a login check. */
export type LoginState =
  | 'success'
  | 'error'
  | 'timeout'
  | 'account-not-found'
  | 'pending'
  | 'cancelled'
  | 'unknown';

export interface CheckQuestion {
  session: string;
  pollToken: string;
  requestId: string;
  address: string;
  agent: string | null;
}

export type CheckAnswer =
  | { ok: true; status: 'success'; language: Language | null; session: Session }
  | { ok: true; status: 'pending'; language: Language | null; waitSeconds: number }
  | {
      ok: true;
      status: Exclude<LoginState, 'success' | 'pending'>;
      language: Language | null;
      /** The provider's code, for the log. */
      code: string | null;
    }
  | { ok: false; reason: 'too-fast'; retryAfterSeconds: number }
  /** There is no such session, it has ended, or the poll token is another one's. */
  | { ok: false; reason: 'not-found' };

/**
 * Polls. The first poll lets the phone ring. Success is returned once: with it, and with every other end, the session is
 * gone.
 */
export async function checkIdentification(
  context: ElectronicIdContext,
  question: CheckQuestion,
): Promise<CheckAnswer> {
  const claimed = await claim(context, question);
  if (!('row' in claimed)) return claimed;
  const { row, sealed } = claimed;
  const content = unsealSession(question, sealed);
  const progress = await callProvider(context, row, content);
  return await context.db.write((tx) => apply(tx, context, question, { row, content, progress }));
}

/** Makes this poll the only one, before anything is sent to the provider. */
async function claim({ db, clock }: ElectronicIdContext, { session, pollToken }: CheckQuestion) {
  const now = nowUtc(clock);
  return await db.write(async ({ q }): Promise<CheckAnswer | { row: SessionRow; sealed: string }> => {
    const row = await findSession(q, hashSecret(session));
    if (row === null || row.sealed === null || row.pollHash !== hashSecret(pollToken)) return NOT_FOUND;
    if (row.expiresAt <= now) {
      await deleteSession(q, row.hash);
      return ended(row, 'timeout', null);
    }
    if (row.nextPollAt > now) {
      const left = millis(row.nextPollAt) - millis(now);
      return { ok: false, reason: 'too-fast', retryAfterSeconds: Math.ceil(left / SECOND_MS) };
    }
    const leaseEnd = utcTime(millis(now) + POLL_LEASE_MS);
    await updateSession(q, row.hash, {
      ...(row.step === 'prepared' && { step: 'starting' }),
      ...{ nextPollAt: leaseEnd, abandonedAt: utcTime(millis(leaseEnd) + ABANDONED_MS) },
    });
    return { row, sealed: row.sealed };
  });
}

const NOT_FOUND = { ok: false, reason: 'not-found' } as const;

async function callProvider(
  { electronicId }: ElectronicIdContext,
  { step }: SessionRow,
  { identification, state }: SealedSession,
): Promise<Progress> {
  // The configuration has changed meanwhile.
  if (electronicId === null) return { kind: 'failed', reason: 'error', code: 'not-configured' };
  const signal = AbortSignal.timeout(PROVIDER_MS);
  if (step === 'prepared') return await electronicId.start(identification, signal);
  // The cloud that called the phone is gone. Nobody knows whether it rang, and it does not ring twice.
  if (state === null) return { kind: 'failed', reason: 'unknown', code: 'interrupted' };
  return await electronicId.check(state, signal);
}

interface Polled {
  row: SessionRow;
  content: SealedSession;
  progress: Progress;
}

async function apply(
  tx: Tx,
  context: ElectronicIdContext,
  question: CheckQuestion,
  { row, content, progress }: Polled,
): Promise<CheckAnswer> {
  const { q } = tx;
  const now = nowUtc(context.clock);
  // Burnt by another poll, or replaced by a new session of the same person.
  if ((await findSession(q, row.hash)) === null) return NOT_FOUND;
  if (progress.kind === 'pending') {
    const waitSeconds = Math.max(progress.waitSeconds, backoffSeconds(row.polls));
    await updateSession(q, row.hash, {
      ...{ step: 'pending', polls: row.polls + 1 },
      sealed: sealSession(question, { ...content, state: progress.state }),
      nextPollAt: utcTime(millis(now) + waitSeconds * SECOND_MS),
      abandonedAt: utcTime(millis(now) + waitSeconds * SECOND_MS + ABANDONED_MS),
    });
    return { ok: true, status: 'pending', language: row.language, waitSeconds };
  }
  await deleteSession(q, row.hash);
  if (progress.kind === 'failed') return ended(row, STATES[progress.reason], progress.code);
  const ssn = readPersonSsn(progress.ssn, { madeUpPeople: context.testElectronicId });
  const { method, user } = content.identification;
  // The app identifies one named person: somebody else's identity is not accepted.
  if (ssn === null || (method === 'app' && ssn !== user)) return ended(row, 'error', 'another-person');
  const { address, agent } = question;
  const device = { deviceUuid: row.deviceUuid, address, agent };
  const session = await logInBySsn(tx, ssn, device, now);
  if (session === null) return ended(row, 'account-not-found', null);
  const { id: accountId, role, customerId } = session.account;
  const caller = {
    kind: 'account',
    accountId,
    role,
    customerId,
    tokenId: session.tokenId,
    rights: ALL_RIGHTS,
  } as const;
  await audit(
    tx,
    { caller, at: now, requestId: question.requestId },
    {
      ...{ subject: 'account', subjectId: accountId, action: 'login.electronic-id', before: null },
      after: { tokenId: session.loginId, method, provider: context.electronicId?.kind ?? null },
    },
  );
  return { ok: true, status: 'success', language: row.language, session };
}

function ended(
  { language }: SessionRow,
  status: Exclude<LoginState, 'success' | 'pending'>,
  code: string | null,
): CheckAnswer {
  return { ok: true, status, language, code };
}

const STATES: Record<FailureReason, Exclude<LoginState, 'success' | 'pending'>> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  'no-identity': 'account-not-found',
  error: 'error',
  unknown: 'unknown',
};

function backoffSeconds(polls: number): number {
  return Math.min(MAX_BACKOFF_SECONDS, MIN_WAIT_SECONDS + Math.floor(polls / POLLS_A_STEP));
}

/** Deletes sessions that have run out. */
export function sessionCleanupJob(db: Db): ScheduledRun {
  return {
    name: 'electronic-id-cleaning',
    everyMs: HOUR_MS,
    work: async ({ now }) => await db.write(({ q }) => deleteExpiredSessions(q, now)),
  };
}
