import type { UtcTime } from '@hlid/protocol/utc-time';
import { countRecovery } from '../auth/login-limit.ts';
import { findLogin, type LoginOfAccount } from '../auth/login-store.ts';
import { RECOVERY_SECRET } from '../auth/recovery-store.ts';
import { findCustomer } from '../customers/customer-store.ts';
import type { Db, Queries } from '../db/db.ts';
import { ALL_ROWS } from '../http/caller.ts';
import { type Mail, queueMail } from '../mail/queue-mail.ts';
import { EmailSchema } from './login.ts';
import { recoveryMail } from './recovery-mail.ts';

export interface RecoveryQuestion {
  email: string;
  /** From where it comes. */
  address: string;
  at: UtcTime;
}

/**
 * Sends a link by which a forgotten password is set anew, if somebody logs in by that address and may. Nothing that is
 * answered tells whether. The secret of the link is made when the mail is sent.
 *
 * @returns seconds to wait where it was asked too often, else null
 */
export async function recoverPassword(
  db: Db,
  publicUrl: string,
  { email, address, at }: RecoveryQuestion,
): Promise<number | null> {
  return await db.write(async (tx) => {
    const wait = await countRecovery(tx.q, { name: email, address }, at);
    if (wait !== null) return wait;
    const found = await findLogin(tx.q, email);
    const usable = found !== null && mayLogIn(found, at) && hasAddress(found) ? found : null;
    if (usable !== null) {
      await queueMail(tx, await mailTo(tx.q, usable, publicUrl), at);
    }
    return null;
  });
}

/** Whether somebody may log in by it: the login has not run out, and its account is active. */
export function mayLogIn({ login, account }: LoginOfAccount, at: UtcTime): boolean {
  return account.status === 'active' && (login.expiresAt === null || login.expiresAt > at);
}

/** The first operator may log in by a bare name, to which no mail goes. */
function hasAddress({ login }: LoginOfAccount): boolean {
  return EmailSchema.safeParse(login.name).success;
}

async function mailTo(q: Queries, { login, account }: LoginOfAccount, publicUrl: string): Promise<Mail> {
  const { customerId } = account;
  const customer = customerId === null ? null : await findCustomer(q, customerId, ALL_ROWS);
  const language = customer?.language ?? 'is';
  const link = `${publicUrl}/recover?token=${RECOVERY_SECRET}&lang=${language}`;
  const about = { to: login.name, name: account.name, language, link } as const;
  return { ...recoveryMail(about), recoversLoginId: login.id };
}
