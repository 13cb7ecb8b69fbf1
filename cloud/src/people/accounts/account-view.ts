import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { isOwnAccount } from '../../records/accounts/find-account.ts';
import { loginsOf } from '../../records/accounts/find-logins.ts';
import { CustomerViewSchema, customerViewFrom } from '../customers/customer.ts';
import { AccountSchema, accountFrom } from './account.ts';
import { activityOf } from './account-activity.ts';
import { customersOf } from './account-list-store.ts';
import { LoginSchema, loginFrom } from './login.ts';

const INCLUDES = ['customer', 'logins', 'activity'] as const;
export type AccountInclude = (typeof INCLUDES)[number];

/** The query parameter `include`: once with commas between, or several times. */
export const AccountIncludeSchema = z
  .union([z.string(), z.array(z.string())])
  .transform((given, check): AccountInclude[] => {
    const names = [given].flat().flatMap((text) => text.split(','));
    const known = z.array(z.enum(INCLUDES)).safeParse(names);
    if (known.success) return known.data;
    check.addIssue({ code: 'custom', message: wrong('not-one-of', { values: [...INCLUDES], more: 0 }) });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description: `Comma-separated: ${INCLUDES.join(', ')}.`,
    example: 'logins',
  });

/** The last act of a person. */
const ActivitySchema = z
  .strictObject({
    seenOn: UtcTimeSchema.nullable().describe(
      'The last call with one of its sessions or tokens that are kept, to the minute or to the day; null: none.',
    ),
    last: z
      .strictObject({ action: z.string(), on: UtcTimeSchema })
      .nullable()
      .describe('Its latest line in the audit log; null: none.'),
  })
  .meta({ id: 'AccountActivity' });

/** An account with what was asked to be included; in lists also a kiosk, which has a token in place of an account. */
export const AccountViewSchema = z
  .strictObject({
    ...AccountSchema.shape,
    role: z.enum([...AccountSchema.shape.role.options, 'kiosk']),
    customer: z.union([CustomerViewSchema, z.strictObject({ id: z.string() })]).nullable(),
    logins: z.array(LoginSchema).optional(),
    activity: ActivitySchema.optional(),
  })
  .meta({ id: 'AccountView' });
export type AccountView = z.infer<typeof AccountViewSchema>;

/** Accounts as the caller is shown them: comments only to operators, logins and activity only to their holders. */
export async function accountViews(
  q: Queries,
  own: OwnRows,
  rows: readonly AccountRow[],
  include: readonly AccountInclude[],
): Promise<AccountView[]> {
  const ownOnes = rows.filter(({ id }) => own.all || isOwnAccount(own, id));
  const withLogins = include.includes('logins') ? ownOnes : [];
  const activities = await activityOf(q, include.includes('activity') ? ownOnes.map(({ id }) => id) : []);
  const logins = await loginsOf(
    q,
    withLogins.map(({ id }) => id),
  );
  const customers = include.includes('customer') ? await customersOf(q, rows) : [];
  return rows.map((row) => {
    const customer = customers.find(({ id }) => id === row.customerId);
    const activity = activities.get(row.id);
    const ofIt = logins.filter(({ accountId }) => accountId === row.id);
    return {
      ...accountFrom(row),
      ...(own.all ? { comment: row.comment } : {}),
      ...(customer === undefined ? {} : { customer: customerViewFrom(customer) }),
      ...(activity === undefined ? {} : { activity }),
      ...(withLogins.includes(row) ? { logins: ofIt.map(loginFrom) } : {}),
    };
  });
}

/** A kiosk's token in the shape of an account. */
export function kioskView(token: { id: string; name: string | null; createdAt: string }): AccountView {
  const { id, name, createdAt } = token;
  return {
    id,
    role: 'kiosk',
    name: name ?? '',
    status: 'active',
    createdOn: createdAt,
    options: {},
    customer: null,
  };
}
