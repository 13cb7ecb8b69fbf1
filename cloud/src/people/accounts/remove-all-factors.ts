import type { Db } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { findLogin } from '../../records/accounts/login-store.ts';
import { audit } from '../audit/audit.ts';
import { revokeTokensOf } from '../auth/tokens.ts';
import { factorsOf } from '../second-factors/factors.ts';
import { deletePasskey } from '../second-factors/passkeys.ts';
import { deleteRecoveryCodes } from '../second-factors/recovery-codes.ts';
import { deleteTotp } from '../second-factors/totp.ts';

/** The factors that a login had. */
export interface RemovedFactors {
  accountId: string;
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
  /** Sessions and other tokens of the login that were good. */
  sessions: number;
}

/**
 * Removes every second factor of a login and ends its sessions. It is for a holder who has lost them all when
 * no other account may remove them. The password opens the login again.
 *
 * @param typed the login as its holder types it
 * @returns null: there is no such login
 */
export async function removeAllFactors(
  db: Db,
  actor: Actor,
  typed: string,
  reason: string | null,
): Promise<RemovedFactors | null> {
  return await db.write(async (tx) => {
    const found = await findLogin(tx.q, typed);
    if (found === null) return null;
    const { login, account } = found;
    const { totpSince, passkeys, recoveryCodes } = await factorsOf(tx.q, login.id);
    // Codes by time that were begun and never confirmed go too.
    const hadTotp = await deleteTotp(tx.q, login.id);
    for (const { id } of passkeys) await deletePasskey(tx.q, id);
    await deleteRecoveryCodes(tx.q, login.id);
    const sessions = await revokeTokensOf(tx, account.id, actor.at, { loginId: login.id });
    const before = {
      tokenId: login.id,
      totpSince,
      passkeys: passkeys.map(({ name }) => name),
      recoveryCodes,
    };
    const action = 'second-factors.remove';
    await audit(tx, actor, {
      subject: 'account',
      subjectId: account.id,
      action,
      before,
      after: null,
      reason,
    });
    return { accountId: account.id, totp: hadTotp, passkeys: passkeys.length, recoveryCodes, sessions };
  });
}
