import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { LoginOfAccount } from '../../records/accounts/find-logins.ts';
import { findLogin } from '../../records/accounts/login-store.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { LINK_SECRET } from '../auth/recovery-links.ts';
import { type Mail, queueMail } from '../mail/queue-mail.ts';
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

type Words = { subject: string; text: (name: string, link: string) => string };

const WORDS: Record<OfficeLanguage, Words> = {
  is: {
    subject: 'Nýtt lykilorð',
    text: (name, link) => `Góðan dag, ${name}.

Beðið var um nýtt lykilorð fyrir þetta netfang. Það er sett hér:

${link}

Hlekkurinn gildir einu sinni og í 15 mínútur. Ef þú baðst ekki um nýtt lykilorð þarftu ekkert að gera: það gamla gildir áfram.
`,
  },
  en: {
    subject: 'New password',
    text: (name, link) => `Dear ${name},

A new password was asked for this address. It is set here:

${link}

The link is good once, and for 15 minutes. If you did not ask for this, you can ignore this mail: the old password stays.
`,
  },
};

const INVITATION_WORDS: Record<OfficeLanguage, Words> = {
  is: {
    subject: 'Aðgangur þinn að Hliði',
    text: (name, link) => `Góðan dag, ${name}.

Þér hefur verið gefinn aðgangur að Hliði. Veldu þér lykilorð hér:

${link}

Hlekkurinn gildir einu sinni og í sjö daga. Eftir það má fá nýjan með „Gleymt lykilorð“ þar sem þú skráir þig inn.
`,
  },
  en: {
    subject: 'Your access to Hlið',
    text: (name, link) => `Hello ${name},

You have been given access to Hlið. Choose your password here:

${link}

The link is good once, and for seven days. After that, "Forgot password" where you log in sends a new one.
`,
  },
};

/** Sends a new person a link for choosing their password, in the transaction that gives them the login. */
export async function queueInvitation(
  tx: Tx,
  { login, account }: LoginOfAccount,
  { publicUrl, language, at }: { publicUrl: string; language: OfficeLanguage; at: UtcTime },
): Promise<void> {
  const to = addressOfLogin({ login, account });
  if (to === null) return;
  const { subject, text } = INVITATION_WORDS[language];
  const link = `${publicUrl}/recover?token=${LINK_SECRET}&lang=${language}`;
  const mail = {
    to,
    subject,
    text: text(account.name, link),
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
  const { subject, text } = WORDS[about.language];
  return { to: about.to, subject, text: text(about.name, about.link), kind: 'recover-password' };
}
