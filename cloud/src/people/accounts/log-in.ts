import { type Clock, nowUtc } from '@hlid/node/clock';
import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { findLoginById, type LoginOfAccount, type LoginRow } from '../../records/accounts/find-logins.ts';
import { findLogin, findLoginBySsn, loginName } from '../../records/accounts/login-store.ts';
import type { LoginMethod } from '../../records/auth/token-table.ts';
import { verifyPassword } from '../auth/password-hash.ts';
import { deleteRecoveries, findRecovery } from '../auth/recovery-links.ts';
import { findToken, issueToken, revokeToken, revokeTokensOf } from '../auth/tokens.ts';
import type { TrustedBrowser } from '../auth/trusted-browser.ts';
import { hasSecondFactor } from '../second-factors/factors.ts';
import { countLoginAttempt, forgiveLoginAttempt } from './login-limit.ts';
import { mayLogIn } from './recover-password.ts';

/**
 * The ways to log in. `password`: by the password. `change-password`: by the password, only to set another
 * one. `lost-password`: by the token of a recovery mail, for the same. `token`: by an earlier token, which
 * ends.
 */
export const LOGIN_PROVIDERS = ['password', 'lost-password', 'change-password', 'token'] as const;
export type LoginProvider = (typeof LOGIN_PROVIDERS)[number];

/** How long a login lasts, and how long one that is for a new password only. */
const TOKEN_LIFE_MS = 30 * DAY_MS;
const PASSWORD_SCOPE_LIFE_MS = 15 * MINUTE_MS;

/** The device that logs in, and its address. */
export interface Device {
  /** Null: not known, so that no other session ends. */
  deviceUuid: string | null;
  address: string;
  /** The name that the device gives itself (`User-Agent`). */
  agent: string | null;
  /** A browser in which people have logged in before. */
  browser?: TrustedBrowser | undefined;
}

export interface LoginQuestion extends Device {
  provider: LoginProvider;
  /** The user name, as typed. */
  id: string;
  password: string;
}

export interface Session {
  tokenId: string;
  token: string;
  account: AccountRow;
  expiresAt: UtcTime;
  /** Sessions of the account on that device that the login ended. */
  endedSessions: number;
}

export type LoginRefusal =
  /** The same for a login that does not exist, has run out, is of an inactive account, or has another password. */
  { ok: false; reason: 'wrong' } | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

export type LoginAnswer =
  | ({ ok: true } & Session)
  | LoginRefusal
  /** The password is right, and does not do alone. */
  | { ok: false; reason: 'second-factor' };

/** The person, as found in the transaction of the login. */
export interface Proven {
  account: AccountRow;
  /** Null: by a token that was had without one. */
  login: LoginRow | null;
  scope: 'password' | null;
  method: LoginMethod;
}
type Proof = (tx: Tx) => Promise<Proven | null>;

/**
 * Logs in. The session of an earlier login on the same device ends; those on other devices go on. A login that has a
 * second factor is not opened by its password alone: its people log in by a browser.
 */
export async function logIn(db: Db, clock: Clock, question: LoginQuestion): Promise<LoginAnswer> {
  const byPassword = question.provider === 'password' || question.provider === 'change-password';
  return await prove(db, clock, question, async (tx, proven, now): Promise<LoginAnswer> => {
    if (byPassword && proven.login !== null && (await hasSecondFactor(tx.q, proven.login.id))) {
      return { ok: false, reason: 'second-factor' };
    }
    return { ok: true, ...(await startSession(tx, proven, question, now)) };
  });
}

/**
 * Proves the identity of a caller, within the limits of attempts.
 *
 * @param begin logs them in
 */
export async function prove<Begun>(
  db: Db,
  clock: Clock,
  question: LoginQuestion,
  begin: (tx: Tx, proven: Proven, now: UtcTime) => Promise<Begun>,
): Promise<Begun | LoginRefusal> {
  const now = nowUtc(clock);
  const { id: name, address, deviceUuid, browser } = question;
  const who = { name, address, ...(deviceUuid !== null && { deviceUuid }), ...(browser && { browser }) };
  const counted = await db.write((tx) => countLoginAttempt(tx.q, who, now));
  if (counted.wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: counted.wait };
  const proof = await proofOf(db, question, now);
  return await db.write(async (tx): Promise<Begun | LoginRefusal> => {
    const proven = await proof(tx);
    if (proven === null) return { ok: false, reason: 'wrong' };
    await forgiveLoginAttempt(tx.q, who, counted);
    return await begin(tx, proven, now);
  });
}

