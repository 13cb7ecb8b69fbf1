import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { seesAccount } from '../../records/accounts/find-account.ts';
import { findLoginById, type LoginRow } from '../../records/accounts/find-logins.ts';
import { updateLoginRow } from '../../records/accounts/login-store.ts';
import { audit } from '../audit/audit.ts';
import { hashPassword, verifyPassword } from '../auth/password-hash.ts';
import { deleteRecoveries } from '../auth/recovery-links.ts';
import { revokeTokensOf, tokenProvenAt } from '../auth/tokens.ts';
import { ACCOUNT_ACTIONS, accountFacts } from './account-actions.ts';
import { DENIED } from './change-accounts.ts';
import { countLoginAttempt, forgiveLoginAttempt } from './login-limit.ts';

/** The time after a login in which a change needs no password: the login has just proved it. */
const JUST_NOW_MS = 15 * MINUTE_MS;

export interface PasswordChange {
  accountId: string;
  loginId: string;
  password: string;
  currentPassword: string | undefined;
  /** The address from which the request came. */
  address: string;
}

export type PasswordResult =
  | { ok: true }
  | Refused
  | typeof DENIED
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

type Allowed = { ok: true; login: LoginRow; needsCurrent: boolean } | Refused | typeof DENIED;

/** Sets a login's password. Every token of the account ends, the one with which this was asked too. */
export async function changePassword(db: Db, actor: Actor, change: PasswordChange): Promise<PasswordResult> {
  const allowed = await db.read((q) => mayChange(q, actor, change));
  if (!allowed.ok) return allowed;
  if (allowed.needsCurrent || change.currentPassword !== undefined) {
    const refused = await checkCurrent(db, actor, change, allowed.login);
    if (refused !== null) return refused;
  }
  const passwordHash = await hashPassword(change.password);
  return await db.write(async (tx) => {
    // Meanwhile it may have been moved, or been given another password.
    const still = await mayChange(tx.q, actor, change);
    if (!still.ok) return still;
    if (still.login.passwordHash !== allowed.login.passwordHash) return CHANGED_MEANWHILE;
    const { login } = still;
    await updateLoginRow(tx.q, { ...login, passwordHash });
    await revokeTokensOf(tx, login.accountId, actor.at);
    await deleteRecoveries(tx.q, login.id);
    await audit(tx, actor, {
      action: 'password.change',
      subject: 'account',
      subjectId: login.accountId,
      before: null,
      after: { tokenId: login.id, email: login.name },
    });
    return { ok: true };
  });
}

const CHANGED_MEANWHILE = refusedInput(mistake('password-changed'));

/**
 * Operators set any password, other people their own. For their own the former one is required (ASVS 5.0,
 * 6.2.3: a stolen session must not become a stolen account), unless they have just logged in, or recovered it
 * by mail.
 */
async function mayChange(
  q: Queries,
  { caller, at }: Actor,
  { accountId, loginId }: PasswordChange,
): Promise<Allowed> {
  const found = await findLoginById(q, loginId);
  if (caller.kind !== 'account' || found === null || found.account.id !== accountId) return NOT_FOUND;
  const own = caller.accountId === accountId;
  if (caller.recovering !== undefined) {
    if (!own || caller.recovering.loginId !== loginId) return NOT_FOUND;
    return { ok: true, login: found.login, needsCurrent: false };
  }
  const rows = ownRows(caller);
  if (!seesAccount(rows, found.account)) return NOT_FOUND;
  const facts = await accountFacts(q, caller, found.account);
  if (ACCOUNT_ACTIONS['set-password'].refuse(facts) !== null) return DENIED;
  const needsCurrent = own && !(await hasJustLoggedIn(q, caller.tokenId, at));
  return { ok: true, login: found.login, needsCurrent };
}

async function hasJustLoggedIn(q: Queries, tokenId: string, at: UtcTime): Promise<boolean> {
  const since = await tokenProvenAt(q, tokenId);
  return since !== null && millis(at) - millis(since) <= JUST_NOW_MS;
}

async function checkCurrent(
  db: Db,
  { at }: Actor,
  { currentPassword, address }: PasswordChange,
  login: LoginRow,
): Promise<PasswordResult | null> {
  if (currentPassword === undefined) {
    return refusedInput(mistake('password-or-login', 'currentPassword'));
  }
  const who = { name: login.name ?? login.id, address };
  const counted = await db.write((tx) => countLoginAttempt(tx.q, who, at));
  if (counted.wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: counted.wait };
  if (!(await verifyPassword(login.passwordHash, currentPassword))) {
    return refusedInput(mistake('wrong-password', 'currentPassword'));
  }
  await db.write((tx) => forgiveLoginAttempt(tx.q, who, counted));
  return null;
}
