import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { z } from '@hono/zod-openapi';
import type { Db } from '../../platform/db/db.ts';
import { writeWhole } from '../../platform/db/write-whole.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { refusedInput } from '../../platform/refused.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { managesStaff, optionsOfStaff } from '../auth/staff.ts';
import { type AccountResult, createAccount, DENIED } from './change-accounts.ts';
import { addLogin, findTaken, newLoginRow } from './change-logins.ts';
import { EmailSchema } from './login.ts';

export const StaffInvitationSchema = z
  .strictObject({
    name: NameSchema,
    email: EmailSchema,
    language: OfficeLanguageSchema.describe('The language of the mail.'),
  })
  .meta({
    id: 'StaffInvitation',
    example: { name: 'Anna Jónsdóttir', email: 'anna@example.is', language: 'is' },
  });
type StaffInvitation = z.infer<typeof StaffInvitationSchema>;

/**
 * Makes an account for a person of the manager's own customer, and mails the link for choosing a password. The account
 * has the manager's role and limits, without the right to manage people.
 */
export async function inviteStaff(
  db: Db,
  actor: Actor,
  { name, email, language }: StaffInvitation,
  publicUrl: string,
): Promise<AccountResult | typeof DENIED> {
  return await writeWhole(db, async (tx): Promise<AccountResult | typeof DENIED> => {
    const { caller } = actor;
    const manager = caller.kind === 'account' ? await findAccount(tx.q, caller.accountId) : null;
    if (manager === null || manager.customerId === null || !managesStaff(manager)) return DENIED;
    // Only operators may learn the owner of a login.
    if ((await findTaken(tx.q, { email })) !== null) return refusedInput(mistake('address-taken', 'email'));
    const { role, customerId } = manager;
    const options = optionsOfStaff(manager);
    const created = await createAccount(tx, actor, { role, status: 'active', name, options, customerId });
    if (!created.ok) return created;
    const login = newLoginRow(created.account.id, { email }, null, actor.at);
    await addLogin(tx, actor, login, { language, publicUrl });
    return created;
  });
}
