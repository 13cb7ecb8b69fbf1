import { nowUtc } from '@hlid/node/clock';
import { HOUR_MS, SECOND_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { ElectronicIdState } from '@hlid/protocol/words/electronic-id-words';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { FailureReason, Progress } from '../../platform/electronic-id/electronic-id.ts';
import { ALL_RIGHTS } from '../../platform/http/caller.ts';
import { readPersonSsn } from '../../platform/http/input-fields.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import { type Session as AccountSession, type Device, logInBySsn } from '../accounts/log-in.ts';
import { audit } from '../audit/audit.ts';
import { addAttempts } from '../auth/attempt-limit.ts';
import {
  deleteExpired,
  deleteSession,
  findSession,
  rememberDevice,
  type SessionRow,
  updateSession,
} from './electronic-id-session-store.ts';
import {
  ABANDONED_MS,
  deviceHash,
  type ElectronicIdContext,
  forgiveStart,
  KNOWN_DEVICE_MS,
  type SealedSession,
  START_WINDOW_MS,
  sealSession,
  strangersKey,
  unsealSession,
} from './start-identification.ts';

/** The provider has this time for one poll; no other process polls meanwhile. */
const PROVIDER_MS = 15 * SECOND_MS;
const POLL_LEASE_MS = PROVIDER_MS + 5 * SECOND_MS;
/** A person who needs longer is polled less often. */
const MIN_WAIT_SECONDS = 2;
const MAX_BACKOFF_SECONDS = 5;
const POLLS_A_STEP = 5;

/** A person who cancels was usually called by a stranger: it counts as this number of further starts. */
const CANCELLED_STARTS = 2;

export interface CheckQuestion {
  session: string;
  pollToken: string;
  requestId: string;
  address: string;
  agent: string | null;
}

/** The person whom a session has logged in; `connected`: the identity belongs to the driver's account now. */
export type LoggedIn =
  | { kind: 'account'; session: AccountSession }
  | { kind: 'driver'; session: DriverSession }
  | { kind: 'connected' };

export interface DriverSession {
  token: string;
  expiresAt: UtcTime;
  driverId: string;
}

/** Drivers' accounts, as far as an electronic identity logs in to them. */
export interface DriverLogins {
  /** Null: no driver has connected that identity. */
  logIn(tx: Tx, ssn: string, by: IdentifiedBy): Promise<DriverSession | null>;
  /** Connects the identity with the driver, and from then on with no other. */
  connect(tx: Tx, driver: { id: string; ssn: string }, by: IdentifiedBy): Promise<void>;
}

export interface IdentifiedBy {
  at: UtcTime;
  requestId: string;
  method: string;
}

type Ended = Exclude<ElectronicIdState, 'success' | 'pending'>;
type OfSession = Pick<SessionRow, 'language' | 'purpose'>;

export type CheckAnswer =
  | ({ ok: true; status: 'success'; loggedIn: LoggedIn } & OfSession)
  | ({ ok: true; status: 'pending'; waitSeconds: number } & OfSession)
  /** The session has ended; `code` is the provider's, for the log. */
  | ({ ok: true; status: Ended; code: string | null } & OfSession)
  | { ok: false; reason: 'too-fast'; retryAfterSeconds: number }
  /** There is no such session, it has ended, or the poll token is another one's. */
  | { ok: false; reason: 'not-found' };

export type CheckContext = ElectronicIdContext & { drivers: DriverLogins };

/**
 * Polls. The first poll lets the phone ring. Success is returned once: with it, and with every other end, the session is
 * gone.
 */
export async function checkIdentification(
  context: CheckContext,
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
      nextPollAt: leaseEnd,
      abandonedAt: utcTime(millis(leaseEnd) + ABANDONED_MS),
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
  // The cloud that called the phone is gone. It is uncertain whether the phone rang, and it does not ring
  // twice.
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
  context: CheckContext,
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
      step: 'pending',
      polls: row.polls + 1,
      sealed: sealSession(question, { ...content, state: progress.state }),
      nextPollAt: utcTime(millis(now) + waitSeconds * SECOND_MS),
      abandonedAt: utcTime(millis(now) + waitSeconds * SECOND_MS + ABANDONED_MS),
    });
    return { ok: true, status: 'pending', waitSeconds, ...ofSession(row) };
  }
  await deleteSession(q, row.hash);
  const { method, user } = content.identification;
  if (progress.kind === 'failed') {
    if (progress.reason === 'cancelled' && row.personHash !== null && !row.isKnownDevice) {
      const key = { key: strangersKey(row.personHash), windowMs: START_WINDOW_MS };
      await addAttempts(q, key, CANCELLED_STARTS, now);
    }
    return ended(row, STATES[progress.reason], progress.code);
  }
  const ssn = readPersonSsn(progress.ssn, { madeUpPeople: context.testElectronicId });
  // The app identifies one named person: another person's identity is not accepted.
  if (ssn === null || (method === 'app' && ssn !== user)) return ended(row, 'error', 'another-person');
  const { address, agent, requestId } = question;
  const browser = { address, agent };
  const loggedIn = await logIn(tx, context, row, { at: now, requestId, method, ssn, browser });
  if (loggedIn === null) return ended(row, 'account-not-found', null);
  if (!row.isKnownDevice) await forgiveStart(q, address);
  if (row.deviceUuid !== null) {
    const device = deviceHash({ method, user }, row.deviceUuid);
    await rememberDevice(q, device, utcTime(millis(now) + KNOWN_DEVICE_MS));
  }
  return { ok: true, status: 'success', loggedIn, ...ofSession(row) };
}

/** Null: there is no account for that identity. */
async function logIn(
  tx: Tx,
  { drivers, electronicId }: CheckContext,
  { purpose, driverId, deviceUuid }: SessionRow,
  { ssn, browser, ...by }: IdentifiedBy & { ssn: string; browser: Omit<Device, 'deviceUuid'> },
): Promise<LoggedIn | null> {
  if (purpose === 'driver') {
    const session = await drivers.logIn(tx, ssn, by);
    return session && { kind: 'driver', session };
  }
  if (purpose === 'connect') {
    if (driverId === null) return null;
    await drivers.connect(tx, { id: driverId, ssn }, by);
    return { kind: 'connected' };
  }
  const session = await logInBySsn(tx, ssn, { deviceUuid, ...browser }, by.at);
  if (session === null) return null;
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
    { caller, at: by.at, requestId: by.requestId },
    {
      subject: 'account',
      subjectId: accountId,
      action: 'login.electronic-id',
      before: null,
      after: { tokenId: session.loginId, method: by.method, provider: electronicId?.kind ?? null },
    },
  );
  return { kind: 'account', session };
}

function ended(row: SessionRow, status: Ended, code: string | null): CheckAnswer {
  return { ok: true, status, code, ...ofSession(row) };
}

function ofSession({ language, purpose }: SessionRow): OfSession {
  return { language, purpose };
}

const STATES: Record<FailureReason, Ended> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  'no-identity': 'account-not-found',
  error: 'error',
  unknown: 'unknown',
};

function backoffSeconds(polls: number): number {
  return Math.min(MAX_BACKOFF_SECONDS, MIN_WAIT_SECONDS + Math.floor(polls / POLLS_A_STEP));
}

/** Deletes sessions that have run out, and devices that were not used for long. */
export function sessionCleanupJob(db: Db): ScheduledRun {
  return {
    name: 'electronic-id-cleaning',
    everyMs: HOUR_MS,
    work: async ({ now }) => await db.write(({ q }) => deleteExpired(q, now)),
  };
}
