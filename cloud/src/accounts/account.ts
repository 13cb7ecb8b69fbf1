import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';
import { ACCOUNT_ROLES } from '../auth/caller.ts';
import type { AccountRow } from './account-store.ts';

/** In place of a customer's id: the account belongs to none from then on. */
export const REMOVE_CUSTOMER = 'remove';

const OptionsSchema = z
  .strictObject({
    'free-parking-time': z
      .int()
      .min(0)
      .max(525_600)
      .optional()
      .describe('Minutes that its temporary whitelisting of a visit is worth; absent: the whole visit.'),
    expireTime: z
      .int()
      .min(1)
      .max(52_560_000)
      .optional()
      .describe('Minutes after which its whitelist entries expire, unless they say otherwise.'),
  })
  .meta({ id: 'AccountOptions', example: { 'free-parking-time': 120 } });

const fields = {
  role: z.enum(ACCOUNT_ROLES),
  status: z.enum(['active', 'inactive']),
  name: z.string().trim().min(1).max(200),
  options: OptionsSchema,
  comment: z.string().max(2000).nullable().describe('A note for operators; nobody else sees it.'),
  customerId: z
    .string()
    .min(1)
    .max(100)
    .describe(`For whom it acts; \`${REMOVE_CUSTOMER}\`: for nobody. Answers have it as \`customer\`.`),
};

export const NewAccountSchema = z
  .strictObject(fields)
  .partial()
  .required({ role: true, status: true })
  .meta({ id: 'NewAccount', example: { role: 'customer', status: 'active', name: 'Anna Jónsdóttir' } });
export type NewAccount = z.infer<typeof NewAccountSchema>;

/** Fields that are not given stay; options are replaced as a whole. */
export const AccountEditSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'AccountEdit', example: { status: 'inactive' } });
export type AccountEdit = z.infer<typeof AccountEditSchema>;

/** An account as the API shows it. */
export const AccountSchema = z
  .strictObject({
    id: z.string(),
    role: fields.role,
    name: z.string(),
    status: fields.status,
    createdOn: UtcTimeSchema,
    options: OptionsSchema,
    customer: z.strictObject({ id: z.string() }).nullable(),
    comment: z.string().nullable().optional().describe('For operators only.'),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof AccountSchema>;

/** An account as its holder sees it. */
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
