import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';
import { ACCOUNT_ROLES } from '../auth/caller.ts';
import type { AccountRow } from './account-store.ts';

/** An account as the API shows it. */
export const AccountSchema = z
  .strictObject({
    id: z.string(),
    role: z.enum(ACCOUNT_ROLES),
    name: z.string(),
    status: z.enum(['active', 'inactive']),
    createdOn: UtcTimeSchema,
    options: z.strictObject({
      'free-parking-time': z.int().min(0).optional(),
      expireTime: z.int().min(1).optional(),
    }),
    customer: z.strictObject({ id: z.string() }).nullable(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof AccountSchema>;

export function accountFrom(row: AccountRow): Account {
  return {
    id: row.id,
    role: row.role,
    name: row.name,
    status: row.status,
    createdOn: row.createdAt,
    options: row.options,
    customer: row.customerId === null ? null : { id: row.customerId },
  };
}
