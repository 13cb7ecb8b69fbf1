import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { LoginOfAccount } from '../../records/accounts/find-logins.ts';
import { findLogin } from '../../records/accounts/login-store.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { LINK_SECRET } from '../auth/recovery-links.ts';
import { type Mail, queueMail } from '../mail/queue-mail.ts';
import { ACCOUNT_WORDS } from './account-words.ts';
import { EmailSchema } from './login.ts';
import { countRecovery } from './login-limit.ts';

export interface RecoveryQuestion {
  email: string;
  /** The address from which the request came. */
  address: string;
  at: UtcTime;
  /** The language of the page on which recovery was requested; null: not known. */
  language: OfficeLanguage | null;
}

/**
 * Mails a link for setting a new password, if that address has a login that may be recovered. The answer does
 * not show whether it has. The secret of the link is made when the mail is sent.
 *
 * @returns seconds to wait where it was asked too often, else null
 */
export async function recoverPassword(
  db: Db,
  publicUrl: string,
  { email, address, at, language }: RecoveryQuestion,
): Promise<number | null> {
  return await db.write(async (tx) => {
    const wait = await countRecovery(tx.q, { name: email, address }, at);
    if (wait !== null) return wait;
    const found = await findLogin(tx.q, email);
    const to = found === null || !mayLogIn(found, at) ? null : addressOfLogin(found);
    if (found !== null && to !== null)
      await queueMail(tx, await mailTo(tx.q, found, { to, publicUrl, language }), at);
    return null;
  });
}

/** Whether a login can be used: it has not run out, and its account is active. */
export function mayLogIn({ login, account }: LoginOfAccount, at: UtcTime): boolean {
  return account.status === 'active' && (login.expiresAt === null || login.expiresAt > at);
}

/** Null: the first operator may log in by a bare name, and others by electronic identity only. */
function addressOfLogin({ login }: LoginOfAccount): string | null {
  return EmailSchema.safeParse(login.name).data ?? null;
}

/** @param language null: the customer's, if none was chosen */
async function mailTo(
  q: Queries,
  { login, account }: LoginOfAccount,
  { to, publicUrl, language: chosen }: { to: string; publicUrl: string; language: OfficeLanguage | null },
): Promise<Mail> {
  const { customerId } = account;
  const customer = customerId === null ? null : await findCustomer(q, customerId, ALL_ROWS);
  const language = chosen ?? customer?.language ?? 'is';
  const link = `${publicUrl}/recover?token=${LINK_SECRET}&lang=${language}`;
  const about = { to, name: account.name, language, link } as const;
  return { ...recoveryMail(about), recoversLoginId: login.id };
}

/** Sends a new person a link for choosing their password, in the transaction that gives them the login. */
export async function queueInvitation(
  tx: Tx,
  { login, account }: LoginOfAccount,
  { publicUrl, language, at }: { publicUrl: string; language: OfficeLanguage; at: UtcTime },
): Promise<void> {
  const to = addressOfLogin({ login, account });
  if (to === null) return;
  const { subject, text } = ACCOUNT_WORDS[language].invitation;
  const link = `${publicUrl}/recover?token=${LINK_SECRET}&lang=${language}`;
  const mail = {
    to,
    language,
    subject,
    text: text({ name: account.name, link }),
    kind: 'invitation',
    recoversLoginId: login.id,
  } as const;
  await queueMail(tx, mail, at);
}

/** The mail with the link for setting a new password. */
export function recoveryMail(about: {
  to: string;
  name: string;
  language: OfficeLanguage;
  link: string;
}): Mail {
  const { subject, text } = ACCOUNT_WORDS[about.language].recovery;
  return {
    to: about.to,
    language: about.language,
    subject,
    text: text({ name: about.name, link: about.link }),
    kind: 'recover-password',
  };
}
