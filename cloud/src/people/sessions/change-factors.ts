import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { findAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { findLoginById, type LoginRow, loginsOf } from '../../records/accounts/find-logins.ts';
import { mayManageAccount } from '../accounts/manage-account.ts';
import { audit } from '../audit/audit.ts';
import { revokeTokensOf, tokenLogin } from '../auth/tokens.ts';
import {
  actionsOfFactors,
  FACTOR_ACTIONS,
  type FactorAction,
  PASSKEY_ACTIONS,
} from '../second-factors/factor-actions.ts';
import {
  dropLoneCodes,
  factorsOf,
  hasSecondFactor,
  type PasskeyRow,
  passkeysOf,
} from '../second-factors/factors.ts';
import { addPasskey, deletePasskey, renamePasskey } from '../second-factors/passkeys.ts';
import { renewRecoveryCodes } from '../second-factors/recovery-codes.ts';
import { type BegunTotp, beginTotp, confirmTotp, deleteTotp } from '../second-factors/totp.ts';
import { type OpenedSession, openWhole, type SessionActor } from './open-session.ts';

/** The caller may see the account, and not change its factors. */
export const DENIED = { ok: false, reason: 'denied' } as const;
type Denied = typeof DENIED;

/** Codes that are shown this once; null: there are some already. */
export interface Enrolled {
  ok: true;
  recoveryCodes: string[] | null;
  /** The session that had to enrol and is open by it; null: it was open before. */
  opened: OpenedSession | null;
}

/** The logins of an account as far as the caller may look after their factors; changes of one's own need that login. */
export async function managedLogins(
  q: Queries,
  { caller }: SessionActor,
  accountId: string,
): Promise<{ ok: true; logins: LoginRow[] } | Refused | Denied> {
  const own = ownRows(caller);
  const account = await findAccount(q, accountId);
  if (account === null || !seesAccount(own, account)) return NOT_FOUND;
  const isOwn = caller.accountId === accountId;
  if (!isOwn && !(own.all && (await mayManageAccount(q, caller.rights, account)))) return DENIED;
  return { ok: true, logins: await loginsOf(q, [accountId]) };
}

/** The login by which the caller came: only its holder adds factors to it. */
export async function ownLogin(
  q: Queries,
  { caller }: SessionActor,
  accountId: string,
): Promise<{ ok: true; login: LoginRow } | Refused | Denied> {
  const account = await findAccount(q, accountId);
  if (account === null || !seesAccount(ownRows(caller), account)) return NOT_FOUND;
  if (caller.accountId !== accountId) return DENIED;
  const loginId = await tokenLogin(q, caller.tokenId);
  const found = loginId === null ? null : await findLoginById(q, loginId);
  return found === null ? DENIED : { ok: true, login: found.login };
}

/** The second factors of a login, and what the caller can do with them. */
export interface LoginFactors {
  tokenId: string;
  since: UtcTime | null;
  recoveryCodes: number;
  actions: FactorAction[];
}

/** The second factors of each login of an account. */
export async function factorsOfAccount(
  q: Queries,
  actor: SessionActor,
  accountId: string,
): Promise<{ ok: true; logins: LoginFactors[] } | Refused | Denied> {
  const managed = await managedLogins(q, actor, accountId);
  if (!managed.ok) return managed;
  const { caller } = actor;
  const callerLogin = await tokenLogin(q, caller.tokenId);
  const logins: LoginFactors[] = [];
  for (const { id: tokenId } of managed.logins) {
    const { totpSince: since, passkeys, recoveryCodes } = await factorsOf(q, tokenId);
    const hasTotp = since !== null;
    const isOwnLogin = caller.accountId === accountId && tokenId === callerLogin;
    const facts = { isOwnLogin, hasTotp, hasAny: hasTotp || passkeys.length > 0 };
    logins.push({ tokenId, since, recoveryCodes, actions: actionsOfFactors(caller, accountId, facts) });
  }
  return { ok: true, logins };
}

/** Begins with codes by time. They count once a first code has been shown. */
export async function enrolTotp(
  db: Db,
  actor: SessionActor,
  accountId: string,
): Promise<{ ok: true; begun: BegunTotp } | Refused | Denied> {
  return await db.write(async (tx) => {
    const own = await ownLogin(tx.q, actor, accountId);
    if (!own.ok) return own;
    const label = own.login.name ?? accountId;
    const begun = await beginTotp(tx.q, own.login.id, label, actor.at);
    return begun === null ? refusedInput(mistake('totp-there')) : { ok: true, begun };
  });
}

/** Takes the first code by time: from then on they count. */
export async function finishTotp(
  db: Db,
  actor: SessionActor,
  accountId: string,
  code: string,
): Promise<Enrolled | Refused | Denied> {
  return await db.write(async (tx) => {
    const own = await ownLogin(tx.q, actor, accountId);
    if (!own.ok) return own;
    const confirmed = await confirmTotp(tx.q, own.login.id, code, actor.at);
    if (confirmed === 'not-begun') return refusedInput(mistake('nothing-to-confirm'));
    if (confirmed === 'wrong') return refusedInput(mistake('wrong-code', 'code'));
    await auditFactor(tx, actor, accountId, 'totp.add', { tokenId: own.login.id });
    return await enrolled(tx, actor, own.login);
  });
}

/** Adds a passkey that a browser has made. */
export async function storePasskey(
  db: Db,
  actor: SessionActor,
  accountId: string,
  passkey: PasskeyRow,
): Promise<Enrolled | Refused | Denied> {
  return await db.write(async (tx) => {
    const own = await ownLogin(tx.q, actor, accountId);
    if (!own.ok) return own;
    if (passkey.loginId !== own.login.id || !(await addPasskey(tx.q, passkey))) {
      return refusedInput(mistake('passkey-there'));
    }
    await auditFactor(tx, actor, accountId, 'passkey.add', passkeyAudited(passkey));
    return await enrolled(tx, actor, own.login);
  });
}

/**
 * A login has a second factor more. What was logged in by its password alone ends, but for the session that did this;
 * with the first factor come recovery codes.
 */
async function enrolled(tx: Tx, { caller, at }: SessionActor, login: LoginRow): Promise<Enrolled> {
  const { accountId, tokenId, session } = caller;
  await revokeTokensOf(tx, accountId, at, { loginId: login.id, butTokenId: tokenId });
  const isFirst = (await countFactors(tx.q, login.id)) === 1;
  const recoveryCodes = isFirst ? await renewRecoveryCodes(tx.q, login.id) : null;
  const awaited = session !== undefined && session.awaits === 'enrol';
  const opened = awaited ? await openWhole(tx, { tokenId, loginId: login.id, at }) : null;
  return { ok: true, recoveryCodes, opened: opened?.ok ? opened : null };
}

async function countFactors(q: Queries, loginId: string): Promise<number> {
  const { totpSince, passkeys } = await factorsOf(q, loginId);
  return (totpSince === null ? 0 : 1) + passkeys.length;
}

/** Makes recovery codes in place of those that are left. */
export async function renewCodes(
  db: Db,
  actor: SessionActor,
  accountId: string,
): Promise<{ ok: true; recoveryCodes: string[] } | Refused | Denied> {
  return await db.write(async (tx) => {
    const own = await ownLogin(tx.q, actor, accountId);
    if (!own.ok) return own;
    const hasAny = await hasSecondFactor(tx.q, own.login.id);
    const refusal = FACTOR_ACTIONS['renew-codes'].refuse({ isOwnLogin: true, hasAny });
    if (refusal !== null) return refusedInput(refusal);
    const recoveryCodes = await renewRecoveryCodes(tx.q, own.login.id);
    await auditFactor(tx, actor, accountId, 'recovery-codes.renew', { tokenId: own.login.id });
    return { ok: true, recoveryCodes };
  });
}

/**
 * Removes codes by time: the caller's own, or those of all logins of another account after its holder has
 * lost the telephone.
 */
export async function removeTotp(
  db: Db,
  actor: SessionActor,
  accountId: string,
): Promise<{ ok: true } | Refused | Denied> {
  return await db.write(async (tx) => {
    const managed = await managedLogins(tx.q, actor, accountId);
    if (!managed.ok) return managed;
    const isOwn = actor.caller.accountId === accountId;
    const ownId = isOwn ? await tokenLogin(tx.q, actor.caller.tokenId) : null;
    let removed = false;
    for (const { id } of managed.logins) {
      if (isOwn && id !== ownId) continue;
      if (!(await deleteTotp(tx.q, id))) continue;
      removed = true;
      await dropLoneCodes(tx.q, id);
      await auditFactor(tx, actor, accountId, 'totp.remove', null, { tokenId: id });
    }
    return removed ? { ok: true } : NOT_FOUND;
  });
}

/** Renames a passkey of the caller. */
export async function changePasskey(
  db: Db,
  actor: SessionActor,
  { accountId, id, name }: { accountId: string; id: string; name: string },
): Promise<{ ok: true; passkey: PasskeyRow } | Refused | Denied> {
  return await db.write(async (tx) => {
    const found = await findManaged(tx.q, actor, accountId, id);
    if (!found.ok) return found;
    if (PASSKEY_ACTIONS.rename.refuse({ isOwn: actor.caller.accountId === accountId }) !== null)
      return DENIED;
    await renamePasskey(tx.q, found.passkey, name);
    return { ok: true, passkey: { ...found.passkey, name } };
  });
}

/** Takes a passkey away: it opens nothing any more. */
export async function removePasskey(
  db: Db,
  actor: SessionActor,
  { accountId, id }: { accountId: string; id: string },
): Promise<{ ok: true } | Refused | Denied> {
  return await db.write(async (tx) => {
    const found = await findManaged(tx.q, actor, accountId, id);
    if (!found.ok) return found;
    await deletePasskey(tx.q, id);
    await dropLoneCodes(tx.q, found.passkey.loginId);
    await auditFactor(tx, actor, accountId, 'passkey.remove', null, passkeyAudited(found.passkey));
    return { ok: true };
  });
}

async function findManaged(
  q: Queries,
  actor: SessionActor,
  accountId: string,
  id: string,
): Promise<{ ok: true; passkey: PasskeyRow } | Refused | Denied> {
  const managed = await managedLogins(q, actor, accountId);
  if (!managed.ok) return managed;
  const passkeys = await passkeysOf(
    q,
    managed.logins.map((login) => login.id),
  );
  const passkey = passkeys.find((one) => one.id === id);
  return passkey === undefined ? NOT_FOUND : { ok: true, passkey };
}

function passkeyAudited({ id, name, loginId }: PasskeyRow) {
  return { id, name, tokenId: loginId };
}

async function auditFactor(
  tx: Tx,
  actor: SessionActor,
  subjectId: string,
  action: string,
  after: unknown,
  before: unknown = null,
): Promise<void> {
  await audit(tx, actor, { subject: 'account', subjectId, action, before, after });
}
