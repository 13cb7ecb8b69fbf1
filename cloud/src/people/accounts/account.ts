import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { ACCOUNT_ROLES, PERMISSIONS } from '../../platform/http/caller.ts';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';

/** The value in place of a customer's id after which the account belongs to none. */
export const REMOVE_CUSTOMER = 'remove';

const PermitLimitsSchema = z
  .strictObject({
    'free-parking-time': z
      .int()
      .min(0)
      .max(525_600)
      .describe('Minutes of a visit before the entry that the entry covers too; absent: none.'),
    expireTime: z
      .int()
      .min(1)
      .max(52_560_000)
      .describe('The maximum and default validity of its whitelist entries, in minutes; absent: 1440.'),
    permitWithoutEnd: z
      .boolean()
      .describe(
        'Its whitelist entries may be valid without end; not together with `expireTime`. Absent: false.',
      ),
    permitSites: z
      .array(z.string().min(1).max(100))
      .max(1000)
      .describe('The ids of the sites where its whitelist entries may be valid; absent: every site.'),
    maxPermits: z
      .int()
      .min(0)
      .max(100_000)
      .describe('The maximum number of whitelist entries in its name that are or will be valid; absent: 10.'),
    permitAfterArrival: z
      .boolean()
      .describe('Its whitelist entries cover the rest of a stay that has begun; absent: true.'),
  })
  .partial();

const OptionsSchema = PermitLimitsSchema.extend({
  managesStaff: z
    .boolean()
    .describe(
      'For the roles `customer` and `partner` with a customer: it invites people of its customer with its own role ' +
        'and lets them leave. They get its limits, without this right. Absent: false.',
    )
    .optional(),
});

const hasOneEnd = ({ expireTime, permitWithoutEnd }: z.infer<typeof PermitLimitsSchema>) =>
  permitWithoutEnd !== true || expireTime === undefined;
const TWO_ENDS = { path: ['permitWithoutEnd'], message: wrong('not-beside-expire-time') };

/** The limits of permits by a token for whitelisting. */
export const PermitLimitsOfTokenSchema = PermitLimitsSchema.refine(hasOneEnd, TWO_ENDS).meta({
  id: 'PermitLimits',
  example: { 'free-parking-time': 120 },
});

/** The limits of permits by an account; operators have none. */
export const AccountOptionsSchema = OptionsSchema.refine(hasOneEnd, TWO_ENDS).meta({
  id: 'AccountOptions',
  example: { 'free-parking-time': 120 },
});

const OptionsEditSchema = settingsEdit(OptionsSchema).meta({
  id: 'AccountOptionsEdit',
  example: { 'free-parking-time': 120, expireTime: null },
});

const fields = {
  role: z.enum(ACCOUNT_ROLES),
  status: z.enum(['active', 'inactive']),
  name: NameSchema,
  options: AccountOptionsSchema,
  comment: TypedTextSchema.max(2000).nullable().describe('A note that only operators see.'),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .max(PERMISSIONS.length)
    .nullable()
    .describe('What an operator may do; null: everything. No account gives rights that it does not have.'),
  siteIds: z
    .array(z.string().min(1).max(100))
    .max(1000)
    .nullable()
    .describe('The sites at which an operator may do so; null: every site.'),
  customerId: z
    .string()
    .min(1)
    .max(100)
    .describe(
      `The customer for which it acts; \`${REMOVE_CUSTOMER}\`: none. Answers have it as \`customer\`.`,
    ),
};

export const NewAccountSchema = z
  .strictObject(fields)
  .partial()
  .required({ role: true, status: true })
  .meta({ id: 'NewAccount', example: { role: 'customer', status: 'active', name: 'Anna Jónsdóttir' } });
export type NewAccount = z.infer<typeof NewAccountSchema>;

/** Fields and options that are not given stay; an option that is null is taken away. */
export const AccountEditSchema = z
  .strictObject({ ...fields, options: OptionsEditSchema })
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
    options: AccountOptionsSchema,
    permissions: fields.permissions.optional(),
    siteIds: fields.siteIds.optional(),
    customer: z.strictObject({ id: z.string() }).nullable(),
    comment: z.string().nullable().optional().describe('A comment, for operators only.'),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof AccountSchema>;

/** An account as its holder sees it. */
export function accountFrom(row: AccountRow): Account {
  const { permissions, siteIds } = row;
  const rights = { permissions: permissions && [...permissions], siteIds: siteIds && [...siteIds] };
  return {
    ...(row.role === 'operator' && rights),
    id: row.id,
    role: row.role,
    name: row.name,
    status: row.status,
    createdOn: row.createdAt,
    options: row.options,
    customer: row.customerId === null ? null : { id: row.customerId },
  };
}
