import { newId } from '@hlid/node/new-id';
import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { findLoginById, type LoginRow } from '../../records/accounts/find-logins.ts';
import {
  deleteLoginRow,
  findLogin,
  findLoginBySsn,
  findLoginOf,
  insertLogin,
  updateLoginRow,
} from '../../records/accounts/login-store.ts';
import { auditUnder } from '../audit/audit.ts';
import { hashPassword } from '../auth/password-hash.ts';
import { deleteRecoveries } from '../auth/recovery-links.ts';
import { revokeTokensOf } from '../auth/tokens.ts';
import { ACCOUNT_ACTIONS, accountFacts } from './account-actions.ts';
import { type LoginMove, loginFrom, type NewLogin } from './login.ts';
import { queueInvitation } from './recover-password.ts';

const auditLogin = auditUnder('account', ({ accountId }: LoginRow) => accountId, loginFrom);

export type LoginResult = { ok: true; login: LoginRow } | Refused;
export type Denied = { ok: false; reason: 'denied' };
export const DENIED: Denied = { ok: false, reason: 'denied' };

/** Null: the account is there, and the actor may manage it. */
async function refuseAccount(
  q: Queries,
  { caller }: Actor,
  id: string,
  action: 'add-login' | 'move-login' | 'delete-login',
): Promise<Refused | Denied | null> {
  const account = await findAccount(q, id);
  if (account === null) return NOT_FOUND;
  return ACCOUNT_ACTIONS[action].refuse(await accountFacts(q, caller, account)) === null ? null : DENIED;
}

/** Gives an account another way in. */
export async function createLogin(
  db: Db,
  actor: Actor,
  accountId: string,
  body: NewLogin,
  publicUrl: string,
): Promise<LoginResult | Denied> {
  const passwordHash = await hashOf(body);
  return await db.write(async (tx) => {
    const refused = await refuseAccount(tx.q, actor, accountId, 'add-login');
    if (refused !== null) return refused;
    const taken = await findTaken(tx.q, body);
    if (taken !== null) return taken.refused;
    const login = newLoginRow(accountId, body, passwordHash, actor.at);
    return await addLogin(tx, actor, login, { language: body.invite, publicUrl });
  });
}

/** Takes its time, so it is not for a transaction. */
export async function hashOf({ password }: NewLogin): Promise<string | null> {
  return password === undefined ? null : await hashPassword(password);
}

/** The mail that invites a person. @property language of the mail; undefined: there is none */
export interface Invitation {
  language: OfficeLanguage | undefined;
  publicUrl: string;
}

/** Adds a login with an address and a national id that are known to be free. */
export async function addLogin(
  tx: Tx,
  actor: Actor,
  login: LoginRow,
  { language, publicUrl }: Invitation,
): Promise<LoginResult> {
  await insertLogin(tx.q, login);
  await auditLogin(tx, actor, 'login.create', null, login);
  const made = language === undefined ? null : await findLoginById(tx.q, login.id);
  if (made !== null && language !== undefined) {
    await queueInvitation(tx, made, { publicUrl, language, at: actor.at });
  }
  return { ok: true, login };
}

/** Makes a login another account's; what was logged in by it is logged out. */
export async function moveLogin(
  db: Db,
  actor: Actor,
  accountId: string,
  { newAccountId, ...named }: LoginMove,
): Promise<LoginResult | Denied> {
  return await db.write(async (tx) => {
    const refused = await refuseAccount(tx.q, actor, accountId, 'move-login');
    if (refused !== null) return refused;
    const found = await findOneLogin(tx.q, accountId, named);
    if (!found.ok) return found;
    if ((await findAccount(tx.q, newAccountId)) === null) {
      return refusedInput(mistake('not-found', 'newAccountId', { what: 'account' }));
    }
    if ((await refuseAccount(tx.q, actor, newAccountId, 'move-login')) !== null) return DENIED;
    if (newAccountId === accountId) return found;
    const moved = { ...found.login, accountId: newAccountId };
    await endLogin(tx, actor, found.login);
    await updateLoginRow(tx.q, moved);
    await auditLogin(tx, actor, 'login.move', found.login, moved);
    return { ok: true, login: moved };
  });
}

/** Takes a login away; what was logged in by it is logged out. */
export async function deleteLogin(
  db: Db,
  actor: Actor,
  accountId: string,
  named: { email?: string | undefined; ssn?: string | undefined },
): Promise<LoginResult | Denied> {
  return await db.write(async (tx) => {
    const refused = await refuseAccount(tx.q, actor, accountId, 'delete-login');
    if (refused !== null) return refused;
    const found = await findOneLogin(tx.q, accountId, named);
    if (!found.ok) return found;
    await endLogin(tx, actor, found.login);
    await deleteLoginRow(tx.q, found.login.id);
    await auditLogin(tx, actor, 'login.delete', found.login, null);
    return found;
  });
}

export function newLoginRow(
  accountId: string,
  { email, ssn = null, expire = null }: NewLogin,
  passwordHash: string | null,
  at: UtcTime,
): LoginRow {
  return {
    id: newId(),
    accountId,
    name: email ?? null,
    ssn,
    passwordHash,
    expiresAt: expire,
    createdAt: at,
  };
}

/** The refusal if a login has that address or national id already, and its account. */
export async function findTaken(q: Queries, { email, ssn = null }: NewLogin) {
  const byEmail = email === undefined ? null : await findLogin(q, email);
  const known = byEmail ?? (ssn === null ? null : await findLoginBySsn(q, ssn));
  if (known === null) return null;
  const accountId = known.account.id;
  const why = mistake(byEmail === null ? 'ssn-taken' : 'email-taken', [], { accountId });
  const refused = { ok: false, reason: 'already-there', id: known.login.id, mistake: why } as const;
  return { accountId, refused };
}

async function findOneLogin(
  q: Queries,
  accountId: string,
  named: { email?: string | undefined; ssn?: string | undefined },
): Promise<LoginResult> {
  const login = await findLoginOf(q, accountId, named);
  return login === null ? NOT_FOUND : { ok: true, login };
}

async function endLogin(tx: Tx, { at }: Actor, login: LoginRow): Promise<void> {
  await revokeTokensOf(tx, login.accountId, at, { loginId: login.id });
  await deleteRecoveries(tx.q, login.id);
}
