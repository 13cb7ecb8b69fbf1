import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type { Db } from '../../platform/db/db.ts';
import { writeWhole } from '../../platform/db/write-whole.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { refusedInput } from '../../platform/refused.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { NewAccountSchema } from '../accounts/account.ts';
import { attachCustomer, createAccount } from '../accounts/change-accounts.ts';
import { type CustomerResult, createCustomer } from '../customers/change-customers.ts';
import { NewCustomerSchema } from '../customers/customer.ts';

const EITHER = wrong('account-or-new-account');

export const NewCustomerWithAccountSchema = z
  .strictObject({
    account: z
      .union([IdSchema, NewAccountSchema], { error: EITHER })
      .optional()
      .describe('The account that acts for it: an id, or a new account.'),
    customer: NewCustomerSchema,
  })
  .meta({
    id: 'NewCustomerWithAccount',
    example: {
      account: { role: 'customer', status: 'active', name: 'Anna Jónsdóttir' },
      customer: { ssn: '530575-0209', name: 'Bílaleigan ehf.', language: 'is' },
    },
  });
type NewCustomerWithAccount = z.infer<typeof NewCustomerWithAccountSchema>;

/** Adds a customer, and the account that acts for it, new or there already: all of it or nothing. */
export async function createCustomerWithAccount(
  db: Db,
  actor: Actor,
  { account, customer }: NewCustomerWithAccount,
): Promise<CustomerResult> {
  if (typeof account === 'object' && account.customerId !== undefined) {
    return refusedInput(mistake('not-beside-new-customer', 'account.customerId'));
  }
  return await writeWhole(db, async (tx): Promise<CustomerResult> => {
    if (typeof account === 'string' && (await findAccount(tx.q, account)) === null) {
      return refusedInput(mistake('not-found', 'account', { what: 'account' }));
    }
    const made = await createCustomer(tx, actor, customer);
    if (!made.ok || account === undefined) return made;
    const { id: customerId, name } = made.customer;
    const acting =
      typeof account === 'string'
        ? await attachCustomer(tx, actor, account, customerId)
        : await createAccount(tx, actor, { ...(name !== null && { name }), ...account, customerId });
    if (acting.ok) return made;
    return acting.reason === 'denied' ? refusedInput(mistake('give-what-you-have', 'account')) : acting;
  });
}
