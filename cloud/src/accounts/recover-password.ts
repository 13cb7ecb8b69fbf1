import type { OfficeLanguage } from '@hlid/protocol/language';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { LINK_SECRET } from '../auth/recovery-links.ts';
import { findCustomer } from '../customers/find-customer.ts';
import type { Db, Queries } from '../db/db.ts';
import { ALL_ROWS } from '../http/caller.ts';
import type { Mail } from '../mail/queue-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { EmailSchema } from './login.ts';
import { countRecovery } from './login-limit.ts';
import type { LoginOfAccount } from './record/find-logins.ts';
import { findLogin } from './record/login-store.ts';

export interface RecoveryQuestion {
  email: string;
  /** From where it comes. */
  address: string;
  at: UtcTime;
}

/**
 * Sends a link by which a forgotten password is set anew, if somebody logs in by that address and may. Nothing that is
 * answered shows whether. The secret of the link is made when the mail is sent.
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
    const to = found === null || !mayLogIn(found, at) ? null : addressOfLogin(found);
    if (found !== null && to !== null) await queueMail(tx, await mailTo(tx.q, found, to, publicUrl), at);
    return null;
  });
}

/** Whether somebody may log in by it: the login has not run out, and its account is active. */
export function mayLogIn({ login, account }: LoginOfAccount, at: UtcTime): boolean {
  return account.status === 'active' && (login.expiresAt === null || login.expiresAt > at);
}

/** Null: the first operator may log in by a bare name, and others by electronic identity only. */
function addressOfLogin({ login }: LoginOfAccount): string | null {
  return EmailSchema.safeParse(login.name).data ?? null;
}

async function mailTo(
  q: Queries,
  { login, account }: LoginOfAccount,
  to: string,
  publicUrl: string,
): Promise<Mail> {
  const { customerId } = account;
  const customer = customerId === null ? null : await findCustomer(q, customerId, ALL_ROWS);
  const language = customer?.language ?? 'is';
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

/** The mail with the link by which a forgotten password is set anew. */
export function recoveryMail(about: {
  to: string;
  name: string;
  language: OfficeLanguage;
  link: string;
}): Mail {
  const { subject, text } = WORDS[about.language];
  return { to: about.to, subject, text: text(about.name, about.link), kind: 'recover-password' };
}
