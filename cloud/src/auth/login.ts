import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { type AccountRow, findLogin } from '../accounts/account-store.ts';
import { type Clock, nowUtc } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { countLoginAttempt, forgiveLoginAttempt } from './login-limit.ts';
import { verifyPassword } from './password-hash.ts';
import { deleteExpiredTokens, issueToken } from './token-store.ts';

/** How long a login lasts. */
const TOKEN_LIFE_MS = 30 * DAY_MS;

export interface LoginQuestion {
  /** As typed. */
  id: string;
  password: string;
  deviceUuid: string;
  /** From where it comes. */
  address: string;
}

export type LoginAnswer =
  | { ok: true; token: string; account: AccountRow; expiresAt: UtcTime }
  /** The same for a login that does not exist, has run out, is of an inactive account, or has another password. */
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/** Logs in by password. */
export async function logIn(db: Db, clock: Clock, question: LoginQuestion): Promise<LoginAnswer> {
  const now = nowUtc(clock);
  const who = { name: question.id, address: question.address };
  const wait = await db.write((tx) => countLoginAttempt(tx.q, who, now));
  if (wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: wait };
  const login = await db.read((q) => findLogin(q, question.id));
  const usable =
    login !== null &&
    login.account.status === 'active' &&
    (login.expiresAt === null || login.expiresAt > now);
  const known = await verifyPassword(usable ? login.passwordHash : null, question.password);
  if (!usable || !known) return { ok: false, reason: 'wrong' };
  const { account } = login;
  const expiresAt = utcTime(millis(now) + TOKEN_LIFE_MS);
  const { token } = await db.write(async (tx) => {
    await forgiveLoginAttempt(tx.q, who);
    await deleteExpiredTokens(tx.q, now);
    return await issueToken(
      tx.q,
      { accountId: account.id, deviceUuid: question.deviceUuid },
      { from: now, until: expiresAt },
    );
  });
  return { ok: true, token, account, expiresAt };
}
