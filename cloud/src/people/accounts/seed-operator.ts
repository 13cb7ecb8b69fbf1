import { randomBytes } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import type { Db } from '../../platform/db/db.ts';
import { anyAccount, insertAccount } from '../../records/accounts/account-store.ts';
import { insertLogin } from '../../records/accounts/login-store.ts';
import { hashPassword } from '../auth/password-hash.ts';

const FIRST_OPERATOR = 'operator';

/** The result of seeding; `password` is there only if it was generated and must be shown this once. */
export type SeededOperator = { made: false } | { made: true; id: string; password: string | null };

/**
 * Makes the first operator as long as there is no account at all.
 *
 * @param login null: one is generated
 */
export async function seedOperator(
  db: Db,
  login: { id: string; password: string } | null,
  clock: Clock,
): Promise<SeededOperator> {
  if (await db.read(anyAccount)) return { made: false };
  const generated = login === null ? randomBytes(15).toString('base64url') : null;
  const { id: name, password } = login ?? { id: FIRST_OPERATOR, password: generated ?? '' };
  const passwordHash = await hashPassword(password);
  const now = nowUtc(clock);
  return await db.write(async (tx) => {
    if (await anyAccount(tx.q)) return { made: false };
    const accountId = newId();
    await insertAccount(tx.q, {
      id: accountId,
      role: 'operator',
      name,
      status: 'active',
      options: {},
      customerId: null,
      createdAt: now,
      modifiedAt: now,
    });
    await insertLogin(tx.q, {
      id: newId(),
      accountId,
      name,
      ssn: null,
      passwordHash,
      expiresAt: null,
      createdAt: now,
    });
    return { made: true, id: name, password: generated };
  });
}
