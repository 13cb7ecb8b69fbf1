import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { findAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { findLoginById } from '../../records/accounts/find-logins.ts';
import { findLoginOf } from '../../records/accounts/login-store.ts';
import { audit } from '../audit/audit.ts';
import { NOT_ALLOWED } from '../auth/record-actions.ts';
import { deleteRecoveries } from '../auth/recovery-links.ts';
import { ACCOUNT_ACTIONS, accountFacts } from './account-actions.ts';
import { addLogin, DENIED, type Denied, findTaken, type LoginResult, newLoginRow } from './change-logins.ts';
import { EmailSchema } from './login.ts';
import { mayLogIn, queueInvitation } from './recover-password.ts';

export const InvitationSchema = z
  .strictObject({
    email: EmailSchema.describe(
      'A login of the account without a password; a new login where there is none.',
    ),
    language: OfficeLanguageSchema.describe('The language of the mail.'),
  })
  .meta({ id: 'Invitation', example: { email: 'anna@example.is', language: 'is' } });

export interface Invited {
  email: string;
  language: z.infer<typeof InvitationSchema>['language'];
  publicUrl: string;
}

/**
 * Mails a person the link by which they choose their first password, again if need be. Earlier links of the login are
 * good no longer.
 */
export async function invite(
  db: Db,
  actor: Actor,
  accountId: string,
  invited: Invited,
): Promise<LoginResult | Denied> {
  return await db.write(async (tx) => {
    const account = await findAccount(tx.q, accountId);
    if (account === null || !seesAccount(ownRows(actor.caller), account)) return NOT_FOUND;
    const facts = await accountFacts(tx.q, actor.caller, account);
    const refused = ACCOUNT_ACTIONS.invite.refuse(facts);
    if (refused !== null) return refused === NOT_ALLOWED ? DENIED : refusedInput(refused);
    const login = await findLoginOf(tx.q, accountId, { email: invited.email });
    // Another login would let a manager of people act in the name of one of them.
    if (login === null && facts.isStaff)
      return refusedInput(mistake('not-found', 'email', { what: 'login' }));
    return login === null
      ? await inviteByNewLogin(tx, actor, accountId, invited)
      : await inviteAgain(tx, actor, login.id, invited);
  });
}

const CANNOT_BE_INVITED = refusedInput(mistake('cannot-be-invited'));

async function inviteByNewLogin(
  tx: Tx,
  actor: Actor,
  accountId: string,
  { email, language, publicUrl }: Invited,
): Promise<LoginResult> {
  const body = { email, invite: language };
  const taken = await findTaken(tx.q, body);
  if (taken !== null) return taken.refused;
  return await addLogin(tx, actor, newLoginRow(accountId, body, null, actor.at), { language, publicUrl });
}

async function inviteAgain(
  tx: Tx,
  actor: Actor,
  loginId: string,
  { language, publicUrl }: Invited,
): Promise<LoginResult | Refused> {
  const found = await findLoginById(tx.q, loginId);
  if (found === null || !mayLogIn(found, actor.at)) return CANNOT_BE_INVITED;
  if (found.login.passwordHash !== null) return refusedInput(mistake('has-password', 'email'));
  await deleteRecoveries(tx.q, loginId);
  await queueInvitation(tx, found, { publicUrl, language, at: actor.at });
  await audit(tx, actor, {
    action: 'login.invite',
    subject: 'account',
    subjectId: found.account.id,
    before: null,
    after: { tokenId: loginId, email: found.login.name },
  });
  return { ok: true, login: found.login };
}