/**
 * Logs in the person who has proved that national id by electronic identity.
 *
 * @returns null where no login has it, or its holder may not log in
 */
export async function logInBySsn(
  tx: Tx,
  ssn: string,
  device: Device,
  now: UtcTime,
): Promise<(Session & { loginId: string }) | null> {
  const found = await findLoginBySsn(tx.q, ssn);
  if (found === null || !mayLogIn(found, now)) return null;
  const session = await startSession(tx, { ...found, scope: null, method: 'electronic-id' }, device, now);
  return { ...session, loginId: found.login.id };
}

/** Gives a token to a caller who has proved their identity. An earlier session on the same device ends. */
async function startSession(
  tx: Tx,
  proven: Proven,
  { deviceUuid, address, agent }: Device,
  now: UtcTime,
): Promise<Session> {
  const { account, login, scope, method } = proven;
  const endedSessions = deviceUuid === null ? 0 : await revokeTokensOf(tx, account.id, now, { deviceUuid });
  const expiresAt = lifeOf(proven, now);
  const holder = { accountId: account.id, deviceUuid, loginId: login?.id ?? null, scope };
  const how = { method, address, agent };
  const { id: tokenId, token } = await issueToken(
    tx.q,
    { ...holder, ...how },
    { from: now, until: expiresAt },
  );
  return { tokenId, token, account, expiresAt, endedSessions };
}

/** A token never outlives the login by which it was had. */
function lifeOf({ login, scope }: Proven, now: UtcTime): UtcTime {
  const until = utcTime(millis(now) + (scope === null ? TOKEN_LIFE_MS : PASSWORD_SCOPE_LIFE_MS));
  const end = login?.expiresAt ?? null;
  return end !== null && end < until ? end : until;
}

async function proofOf(db: Db, question: LoginQuestion, now: UtcTime): Promise<Proof> {
  switch (question.provider) {
    case 'password':
      return await proofByPassword(db, question, now, null);
    case 'change-password':
      return await proofByPassword(db, question, now, 'password');
    case 'lost-password':
      return (tx) => proveByRecovery(tx, question, now);
    case 'token':
      return (tx) => proveByToken(tx, question, now);
    default:
      return question.provider satisfies never;
  }
}

/** Looks at the password before the transaction, as that takes its time; in it, whether it is still the same. */
async function proofByPassword(
  db: Db,
  { id, password }: LoginQuestion,
  now: UtcTime,
  scope: 'password' | null,
): Promise<Proof> {
  const usable = (found: LoginOfAccount | null) => (found !== null && mayLogIn(found, now) ? found : null);
  const before = usable(await db.read((q) => findLogin(q, id)));
  const known = await verifyPassword(before?.login.passwordHash ?? null, password);
  return async ({ q }) => {
    const found = known ? usable(await findLogin(q, id)) : null;
    if (found === null || found.login.passwordHash !== before?.login.passwordHash) return null;
    return { ...found, scope, method: 'password' };
  };
}

async function proveByRecovery({ q }: Tx, { id, password }: LoginQuestion, now: UtcTime) {
  const loginId = await findRecovery(q, password, now);
  const found = loginId === null ? null : await findLoginById(q, loginId);
  if (found === null || !isNamed(found.login, id) || !mayLogIn(found, now)) return null;
  await deleteRecoveries(q, found.login.id);
  return { ...found, scope: 'password', method: 'password' } as const;
}

function isNamed({ name, ssn }: LoginRow, typed: string): boolean {
  return [name, ssn].includes(loginName(typed));
}

async function proveByToken(tx: Tx, { id, password }: LoginQuestion, now: UtcTime): Promise<Proven | null> {
  const known = await findToken(tx.q, password, now);
  if (known?.caller.kind !== 'account' || known.caller.recovering !== undefined || known.isSession)
    return null;
  const { accountId, tokenId } = known.caller;
  const account = id === accountId || id === tokenId ? await findAccount(tx.q, accountId) : null;
  const found = known.loginId === null ? null : await findLoginById(tx.q, known.loginId);
  if (account === null || (found === null && known.loginId !== null)) return null;
  await revokeToken(tx, tokenId, now);
  return { account, login: found?.login ?? null, scope: null, method: known.method ?? 'password' };
}
